"""The one thread that writes: everything that waits at a moment shares one transaction on disk.

Apart from what is written. With 200 running streams a sync per commit would make each wait for all
others; sharing makes them wait for one. Each commit stands or falls alone, and nobody is told
anything before the shared transaction is on disk.
"""

from __future__ import annotations

import asyncio
import logging
import queue
import threading
from collections import defaultdict
from collections.abc import Callable, Sequence
from itertools import groupby
from typing import TypeGuard, TypeVar

from sqlalchemy import Connection, Engine
from sqlalchemy.exc import DBAPIError, SQLAlchemyError

from huaben.adapters.db import faults
from huaben.adapters.db.appending import append_all, only_appends
from huaben.adapters.db.signals import Signals, call_in
from huaben.adapters.db.tickets import Aside, CommitTicket, Entry, Ticket
from huaben.adapters.folder import Watch
from huaben.domain.times import stamp
from huaben.errors import HuabenError, ReadOnly, StorageFailed
from huaben.ports import Clock, Commit, Committed, Stale

T = TypeVar("T")
_log = logging.getLogger(__name__)

Remember = Callable[[Commit, Committed, str], None]
"""Told of each durable commit, its answer and its time, before anybody who waits for it."""

MAX_GROUP = 256
_ATTEMPTS = 5


class Writer:
    """Owns the write connection. Raises in the waiting caller: `ReadOnly` when the data folder is no
    longer the one that was opened, `StorageFailed` when the database refused."""

    def __init__(
        self, engine: Engine, watch: Watch, signals: Signals, remember: Remember, clock: Clock
    ) -> None:
        self._engine = engine
        self._watch = watch
        self._signals = signals
        self._remember = remember
        self._clock = clock
        self._queue: queue.SimpleQueue[Entry | None] = queue.SimpleQueue()
        self._closed = False
        self._now = ""
        self._held: Entry | None = None
        self._door = threading.Lock()
        self._thread = threading.Thread(target=self._work, name="huaben-writer", daemon=True)
        self._thread.start()

    async def commit(self, commit: Commit) -> Committed | Stale:
        """Returns once the commit is durable or refused."""
        return (await self._wait_for(CommitTicket(commit))).answer

    async def write(self, run: Callable[[Connection], T]) -> T:
        """Other work, which confines itself to a savepoint; returns once its effect is durable."""
        return await self._wait_for(Ticket(lambda connection, _: run(connection)))

    async def aside(self, work: Callable[[], T]) -> T:
        """Work on other connections while nothing is written through this one; what is to be
        written meanwhile waits."""
        return await self._wait_for(Aside(work))

    async def _wait_for(self, ticket: Ticket[T]) -> T:
        with self._door:
            if self._closed:
                raise StorageFailed("closed", "the store is closed; nothing was written")
            self._queue.put(ticket)
        return await ticket.future

    def close(self) -> None:
        """Finish what waits, then stop. Blocks."""
        with self._door:
            self._closed = True
            self._queue.put(None)
        self._thread.join()

    # ---- in the writer's thread ----------------------------------------------------------------

    def _work(self) -> None:
        going_on = True
        while going_on:
            group, going_on = self._next_group()
            self._carry_out(group)
            self._deliver(group)

    def _next_group(self) -> tuple[list[Entry], bool]:
        """What waits now, at least one; False with it when nothing follows."""
        first, self._held = self._held or self._queue.get(), None
        if first is None:
            return [], False
        group = [first]
        while len(group) < MAX_GROUP and not isinstance(first, Aside):
            try:
                following = self._queue.get_nowait()
            except queue.Empty:
                break
            if following is None:
                return group, False
            if isinstance(following, Aside):
                self._held = following  # it is no part of a transaction
                break
            group.append(following)
        return group, True

    def _carry_out(self, group: Sequence[Entry]) -> None:
        try:
            self._watch.check()
            if group and isinstance(group[0], Aside):
                group[0].carry_out()
            else:
                self._in_one_transaction(group)
            self._watch.check()
        except ReadOnly as gone:
            _log.critical("%s", gone.message)
            _fail_all(group, gone)
        except StorageFailed as fault:
            _log.error("%s", fault.message)
            _fail_all(group, fault)

    def _in_one_transaction(self, group: Sequence[Entry], attempt: int = 1) -> None:
        """All of the group together or, when that fails, each of it alone: one that the disk has
        no room for must not take others down."""
        committing = False
        try:
            with self._engine.connect() as connection, connection.begin() as transaction:
                self._attempt_all(connection, group)
                committing = True
                transaction.commit()
        except SQLAlchemyError as error:
            if committing and isinstance(error, DBAPIError) and error.connection_invalidated:
                raise faults.unknown(error) from error
            if faults.worth_repeating(error) and attempt < _ATTEMPTS:
                self._in_one_transaction(group, attempt + 1)
            elif len(group) == 1:
                _log.error("a commit failed: %s", error)
                group[0].fail(faults.refused(error))
            else:
                for entry in group:
                    self._in_one_transaction([entry])

    def _attempt_all(self, connection: Connection, group: Sequence[Entry]) -> None:
        """In the order in which they came, those together that only append to logs."""
        now = self._now = stamp(self._clock.now())
        for together, some in groupby(group, key=_appends):
            entries = list(some)
            if together:
                _append(connection, [entry for entry in entries if _appends(entry)], now)
            else:
                for entry in entries:
                    entry.attempt(connection, now)

    def _deliver(self, group: Sequence[Entry]) -> None:
        tops: dict[str, int] = {}
        loops: defaultdict[asyncio.AbstractEventLoop, list[Entry]] = defaultdict(list)
        for entry in group:
            tops.update(entry.tops())
            if isinstance(entry, CommitTicket) and (done := entry.done()):
                self._remember(entry.commit, done, self._now)
            loops[entry.loop].append(entry)
        for loop, entries in loops.items():
            call_in(loop, _settle, entries)
        self._signals.announce(tops)


def _appends(entry: Entry) -> TypeGuard[CommitTicket]:
    return isinstance(entry, CommitTicket) and only_appends(entry.commit)


def _append(connection: Connection, tickets: Sequence[CommitTicket], now: str) -> None:
    answers = append_all(connection, [ticket.commit for ticket in tickets], now)
    for ticket, answer in zip(tickets, answers, strict=True):
        ticket.outcome = answer


def _settle(entries: Sequence[Entry]) -> None:
    for entry in entries:
        entry.settle()


def _fail_all(group: Sequence[Entry], fault: HuabenError) -> None:
    for entry in group:
        entry.fail(fault)
