"""The story's memory as a turn's tools see it; apart from the tools, which the sources that they look at must
not have to know."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from huaben.domain.notes import Note, NoteSource
from huaben.domain.remembering import Recalled, SourceState


@dataclass(frozen=True, slots=True)
class Listed:
    """One page of notes, newest first; `after` goes on with it."""

    notes: tuple[Note, ...]
    after: str | None
    states: Mapping[NoteSource, SourceState]


class MemoryDesk(Protocol):
    """The memory as a turn sees it from its node. Only `read` raises, a `HuabenError`; the others
    tell by source what went wrong."""

    async def search(self, query: str, limit: int) -> Recalled: ...
    async def listed(
        self, sources: Sequence[NoteSource], after: str | None, limit: int
    ) -> Listed: ...
    async def read(self, ref: str) -> Note | None:
        """The note as it is in force; None if there is none, or it was removed."""
        ...

    def begun(self, title: str, text: str) -> Note | None:
        """A note for the store, of this turn, that is not kept yet; None where that is not open."""
        ...
