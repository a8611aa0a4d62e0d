"""What regex scripts made of texts before, so that a long past is not worked through again each turn; apart
because the house holds one for all stories."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterator, MutableMapping
from threading import Lock
from typing import Final

REMEMBERED_CHARS: Final = 8_000_000
_KEPT: Final = 100
"""What remembering that nothing changed is counted as."""


class ScriptMemory(MutableMapping[bytes, str | None]):
    """The most recent of it. Scripts run in threads: each access stands alone."""

    def __init__(self) -> None:
        self._made: OrderedDict[bytes, str | None] = OrderedDict()
        self._chars = 0
        self._lock = Lock()

    def __getitem__(self, key: bytes) -> str | None:
        with self._lock:
            found = self._made[key]
            self._made.move_to_end(key)
            return found

    def __setitem__(self, key: bytes, value: str | None) -> None:
        with self._lock:
            if key in self._made:
                self._chars -= _size(self._made.pop(key))
            self._made[key] = value
            self._chars += _size(value)
            while self._chars > REMEMBERED_CHARS:
                self._chars -= _size(self._made.popitem(last=False)[1])

    def __delitem__(self, key: bytes) -> None:
        with self._lock:
            self._chars -= _size(self._made.pop(key))

    def __iter__(self) -> Iterator[bytes]:
        with self._lock:
            return iter(list(self._made))

    def __len__(self) -> int:
        return len(self._made)


def _size(value: str | None) -> int:
    return _KEPT + (0 if value is None else len(value))
