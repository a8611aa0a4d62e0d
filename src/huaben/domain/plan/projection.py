"""What of a plan goes into a prompt: whole lines within a budget, notes beside a long state, secrets only for
those who may know; apart from the plan because nothing here changes it (`planner.md` §2)."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import zip_longest
from typing import Final

from huaben.domain.plan.notes import ACTIVE, GROUPS, NoteGroup, PlanNote, is_advisory
from huaben.domain.plan.revision import Plan
from huaben.domain.plan.state import (
    Section,
    headings,
    knowers,
    plain_line,
    sections,
    unreferenced,
    viewpoint,
    withheld,
)
from huaben.domain.project import Language

PLANNER_CHARS: Final = 6500
NOTES_SHARE: Final = 5
"""A fifth of a budget is the notes' own."""
PER_GROUP: Final = 6


@dataclass(frozen=True, slots=True)
class Labels:
    """How notes are written: the title of each group, and the mark of what is unproved."""

    groups: Mapping[NoteGroup, str]
    advisory: str


@dataclass(frozen=True, slots=True)
class LeftOutOfPlan:
    """How much a projection left out: lines of the state and notes over the budget, notes older than
    the latest sixty, notes beyond six of a group, lines and notes that are secrets."""

    lines: int = 0
    notes: int = 0
    old: int = 0
    crowded: int = 0
    secrets: int = 0

    @property
    def any(self) -> bool:
        return bool(self.lines or self.notes or self.old or self.crowded or self.secrets)


@dataclass(frozen=True, slots=True)
class Projection:
    """The two texts, either of which may be empty, and what is not in them."""

    state: str
    notes: str
    left_out: LeftOutOfPlan

    @property
    def text(self) -> str:
        return "\n\n".join(part for part in (self.state, self.notes) if part)


def for_planner(plan: Plan, language: Language, labels: Labels) -> Projection:
    """What orchestrator, experts and director see: everything, with its references."""
    return _projected(plan, language, labels, _View(PLANNER_CHARS, None))


def for_writer(
    plan: Plan, language: Language, labels: Labels, max_chars: int, *, secrets: bool
) -> Projection:
    """What whoever writes the story sees, without references. With `secrets` that is all of it;
    otherwise not what nobody knows whose eyes the scene is seen through."""
    eyes = None if secrets else viewpoint(plan.state, language)
    return _projected(plan, language, labels, _View(max_chars, eyes, bare=True))


def planner_state_chars() -> int:
    """How long a state may be so that all of it is sure to reach the planner."""
    return PLANNER_CHARS - PLANNER_CHARS // NOTES_SHARE


@dataclass(frozen=True, slots=True)
class _View:
    """A budget in characters; the eyes that secrets are kept from (None: shown); whether references
    go."""

    max_chars: int
    eyes: str | None
    bare: bool = False


def _projected(plan: Plan, language: Language, labels: Labels, view: _View) -> Projection:
    chosen, old, crowded, hidden = _chosen(plan, view)
    share = view.max_chars // NOTES_SHARE
    state, dropped, secret = _state(plan, language, view, view.max_chars - share)
    wanted = _notes(chosen, labels, view, view.max_chars)
    if len(wanted[0]) < share:  # what the notes do not need is the state's
        state, dropped, secret = _state(plan, language, view, view.max_chars - len(wanted[0]))
    notes, unsaid = _notes(chosen, labels, view, max(share, view.max_chars - len(state)))
    return Projection(state, notes, LeftOutOfPlan(dropped, unsaid, old, crowded, secret + hidden))


# ---- the state ---------------------------------------------------------------------------------


