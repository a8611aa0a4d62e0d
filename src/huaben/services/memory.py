"""The story's memory as a turn sees it from its node: what its scenario has switched on, asked of the
store; apart from the tools and the prompt, which both look through it."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from huaben.agent.memorydesk import Listed
from huaben.domain.notes import SOURCES, Note, NoteSource, Vantage
from huaben.domain.project import Project
from huaben.domain.remembering import MAX_HITS, Recalled, SourceState
from huaben.errors import HuabenError
from huaben.ports import MemoryReads, Page
from huaben.services.house import House

RECALL_S: Final = 5.0
AT_ONCE: Final = 200
CHANGED: Final = "memory_changed"
"""The project event that notes were made or changed; names the turn, or the node, that they belong to."""
OWN: Final = 2
"""At most so many of the card's notes are the story's own: its recap and the resident summary."""


@dataclass(frozen=True, slots=True)
class Memory:
    """Implements `MemoryDesk`. `sources` are those that the scenario has switched on."""

    store: MemoryReads
    project: Project
    node: str
    sources: tuple[NoteSource, ...]
    new_id: Callable[[], str]
    now: Callable[[], str]

    @property
    def vantage(self) -> Vantage:
        return Vantage(self.project.id, self.node, self.project.card_id)

    async def search(self, query: str, limit: int) -> Recalled:
        states, open_ones = self._states(SOURCES)
        if not open_ones:
            return Recalled((), states)
        try:
            hits = await self.store.search_notes(self.vantage, query, open_ones, limit + OWN)
        except HuabenError:
            return Recalled((), _failed(states))
        found = [hit for hit in hits if not self._is_own(hit.note)]
        return Recalled(tuple(found[:limit]), states)

    async def listed(self, sources: Sequence[NoteSource], after: str | None, limit: int) -> Listed:
        states, open_ones = self._states(sources)
        if not open_ones:
            return Listed((), None, states)
        try:
            found = await self.store.notes(self.vantage, Page(after, limit), open_ones)
        except HuabenError:
            return Listed((), None, _failed(states))
        return Listed(tuple(n for n in found[0] if not self._is_own(n)), found[1], states)

    async def read(self, ref: str) -> Note | None:
        note = await self.store.note(ref, self.vantage)
        if note is None or note.removed or note.source not in self.sources:
            return None
        return None if self._is_own(note) else note

    def _is_own(self, note: Note) -> bool:
        """Whether a card's note says what the prompt says already, or what another branch of this
        very story came to: the resident summary, and the story's own recap. They belong to no node
        because other stories see them, so undo does not hide them from this one."""
        if note.kind == "resident":
            return True
        return note.kind == "recap" and note.project_id == self.project.id

    def begun(self, title: str, text: str) -> Note | None:
        if "store" not in self.sources:
            return None
        return Note(
            id=self.new_id(),
            user_id=self.project.user_id,
            kind="note",
            title=title,
            text=text,
            author="model",
            at=self.now(),
            project_id=self.project.id,
            node=self.node,
        )

    def _states(
        self, asked: Sequence[NoteSource]
    ) -> tuple[dict[NoteSource, SourceState], list[NoteSource]]:
        """The states of these sources, and which of them are to be asked."""
        states: dict[NoteSource, SourceState] = {one: self.state(one) for one in asked}
        return states, [source for source, state in states.items() if state == "ok"]

    def state(self, source: NoteSource) -> SourceState:
        """How the source answers before it is asked."""
        if source not in self.sources:
            return "disabled"
        return "unavailable" if source == "card" and self.project.card_id is None else "ok"


def memory_at(house: House, project: Project, node: str, sources: Sequence[NoteSource]) -> Memory:
    """The memory of a project as it is seen from a node."""
    return Memory(house.store, project, node, tuple(sources), house.ids.new, house.now)


async def recall(
    memory: Memory, words: str, *, within_s: float = RECALL_S, limit: int = MAX_HITS
) -> Recalled | None:
    """What memory has to these words, best first; None when it takes longer than `within_s`. Of a
    source that failed the states tell."""
    try:
        async with asyncio.timeout(within_s):
            return await memory.search(words, limit)
    except TimeoutError:
        return None


def _failed(states: Mapping[NoteSource, SourceState]) -> dict[NoteSource, SourceState]:
    """The same when the asked ones did not answer."""
    return {source: "error" if state == "ok" else state for source, state in states.items()}


async def card_notes(
    house: House, project: Project, node: str, *, removed: bool = False
) -> list[Note]:
    """What all stories of the project's card share, or instead what of it was removed; the newest
    first."""
    vantage = Vantage(project.id, node, project.card_id)
    found: list[Note] = []
    after: str | None = None
    while True:
        notes, after = await house.store.notes(
            vantage, Page(after, AT_ONCE), ("card",), removed=removed
        )
        found += notes
        if after is None:
            return found
