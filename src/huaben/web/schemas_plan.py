"""What answers about plans look like, and what is asked of them."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field, JsonValue

from huaben.web.bodies import Asked, Id, Text
from huaben.web.schemas import PageOf, Told

Outcome = Literal[
    "",
    "committed",
    "retained",
    "unchanged",
    "invalid",
    "failed",
    "stale_write_rejected",
    "superseded",
    "cancelled",
]
Group = Literal["event", "knowledge", "world", "npc", "callback", "camera", "agency"]


class PlanNoteTold(Told):
    """Something that an expert found in turn `turn`, and the history that it quotes: `checked` if
    that stands there. `words` are the user's that it answered."""

    number: int
    group: Group
    text: str
    tool: str
    turn: int
    quote: str
    checked: bool
    words: str
    pinned: bool
    dropped: bool


class PlanNoteShown(PlanNoteTold):
    """A note of the plan in force; an `advisory` one rests on nothing that could be found. Lines of the
    state refer to it by its label."""

    label: str
    advisory: bool


class PlanTold(Told):
    """The plan in force at the node `at`: revision 0 and an empty state before the first commit.
    `headings` are the whole heading lines in the order in which a valid state has them; `age_turns` is
    how many turns the plan is behind; `planning` are the jobs that wait or run. `serial` numbers the
    revisions of the project over all its branches."""

    at: str
    revision: int
    serial: int
    state: str
    headings: list[str]
    locked: list[str]
    notes: list[PlanNoteShown]
    age_turns: int
    turn: int
    author: Literal["", "planner", "user"]
    made_at: str
    node: str
    enabled: bool
    planning: list[int]


class LineChanged(Told):
    op: Literal["added", "removed"]
    line: str


class PlanRevisionTold(Told):
    """One revision: who made it and why, from which other one (`base`, 0: from none), by which
    functions, and what it changed."""

    revision: int
    serial: int
    base: int
    author: Literal["planner", "user"]
    why: Literal["director", "edit", "lock", "note"]
    made_at: str
    node: str
    turn: int
    history: int
    tools: list[str]
    job: str
    state: str
    changes: list[LineChanged]
    new_notes: list[PlanNoteTold]


class PlanRevisions(Told):
    items: list[PlanRevisionTold]
    next: int | None


class PlanNodeTold(Told):
    """A node of a job: what was asked of whom, under which other node, what it took and came to.
    `sizes` are characters by source, `left_out` counts what did not go in, `lines` are those of a new
    state that name nothing they rest on."""

    id: str
    kind: Literal["snapshot", "route", "expert", "director", "validate", "commit"]
    name: str
    status: Literal["done", "failed", "refused", "skipped"]
    under: str
    detail: str
    model: str
    call: str
    attempts: int
    seconds: float
    prompt: int | None
    completion: int | None
    cached: int | None
    cost_micros: int | None
    currency: str
    sizes: dict[str, int]
    left_out: dict[str, int]
    lines: list[str]


class PlanJobTold(Told):
    """The planning of a turn. `outcome` is empty until it is over; `base` and `revision` are serials of
    the plan that it began with and of the one that it made (0: none); `cost_micros` is by currency."""

    number: int
    turn: str
    state: Literal["waiting", "running", "over"]
    outcome: Outcome
    detail: str
    began_at: str
    ended_at: str
    base: int
    revision: int
    source_turn: int
    calls: int
    prompt: int
    completion: int
    cached: int
    cost_micros: dict[str, int]
    nodes: list[PlanNodeTold]


class PlanJobs(Told):
    items: list[PlanJobTold]
    next: int | None


class PlanCalls(PageOf[dict[str, JsonValue]]):
    """The model calls of a job, each as in a turn's trace."""


class MarkGiven(Asked):
    """What the user thinks of a note."""

    number: Annotated[int, Field(ge=1)]
    pinned: bool | None = None
    dropped: bool | None = None


class PlanChanged(Asked):
    """A change made against revision `revision`. `state` is the whole text with its heading lines,
    `locks` are all lines that are to be locked."""

    revision: Annotated[int, Field(ge=0)]
    state: Annotated[Text | None, Field(max_length=20_000)] = None
    locks: Annotated[list[Text] | None, Field(max_length=200)] = None
    notes: list[MarkGiven] = Field(default_factory=list[MarkGiven], max_length=200)


class PlanningWanted(Asked):
    """The turn that is to be planned for once more."""

    turn: Id


class SwitchGiven(Asked):
    enabled: bool
