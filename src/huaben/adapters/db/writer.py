"""The one thread that writes: everything that waits at a moment shares one transaction on disk.

Apart from what is written. With 200 running streams a sync per commit would make each wait for all
others; sharing makes them wait for one. Each piece of work has a savepoint of its own and stands or
falls alone, and nobody is told anything before the shared transaction is on disk.
"""

from __future__ import annotations

import asyncio
import logging
import queue
import threading
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from typing import Generic, Protocol, TypeVar

from sqlalchemy import Connection, Engine
from sqlalchemy.exc import DBAPIError, SQLAlchemyError

from huaben.adapters.db import faults
from huaben.adapters.db.signals import Signals, call_in
from huaben.adapters.folder import Watch
from huaben.errors import HuabenError, ReadOnly, StorageFailed

T = TypeVar("T")
_log = logging.getLogger(__name__)

MAX_GROUP = 256
_ATTEMPTS = 5


def _no_tops(_: object) -> Mapping[str, int]:
    return {}


class Ticket(Generic[T]):
    """One piece of work and who waits for its answer. `run` keeps its effect in a savepoint;
    `tops` tells from the answer which logs have grown, and up to which number."""

    def __init__(
        self, run: Callable[[Connection], T], tops: Callable[[T], Mapping[str, int]]
    ) -> None:
        self.future: asyncio.Future[T] = asyncio.get_running_loop().create_future()
        self._run = run
        self._tops = tops
        self._answer: tuple[T] | None = None
        self._fault: Exception | None = None

    def attempt(self, connection: Connection) -> None:
        """Do the work, keeping answer or fault for later. Raises DBAPIError when the transaction
        that is shared with others may be spoilt."""
        self._answer = self._fault = None
        try:
            self._answer = (self._run(connection),)
        except DBAPIError:
            raise
        except Exception as fault:  # noqa: BLE001 - the worker's boundary: who waits must be told
            self._fault = fault

    def fail(self, fault: Exception) -> None:
        self._fault = fault

    def tops(self) -> Mapping[str, int]:
        """The logs that have grown; none if it failed."""
        return {} if self._fault or not self._answer else self._tops(self._answer[0])

    def settle(self) -> None:
        """Tell who waits; in the loop of the future."""
        if self.future.done():
            return
        if self._fault is not None:
            self.future.set_exception(self._fault)
        elif self._answer is not None:
            self.future.set_result(self._answer[0])

    @property
    def loop(self) -> asyncio.AbstractEventLoop:
        return self.future.get_loop()


class _Entry(Protocol):
    """A ticket for an answer of any type."""

    @property
    def loop(self) -> asyncio.AbstractEventLoop: ...
    def attempt(self, connection: Connection) -> None: ...
    def fail(self, fault: Exception) -> None: ...
    def tops(self) -> Mapping[str, int]: ...
    def settle(self) -> None: ...


class Writer:
    """Owns the write connection. Raises in the waiting caller: `ReadOnly` when the data folder is no
    longer the one that was opened, `StorageFailed` when the database refused."""

    def __init__(self, engine: Engine, watch: Watch, signals: Signals) -> None:
        self._engine = engine
        self._watch = watch
        self._signals = signals
        self._queue: queue.SimpleQueue[_Entry | None] = queue.SimpleQueue()
        self._closed = False
        self._door = threading.Lock()
        self._thread = threading.Thread(target=self._work, name="huaben-writer", daemon=True)
        self._thread.start()

    async def write(
        self, run: Callable[[Connection], T], tops: Callable[[T], Mapping[str, int]] = _no_tops
    ) -> T:
        """Run this in the writer's thread; returns its answer once it is durable."""
        ticket = Ticket(run, tops)
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

    def _next_group(self) -> tuple[list[_Entry], bool]:
        """What waits now, at least one; False with it when nothing follows."""
        first = self._queue.get()
        if first is None:
            return [], False
        group = [first]
        while len(group) < MAX_GROUP:
            try:
                following = self._queue.get_nowait()
            except queue.Empty:
                break
            if following is None:
                return group, False
            group.append(following)
        return group, True

    def _carry_out(self, group: Sequence[_Entry]) -> None:
        try:
            self._watch.check()
            self._in_one_transaction(group)
            self._watch.check()
        except ReadOnly as gone:
            _log.critical("%s", gone.message)
            _fail_all(group, gone)
        except StorageFailed as fault:
            _log.error("%s", fault.message)
            _fail_all(group, fault)

    def _in_one_transaction(self, group: Sequence[_Entry], attempt: int = 1) -> None:
        """All of the group together or, when that fails, each of it alone: one that the disk has
        no room for must not take others down."""
        committing = False
        try:
            with self._engine.connect() as connection, connection.begin() as transaction:
                for entry in group:
                    entry.attempt(connection)
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

    def _deliver(self, group: Sequence[_Entry]) -> None:
        tops: dict[str, int] = {}
        loops: defaultdict[asyncio.AbstractEventLoop, list[_Entry]] = defaultdict(list)
        for entry in group:
            tops.update(entry.tops())
            loops[entry.loop].append(entry)
        for loop, entries in loops.items():
            call_in(loop, _settle, entries)
        self._signals.announce(tops)


def _settle(entries: Sequence[_Entry]) -> None:
    for entry in entries:
        entry.settle()


def _fail_all(group: Sequence[_Entry], fault: HuabenError) -> None:
    for entry in group:
        entry.fail(fault)
