"""Background jobs without an engine: the same promises, kept in memory, and a death on demand."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Mapping
from itertools import count
from typing import TypeAlias, cast

from huaben.errors import Conflict
from huaben.ports import Action, Step, Store, Work

Records: TypeAlias = dict[str, dict[int, tuple[str, str]]]
"""What steps gave: by job id and by the number of the step its name and its result as JSON."""


class InlineJobs:
    """Implements `Jobs` on the running event loop, with no thread and no file.

    `records` may be handed to a second instance: the next start of the same program. `die_after`
    makes the process die, as far as its jobs can tell, once that many more steps are recorded."""

    def __init__(self, store: Store, records: Records | None = None) -> None:
        self.records: Records = records if records is not None else {}
        self._store = store
        self._work: Work | None = None
        self._lanes: dict[str, asyncio.Task[None]] = {}
        self._running: set[str] = set()
        self._looking: asyncio.Task[None] | None = None
        self._steps_left: int | None = None
        self._fault: BaseException | None = None

    def die_after(self, steps: int) -> None:
        """Let that many steps be recorded, then nothing more, until another instance starts."""
        self._steps_left = steps

    @property
    def dead(self) -> bool:
        return self._steps_left == 0

    # ---- the port ------------------------------------------------------------------------------

    def start(self, work: Work) -> None:
        self._work = work
        self.nudge()

    def nudge(self) -> None:
        if self._work is not None and not self.dead:
            self._looking = asyncio.ensure_future(self._look(self._work, self._looking))

    def expect(self) -> None:
        """There is nothing to get ready."""

    @property
    def begun(self) -> bool:
        return self._work is not None and not self.dead

    @property
    def running(self) -> frozenset[str]:
        return frozenset(self._running)

    async def idle(self, lane: str | None = None) -> None:
        """As the port says; also returns when the process has died."""
        while await self._store.due(lane) and not self.dead:
            if self._work is None:
                raise Conflict("jobs_not_started", "Background jobs do not run in this process.")
            if self._fault is not None:
                raise self._fault
            await asyncio.sleep(0)

    async def close(self) -> None:
        self._work = None
        tasks = [*self._lanes.values(), *([self._looking] if self._looking else [])]
        for task in tasks:
            task.cancel()
        if tasks:
            await asyncio.wait(tasks)

    # ---- lanes ---------------------------------------------------------------------------------

    async def _look(self, work: Work, earlier: asyncio.Task[None] | None) -> None:
        """Give each lane that has something due a task of its own."""
        if earlier is not None:
            await asyncio.wait([earlier])
        for job in await self._store.due():
            lane = self._lanes.get(job.lane)
            if lane is None or lane.done():
                self._lanes[job.lane] = asyncio.create_task(self._follow(job.lane, work))

    async def _follow(self, lane: str, work: Work) -> None:
        """The jobs of a lane, one after the other, until none is due."""
        while jobs := await self._store.due(lane):
            job_id = jobs[0].id
            self._running.add(job_id)
            try:
                await work(lane, jobs[0].seq, self._step(job_id))
            except Exception as fault:  # noqa: BLE001 - the worker's boundary: `idle` raises it
                self._fault = fault
                return
            finally:
                self._running.discard(job_id)

    def _step(self, job_id: str) -> Step:
        recorded = self.records.setdefault(job_id, {})
        taken = count()

        async def step(name: str, action: Action) -> Mapping[str, object]:
            number = next(taken)
            if number not in recorded:
                text = json.dumps(await action(), allow_nan=False, default=dict)
                await self._survive()
                recorded[number] = (name, text)
            known, text = recorded[number]
            if known != name:
                raise RuntimeError(f"{job_id}: step {number} was {known} before, and now is {name}")
            return cast("Mapping[str, object]", json.loads(text))  # an object went in

        return step

    async def _survive(self) -> None:
        """Count down to the death of the process; what is dead never goes on."""
        if self._steps_left is None:
            return
        if self._steps_left == 0:
            await asyncio.get_running_loop().create_future()
        self._steps_left -= 1
