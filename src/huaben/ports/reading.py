"""The store's reads, separate and small, and the records that they answer with."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, Protocol

from huaben.domain.cardface import Looking, Shelved
from huaben.domain.connection import StoredConnection
from huaben.domain.dressing import Dressing
from huaben.domain.events import ProjectEvent, TurnEvent
from huaben.domain.finding import StoryPart
from huaben.domain.libraryitem import Consent, ItemKind, ItemVersion, StoredItem
from huaben.domain.messages import Reply, Usage, WireRequest
from huaben.domain.notes import SOURCES, Note, NoteSource, Vantage
from huaben.domain.pricing import Cost
from huaben.domain.project import Guidance, Project, ProjectKind, StoredBook, StoredCard
from huaben.domain.remembering import NoteHit
from huaben.domain.saves import Save
from huaben.domain.story import Node, Told, Turn
from huaben.ports.checkpoints import CheckpointReads
from huaben.ports.plans import PlanReads
from huaben.ports.writing import (
    Commit,
    Committed,
    Effect,
    Head,
    NodeState,
    Stale,
    StateKind,
    TrashKind,
)


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
    without. `request_bytes` is the size of the body; the body itself is read by `request`. `cost`
    is None where it cannot be known."""

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
    cost: Cost | None = None


@dataclass(frozen=True, slots=True)
class Spent:
    """The calls of one turn with one purpose to one model and in one currency (empty: without a
    known cost), added up. Tokens that were not reported count nothing."""

    turn_id: str
    purpose: str
    model: str
    currency: str
    calls: int
    prompt: int
    completion: int
    reasoning: int
    cached: int
    cache_written: int
    cost_micros: int


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
    """`after` is the `next` of the page before, `limit` clamped to 1–200, `words` all in the name."""

    after: str | None = None
    limit: int = 50
    words: str = ""


@dataclass(frozen=True, slots=True)
class Thing:
    """Something that can go to the trash, without what it holds; there since `deleted_at`, if at
    all."""

    kind: TrashKind
    id: str
    user_id: str
    name: str
    deleted_at: str
    revision: int


@dataclass(frozen=True, slots=True)
class StoryMatch:
    """A part of a turn that has all the tokens of a question (`finding.Sought`)."""

    turn_id: str
    part: StoryPart


class LibraryReads(Protocol):
    """By id also what was deleted; lists and searches leave it out. Lists go from the newest to the
    oldest. A row that cannot be read raises when it is asked for by id; in a list it is marked
    `broken` and hides no other."""

    async def card(self, card_id: str) -> StoredCard | None: ...
    async def cards(self, user_id: str, page: Page) -> tuple[list[StoredCard], str | None]: ...
    async def lorebook(self, book_id: str) -> StoredBook | None: ...
    async def lorebooks(self, user_id: str, page: Page) -> tuple[list[StoredBook], str | None]: ...
    async def find_card(self, user_id: str, object_hash: str) -> StoredCard | None: ...
    async def find_lorebook(self, user_id: str, object_hash: str) -> StoredBook | None: ...
    async def successor(self, kind: Literal["card", "lorebook"], item_id: str) -> str | None:
        """The id of the version that took the place of one; None for one that none did."""
        ...

    async def guidance(self, user_id: str, card_id: str) -> list[Guidance]:
        """The texts that apply to a card: those for every card, then its own, each by name."""
        ...

    async def connections(self, user_id: str) -> list[StoredConnection]:
        """What is kept of the user's connections, by name."""
        ...


class FaceReads(Protocol):
    """The shelf of cards: lists of those that were not deleted, by the rules of `LibraryReads`."""

    async def look_for_cards(
        self, user_id: str, looking: Looking, page: Page
    ) -> tuple[list[Shelved], str | None]:
        """The cards that fit, in the order that is asked for."""
        ...

    async def is_favourite(self, card_id: str) -> bool: ...
    async def card_tags(self, user_id: str) -> list[tuple[str, int]]:
        """Every tag of the user's cards with the number of its cards, the most frequent first."""
        ...


class ItemReads(Protocol):
    """Presets, personas, scripts and quick replies; by the rules of `LibraryReads`."""

    async def item(self, item_id: str) -> StoredItem | None: ...
    async def items(
        self, user_id: str, kind: ItemKind, page: Page
    ) -> tuple[list[StoredItem], str | None]: ...
    async def find_item(
        self, user_id: str, kind: ItemKind, object_hash: str
    ) -> StoredItem | None: ...
    async def item_versions(self, item_id: str) -> list[ItemVersion]:
        """What each writing of an item made of it, oldest first."""
        ...

    async def consents(self, user_id: str) -> list[Consent]: ...
    async def dressing(self, project_id: str) -> Dressing | None:
        """What a project is dressed with; None for one that never was."""
        ...


class StoryReads(Protocol):
    async def project(self, project_id: str) -> Project | None: ...
    async def projects(
        self, user_id: str, page: Page, kind: ProjectKind = "story"
    ) -> tuple[list[Project], str | None]:
        """Those of one kind, newest first."""
        ...

    async def latest_project(self, user_id: str, card_id: str) -> Project | None: ...
    async def head(self, project_id: str) -> Head | None: ...
    async def skeleton(self, project_id: str) -> list[Node]:
        """Every node of the project without its words, oldest first."""
        ...

    async def turn(self, turn_id: str) -> Turn | None: ...
    async def turns(self, turn_ids: Iterable[str]) -> dict[str, Turn]: ...
    async def told(self, turn_ids: Iterable[str]) -> dict[str, Told]:
        """Only the words of these turns, for whoever reads a long story."""
        ...

    async def turn_by_request(self, project_id: str, request_id: str) -> Turn | None: ...
    async def unended(self) -> list[Turn]:
        """All turns that are queued, running or waiting and not deleted, nor their projects, oldest
        first: what a start must look at."""
        ...

    async def turns_after(self, turn_id: str) -> int:
        """How many turns with words of the user, in all projects, were made after that one; with
        an empty id all of them."""
        ...

    async def thing(self, kind: TrashKind, thing_id: str) -> Thing | None:
        """Also one whose content cannot be read."""
        ...

    async def trash(
        self, user_id: str | None, page: Page, before: str = ""
    ) -> tuple[list[Thing], str | None]:
        """What a user (None: anybody) has in the trash, latest first; with `before` only what was
        there before that moment."""
        ...


