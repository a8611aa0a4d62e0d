"""The last words of a chat, found while it is read for the first time; apart from the survey, which counts."""

from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final

from huaben.formats.chats.values import Entry, Message, Role

LAST: Final = 6
"""Messages that are shown of a chat's end."""
MAX_CHARS: Final = 2000
"""Of a longer message its last so many characters are kept."""
_NEAR: Final = 64


@dataclass(frozen=True, slots=True)
class Spoken:
    """A message as a reader sees it."""

    name: str
    role: Role
    text: str


@dataclass(frozen=True, slots=True)
class _Seen:
    id: str
    parent: str | None
    spoken: Spoken | None


@dataclass(slots=True)
class Ending:
    """Remembers the latest entries of a chat, whatever its length, and tells those at its end."""

    _latest: deque[_Seen] = field(default_factory=lambda: deque[_Seen](maxlen=_NEAR))

    def take(self, entry: Entry) -> None:
        spoken = None
        if isinstance(entry, Message) and not entry.hidden and entry.role != "system":
            spoken = Spoken(entry.name, entry.role, entry.text[-MAX_CHARS:])
        self._latest.append(_Seen(entry.id, entry.parent, spoken))

    def end(self, stands: str | None) -> tuple[Spoken, ...]:
        """The last messages up to where the chat stands, by default its last entry: in their order, at
        most `LAST`, of what is hidden none. Fewer, or none, where that lies far from the file's end."""
        found = [one.spoken for one in self._back(stands) if one.spoken and one.spoken.text.strip()]
        return tuple(reversed(found[:LAST]))

    def _back(self, stands: str | None) -> Iterator[_Seen]:
        known = {one.id: one for one in self._latest}
        at = stands or (self._latest[-1].id if self._latest else None)
        while at is not None and at in known:
            one = known.pop(at)  # a circle ends
            yield one
            at = one.parent
