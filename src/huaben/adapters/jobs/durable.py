"""Background jobs on the durable engine: when it is launched, what it is given, when it goes.

Apart from the engine, because most runs of the program have no jobs and must not wait for its import.
The due rows of the library are the truth; the engine's journal only spares what was done already.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, TypeVar

from huaben.adapters.jobs.journal import Journal
from huaben.errors import Conflict, HuabenError
from huaben.ports import Commit, DueDone, DueJob, Step, Store, Work

if TYPE_CHECKING:
    from huaben.adapters.jobs.engine import Carry, JobEngine

T = TypeVar("T")
_log = logging.getLogger(__name__)

LINGER_S = 30.0
"""How long the engine of a single process waits for more before it goes: while it is there, it looks
ten times a second."""
LOOK_S = 1.0
"""How often a waiting caller looks for what other processes have carried out."""
GIVEN_UP = "failed: gave_up: the program ended each time this was tried"


class DurableJobs:
    """Implements `Jobs`. All of it is called on the event loop that the jobs then run on."""

    def __init__(self, store: Store, journal: Journal, *, linger_s: float = LINGER_S) -> None:
        self._store = store
        self._journal = journal
        self._linger_s = linger_s
        self._started = False
        self._engine: JobEngine | None = None
        self._watching: asyncio.Task[None] | None = None
        self._nudged = asyncio.Event()
        self._expecting = False
        self._ended = asyncio.Event()
        self._fault: Exception | None = None
        self._broken: dict[str, Exception] = {}
        self._closing = False

    # ---- the port ------------------------------------------------------------------------------

    def start(self, work: Work) -> None:
        async def carry(recorded: DueJob, step: Step) -> None:
            self._broken.pop(recorded.id, None)
            try:
                if await self._is_due(recorded):
                    await work(recorded.lane, recorded.seq, step)
            except Exception as fault:
                self._broken[recorded.id] = fault
                raise
            finally:
                self._ended.set()
                self._ended = asyncio.Event()

        self._started, self._closing = True, False
        self._watching = asyncio.create_task(self._watch(carry), name="jobs")
        self.nudge()

    async def _is_due(self, recorded: DueJob) -> bool:
        """Whether the library still wants this job done, and means the same one by its number."""
        job = await self._stubbornly(lambda: self._store.job(recorded.lane, recorded.seq))
        if job is not None and (job.kind, job.made_at) == (recorded.kind, recorded.made_at):
            return not job.outcome
        self.nudge()  # the journal is of another time of the library: what is due is handed over anew
        return False

    async def _stubbornly(self, read: Callable[[], Awaitable[T]]) -> T:
        """Read, however long the library cannot be: a job that gave up here would lose its records."""
        while True:
            try:
                return await read()
            except HuabenError as fault:
                _log.error("the library cannot be read for a background job: %s", fault)
                await asyncio.sleep(LOOK_S)

    def nudge(self) -> None:
        self._nudged.set()

    def expect(self) -> None:
        """Launch the engine while the turn still runs: on first use that takes seconds."""
        self._expecting = True
        self.nudge()

    @property
    def begun(self) -> bool:
        return self._started and not self._closing

    @property
    def running(self) -> frozenset[str]:
        return frozenset() if self._engine is None else self._engine.running

    async def idle(self, lane: str | None = None) -> None:
        while True:
            ended = self._ended  # before looking, so that no end is missed in between
            due = await self._store.due(lane)
            if not due:
                return
            if not self._started:
                raise Conflict("jobs_not_started", "Background jobs do not run in this process.")
            faults = [self._fault, *(self._broken.get(job.id) for job in due)]
            for fault in filter(None, faults):
                raise fault
            with suppress(TimeoutError):
                async with asyncio.timeout(LOOK_S):
                    await ended.wait()

    async def close(self) -> None:
        # Not by cancelling: a launch that is under way in a thread must come to its end.
        self._closing = True
        self.nudge()
        if self._watching is not None:
            await asyncio.wait([self._watching])
        await self._dismiss()

    # ---- watching ------------------------------------------------------------------------------

    async def _watch(self, carry: Carry) -> None:
        while not self._closing:
            # Where others share the journal, one of them may be gone and have left something due.
            awaited = self._journal.shared or self._engine is not None or self._fault is not None
            try:
                async with asyncio.timeout(self._linger_s if awaited else None):
                    await self._nudged.wait()
            except TimeoutError:
                self._expecting = False  # nothing came for a while; what failed is tried again
            self._nudged.clear()
            if not self._closing:
                await self._look(carry)

    async def _look(self, carry: Carry) -> None:
        """Hand the engine what is due; without anything due or expected let it go."""
        try:
            jobs = await self._store.due()
            if jobs or self._expecting:
                await self._give(jobs, carry)
            elif not (self._journal.shared or self.running):
                await self._dismiss()
        except Exception as fault:  # noqa: BLE001 - the worker's boundary: `idle` tells, the next look tries again
            _log.error("background jobs cannot run: %s", fault)
            self._fault = fault
        else:
            self._fault = None

    async def _give(self, jobs: Sequence[DueJob], carry: Carry) -> None:
        if self._engine is None:
            self._engine = await asyncio.to_thread(
                _launch, self._journal, asyncio.get_running_loop(), carry
            )
        for job in await asyncio.to_thread(self._engine.take, jobs):
            await self._store.commit(Commit(rows=(DueDone(job.lane, job.seq, GIVEN_UP),)))

    async def _dismiss(self) -> None:
        engine, self._engine = self._engine, None
        if engine is not None:
            await engine.stop()
            await asyncio.to_thread(engine.close)


def _launch(journal: Journal, home: asyncio.AbstractEventLoop, carry: Carry) -> JobEngine:
    # Here because the engine takes longer to import than the rest of the program.
    from huaben.adapters.jobs.engine import JobEngine

    engine = JobEngine(journal, home, carry)
    try:
        engine.forget()
    except BaseException:
        engine.close()  # or no other could be launched in this process
        raise
    return engine
