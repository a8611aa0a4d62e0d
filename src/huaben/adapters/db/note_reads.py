"""The store's face for single notes and lists of them; apart because the store fills its file."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Concatenate, ParamSpec, TypeVar

from sqlalchemy import Connection

from huaben.adapters.db import notes
from huaben.domain.notes import SOURCES, Note, NoteSource, Vantage
from huaben.ports import Page

T = TypeVar("T")
P = ParamSpec("P")


class NoteRows:
    """Implements `MemoryReads`, but for its searches, over a store's way of reading."""

    async def _read(
        self,
        read: Callable[Concatenate[Connection, P], T],
        *arguments: P.args,
        **named: P.kwargs,
    ) -> T:
        raise NotImplementedError

    async def note(self, note_id: str, vantage: Vantage | None = None) -> Note | None:
        return await self._read(notes.note, note_id, vantage)

    async def note_versions(self, note_id: str) -> list[Note]:
        return await self._read(notes.versions, note_id)

    async def notes(
        self,
        vantage: Vantage,
        page: Page,
        sources: Sequence[NoteSource] = SOURCES,
        *,
        removed: bool = False,
    ) -> tuple[list[Note], str | None]:
        return await self._read(notes.notes, vantage, page, sources, removed)

    async def proposals(self, vantage: Vantage, page: Page) -> tuple[list[Note], str | None]:
        return await self._read(notes.proposals, vantage, page)
