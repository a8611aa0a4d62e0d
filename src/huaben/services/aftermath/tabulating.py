"""The tables of memory: after a sealed turn the rows of what became different in the ledger; apart from the
diary because here notes that exist are changed, under their own rules (`state.md` §3).

What the ledger says a later turn may have written: changes are taken from where the tables last looked at it
on this branch, so that nothing is left out when the scribe was late.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import assert_never, cast

from huaben.domain.events import Notice, ProjectEvent, TurnEvent
from huaben.domain.ledger import folded
from huaben.domain.notes import (
    Note,
    NoteBlank,
    NoteChange,
    NoteLocked,
    NoteMoved,
    NoteRefusal,
    NoteShrinks,
    NoteTooLong,
    Vantage,
    changed,
    merged,
    proposal,
    unfit,
)
from huaben.domain.project import Project
from huaben.domain.standing import Stood, is_told
from huaben.domain.story import Node, Turn
from huaben.errors import Conflict
from huaben.ports import Commit, Effect, Key, Page, Stale
from huaben.prompt import tables
from huaben.prompt.tables import Row, Speech, row_gone, table_rows
from huaben.services.expanding import user_name
from huaben.services.house import House
from huaben.services.memory import CHANGED
from huaben.services.standing import stood_at, stood_of

LOOK_BACK = 64
"""How many turns back it is looked for when the tables were last written."""
AGAIN = 5
"""Attempts to write while the user changes the same notes."""
PAGE = 200


@dataclass(frozen=True, slots=True)
class Wanted:
    """A row as it was when the tables last looked, and as it is now; None where there is none."""

    before: Row | None
    after: Row | None


@dataclass(slots=True)
class _Writing:
    """What comes of the rows that became different."""

    notes: list[Note] = field(default_factory=list[Note])
    expected: dict[Key, int] = field(default_factory=dict[Key, int])
    refused: list[str] = field(default_factory=list[str])
    asked: list[str] = field(default_factory=list[str])


async def keep_tables(
    house: House, project: Project, turn: Turn, path: Sequence[Node]
) -> Mapping[str, object]:
    """Bring the tables at a turn's node up to the ledger there, once. `path` leads from the root to
    the turn. Raises `StorageFailed` when the ledger is damaged."""
    key = _key(project.id, turn.id)
    for _ in range(AGAIN):
        known = await house.store.effect(key)
        if known is not None:
            return known.result
        stood = await stood_at(house, path)
        rows = await _wanted(house, project, path, stood)
        writing = await _written(house, project, turn, rows) if rows else _Writing()
        result = {"node": stood.node, "revision": stood.revision}
        commit = _commit(project, turn, writing, Effect(key, result))
        if not isinstance(await house.store.commit(commit), Stale):
            return result
    raise Conflict("busy", "The notes of the tables were changed by others again and again.")


def speech_of(project: Project) -> Speech:
    """How a project's tables are worded."""
    return Speech(project.language, user_name(project))


# ---- what became different ---------------------------------------------------------------------


async def _wanted(
    house: House, project: Project, path: Sequence[Node], stood: Stood
) -> Mapping[tables.Key, Wanted]:
    speech = speech_of(project)
    before, after = (
        table_rows(speech, one.standing.ledger, one.standing.roster)
        for one in (await _seen_last(house, project.id, path), stood)
    )
    return {
        key: Wanted(before.get(key), after.get(key))
        for key in dict.fromkeys((*before, *after))
        if before.get(key) != after.get(key)
    }


async def _seen_last(house: House, project_id: str, path: Sequence[Node]) -> Stood:
    """The ledger that the tables were last made from, on the way to the last node of the path."""
    told = [node.id for node in path[:-1] if is_told(node)]
    for turn in reversed(told[-LOOK_BACK:]):
        seen = await house.store.effect(_key(project_id, turn))
        if seen is None:
            continue
        node, revision = cast("tuple[str, int]", (seen.result["node"], seen.result["revision"]))
        for state in await house.store.states("ledger", [node] if node else []):
            if state.revision == revision:
                return stood_of(state)
        return Stood()
    return Stood()


