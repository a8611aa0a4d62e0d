"""The store's one write verb: what a commit may hold, and its two answers; the values that all writing
goes through, apart from reads because a reader needs none of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal, TypeAlias

from huaben.domain.checkpoint import Snapshot
from huaben.domain.connection import StoredConnection
from huaben.domain.dressing import Dressing
from huaben.domain.events import ProjectEvent, TurnEvent
from huaben.domain.libraryitem import Consent, Favourite, ItemKind, StoredItem
from huaben.domain.messages import Reply, Usage, WireRequest
from huaben.domain.notes import Note
from huaben.domain.plan.revision import PlanRevision
from huaben.domain.plan.trace import PlanTrace
from huaben.domain.pricing import Cost
from huaben.domain.project import Guidance, Project, StoredBook, StoredCard
from huaben.domain.saves import Save
from huaben.domain.story import Turn
from huaben.ports.checkpoints import CheckpointNamed

Kind: TypeAlias = (
    Literal[
        "project", "card", "lorebook", "guidance", "turn", "head", "connection", "note", "state"
    ]
    | Literal["dressing", "consent", "save", "manuscript", "plan", "favourite"]
    | ItemKind
)
TrashKind: TypeAlias = Literal["project", "card", "lorebook", "save"] | ItemKind
Key: TypeAlias = tuple[Kind, str]
"""What a revision is counted for. Guidance is keyed `user/card/name`, a head by its project,
a connection `user/name`, a state `kind/node`, a dressing by its project, a consent `user/owner`,
the checkpoints of a manuscript and the plans of a story by their project, a favourite by its card."""
StateKind: TypeAlias = Literal["ledger", "summary", "care", "continuity", "digest"]


@dataclass(frozen=True, slots=True)
class Head:
    """The node that the project stands on. Its revision counts every change of the tree's order
    (a move, a post to the queue), so that two clients cannot both act on what only one has seen."""

    project_id: str
    turn_id: str
    revision: int = 0


@dataclass(frozen=True, slots=True)
class Visit:
    """The child that was last visited from a node: where Redo goes."""

    node_id: str
    child_id: str


@dataclass(frozen=True, slots=True)
class CallOpened:
    """A model call that is about to be made, with the exact bytes of its request.

    `n` counts the calls of the turn from 0; a retried call opens again under the same `n` and a new
    `id`. `outline` says for each message its zone, sources and reasons. `break_cause` is set when
    the request does not extend the session's previous one."""

    id: str
    turn_id: str
    project_id: str
    user_id: str
    n: int
    purpose: str
    model: str
    request: WireRequest
    outline: Sequence[Mapping[str, object]]
    opened_at: str
    break_cause: str = ""


@dataclass(frozen=True, slots=True)
class CallClosed:
    """The end of an opened call: its reply, or the error that ended it (`reply` is then None).
    A closed call with a reply is never paid again: of two ends the first stands. `cost` is None
    where it cannot be known."""

    id: str
    reply: Reply | None
    error: str
    usage: Usage
    first_token_ms: int | None
    closed_at: str
    cost: Cost | None = None


@dataclass(frozen=True, slots=True)
class Effect:
    """The recorded effect of a job step; a rerun reads it back instead of doing it again."""

    key: str
    result: Mapping[str, object]


@dataclass(frozen=True, slots=True)
class Due:
    """A job that this commit makes due: `lane` is `{project}/{post|plan}`, jobs of a lane run in
    the order in which they became due."""

    lane: str
    kind: str
    payload: Mapping[str, object]


@dataclass(frozen=True, slots=True)
class DueDone:
    """A due job was carried out (or given up, with the reason in `outcome`, never empty). Of two
    outcomes the first stands."""

    lane: str
    seq: int
    outcome: str = "done"


