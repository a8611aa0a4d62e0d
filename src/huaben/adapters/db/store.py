"""The store on SQLite or PostgreSQL: one write verb, small reads, each in a thread of its own.

Here the ports meet the threads; what is written and read stands in the files beside this one.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path
from typing import Concatenate, Literal, ParamSpec, TypeVar

from sqlalchemy import Connection
from sqlalchemy.exc import SQLAlchemyError

from huaben.adapters.db import (
    audit,
    codec,
    connections,
    engines,
    faults,
    folding,
    items,
    jobs,
    library,
    logs,
    notes,
    saves,
    spending,
    states,
    stories,
    trash,
    wording,
)
from huaben.adapters.db.checkpoint_reads import CheckpointRows
from huaben.adapters.db.faces import FaceRows
from huaben.adapters.db.note_reads import NoteRows
from huaben.adapters.db.opening import Database, open_database
from huaben.adapters.db.paths import Paths
from huaben.adapters.db.plan_reads import PlanRows
from huaben.adapters.db.recent import Recent
from huaben.adapters.db.signals import Signals
from huaben.adapters.db.skeletons import Skeletons
from huaben.adapters.db.writer import Writer
from huaben.domain.connection import StoredConnection
from huaben.domain.dressing import Dressing
from huaben.domain.libraryitem import Consent, ItemKind, ItemVersion, StoredItem
from huaben.domain.messages import WireRequest
from huaben.domain.notes import SOURCES, NoteSource, Vantage
from huaben.domain.project import Guidance, Project, ProjectKind, StoredBook, StoredCard
from huaben.domain.remembering import NoteHit
from huaben.domain.saves import Save
from huaben.domain.story import Node, Told, Turn
from huaben.errors import ReadOnly, StorageFailed
from huaben.ports import (
    CallRecord,
    Clock,
    Commit,
    Committed,
    DueJob,
    Effect,
    Head,
    LoggedEvent,
    LoggedProjectEvent,
    NodeState,
    Page,
    Spent,
    Stale,
    StateKind,
    StoryMatch,
    Thing,
    TrashKind,
)

T = TypeVar("T")
P = ParamSpec("P")

POLL_S = 1.0
"""How often a waiting reader looks for commits of other processes, which cannot wake it."""


def open_store(where: str | Path, *, clock: Clock, read_only: bool = False) -> SqlStore:
    """Open the library in a data folder, or at a `postgresql://` address, and bring its schema up
    to date. Blocks; call it before the event loop or in a thread.

    Raises `DataFolderInUse` when another process holds the folder (reading only is possible beside
    it), `NotFound` when there is nothing to read, `StorageFailed` for a schema that is newer than
    the program or a database that cannot be opened."""
    return SqlStore(open_database(where, read_only=read_only), clock)


class SqlStore(CheckpointRows, FaceRows, NoteRows, PlanRows):
    """Implements `Store`; see there for what each verb promises."""

    def __init__(self, database: Database, clock: Clock) -> None:
        super().__init__()
        self._database = database
        self._signals = Signals()
        self._recent = Recent()
        self._paths = Paths()
        self._skeletons = Skeletons()
        self._readers = ThreadPoolExecutor(engines.READERS, "huaben-reader")
        self._closed = False
        self._writer = (
            None
            if database.writer is None
            else Writer(database.writer, database.watch, self._signals, self._remember, clock)
        )

    def _remember(self, commit: Commit, done: Committed, at: str) -> None:
        """What is kept in memory follows each durable commit, in the writer's thread."""
        if not self._database.shared:
            self._recent.take(commit, done, at)
            self._skeletons.take(commit)

    # ---- writing -------------------------------------------------------------------------------

    async def commit(self, commit: Commit) -> Committed | Stale:
        return await self._writing().commit(commit)

    async def fold(self, turn_id: str) -> int:
        def run(connection: Connection) -> int:
            with connection.begin_nested():
                return folding.fold_log(connection, turn_id)

        gone = await self._writing().write(run)
        self._recent.forget(turn_id)
        return gone

    async def exchanging(self, work: Callable[[], T]) -> T:
        """Let `work` exchange all that is stored, on connections of its own, while nothing else is
        written; what memory holds of it is forgotten."""

        def exchange() -> T:
            try:
                return work()
            finally:
                for memory in (self._recent, self._skeletons, self._manifests, self._signals):
                    memory.forget_all()

        return await self._writing().aside(exchange)

    def _writing(self) -> Writer:
        if self._writer is None:
            raise ReadOnly("opened_read_only", "the library was opened to be read only")
        return self._writer

    async def close(self) -> None:
        """Finish the commits that wait, then let everything go. A second call does nothing."""
        if not self._closed:
            self._closed = True
            self._signals.close()
            await asyncio.to_thread(self._close)

    def _close(self) -> None:
        if self._writer is not None:
            self._writer.close()
        self._readers.shutdown()
        self._database.reader.dispose()
        if self._database.writer is not None:
            self._database.writer.dispose()
        if self._database.hold is not None:
            self._database.hold.release()

    # ---- reading -------------------------------------------------------------------------------

    async def _read(
        self, read: Callable[Concatenate[Connection, P], T], *arguments: P.args, **named: P.kwargs
    ) -> T:
        if self._closed:
            raise StorageFailed("closed", "the store is closed")

        def work() -> T:
            self._database.watch.check()
            try:
                # One transaction, so that several statements see one moment; closing ends it.
                with self._database.reader.connect() as connection:
                    return read(connection, *arguments, **named)
            except (SQLAlchemyError, codec.Undecodable) as error:
                self._database.watch.check()
                raise faults.unread(error) from error

        return await asyncio.get_running_loop().run_in_executor(self._readers, work)

    async def card(self, card_id: str) -> StoredCard | None:
        return await self._read(library.card, card_id)

    async def cards(self, user_id: str, page: Page) -> tuple[list[StoredCard], str | None]:
        return await self._read(library.cards, user_id, page)

    async def lorebook(self, book_id: str) -> StoredBook | None:
        return await self._read(library.lorebook, book_id)

    async def lorebooks(self, user_id: str, page: Page) -> tuple[list[StoredBook], str | None]:
        return await self._read(library.lorebooks, user_id, page)

    async def find_card(self, user_id: str, object_hash: str) -> StoredCard | None:
        return await self._read(library.find_card, user_id, object_hash)

    async def find_lorebook(self, user_id: str, object_hash: str) -> StoredBook | None:
        return await self._read(library.find_lorebook, user_id, object_hash)

    async def successor(self, kind: Literal["card", "lorebook"], item_id: str) -> str | None:
        return await self._read(library.successor, kind, item_id)

    async def guidance(self, user_id: str, card_id: str) -> list[Guidance]:
        return await self._read(library.guidance, user_id, card_id)

    async def connections(self, user_id: str) -> list[StoredConnection]:
        return await self._read(connections.connections, user_id)

    async def item(self, item_id: str) -> StoredItem | None:
        return await self._read(items.item, item_id)

    async def items(
        self, user_id: str, kind: ItemKind, page: Page
    ) -> tuple[list[StoredItem], str | None]:
        return await self._read(items.items, user_id, kind, page)

    async def find_item(self, user_id: str, kind: ItemKind, object_hash: str) -> StoredItem | None:
        return await self._read(items.find_item, user_id, kind, object_hash)

    async def item_versions(self, item_id: str) -> list[ItemVersion]:
        return await self._read(items.item_versions, item_id)

    async def consents(self, user_id: str) -> list[Consent]:
        return await self._read(items.consents, user_id)

    async def dressing(self, project_id: str) -> Dressing | None:
        return await self._read(items.dressing_at, project_id)

    async def project(self, project_id: str) -> Project | None:
        return await self._read(stories.project, project_id)

    async def projects(
        self, user_id: str, page: Page, kind: ProjectKind = "story"
    ) -> tuple[list[Project], str | None]:
        return await self._read(stories.projects, user_id, page, kind)

    async def latest_project(self, user_id: str, card_id: str) -> Project | None:
        return await self._read(stories.latest_project, user_id, card_id)

    async def head(self, project_id: str) -> Head | None:
        return await self._read(stories.head, project_id)

    async def skeleton(self, project_id: str) -> list[Node]:
        if self._database.shared:
            return await self._read(stories.skeleton, project_id)
        known = self._skeletons.get(project_id)
        if known is None:
            moment = self._skeletons.moment
            known = await self._read(stories.skeleton, project_id)
            self._skeletons.keep(project_id, known, moment)
        return known

    async def turn(self, turn_id: str) -> Turn | None:
        return await self._read(stories.turn, turn_id)

    async def turns(self, turn_ids: Iterable[str]) -> dict[str, Turn]:
        return await self._read(stories.turns, list(turn_ids))

    async def told(self, turn_ids: Iterable[str]) -> dict[str, Told]:
        return await self._read(stories.told, list(turn_ids))

    async def turn_by_request(self, project_id: str, request_id: str) -> Turn | None:
        return await self._read(stories.turn_by_request, project_id, request_id)

    async def unended(self) -> list[Turn]:
        return await self._read(stories.unended)

    async def turns_after(self, turn_id: str) -> int:
        return await self._read(stories.turns_after, turn_id)

    async def thing(self, kind: TrashKind, thing_id: str) -> Thing | None:
        return await self._read(trash.thing, kind, thing_id)

    async def trash(
        self, user_id: str | None, page: Page, before: str = ""
    ) -> tuple[list[Thing], str | None]:
        return await self._read(trash.trash, user_id, page, before)

    async def events(
        self, turn_id: str, after: int = 0, limit: int | None = None
    ) -> list[LoggedEvent]:
        if not self._database.shared:
            known = self._recent.after(turn_id, after, limit)
            if known is not None:
                return list(known)
        return await self._read(logs.events, turn_id, after, limit)

    async def project_events(
        self, project_id: str, after: int = 0, limit: int | None = None
    ) -> list[LoggedProjectEvent]:
        return await self._read(logs.project_events, project_id, after, limit)

    async def is_over(self, turn_id: str) -> bool:
        return await self._read(logs.is_over, turn_id)

    async def calls(self, turn_id: str) -> list[CallRecord]:
        return await self._read(logs.calls, turn_id)

    async def request(self, call_id: str) -> WireRequest | None:
        return await self._read(logs.request, call_id)

    async def latest_calls(
        self, project_id: str, purpose: str, limit: int = 1, before: str | None = None
    ) -> list[CallRecord]:
        return await self._read(logs.latest_calls, project_id, purpose, limit, before)

    async def spent(self, project_id: str) -> list[Spent]:
        return await self._read(spending.spent, project_id)

    async def last_seq(self, stream_id: str) -> int:
        return await self._read(logs.last_seq, stream_id)

    async def changed(self, stream_id: str, after: int, timeout_s: float) -> bool:
        loop = asyncio.get_running_loop()
        deadline = loop.time() + timeout_s
        with self._signals.waiting(stream_id) as announced:
            while not self._signals.closed:
                announced.clear()
                if await self._reaches(stream_id, after):
                    return True
                left = deadline - loop.time()
                if left <= 0:
                    return False
                with suppress(TimeoutError):
                    async with asyncio.timeout(
                        min(left, POLL_S) if self._database.shared else left
                    ):
                        await announced.wait()
        return False

    async def _reaches(self, stream_id: str, after: int) -> bool:
        top = self._signals.top(stream_id)
        if top is None or (top <= after and self._database.shared):
            top = await self._read(logs.last_seq, stream_id)
        return top > after

    async def effect(self, key: str) -> Effect | None:
        return await self._read(jobs.effect, key)

    async def effects(self, prefix: str, after: str = "", limit: int | None = None) -> list[Effect]:
        return await self._read(jobs.effects, prefix, after, limit)

    async def count_effects(self, prefix: str) -> int:
        return await self._read(jobs.count_effects, prefix)

    async def due(self, lane: str | None = None) -> list[DueJob]:
        return await self._read(jobs.due, lane)

    async def job(self, lane: str, seq: int) -> DueJob | None:
        return await self._read(jobs.job, lane, seq)

    async def jobs(self, page: Page, kind: str | None = None) -> tuple[list[DueJob], str | None]:
        return await self._read(jobs.jobs, page, kind)

    async def state_at(self, kind: StateKind, path: Sequence[str]) -> NodeState | None:
        return await self._read(states.state_at, kind, path)

    async def states(self, kind: StateKind, nodes: Sequence[str]) -> list[NodeState]:
        return await self._read(states.states, kind, nodes)

    async def save(self, save_id: str) -> Save | None:
        return await self._read(saves.save, save_id)

    async def saves(self, project_id: str, page: Page) -> tuple[list[Save], str | None]:
        return await self._read(saves.saves, project_id, page)

    async def search_notes(
        self, vantage: Vantage, query: str, sources: Sequence[NoteSource] = SOURCES, limit: int = 10
    ) -> list[NoteHit]:
        return await self._read(notes.search, self._paths, vantage, query, sources, limit)

    async def search_story(
        self, project_id: str, query: str, page: Page
    ) -> tuple[list[StoryMatch], str | None]:
        return await self._read(wording.search, project_id, query, page)

    def audit(self) -> AsyncIterator[str]:
        return self._audit()

    async def _audit(self) -> AsyncIterator[str]:
        objects = self._database.objects
        for check in audit.checks(None if objects is None else objects.holds):
            for fault in await self._read(_found, check):
                yield fault


def _found(connection: Connection, check: audit.Check) -> list[str]:
    """What a check finds, and that it broke off when the database itself gives out."""
    found: list[str] = []
    try:
        found.extend(check(connection))
    except SQLAlchemyError as error:
        found.append(f"a check broke off: {faults.unread(error).message}")
    return found