def _state(plan: Plan, language: Language, view: _View, room: int) -> tuple[str, int, int]:
    """The state in whole lines, how many did not fit, and how many are secrets."""
    parts, secret = _visible(plan.state, language, view)
    if not any(part.lines for part in parts):
        return "", 0, secret
    locked = frozenset(plan.locks)
    if view.bare:
        parts = [part for part in parts if part.lines]
    left = room - sum(len(part.heading) + 2 for part in parts)
    fitting: set[tuple[int, int]] = set()
    places = _in_turn(parts, lambda line: plain_line(line) in locked)
    for place in places:
        cost = len(parts[place[0]].lines[place[1]]) + 1
        if cost <= left:
            fitting.add(place)
            left -= cost
    shown = [
        "\n".join((part.heading, *(line for j, line in enumerate(part.lines) if (i, j) in fitting)))
        for i, part in enumerate(parts)
    ]
    return "\n\n".join(shown), len(places) - len(fitting), secret


def _visible(state: str, language: Language, view: _View) -> tuple[list[Section], int]:
    parts: list[Section] = []
    secret = 0
    for part in sections(state, language):
        lines = part.lines
        if view.eyes is not None:
            judged = list(withheld(lines, view.eyes))
            secret += sum(hidden for _, hidden in judged)
            lines = tuple(line for line, hidden in judged if not hidden)
        if view.bare:
            lines = tuple(unreferenced(line) for line in lines)
        parts.append(Section(part.heading, lines))
    assert len(parts) == len(headings(language))
    return parts, secret


def _in_turn(parts: Sequence[Section], first: Callable[[str], bool]) -> list[tuple[int, int]]:
    """The places of all lines: those that go before all others, then the first line of each section,
    the second of each, and so on, so that no section starves."""
    places = [
        place
        for row in zip_longest(
            *([(i, j) for j, _ in enumerate(p.lines)] for i, p in enumerate(parts))
        )
        for place in row
        if place is not None
    ]
    return sorted(places, key=lambda place: not first(parts[place[0]].lines[place[1]]))


# ---- the notes ---------------------------------------------------------------------------------

_Chosen = list[list[PlanNote]]


def _chosen(plan: Plan, view: _View) -> tuple[_Chosen, int, int, int]:
    """The notes by group, those that matter most first; how many are too old, too many of their
    group, or secret."""
    active = plan.active
    latest = {note.number for note in active[-ACTIVE:]}
    recent = [note for note in active if note.number in latest or note.pinned]
    seen = [note for note in recent if view.eyes is None or not _is_secret(note, view.eyes)]
    groups: _Chosen = []
    crowded = 0
    for group in GROUPS:
        own = [note for note in seen if note.group == group]
        own.sort(key=lambda note: (not note.pinned, -note.number))
        crowded += len(own[PER_GROUP:])
        if own:
            groups.append(own[:PER_GROUP])
    return groups, len(active) - len(recent), crowded, len(recent) - len(seen)


def _is_secret(note: PlanNote, eyes: str) -> bool:
    """Whether a note must not be seen: one secret line makes all of it secret."""
    return knowers(note.text) is not None and any(
        hidden for _, hidden in withheld(note.text.splitlines(), eyes)
    )


def _notes(groups: _Chosen, labels: Labels, view: _View, room: int) -> tuple[str, int]:
    """The notes under the titles of their groups, and how many did not fit. Each group gets one
    before any gets its second."""
    left = room
    fitting: set[int] = set()
    titled: set[NoteGroup] = set()
    wanted = [note for row in zip_longest(*groups) for note in row if note is not None]
    for note in sorted(wanted, key=lambda note: (note.group != "agency", not note.pinned)):
        title = 0 if note.group in titled else len(labels.groups[note.group]) + 1
        cost = len(_line(note, labels, view)) + 1 + title
        if cost <= left:
            left -= cost
            fitting.add(note.number)
            titled.add(note.group)
    lines: list[str] = []
    for group in groups:
        shown = sorted((n for n in group if n.number in fitting), key=lambda n: n.number)
        if shown:
            lines += [labels.groups[shown[0].group], *(_line(n, labels, view) for n in shown)]
    return "\n".join(lines), len(wanted) - len(fitting)


def _line(note: PlanNote, labels: Labels, view: _View) -> str:
    text = " ".join(note.text.split())
    mark = f"{labels.advisory} " if is_advisory(note) else ""
    return f"- {mark}{unreferenced(text)}" if view.bare else f"- [{note.label}] {mark}{text}"
