"""What the in-memory store knows of notes and finds in stories: the rules of the domain over all rows,
without an index; apart from the rest of the store because these reads are a port of their own."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from huaben.domain.finding import PARTS, among, parts_of, sought
from huaben.domain.notes import (
    SOURCES,
    Note,
    NoteSource,
    Vantage,
    in_force,
    in_scope,
    open_question,
)
from huaben.domain.remembering import NoteHit, best, note_tokens, question
from huaben.domain.story import Turn
from huaben.domain.terms import text_tokens
from huaben.ports import Page, StoryMatch
from huaben.testing.state import State


def versions(state: State, note_id: str) -> list[Note]:
    """All versions of a note, oldest first."""
    found = [one for one in state.notes if one.id == note_id]
    return [replace(one, revision=len(found)) for one in found]


def note(state: State, note_id: str, vantage: Vantage | None) -> Note | None:
    found = versions(state, note_id)
    if vantage is None:
        return next((one for one in reversed(found) if not one.proposed), None)
    seen = in_force(found, _path(state, vantage.at))
    return seen if seen is not None and in_scope(seen, vantage) else None


def search_story(
    state: State, project_id: str, query: str, page: Page
) -> tuple[list[StoryMatch], str | None]:
    wanted = sought(query)
    found = [
        (turn.id, PARTS.index(part), StoryMatch(turn.id, part))
        for turn in state.counted.values()
        if isinstance(turn, Turn) and turn.project_id == project_id and not turn.deleted
        for part, text in parts_of(turn).items()
        if among(wanted, text_tokens(text))
    ]
    found.sort(key=lambda one: one[:2], reverse=True)
    if page.after is not None:
        turn_id, _, part = page.after.partition(" ")
        found = [one for one in found if one[:2] < (turn_id, int(part or 0))]
    limit = min(max(page.limit, 1), 200)
    end = found[limit - 1] if len(found) > limit else None
    return [one[2] for one in found[:limit]], None if end is None else f"{end[0]} {end[1]}"


def _page(found: Iterable[Note], vantage: Vantage, page: Page) -> tuple[list[Note], str | None]:
    after, limit = page.after, min(max(page.limit, 1), 200)
    seen = [one for one in found if in_scope(one, vantage) and (after is None or one.id < after)]
    seen.sort(key=lambda one: one.id, reverse=True)
    return seen[:limit], seen[limit - 1].id if len(seen) > limit else None


def _seen(state: State, vantage: Vantage, sources: Sequence[NoteSource]) -> Iterator[Note]:
    """What is in force from there, removed or not."""
    path = _path(state, vantage.at)
    for note_id in dict.fromkeys(one.id for one in state.notes):
        seen = in_force(versions(state, note_id), path)
        if seen is not None and seen.source in sources:
            yield seen


def _questions(state: State, vantage: Vantage) -> Iterator[Note]:
    path = _path(state, vantage.at)
    for note_id in dict.fromkeys(one.id for one in state.notes):
        asked = open_question(versions(state, note_id), path)
        if asked is not None:
            yield asked


def _path(state: State, at: str) -> set[str]:
    path: set[str] = set()
    turn = state.turn(at)
    while turn is not None and turn.id not in path:
        path.add(turn.id)
        turn = None if turn.parent is None else state.turn(turn.parent)
    return path


class MemoryShelf:
    """Implements `MemoryReads` over the state of a `MemoryStore`."""

    _state: State

    async def note(self, note_id: str, vantage: Vantage | None = None) -> Note | None:
        return note(self._state, note_id, vantage)

    async def note_versions(self, note_id: str) -> list[Note]:
        return versions(self._state, note_id)

    async def notes(
        self,
        vantage: Vantage,
        page: Page,
        sources: Sequence[NoteSource] = SOURCES,
        *,
        removed: bool = False,
    ) -> tuple[list[Note], str | None]:
        seen = (one for one in _seen(self._state, vantage, sources) if one.removed == removed)
        return _page(seen, vantage, page)

    async def proposals(self, vantage: Vantage, page: Page) -> tuple[list[Note], str | None]:
        return _page(_questions(self._state, vantage), vantage, page)

    async def search_notes(
        self, vantage: Vantage, query: str, sources: Sequence[NoteSource] = SOURCES, limit: int = 10
    ) -> list[NoteHit]:
        terms = set(question(vantage, query, sources).terms)
        state = self._state
        written = {(one.id, one.version): place for place, one in enumerate(state.notes)}
        found = [
            one
            for one in _seen(state, vantage, sources)
            if not one.removed and in_scope(one, vantage) and terms & set(note_tokens(one))
        ]
        found.sort(key=lambda one: written[one.id, one.version], reverse=True)
        return best(found, query, limit)

    async def search_story(
        self, project_id: str, query: str, page: Page
    ) -> tuple[list[StoryMatch], str | None]:
        return search_story(self._state, project_id, query, page)