class LogReads(Protocol):
    async def events(
        self, turn_id: str, after: int = 0, limit: int | None = None
    ) -> list[LoggedEvent]: ...
    async def project_events(
        self, project_id: str, after: int = 0, limit: int | None = None
    ) -> list[LoggedProjectEvent]: ...
    async def is_over(self, turn_id: str) -> bool:
        """Whether the log of a turn has come to the `end` of its newest run; what is added later
        belongs to no run. True for a turn that was never run."""
        ...

    async def calls(self, turn_id: str) -> list[CallRecord]:
        """The calls of a turn in the order in which they were opened."""
        ...

    async def request(self, call_id: str) -> WireRequest | None:
        """The request of a call, rebuilt to the byte."""
        ...

    async def latest_calls(
        self, project_id: str, purpose: str, limit: int = 1, before: str | None = None
    ) -> list[CallRecord]:
        """The calls of a project with that purpose, whichever turn made them, from the newest to the
        oldest; with `before` those that were opened before that call."""
        ...

    async def spent(self, project_id: str) -> list[Spent]:
        """What the finished calls of a project took, in the order of their first calls."""
        ...

    async def last_seq(self, stream_id: str) -> int:
        """The number of the newest event in the log of a turn or project; 0 for none."""
        ...

    async def changed(self, stream_id: str, after: int, timeout_s: float) -> bool:
        """Wait until the log of a turn or project holds an event with a higher number than
        `after`; False when the time is over or the store is closed first. Never answers before the
        event is durable."""
        ...


class JobReads(Protocol):
    async def effect(self, key: str) -> Effect | None: ...
    async def effects(self, prefix: str, after: str = "", limit: int | None = None) -> list[Effect]:
        """The effects whose key begins with `prefix` and sorts after `after`, by key. Keys are
        ASCII."""
        ...

    async def count_effects(self, prefix: str) -> int: ...
    async def due(self, lane: str | None = None) -> list[DueJob]:
        """Jobs that are not done, oldest first, of one lane or of all."""
        ...

    async def job(self, lane: str, seq: int) -> DueJob | None: ...
    async def jobs(self, page: Page, kind: str | None = None) -> tuple[list[DueJob], str | None]:
        """All jobs, done or not, of one kind or of all, from the newest to the oldest."""
        ...


class StateReads(Protocol):
    """What stands at the nodes of a story."""

    async def state_at(self, kind: StateKind, path: Sequence[str]) -> NodeState | None:
        """The newest version at the first of these nodes that has any; `path` leads from a node to
        its root."""
        ...

    async def states(self, kind: StateKind, nodes: Sequence[str]) -> list[NodeState]:
        """All versions at these nodes, in the order of the nodes, oldest first at each."""
        ...


class SaveReads(Protocol):
    async def save(self, save_id: str) -> Save | None:
        """Also one in the trash."""
        ...

    async def saves(self, project_id: str, page: Page) -> tuple[list[Save], str | None]:
        """The saves of a project without those in the trash, from the newest to the oldest."""
        ...


class MemoryReads(Protocol):
    """Notes as they are in force at a node, and full text of notes and stories. A question is read
    by `terms` and `finding`, alike in every store."""

    async def note(self, note_id: str, vantage: Vantage | None = None) -> Note | None:
        """The version in force there, removed or not; None where no version is seen from there or
        the note belongs elsewhere. Without a vantage the newest version that is not merely
        proposed."""
        ...

    async def note_versions(self, note_id: str) -> list[Note]:
        """All versions of a note, on whatever branch, oldest first."""
        ...

    async def notes(
        self,
        vantage: Vantage,
        page: Page,
        sources: Sequence[NoteSource] = SOURCES,
        *,
        removed: bool = False,
    ) -> tuple[list[Note], str | None]:
        """What is in force there, from the newest note to the oldest: the notes, or instead those
        that were removed."""
        ...

    async def proposals(self, vantage: Vantage, page: Page) -> tuple[list[Note], str | None]:
        """The proposed versions that nothing came after on the way there, from the newest note to
        the oldest."""
        ...

    async def search_notes(
        self, vantage: Vantage, query: str, sources: Sequence[NoteSource] = SOURCES, limit: int = 10
    ) -> list[NoteHit]:
        """The notes in force there that answer a question, best first (`remembering.best`). Ranked
        are the newest few hundred of each sort of match (title, all terms, any term), and more
        where those are not seen from there."""
        ...

    async def search_story(
        self, project_id: str, query: str, page: Page
    ) -> tuple[list[StoryMatch], str | None]:
        """The parts of turns, on all branches, that may hold what is sought, from the newest turn
        to the oldest; deleted turns are left out."""
        ...


class Store(
    LibraryReads,
    FaceReads,
    ItemReads,
    StoryReads,
    LogReads,
    JobReads,
    StateReads,
    SaveReads,
    CheckpointReads,
    PlanReads,
    MemoryReads,
    Protocol,
):
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
