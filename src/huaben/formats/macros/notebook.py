"""The variables of one expansion while they change; apart because what may be written is bounded here, once."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from huaben.formats.macros.page import size
from huaben.formats.macros.scene import Scope, Variables


class Notebook:
    """A working copy of the variables. Nothing is copied until the first write."""

    def __init__(self, variables: Variables, max_bytes: int) -> None:
        self._before = variables
        self._pages: dict[Scope, Mapping[str, str]] = {
            "local": variables.local,
            "global": variables.globals,
        }
        self._written: dict[Scope, dict[str, str]] = {}
        self._settled: set[tuple[Scope, str]] = set()
        self._room = max_bytes

    def get(self, scope: Scope, name: str) -> str | None:
        """The value, None if there is no such variable."""
        return self._page(scope).get(name)

    def put(self, scope: Scope, name: str, value: str) -> bool:
        """Sets a variable; False, and nothing is changed, if the notebook is full.

        Full means that names and values have grown by `max_bytes` since the beginning.
        """
        before = self.get(scope, name)
        growth = size(value) + (size(name) if before is None else -size(before))
        if growth > self._room:
            return False
        self._room -= growth
        self._writable(scope)[name] = value
        return True

    def drop(self, scope: Scope, name: str) -> None:
        before = self.get(scope, name)
        if before is not None:
            self._room += size(name) + size(before)
            del self._writable(scope)[name]

    def settle(self, scope: Scope, name: str) -> None:
        """Notes that the template itself decided this value, whatever it was before."""
        self._settled.add((scope, name))

    def is_settled(self, scope: Scope, name: str) -> bool:
        return (scope, name) in self._settled

    def variables(self) -> Variables:
        """The variables as they stand, the object given in the beginning if none was written."""
        if not self._written:
            return self._before
        return Variables(
            local=MappingProxyType(dict(self._page("local"))),
            globals=MappingProxyType(dict(self._page("global"))),
        )

    def _page(self, scope: Scope) -> Mapping[str, str]:
        return self._written.get(scope, self._pages[scope])

    def _writable(self, scope: Scope) -> dict[str, str]:
        if scope not in self._written:
            self._written[scope] = dict(self._pages[scope])
        return self._written[scope]
