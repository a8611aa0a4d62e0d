"""What regex scripts made of texts before, so that a long past is not worked through again each turn; apart
because the house holds one for all stories."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterator, MutableMapping
from threading import Lock
from typing import Final, TypeAlias

REMEMBERED_CHARS: Final = 40_000_000
_KEPT: Final = 250
"""What remembering one thing takes beside the text. All messages of a story of ten thousand turns must
find room, or none is found again."""
Made: TypeAlias = tuple[str, tuple[str, ...]] | None


class ScriptMemory(MutableMapping[bytes, Made]):
    """The most recent of it. Scripts run in threads: each access stands alone."""

    def __init__(self, limit: int = REMEMBERED_CHARS) -> None:
        self._limit = limit
        self._made: OrderedDict[bytes, Made] = OrderedDict()
        self._chars = 0
        self._lock = Lock()

    def __getitem__(self, key: bytes) -> Made:
        with self._lock:
            found = self._made[key]
            self._made.move_to_end(key)
            return found

    def __setitem__(self, key: bytes, value: Made) -> None:
        with self._lock:
            if key in self._made:
                self._chars -= _size(self._made.pop(key))
            self._made[key] = value
            self._chars += _size(value)
            while self._chars > self._limit:
                self._chars -= _size(self._made.popitem(last=False)[1])

    def __delitem__(self, key: bytes) -> None:
        with self._lock:
            self._chars -= _size(self._made.pop(key))

    def __iter__(self) -> Iterator[bytes]:
        with self._lock:
            return iter(list(self._made))

    def __len__(self) -> int:
        return len(self._made)


def _size(value: Made) -> int:
    return _KEPT + (0 if value is None else len(value[0]))
