"""A plan as it stands, and a revision of it as it is stored, with their JSON forms; apart from the parts so
that what a store keeps is read in one place."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Final, Literal, TypeAlias, cast

from huaben.domain.jsonvalue import Json, JsonObject
from huaben.domain.plan.notes import GROUPS, PlanNote, kept
from huaben.domain.text import scrub

PlanAuthor: TypeAlias = Literal["planner", "user"]
Why: TypeAlias = Literal["director", "edit", "lock", "note"]
AUTHORS: Final[tuple[PlanAuthor, ...]] = ("planner", "user")


@dataclass(frozen=True, slots=True)
class Plan:
    """What stands: the state as written, the notes by number, and the lines that the user has locked
    (as `state.plain_line` gives them). `next_note` is the number of the next note."""

    state: str = ""
    notes: tuple[PlanNote, ...] = ()
    locks: tuple[str, ...] = ()
    next_note: int = 1

    @property
    def active(self) -> tuple[PlanNote, ...]:
        """The notes that were not dropped."""
        return tuple(note for note in self.notes if not note.dropped)


@dataclass(frozen=True, slots=True)
class PlanRevision:
    """One revision of a plan, bound to a beat of the story.

    `number` counts the revisions of a line of descent, `base` is the serial of the one it was made
    from (0: none). `node` is the turn whose planning made it, or where the user stood. `turn` is
    the source turn, `history` the revision of the head when that turn began. `tools` are the
    functions that were called, `job` the job that made it. `serial` counts the revisions of the
    project over all branches; a store gives it and takes none."""

    project_id: str
    beat: str
    node: str
    number: int
    base: int
    author: PlanAuthor
    why: Why
    at: str
    plan: Plan = field(default_factory=Plan)
    turn: int = 0
    history: int = 0
    tools: tuple[str, ...] = ()
    job: str = ""
    serial: int = 0


def with_notes(plan: Plan, state: str, new: Iterable[PlanNote]) -> Plan:
    """The plan with another state and these notes added."""
    notes = (*plan.notes, *new)
    following = max((note.number + 1 for note in notes), default=plan.next_note)
    return Plan(scrub(state), kept(notes), plan.locks, max(following, plan.next_note))


# ---- as JSON -----------------------------------------------------------------------------------


def plan_to_json(plan: Plan) -> JsonObject:
    """`plan_from_json` reads it back to an equal value."""
    return {
        "state": plan.state,
        "notes": [note_to_json(note) for note in plan.notes],
        "locks": list(plan.locks),
        "next_note": plan.next_note,
    }


def plan_from_json(value: object) -> Plan:
    """What was stored so. Raises `ValueError` for what is none of ours: the record is damaged."""
    data = _object(value)
    return Plan(
        _text(data, "state"),
        tuple(note_from_json(one) for one in _list(data, "notes")),
        tuple(_a_text(line) for line in _list(data, "locks")),
        _number(data, "next_note"),
    )


def note_to_json(note: PlanNote) -> JsonObject:
    """A note with all its fields, as it is stored and shown."""
    return {
        "number": note.number,
        "group": note.group,
        "text": note.text,
        "tool": note.tool,
        "turn": note.turn,
        "quote": note.quote,
        "checked": note.checked,
        "words": note.words,
        "pinned": note.pinned,
        "dropped": note.dropped,
    }


def note_from_json(value: object) -> PlanNote:
    """Raises `ValueError`."""
    data = _object(value)
    group = _text(data, "group")
    if group not in GROUPS:
        raise ValueError(f"{group} is no group of notes")
    return PlanNote(
        number=_number(data, "number"),
        group=group,
        text=_text(data, "text"),
        tool=_text(data, "tool"),
        turn=_number(data, "turn"),
        quote=_text(data, "quote"),
        checked=data.get("checked") is True,
        words=_text(data, "words"),
        pinned=data.get("pinned") is True,
        dropped=data.get("dropped") is True,
    )


def revision_to_json(revision: PlanRevision) -> JsonObject:
    """What a revision holds beside the columns that it is found by."""
    return {
        "plan": plan_to_json(revision.plan),
        "why": revision.why,
        "turn": revision.turn,
        "history": revision.history,
        "tools": list(revision.tools),
        "job": revision.job,
    }


def revision_from_json(value: object, found: PlanRevision) -> PlanRevision:
    """The whole revision; `found` has what its columns say. Raises `ValueError`."""
    data = _object(value)
    why = _text(data, "why")
    if why not in ("director", "edit", "lock", "note"):
        raise ValueError(f"{why} is no reason for a revision")
    return PlanRevision(
        found.project_id,
        found.beat,
        found.node,
        found.number,
        found.base,
        found.author,
        why,
        found.at,
        plan_from_json(data.get("plan")),
        _number(data, "turn"),
        _number(data, "history"),
        tuple(_a_text(name) for name in _list(data, "tools")),
        _text(data, "job"),
        found.serial,
    )


def _object(value: object) -> dict[str, Json]:
    if not isinstance(value, dict):
        raise ValueError(f"expected an object, found {type(value).__name__}")
    return cast("dict[str, Json]", value)  # its members are checked one by one


def _text(data: JsonObject, name: str) -> str:
    return _a_text(data.get(name))


def _a_text(value: Json) -> str:
    if not isinstance(value, str):
        raise ValueError(f"expected a text, found {type(value).__name__}")
    return value


def _number(data: JsonObject, name: str) -> int:
    value = data.get(name)
    if not isinstance(value, int) or isinstance(value, bool):
        raise ValueError(f"{name} is no whole number")
    return value


def _list(data: JsonObject, name: str) -> list[Json]:
    value = data.get(name)
    if not isinstance(value, list):
        raise ValueError(f"{name} is no list")
    return value
