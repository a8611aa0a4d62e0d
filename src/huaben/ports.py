"""What the engine needs of the outside, as small Protocols; adapters and fakes implement them.

The store has **one write verb**, `commit`: a transaction over rows, events and due jobs, refused as
a whole (a value, `Stale`) when any expectation does not hold. Reads are separate and small.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Literal, Protocol, TypeAlias

from huaben.domain.events import ProjectEvent, TurnEvent
from huaben.domain.messages import ModelEvent, ModelRequest, Reply, Usage, WireRequest
from huaben.domain.project import Guidance, Project, StoredBook, StoredCard
from huaben.domain.story import Node, Turn

# ---- the write verb ----------------------------------------------------------------------------

Kind: TypeAlias = Literal["project", "card", "lorebook", "guidance", "turn", "head"]
Key: TypeAlias = tuple[Kind, str]
"""What a revision is counted for. Guidance is keyed `user/card/name`, a head by its project."""


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
    A closed call with a reply is never paid again: of two ends the first stands."""

    id: str
    reply: Reply | None
    error: str
    usage: Usage
    first_token_ms: int | None
    closed_at: str


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


Row: TypeAlias = (
    Project
    | StoredCard
    | StoredBook
    | Guidance
    | Turn
    | Head
    | Visit
    | CallOpened
    | CallClosed
    | Effect
    | DueDone
)
"""A whole row to insert or replace. The `revision` inside a row is ignored on the way in: the store
counts it."""


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


# ---- reads -------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class LoggedEvent:
    seq: int
    epoch: int
    at: str
    event: TurnEvent


@dataclass(frozen=True, slots=True)
class LoggedProjectEvent:
    seq: int
    at: str
    event: ProjectEvent


@dataclass(frozen=True, slots=True)
class CallRecord:
    """A model call as stored. `state`: `open` until it is closed, `done` with a reply, `failed`
    without. `request_bytes` is the size of the body; the body itself is read by `request`."""

    id: str
    turn_id: str
    n: int
    purpose: str
    model: str
    state: Literal["open", "done", "failed"]
    reply: Reply | None
    error: str
    usage: Usage
    outline: Sequence[Mapping[str, object]]
    break_cause: str
    request_bytes: int
    opened_at: str
    closed_at: str
    first_token_ms: int | None


@dataclass(frozen=True, slots=True)
class DueJob:
    lane: str
    seq: int
    kind: str
    payload: Mapping[str, object]
    outcome: str
    made_at: str = ""

    @property
    def id(self) -> str:
        return f"{self.lane}:{self.seq:010d}"


@dataclass(frozen=True, slots=True)
class Page:
    """`after` is the `next` of the page before; `limit` is clamped to 1–200."""

    after: str | None = None
    limit: int = 50


class LibraryReads(Protocol):
    """By id also what was deleted; lists and searches leave it out. Lists go from the newest to the
    oldest."""

    async def card(self, card_id: str) -> StoredCard | None: ...
    async def cards(self, user_id: str, page: Page) -> tuple[list[StoredCard], str | None]: ...
    async def lorebook(self, book_id: str) -> StoredBook | None: ...
    async def lorebooks(self, user_id: str, page: Page) -> tuple[list[StoredBook], str | None]: ...
    async def find_card(self, user_id: str, object_hash: str) -> StoredCard | None: ...
    async def find_lorebook(self, user_id: str, object_hash: str) -> StoredBook | None: ...
    async def guidance(self, user_id: str, card_id: str) -> list[Guidance]:
        """The texts that apply to a card: those for every card, then its own, each by name."""
        ...


class StoryReads(Protocol):
    async def project(self, project_id: str) -> Project | None: ...
    async def projects(self, user_id: str, page: Page) -> tuple[list[Project], str | None]: ...
    async def latest_project(self, user_id: str, card_id: str) -> Project | None: ...
    async def head(self, project_id: str) -> Head | None: ...
    async def skeleton(self, project_id: str) -> list[Node]:
        """Every node of the project without its words, oldest first."""
        ...

    async def turn(self, turn_id: str) -> Turn | None: ...
    async def turns(self, turn_ids: Iterable[str]) -> dict[str, Turn]: ...
    async def turn_by_request(self, project_id: str, request_id: str) -> Turn | None: ...
    async def unended(self) -> list[Turn]:
        """All turns that are queued, running or waiting and not deleted, oldest first: what a start
        must look at."""
        ...


