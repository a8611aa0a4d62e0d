"""The user's own hand in memory: adding a note, changing, locking and removing one, and answering what a model
proposed; apart from what the chain keeps, because the user may do anything, each time as a version."""

from __future__ import annotations

from dataclasses import dataclass
from typing import assert_never

from huaben.domain.events import ProjectEvent
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
    accepted,
    changed,
    open_question,
    unfit,
    upheld,
)
from huaben.domain.project import Project
from huaben.domain.story import FINISHED
from huaben.domain.text import scrub
from huaben.errors import BadInput, Conflict, NotFound, PreconditionFailed, PreconditionRequired
from huaben.ports import Commit, Stale
from huaben.services.house import House
from huaben.services.memory import CHANGED
from huaben.services.stories import Story, load_story, load_turn, stale


@dataclass(frozen=True, slots=True)
class Wish:
    """What to make of a note; None leaves a part as it is."""

    title: str | None = None
    text: str | None = None
    locked: bool | None = None
    removed: bool | None = None


@dataclass(frozen=True, slots=True)
class Place:
    """From where the user looks at a note: a node and the way to it. `at` is the node that a change
    belongs to: the same, or the last one behind it that will stay."""

    project: Project
    node: str
    at: str
    path: frozenset[str]

    @property
    def vantage(self) -> Vantage:
        return Vantage(self.project.id, self.node, self.project.card_id)


@dataclass(frozen=True, slots=True)
class Held:
    """A note as it is in force somewhere, and what is proposed of it there."""

    note: Note
    proposed: Note | None
    place: Place


async def place_in(house: House, project_id: str, at: str | None) -> Place:
    """A node of a project, by default the one that the story stands at. Raises `NotFound`."""
    story = await load_story(house, project_id)
    node = story.head.turn_id if at is None else at
    if node not in story.tree or story.tree[node].run == "queued":
        raise NotFound.of("turn", node)
    path = frozenset(one.id for one in story.tree.path(node))
    return Place(story.project, node, _lasting(story, node), path)


async def held(house: House, note_id: str, at: str | None = None) -> Held:
    """A note, removed or not, as it is seen from a node; without one from where its story stands. A
    card's resident summary belongs to no story, so that one has to be named. Raises `NotFound`,
    `BadInput("turn_required")`."""
    place = await _place_of(house, note_id, at)
    note = await house.store.note(note_id, place.vantage)
    if note is None:
        raise NotFound.of("note", note_id)
    versions = await house.store.note_versions(note_id)
    return Held(note, open_question(versions, place.path), place)


async def add_note(
    house: House, project_id: str, text: str, title: str = "", at: str | None = None
) -> Note:
    """Keep a note of the user's, seen from a node on. Raises `NotFound`, `BadInput` (`blank_note`,
    `note_too_long`)."""
    place = await place_in(house, project_id, at)
    note = Note(
        id=house.ids.new(),
        user_id=house.user_id,
        kind="note",
        title=" ".join(scrub(title).split()),
        text=scrub(text).strip(),
        author="user",
        at=house.now(),
        project_id=project_id,
        node=place.at,
    )
    fault = unfit(note)
    if fault is not None:
        raise refused(fault)
    return await _write(house, place, note, 0)


async def change_note(house: House, found: Held, wish: Wish, version: int | None) -> Note:
    """Another version of a note, made against the one in force. Raises `PreconditionRequired` without
    a version, `PreconditionFailed` for another one, `BadInput` as `add_note`, `Conflict("stale")`."""
    note, place = found.note, found.place
    _check(note.version, version)
    change = NoteChange(
        note.version,
        "user",
        None if wish.title is None else " ".join(scrub(wish.title).split()),
        None if wish.text is None else scrub(wish.text).strip(),
        wish.locked,
        wish.removed,
    )
    made = changed(note, change, node=_node(note, place), at=house.now())
    if not isinstance(made, Note):
        raise refused(made)
    return note if made == note else await _write(house, place, made, note.revision)


async def answer_proposal(house: House, found: Held, version: int | None, *, agree: bool) -> Note:
    """Agree to what is proposed of a note, or keep it as it is. `version` is the proposed one. Raises
    `NotFound("proposal_not_found")`, `Conflict("note_locked")` and as `change_note`."""
    note, place = found.note, found.place
    if found.proposed is None:
        raise NotFound("proposal_not_found", "Nothing is proposed of the note here.")
    _check(found.proposed.version, version)
    node, now = _node(note, place), house.now()
    made = (
        accepted(note, found.proposed, node=node, at=now)
        if agree
        else upheld(note, node=node, at=now)
    )
    if not isinstance(made, Note):
        raise refused(made)
    return await _write(house, place, made, note.revision)


def refused(why: NoteRefusal) -> BadInput | Conflict | PreconditionFailed:
    """A refusal of the domain as an error with its facts."""
    match why:
        case NoteBlank():
            return BadInput("blank_note", "A note cannot be empty.", "Remove it instead.")
        case NoteTooLong(part=part, chars=chars, limit=limit):
            message = f"The {part} has {chars:,} characters, at most {limit:,} are kept."
            return BadInput("note_too_long", message, "Make several notes of it.", limit=limit)
        case NoteLocked():
            return Conflict("note_locked", "The note is locked.", "Unlock it first.")
        case NoteMoved(current=current):
            return _changed(current)
        case NoteShrinks(before=before, after=after):
            message = f"The note would shrink from {before:,} to {after:,} characters."
            return Conflict("note_shrinks", message)
        case _:
            assert_never(why)


# ---- places ------------------------------------------------------------------------------------


def _lasting(story: Story, node_id: str) -> str:
    """The node or the last one before it that no discarding takes away: what the user notes while a
    turn runs, or has failed, stays when the turn goes."""
    node = story.tree[node_id]
    while node.kind == "turn" and node.outcome not in FINISHED and node.parent is not None:
        node = story.tree[node.parent]
    return node.id


async def _place_of(house: House, note_id: str, at: str | None) -> Place:
    if at is not None:
        turn = await load_turn(house, at)
        return await place_in(house, turn.project_id, at)
    newest = await house.store.note(note_id)
    if newest is None or newest.user_id != house.user_id:
        raise NotFound.of("note", note_id)
    if newest.project_id is None:
        raise BadInput(
            "turn_required", "The note belongs to no story.", "Name a turn from which it is seen."
        )
    return await place_in(house, newest.project_id, None)


def _node(note: Note, place: Place) -> str | None:
    """Where the next version belongs: what all stories see stays with none of them."""
    return None if note.node is None else place.at


# ---- writing -----------------------------------------------------------------------------------


def _check(current: int, version: int | None) -> None:
    if version is None:
        raise PreconditionRequired(
            "version_required", "Name the version that you changed (If-Match)."
        )
    if version != current:
        raise _changed(current)


def _changed(current: int) -> PreconditionFailed:
    return PreconditionFailed(
        "version_changed",
        f"The note is at version {current} here.",
        "Look at the present note and change that.",
        version=current,
    )


async def _write(house: House, place: Place, note: Note, revision: int) -> Note:
    event = ProjectEvent(CHANGED, place.at, {"note": note.id, "source": note.source})
    commit = Commit(
        expected={("note", note.id): revision},
        rows=(note,),
        project_events=((place.project.id, event),),
    )
    done = await house.store.commit(commit)
    if isinstance(done, Stale):
        raise stale(done)
    kept = await house.store.note(note.id, place.vantage)
    assert kept is not None  # it was written where it is looked from
    return kept
