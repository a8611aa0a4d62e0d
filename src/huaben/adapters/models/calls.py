"""Tool calls put together from fragments; apart because every provider numbers and names them anew.

What tells one call from the next, in this order: a known id; a new id; the index; a name that
cannot belong to the call before it. A fragment without any of these goes on with the last call. An id
that comes again with whole arguments already there is a repetition or, where it says something else,
another call: some providers give each call of a tool the same id.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from hashlib import blake2b
from typing import Final

from huaben.adapters.models.thinking import SurrogateMender
from huaben.domain.jsonvalue import Json, JsonObject
from huaben.domain.messages import CallDelta, ToolCall

_CARRIED: Final = ("extra_content", "thought_signature", "provider_specific_fields")
"""Fields of a fragment that the provider wants back with the call (Gemini's thought signatures)."""


@dataclass(slots=True)
class _Open:
    """A call that is still arriving. `position` is given with its first name or arguments, so that
    a fragment which says nothing leaves no phantom."""

    id: str = ""
    name: str = ""
    arguments: list[str] = field(default_factory=list[str])
    extra: dict[str, object] = field(default_factory=dict[str, object])
    position: int | None = None
    mender: SurrogateMender = field(default_factory=SurrogateMender)

    @property
    def text(self) -> str:
        return "".join(self.arguments)


@dataclass(frozen=True, slots=True)
class _Fragment:
    id: str
    index: int | None
    name: str
    arguments: str
    extra: JsonObject

    @property
    def is_empty(self) -> bool:
        return not (self.id or self.name or self.arguments or self.extra)


class CallTable:
    """The calls of one reply, in the order in which they began."""

    def __init__(self) -> None:
        self._begun: list[_Open] = []
        self._by_id: dict[str, _Open] = {}
        self._by_index: dict[int, _Open] = {}
        self._active: _Open | None = None
        self.repeated = False
        """Whether a call came a second time, word for word; it is held once."""

    def __bool__(self) -> bool:
        return bool(self._begun)

    def take(self, fragments: list[Json]) -> list[CallDelta]:
        """Add what one chunk says about calls."""
        out: list[CallDelta] = []
        touched: list[_Open] = []
        for raw in fragments:
            fragment = _fragment(raw)
            if fragment is None or fragment.is_empty:
                continue
            if self._is_repetition(fragment):
                self.repeated = True
                continue
            call = self._find(fragment, touched)
            touched.append(call)
            self._active = call
            delta = self._add(call, fragment)
            if delta is not None:
                out.append(delta)
        return out

    def finished(
        self, make_id: Callable[[int], str], stamp: Mapping[str, object]
    ) -> tuple[ToolCall, ...]:
        """The calls as they stand; `make_id` names those that came without an id, `stamp` is added
        to what must travel back."""
        return tuple(
            ToolCall(
                id=call.id or make_id(position),
                name=call.name,
                arguments=call.text + call.mender.close(),
                extra={**call.extra, **stamp} if call.extra else {},
            )
            for position, call in enumerate(self._begun)
        )

    def all_whole(self, *, blank_counts: bool) -> bool:
        """Whether every call has a name and arguments that parse. Blank arguments are whole only
        where the provider said that it had finished: a cut right after a name looks the same."""
        return all(
            bool(call.name) and (is_whole(call.text) or (blank_counts and not call.text.strip()))
            for call in self._begun
        )

    # ---- which call a fragment belongs to ------------------------------------------------------

    def _find(self, fragment: _Fragment, touched: list[_Open]) -> _Open:
        known = self._by_id.get(fragment.id) if fragment.id else None
        if known is not None and not _is_another(fragment, known):
            return known
        if known is not None:
            return self._begin_another(fragment)
        indexed = None if fragment.index is None else self._by_index.get(fragment.index)
        candidate = indexed or self._active
        if candidate is None or not self._continues(fragment, candidate, indexed, touched):
            candidate = _Open()
        if fragment.id:
            candidate.id = fragment.id
            self._by_id[fragment.id] = candidate
        if fragment.index is not None and indexed is not candidate:
            self._by_index[fragment.index] = candidate
        return candidate

    def _is_repetition(self, fragment: _Fragment) -> bool:
        call = self._by_id.get(fragment.id) if fragment.id else None
        if call is None or fragment.name not in ("", call.name):
            return False
        return fragment.arguments == call.text and is_whole(call.text)

    def _begin_another(self, fragment: _Fragment) -> _Open:
        """A call whose id is taken: it gets one of ours when it is finished."""
        call = self._by_id[fragment.id] = _Open()
        if fragment.index is not None:
            self._by_index[fragment.index] = call
        return call

    def _continues(
        self, fragment: _Fragment, call: _Open, indexed: _Open | None, touched: list[_Open]
    ) -> bool:
        new_index = fragment.index is not None and indexed is None
        if fragment.id and (call.id or new_index):
            return False
        if not fragment.name:
            # Without a name even a new index goes on with the call before it, unless that is over.
            begins = new_index and bool(fragment.arguments.strip())
            return not (begins and is_whole(call.text))
        if new_index or (call in touched and bool(call.name)):
            return False
        if not call.name:
            return True
        if fragment.name == call.name:
            return not is_whole(call.text)
        return not call.arguments and fragment.name.startswith(call.name)

    def _add(self, call: _Open, fragment: _Fragment) -> CallDelta | None:
        call.extra.update(fragment.extra)
        fresh_name = bool(fragment.name) and fragment.name != call.name
        if fresh_name:
            grown = fragment.name.startswith(call.name)
            call.name = fragment.name if grown else call.name + fragment.name
        arguments = call.mender.feed(fragment.arguments) if fragment.arguments else ""
        if arguments:
            call.arguments.append(arguments)
        if not (fresh_name or arguments):
            return None
        if call.position is None:
            call.position = len(self._begun)
            self._begun.append(call)
        return CallDelta(call.position, call.name, arguments)


def _is_another(fragment: _Fragment, known: _Open) -> bool:
    """Whether a fragment cannot go on with the call of its id: nothing follows whole
    arguments but a repetition of the name."""
    if not (fragment.name and known.name and is_whole(known.text)):
        return False
    return bool(fragment.arguments.strip()) or fragment.name != known.name


def made_id(request: bytes, position: int) -> str:
    """An id for a call that came without: nine letters and digits, as the strictest provider wants
    them; the same for the same request, another for any other."""
    return blake2b(request, digest_size=8, salt=str(position).encode()).hexdigest()[:9]


def is_whole(arguments: str) -> bool:
    """Whether the string is one complete JSON value."""
    text = arguments.strip()
    if not text.endswith(("}", "]")):
        return False
    try:
        json.loads(text)
    except (ValueError, RecursionError):
        return False
    return True


def _fragment(raw: Json) -> _Fragment | None:
    if not isinstance(raw, dict):
        return None
    function = raw.get("function")
    if not isinstance(function, dict):
        function = raw  # some proxies leave the level out
    return _Fragment(
        id=_text(raw.get("id")),
        index=_index(raw.get("index")),
        name=_text(function.get("name")),
        arguments=_arguments(function.get("arguments")),
        extra={name: raw[name] for name in _CARRIED if raw.get(name)},
    )


def _text(value: Json) -> str:
    return value if isinstance(value, str) else ""


def _index(value: Json) -> int | None:
    if isinstance(value, str) and value.isascii() and value.isdigit():
        return int(value)
    return value if isinstance(value, int) and not isinstance(value, bool) else None


def _arguments(value: Json) -> str:
    """Arguments are a string; servers that send the object itself mean the same."""
    if value is None or isinstance(value, str):
        return value or ""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))