# ---- what comes of it --------------------------------------------------------------------------


async def _written(
    house: House, project: Project, turn: Turn, rows: Mapping[tables.Key, Wanted]
) -> _Writing:
    vantage = Vantage(project.id, turn.id)
    there = await _notes(house, vantage, removed=False)
    removed = await _notes(house, vantage, removed=True)
    speech, writing, now = speech_of(project), _Writing(), house.now()
    for key, wanted in rows.items():
        row = wanted.after or (row_gone(speech, wanted.before) if wanted.before else None)
        note = there.get(key)
        if row is None or key in removed:  # what the user removed does not come back by itself
            continue
        if note is not None:
            text = merged(note.text, wanted.before.text if wanted.before else "", row.text)
            _change(writing, note, text, turn.id, now)
        elif wanted.after is not None:
            _begin(writing, _begun(house, project, turn, row, now))
    return writing


async def _notes(house: House, vantage: Vantage, *, removed: bool) -> Mapping[tables.Key, Note]:
    found: dict[tables.Key, Note] = {}
    after: str | None = None
    while True:
        page = Page(after, PAGE)
        notes, after = await house.store.notes(vantage, page, ("tables",), removed=removed)
        # From the newest on: of two of one name the older one is kept up.
        found |= {(note.kind, folded(note.title)): note for note in notes}
        if after is None:
            return found


def _begun(house: House, project: Project, turn: Turn, row: Row, now: str) -> Note:
    return Note(
        id=house.ids.new(),
        user_id=project.user_id,
        kind=row.kind,
        title=row.title,
        text=row.text,
        author="model",
        at=now,
        project_id=project.id,
        node=turn.id,
    )


def _begin(writing: _Writing, note: Note) -> None:
    fault = unfit(note)
    if fault is None:
        writing.notes.append(note)
        writing.expected["note", note.id] = 0
    else:
        writing.refused.append(f"{note.title}: {reason(fault)}")


def _change(writing: _Writing, note: Note, text: str, node: str, now: str) -> None:
    change = NoteChange(note.version, "model", text=text)
    made = changed(note, change, node=node, at=now)
    if made == note:
        return
    if isinstance(made, NoteShrinks):
        made = proposal(note, change, node=node, at=now)
        writing.asked.append(note.title)
    if isinstance(made, Note):
        writing.notes.append(made)
        writing.expected["note", note.id] = note.revision
    else:
        writing.refused.append(f"{note.title}: {reason(made)}")


def reason(refusal: NoteRefusal) -> str:
    """Why a note was not kept or changed, as a technical fact."""
    match refusal:
        case NoteLocked():
            return "locked"
        case NoteShrinks(before=before, after=after):
            return f"shrinks from {before} to {after} characters"
        case NoteMoved(given=given, current=current):
            return f"made from version {given}, at version {current}"
        case NoteBlank():
            return "blank"
        case NoteTooLong(part=part, chars=chars, limit=limit):
            return f"{part} of {chars} characters, at most {limit}"
        case _:
            assert_never(refusal)


def _commit(project: Project, turn: Turn, writing: _Writing, effect: Effect) -> Commit:
    told: list[TurnEvent] = []
    if writing.refused:
        told.append(Notice("memory_refused", "; ".join(writing.refused)))
    if writing.asked:
        told.append(Notice("memory_asks", "; ".join(writing.asked)))
    event = ProjectEvent(CHANGED, turn.id, {"source": "tables"})
    return Commit(
        expected=writing.expected,
        rows=(*writing.notes, effect),
        events=tuple((turn.id, one) for one in told),
        project_events=((project.id, event),) if writing.notes else (),
    )


def _key(project_id: str, turn_id: str) -> str:
    return f"{project_id}/tables/{turn_id}"
