"""The durable execution engine (DBOS), launched, fed and stopped: the only file that names it.

It is slow to import, so this file is imported when something is due. Its verbs block and must be
called in threads without an event loop: from within a loop the engine would take over that loop's
thread pool. Jobs run on the home loop all the same, where the house's locks and clients live; the
engine's own loop only keeps the journal.
"""

from __future__ import annotations

import asyncio
import json
import logging
import threading
from collections.abc import Awaitable, Callable, Coroutine, Mapping, Sequence
from concurrent.futures import Future, wait
from contextlib import ExitStack, suppress
from typing import TypeAlias, TypeVar, cast

from dbos import DBOS, DBOSConfig, DBOSPortableJSONSerializer, WorkflowStatus
from sqlalchemy import Engine

from huaben.adapters.jobs.journal import Journal, open_engine, schema_of, shut
from huaben.adapters.jobs.presence import Alone, Presence
from huaben.errors import Conflict
from huaben.ports import Action, DueJob, Step

T = TypeVar("T")
Carry: TypeAlias = Callable[[DueJob, Step], Awaitable[None]]
"""Carries out a job as the journal knows it, without its payload."""

NAME = "huaben"
FORMAT = "1"
"""Changes with the order of steps of any kind of job: what was recorded under another is not read."""
QUEUE = "lanes"
WORKFLOW = "job"
TAKING = "queue-worker-"
"""How the engine names the threads that take jobs from its queues."""
AT_A_TIME = 500
"""Records that one statement names."""
POLL_S = 0.1
LISTEN_S = 0.2
AT_ONCE = 16
"""Jobs that run side by side. They mostly wait for models, so cores do not limit them."""
LAST_WORDS_S = 5.0
"""How long closing waits for the ends of jobs to be recorded: a server that is gone takes none."""
MOST_STARTS = 50
"""A job that was begun so often and never came to its end is what ends the program."""

_ALIVE = frozenset({"ENQUEUED", "DELAYED", "PENDING"})
_GIVEN_UP = "MAX_RECOVERY_ATTEMPTS_EXCEEDED"
_taken = threading.Lock()