@dataclass(frozen=True, slots=True)
class NodeState:
    """What stands from a node of the story on, until another one of its kind on the way down: the
    ledger, or the summary that takes the place of old turns. A function of the node, so that going
    anywhere in the tree takes it along. `data` is JSON, whose order is kept. Each writing is a new
    version beside the former ones; `revision` counts them."""

    kind: StateKind
    project_id: str
    node: str
    author: str
    at: str
    data: Mapping[str, object]
    revision: int = 0


@dataclass(frozen=True, slots=True)
class Binned:
    """A thing goes to the trash at that moment, or with an empty one comes back; what it holds is not
    touched, and need not be readable."""

    kind: TrashKind
    id: str
    at: str


@dataclass(frozen=True, slots=True)
class Purged:
    """A thing of the trash goes for good, a project with its turns, logs and jobs. What is not in the
    trash stays, and so does a card or lorebook that a project still names."""

    kind: TrashKind
    id: str


Row: TypeAlias = (
    Project
    | StoredCard
    | StoredBook
    | Guidance
    | StoredConnection
    | Turn
    | Head
    | Note
    | NodeState
    | StoredItem
    | Dressing
    | Consent
    | Favourite
    | Save
    | Snapshot
    | PlanRevision
    | CheckpointNamed
    | PlanTrace
    | Visit
    | CallOpened
    | CallClosed
    | Effect
    | DueDone
    | Binned
    | Purged
)
"""A whole row to insert or replace; of a note it is a new version beside the former ones. The
`revision` inside a row is ignored on the way in: the store counts it."""


def key_of(row: Row) -> Key | None:  # noqa: C901 - one arm per kind of row
    """What the row's revision is counted under; None for rows that have none."""
    match row:
        case Project():
            return ("project", row.id)
        case StoredCard():
            return ("card", row.id)
        case StoredBook():
            return ("lorebook", row.id)
        case Guidance():
            return ("guidance", f"{row.user_id}/{row.card_id}/{row.name}")
        case Turn():
            return ("turn", row.id)
        case Head():
            return ("head", row.project_id)
        case StoredConnection():
            return ("connection", f"{row.user_id}/{row.name}")
        case Note():
            return ("note", row.id)
        case NodeState():
            return ("state", f"{row.kind}/{row.node}")
        case StoredItem():
            return (row.kind, row.id)
        case Dressing():
            return ("dressing", row.project_id)
        case Consent():
            return ("consent", f"{row.user_id}/{row.owner}")
        case Favourite():
            return ("favourite", row.card_id)
        case Save():
            return ("save", row.id)
        case Snapshot():
            return ("manuscript", row.checkpoint.project_id)
        case PlanRevision():
            return ("plan", row.project_id)
        case Binned():
            return (row.kind, row.id)
        case _:
            return None


@dataclass(frozen=True, slots=True)
class Fence:
    """The commit belongs to the run `epoch` of a turn and is refused once a newer run began."""

    turn_id: str
    epoch: int


@dataclass(frozen=True, slots=True)
class Commit:
    """One transaction. `expected` maps a key to the revision it must have (0: must not exist yet).
    `events` go to the logs of their turns, `project_events` to those of their projects, in order;
    their sequence numbers are allocated inside the transaction. Rows are written before events."""

    expected: Mapping[Key, int] = field(default_factory=dict[Key, int])
    fence: Fence | None = None
    rows: tuple[Row, ...] = ()
    events: tuple[tuple[str, TurnEvent], ...] = ()
    project_events: tuple[tuple[str, ProjectEvent], ...] = ()
    due: tuple[Due, ...] = ()


@dataclass(frozen=True, slots=True)
class Committed:
    """Durable. `revisions` of the rows that are counted, `seqs` of `events` in their order."""

    revisions: Mapping[Key, int]
    seqs: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Stale:
    """Nothing was written. `kind` and `id` name what had moved on: a key of `expected`, `epoch`
    with a turn (`actual` -1: there is no such turn), `request` with the request id that is already
    in use, or `effect` with the key that is already recorded."""

    kind: str
    id: str
    expected: int
    actual: int
