"""Memory as clients see it: notes from a node with how each source stands, their versions with what each
changed, and what waits for an answer; apart from changing them because looking needs none of the rules."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from huaben.domain.notes import SOURCES, Note, NoteSource
from huaben.domain.remembering import MAX_HITS, NoteHit, SourceState
from huaben.domain.worddiff import WordSpan, diff_words
from huaben.formats.scenario import scenario_of
from huaben.ports import Page
from huaben.services.house import House
from huaben.services.memory import memory_at
from huaben.services.notekeeping import Held, Place, place_in
from huaben.services.writing.comparing import spans_json


@dataclass(frozen=True, slots=True)
class Shelf:
    """A page of notes as they are in force at a node; `scores` where they were searched for.
    `states` say how the sources answer a turn there, `proposed` what waits for an answer, each with
    the note that it would change."""

    place: Place
    notes: tuple[Note, ...]
    following: str | None
    states: Mapping[NoteSource, SourceState]
    proposed: tuple[tuple[Note, Note], ...] = ()
    scores: Mapping[str, float] | None = None


@dataclass(frozen=True, slots=True)
class VersionShown:
    """A version of a note; `seen`: it lies on the way to where it is looked from. `spans` lead from
    the text of the version that it was made from to its own, None for the first."""

    note: Note
    seen: bool
    spans: tuple[WordSpan, ...] | None


@dataclass(frozen=True, slots=True)
class Look:
    """What of memory is to be seen: from which node (None: where the story stands), of which source
    (None: all), and whether what was removed is meant instead of what is there."""

    at: str | None = None
    source: NoteSource | None = None
    removed: bool = False

    @property
    def sources(self) -> tuple[NoteSource, ...]:
        return SOURCES if self.source is None else (self.source,)


async def list_memory(house: House, project_id: str, look: Look, page: Page) -> Shelf:
    """The notes in force at a node, the newest first, whether or not the scenario remembers them now.
    Raises `NotFound`."""
    place = await place_in(house, project_id, look.at)
    notes, following = await house.store.notes(
        place.vantage, page, look.sources, removed=look.removed
    )
    asked = await _proposed(house, place) if page.after is None else ()
    return Shelf(place, tuple(notes), following, _states(house, place), asked)


async def search_memory(house: House, project_id: str, query: str, look: Look) -> Shelf:
    """The notes that answer a question, best first, at most `MAX_HITS`. Raises `NotFound`."""
    place = await place_in(house, project_id, look.at)
    hits: Sequence[NoteHit] = await house.store.search_notes(
        place.vantage, query, look.sources, MAX_HITS
    )
    scores = {hit.note.id: hit.score for hit in hits}
    notes = tuple(hit.note for hit in hits)
    return Shelf(place, notes, None, _states(house, place), (), scores)


async def versions_of(
    house: House, found: Held, page: Page
) -> tuple[list[VersionShown], str | None]:
    """The versions of a note, the newest first, on whatever branch; pages begin behind a number."""
    versions = await house.store.note_versions(found.note.id)
    texts = {one.version: one.text for one in versions}
    before = int(page.after) if page.after and page.after.isdecimal() else len(versions) + 1
    wanted = [one for one in reversed(versions) if one.version < before]
    shown = [
        VersionShown(one, _sees(found, one), await _spans(texts.get(one.base), one.text))
        for one in wanted[: page.limit]
    ]
    more = len(wanted) > page.limit
    return shown, str(shown[-1].note.version) if more else None


def _sees(found: Held, version: Note) -> bool:
    return version.node is None or version.node in found.place.path


async def _spans(before: str | None, after: str) -> tuple[WordSpan, ...] | None:
    return None if before is None else await asyncio.to_thread(diff_words, before, after)


def _states(house: House, place: Place) -> Mapping[NoteSource, SourceState]:
    sources = scenario_of(place.project.config).memory.sources
    memory = memory_at(house, place.project, place.node, sources)
    return {source: memory.state(source) for source in SOURCES}


async def _proposed(house: House, place: Place) -> tuple[tuple[Note, Note], ...]:
    asked, _ = await house.store.proposals(place.vantage, Page(limit=200))
    found: list[tuple[Note, Note]] = []
    for one in asked:
        now = await house.store.note(one.id, place.vantage)
        if now is not None:
            found.append((one, now))
    return tuple(found)


# ---- as JSON -----------------------------------------------------------------------------------


def note_json(note: Note) -> dict[str, object]:
    return {
        "id": note.id,
        "source": note.source,
        "kind": note.kind,
        "title": note.title,
        "text": note.text,
        "author": note.author,
        "written_at": note.at,
        "turn": note.node,
        "project": note.project_id,
        "version": note.version,
        "locked": note.locked,
        "removed": note.removed,
    }


def proposal_json(proposed: Note, now: Note) -> dict[str, object]:
    return {
        "note": now.id,
        "version": proposed.version,
        "turn": proposed.node,
        "written_at": proposed.at,
        "title": proposed.title,
        "text": proposed.text,
        "now": note_json(now),
    }


def shelf_json(shelf: Shelf) -> dict[str, object]:
    scores = shelf.scores
    return {
        "at": shelf.place.node,
        "items": [
            note_json(note) | ({} if scores is None else {"score": scores[note.id]})
            for note in shelf.notes
        ],
        "next": shelf.following,
        "sources": shelf.states,
        "proposed": [proposal_json(*one) for one in shelf.proposed],
    }


def held_json(found: Held) -> dict[str, object]:
    asked = found.proposed
    proposed = None if asked is None else proposal_json(asked, found.note)
    return {**note_json(found.note), "proposed": proposed}


def version_json(shown: VersionShown) -> dict[str, object]:
    spans = shown.spans
    return {
        **note_json(shown.note),
        "base": shown.note.base,
        "proposed": shown.note.proposed,
        "on_branch": shown.seen,
        "spans": None if spans is None else spans_json(spans),
    }