class JobEngine:
    """The one engine of a process. Raises `Conflict` while another is running in it."""

    def __init__(self, journal: Journal, home: asyncio.AbstractEventLoop, carry: Carry) -> None:
        self._journal = journal
        self._home = home
        self._carry = carry
        self._tasks: set[asyncio.Task[None]] = set()
        self._running: set[str] = set()
        self._unrecorded: set[Future[None]] = set()
        self._closing = False
        self._presence, self._launched = self._launch()

    @property
    def running(self) -> frozenset[str]:
        return frozenset(self._running)

    # ---- blocking verbs ------------------------------------------------------------------------

    def _launch(self) -> tuple[Presence | Alone, ExitStack]:
        if not _taken.acquire(blocking=False):
            raise Conflict(
                "jobs_run_elsewhere",
                "Another library that is open in this process runs its background jobs.",
                "Close it first, or open this one in another process.",
            )
        with ExitStack() as undo:
            undo.callback(_taken.release)
            _quiet()
            engine = open_engine(self._journal)
            undo.callback(shut, engine)
            schema = schema_of(self._journal, engine)
            # Before the launch, which takes up what this process left.
            presence = self._present(engine, schema)
            undo.callback(presence.close)
            undo.callback(DBOS.destroy, destroy_registry=True)
            engine_of_process = DBOS(config=self._config(engine, schema))
            undo.callback(_end_taking, engine_of_process)
            DBOS.workflow(name=WORKFLOW, max_recovery_attempts=MOST_STARTS)(self._carry_out())
            DBOS.launch()
            DBOS.register_queue(
                QUEUE,
                partition_concurrency=1,
                worker_concurrency=AT_ONCE,
                polling_interval_sec=POLL_S,
            )
            return presence, undo.pop_all()

    def _present(self, engine: Engine, schema: str) -> Presence | Alone:
        if not self._journal.shared:
            return Alone()
        return Presence(engine, schema, FORMAT, self._journal.executor)

    def _config(self, engine: Engine, schema: str) -> DBOSConfig:
        return {
            "name": NAME,
            "system_database_url": self._journal.url.render_as_string(hide_password=False),
            "system_database_engine": engine,
            "dbos_system_schema": schema,
            "application_version": FORMAT,
            "executor_id": self._journal.executor,
            "serializer": DBOSPortableJSONSerializer(),
            "notification_listener_polling_interval_sec": LISTEN_S,
            "use_listen_notify": False,
            "log_level": "ERROR",
        }

    def take(self, jobs: Sequence[DueJob]) -> list[DueJob]:
        """Queue the jobs, each under its own id, as often as it is asked. Returns those that were
        given up because every attempt ended the program."""
        with self._presence.turn():
            self._put_back()
            return self._take(jobs)

    def _put_back(self) -> None:
        """Take over what processes that are gone had begun. A job that counts as begun keeps all of
        its lane from running, whoever began it and whether or not it is still due."""
        begun = DBOS.list_workflows(
            status="PENDING",
            name=WORKFLOW,
            queue_name=QUEUE,
            application_name=NAME,
            load_input=False,
            load_output=False,
        )
        for executor in {flow.executor_id for flow in begun if flow.executor_id is not None}:
            with self._presence.gone(executor) as gone:
                if gone and executor != self._journal.executor:
                    # Not `resume_workflows`: it forgets how often the job has ended the program.
                    DBOS._recover_pending_workflows([executor])  # pyright: ignore[reportPrivateUsage]
                if gone:
                    self._drop([flow for flow in begun if flow.executor_id == executor])

    def _drop(self, flows: Sequence[WorkflowStatus]) -> None:
        """Delete those that nobody can read any more."""
        for flow in flows:
            if not self._is_read(flow.app_version):
                DBOS.delete_workflow(flow.workflow_id)

    def _is_read(self, version: str | None) -> bool:
        return version == FORMAT or (version is not None and self._presence.runs(version))

    def _take(self, jobs: Sequence[DueJob]) -> list[DueJob]:
        known: dict[str, WorkflowStatus] = {}
        for start in range(0, len(jobs), AT_A_TIME):
            ids = [job.id for job in jobs[start : start + AT_A_TIME]]
            flows = DBOS.list_workflows(workflow_ids=ids, load_output=False)
            known |= {flow.workflow_id: flow for flow in flows}
        given_up: list[DueJob] = []
        for job in jobs:
            flow = known.get(job.id)
            if flow is not None and flow.status == _GIVEN_UP:
                given_up.append(job)
            elif flow is None or not self._goes_on(job, flow.status, flow.input, flow.app_version):
                if flow is not None:
                    DBOS.delete_workflow(job.id)
                _enqueue(job)
        return given_up

    def _goes_on(self, job: DueJob, status: str, given: object, version: str | None) -> bool:
        """Whether what the journal holds under the job's id is this job, and will run. It is not
        when the library was restored from a backup and has given the number out again."""
        arguments = cast("Mapping[str, Sequence[object]]", given)["args"] if given else ()
        return status in _ALIVE and list(arguments) == _arguments(job) and self._is_read(version)

    def forget(self) -> None:
        """Drop the records of jobs that are done: the library has their outcomes."""
        while done := DBOS.list_workflows(
            status="SUCCESS",
            name=WORKFLOW,
            queue_name=QUEUE,
            application_name=NAME,
            limit=AT_A_TIME,
            load_input=False,
            load_output=False,
        ):
            DBOS.delete_workflows([flow.workflow_id for flow in done])

    def close(self) -> None:
        """Let go of the journal; the tasks were cancelled before. What came to its end by itself is
        recorded first: else the next launch would begin it again."""
        wait(set(self._unrecorded), LAST_WORDS_S)
        self._launched.close()

    # ---- on the engine's loop ------------------------------------------------------------------

    def _carry_out(self) -> Callable[[str, int, str, str], Coroutine[object, object, None]]:
        async def job(lane: str, seq: int, kind: str, made_at: str) -> None:
            self._expect_record(asyncio.current_task())
            step = self._step(asyncio.get_running_loop())
            recorded = DueJob(lane, seq, kind, {}, "", made_at)
            await self._at_home(lambda: self._run(recorded, step))

        return job

    def _expect_record(self, flow: asyncio.Task[object] | None) -> None:
        """The engine's own task ends when it has recorded how the job ended."""
        recorded = Future[None]()

        def tell(_: object) -> None:
            self._unrecorded.discard(recorded)
            recorded.set_result(None)

        if flow is not None:
            self._unrecorded.add(recorded)
            flow.add_done_callback(tell)

    async def _at_home(self, work: Callable[[], Awaitable[T]]) -> T:
        """Do it on the home loop. The engine's context goes with it, and comes back in steps."""
        running = asyncio.run_coroutine_threadsafe(self._tracked(work), self._home)
        return await asyncio.wrap_future(running)

    async def _record(self, name: str, action: Action) -> str:
        async def act() -> str:
            # A text of ASCII alone: the journal holds any of it, lone surrogates and NUL included.
            return json.dumps(await self._at_home(action), allow_nan=False, default=dict)

        return await DBOS.run_step_async({"name": name, "preemptible": True}, act)

    # ---- on the home loop ----------------------------------------------------------------------

    async def _run(self, recorded: DueJob, step: Step) -> None:
        self._running.add(recorded.id)
        try:
            await self._carry(recorded, step)
        finally:
            self._running.discard(recorded.id)

    def _step(self, loop: asyncio.AbstractEventLoop) -> Step:
        async def step(name: str, action: Action) -> Mapping[str, object]:
            recording = asyncio.run_coroutine_threadsafe(self._record(name, action), loop)
            text = await asyncio.wrap_future(recording)
            return cast("Mapping[str, object]", json.loads(text))  # an object went in

        return step

    async def _tracked(self, work: Callable[[], Awaitable[T]]) -> T:
        task = asyncio.current_task()
        if self._closing or task is None:
            raise asyncio.CancelledError
        self._tasks.add(task)
        try:
            return await work()
        finally:
            self._tasks.discard(task)

    async def stop(self) -> None:
        """Cancel what runs and wait for it. Nothing of it is recorded as failed."""
        self._closing = True
        while self._tasks:
            for task in self._tasks:
                task.cancel()
            await asyncio.wait(set(self._tasks))


def _arguments(job: DueJob) -> list[object]:
    return [job.lane, job.seq, job.kind, job.made_at]


def _enqueue(job: DueJob) -> None:
    DBOS.enqueue_workflow_with_options(
        {
            "workflow_name": WORKFLOW,
            "queue_name": QUEUE,
            "workflow_id": job.id,
            "queue_partition_key": job.lane,
            "app_version": FORMAT,
        },
        *_arguments(job),
    )


def _end_taking(engine: DBOS) -> None:
    """End the threads that take jobs from the queue while the loop that they hand them to is there:
    the engine's own ending takes the loop away first, and a job that is being handed over fails."""
    for ending in engine.background_thread_stop_events:
        ending.set()
    for thread in threading.enumerate():
        if thread.name.startswith(TAKING):
            # One that has not begun yet cannot be waited for; it will see that it is to end.
            with suppress(RuntimeError):
                thread.join(LAST_WORDS_S)


def _quiet() -> None:
    """Its messages go where ours go. With a handler in place it adds none that writes to the
    terminal."""
    theirs = logging.getLogger("dbos")
    if not theirs.handlers:
        theirs.addHandler(logging.NullHandler())