class LogReads(Protocol):
    async def events(
        self, turn_id: str, after: int = 0, limit: int | None = None
    ) -> list[LoggedEvent]: ...
    async def project_events(
        self, project_id: str, after: int = 0, limit: int | None = None
    ) -> list[LoggedProjectEvent]: ...
    async def calls(self, turn_id: str) -> list[CallRecord]:
        """The calls of a turn in the order in which they were opened."""
        ...

    async def request(self, call_id: str) -> WireRequest | None:
        """The request of a call, rebuilt to the byte."""
        ...

    async def last_request(self, project_id: str, purpose: str) -> WireRequest | None:
        """The newest stored request of a project with that purpose (to tell a cache break)."""
        ...

    async def changed(self, stream_id: str, after: int, timeout_s: float) -> bool:
        """Wait until the log of a turn or project holds an event with a higher number than
        `after`; False when the time is over first. Never answers before the event is durable."""
        ...

    async def effect(self, key: str) -> Effect | None: ...
    async def due(self, lane: str | None = None) -> list[DueJob]:
        """Jobs that are not done, oldest first, of one lane or of all."""
        ...


class Store(LibraryReads, StoryReads, LogReads, Protocol):
    async def commit(self, commit: Commit) -> Committed | Stale:
        """The one write verb. When it returns `Committed`, the words survive `kill -9`. Raises
        `ReadOnly` when the data folder is no longer the one that was opened, `StorageFailed` when
        the database refused (nothing was written). Concurrent commits may share a transaction on
        disk but each stands or falls alone."""
        ...

    async def fold(self, turn_id: str) -> int:
        """Join the streamed pieces of an ended turn: each run of pieces of one stream becomes one
        row that keeps the last number, previews that a later change settled go. Replay gives the
        same view. Returns how many rows went."""
        ...

    def audit(self) -> AsyncIterator[str]:
        """Every fault of the stored data in one sentence each; none when it is whole."""
        ...

    async def close(self) -> None: ...


# ---- the rest of the outside -------------------------------------------------------------------


class Model(Protocol):
    """One connection with one model. `encode` is pure and byte-stable; `stream` sends exactly those
    bytes, yields pieces as they arrive and ends with `Finished`, or raises `ProviderFailed`."""

    @property
    def name(self) -> str: ...
    @property
    def window(self) -> int | None:
        """The context window in tokens, where it is known."""
        ...

    def encode(self, request: ModelRequest) -> WireRequest: ...
    def stream(self, wire: WireRequest) -> AsyncIterator[ModelEvent]: ...


class Objects(Protocol):
    """Content-addressed bytes: named by their SHA-256, stored once, never changed."""

    async def put(self, content: bytes) -> str: ...
    async def get(self, sha256: str) -> bytes | None: ...
    def audit(self) -> AsyncIterator[str]:
        """Every object whose bytes do not match its name."""
        ...


class Clock(Protocol):
    def now(self) -> datetime:
        """The time in UTC."""
        ...

    def monotonic(self) -> float:
        """Seconds that never go back."""
        ...

    async def sleep(self, seconds: float) -> None: ...


class Ids(Protocol):
    def new(self) -> str:
        """A UUIDv7 as text; of two made by one process the later sorts higher."""
        ...


# ---- jobs --------------------------------------------------------------------------------------

Action: TypeAlias = Callable[[], Awaitable[Mapping[str, object]]]
"""What a step does; its result is a JSON object."""


class Step(Protocol):
    async def __call__(self, name: str, action: Action) -> Mapping[str, object]:
        """The result of the action: carried out now and recorded, or recorded in an earlier run.

        A job must take the same steps in the same order each time it runs: what it decides, it
        decides by what steps gave. Steps that run side by side are begun in a fixed order."""
        ...


Work: TypeAlias = Callable[[str, int, Step], Awaitable[None]]
"""Carries out the due job of that lane and number, and commits its `DueDone` before it returns."""


class Jobs(Protocol):
    """Carries out what is due: the jobs of a lane one at a time and in their order, different lanes
    side by side. A job that was cut short runs again with what its steps had recorded."""

    def start(self, work: Work) -> None:
        """Begin with what an earlier process left undone. Without it nothing is ever run."""
        ...

    def nudge(self) -> None:
        """Something may have become due; called after the commit, returns at once."""
        ...

    @property
    def running(self) -> frozenset[str]:
        """The ids, `{lane}:{seq:010d}`, of the jobs that are being carried out here."""
        ...

    async def idle(self, lane: str | None = None) -> None:
        """Wait until nothing is due, in that lane or in all. Raises what kept jobs from running."""
        ...

    async def close(self) -> None:
        """Cut short what runs; it is due again at the next start."""
        ...
