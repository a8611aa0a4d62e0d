"""The planning job as a kind of background job: its desk laid out, its trace kept, its outcome told; apart from
the job itself, which knows no house (`planner.md` §§1, 5, 7)."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncGenerator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace

from huaben.domain.events import Planned, ProjectEvent
from huaben.domain.plan.material import material_to_json
from huaben.domain.plan.notes import check
from huaben.domain.plan.trace import PlanTrace, TraceNode
from huaben.domain.scenario import Scenario
from huaben.domain.story import Tree, Turn
from huaben.errors import HuabenError, NotFound
from huaben.formats.scenario import scenario_of
from huaben.planner.desk import Desk, Done
from huaben.planner.job import run_job
from huaben.ports import Commit, DueJob, Effect, Step
from huaben.services.effects import Made, once
from huaben.services.governance import TooLarge
from huaben.services.house import House
from huaben.services.planning.committing import CHANGED, JobPlans
from huaben.services.planning.snapshot import pages_of, take
from huaben.services.planning.standing import KIND, line_of, plan_on_line
from huaben.services.planning.voices import HouseVoices
from huaben.services.stories import load_project, load_turn

_log = logging.getLogger(__name__)
WATCH_S = 1.0
"""How often a running job looks whether somebody wants it to end."""
STOPPED = frozenset(("stopped", "failed", "discarded"))


async def carry_out(house: House, job: DueJob, step: Step) -> str:
    """Plan after a turn. Returns the outcome; of a failure with its reason."""
    turn = await load_turn(house, str(job.payload["turn"]))
    scenario = scenario_of(turn.config)
    run = _Run(house, job, turn, scenario)
    async with _watched(run) as cancelled:
        done = await run_job(run.desk(step, cancelled), scenario.planner)
    await run.told(done.nodes, done)
    try:
        await step("end", lambda: run.end(done))
    except HuabenError as fault:
        _log.error("the end of planning %s was not told: %s", job.id, fault.message)
    return f"failed: {done.detail}" if done.outcome == "failed" else done.outcome


def cancel_key(job_id: str) -> str:
    """The effect that asks a job to end."""
    return f"{job_id}/cancel"


@dataclass(slots=True)
class _Run:
    """One run of a job."""

    house: House
    job: DueJob
    turn: Turn
    scenario: Scenario
    pages: asyncio.Task[list[str]] | None = None

    def desk(self, step: Step, cancelled: asyncio.Event) -> Desk:
        return Desk(
            step=step,
            clock=self.house.clock,
            voices=HouseVoices(self.house, self.turn, self.scenario, self.job.id),
            plans=JobPlans(self.house, self.turn, self.job),
            open=self.open,
            quoted=self.quoted,
            told=self.told,
            cancelled=cancelled,
        )

    # ---- the snapshot --------------------------------------------------------------------------

    async def open(self) -> Mapping[str, object]:
        """The snapshot, or why there is nothing to plan."""
        tree = Tree(await self.house.store.skeleton(self.turn.project_id))
        over = await self._needless(tree)
        if over is not None:
            return over
        standing = await plan_on_line(self.house, self.turn.project_id, tree, self.turn.id)
        taken = await take(self.house, self.turn, self.scenario, standing.plan, self._window())
        if isinstance(taken, TooLarge):
            detail = f"too_large: {taken.needed} tokens required, window {taken.room}"
            return {"outcome": "failed", "detail": detail}
        today = f"{self.house.now()[:10]}T00:00:00"
        spent = await self.house.store.plan_tokens(self.turn.project_id, today)
        return {
            "material": material_to_json(taken.material),
            "base": standing.serial,
            "day_tokens": spent,
            "shadow": taken.shadow,
        }

    async def _needless(self, tree: Tree) -> Mapping[str, object] | None:
        """Why this job need not run: it is not wanted any more, or a later one of its line waits."""
        if await self.house.store.effect(cancel_key(self.job.id)) is not None:
            return {"outcome": "cancelled", "detail": "by the user"}
        project = await load_project(self.house, self.turn.project_id)
        if not scenario_of(project.config).planner.enabled:
            return {"outcome": "cancelled", "detail": "the planner is switched off"}
        line = line_of(tree, self.turn.id)
        for other in await self.house.store.due(self.job.lane):
            later = str(other.payload.get("beat", ""))
            if other.seq > self.job.seq and other.kind == KIND and later in line:
                return {"outcome": "superseded", "detail": f"by {other.id}"}
        return None

    def _window(self) -> int | None:
        voices = HouseVoices(self.house, self.turn, self.scenario, self.job.id)
        try:
            return voices.model().window
        except HuabenError:
            return None  # the route will say that there is no model

    async def quoted(self, quotes: Sequence[str]) -> Sequence[bool]:
        """Look for quotations in the history, which is read once for all experts of this run; in a
        thread, because a long one takes its time."""
        if self.pages is None:
            self.pages = asyncio.create_task(pages_of(self.house, self.turn))
        return await asyncio.to_thread(check, quotes, await asyncio.shield(self.pages))

    # ---- the trace -----------------------------------------------------------------------------

    async def told(self, nodes: Sequence[TraceNode], done: Done | None = None) -> None:
        """Keep the trace as far as it goes. A trace that cannot be kept stops nothing."""
        trace = PlanTrace(
            project_id=self.turn.project_id,
            seq=self.job.seq,
            turn_id=self.turn.id,
            beat=self.turn.beat,
            began_at=self.job.made_at,
            nodes=tuple(nodes),
        )
        if done is not None:
            trace = replace(
                trace,
                ended_at=self.house.now(),
                outcome=done.outcome,
                detail=done.detail,
                base=done.base,
                revision=done.serial,
                turn=done.turn,
            )
        try:
            await self.house.store.commit(Commit(rows=(trace,)))
        except HuabenError as fault:
            _log.error("the trace of planning %s was not kept: %s", self.job.id, fault.message)

    async def end(self, done: Done) -> Mapping[str, object]:
        """Tell the outcome in the turn's log and the project's, once."""

        async def make() -> Made:
            number = 0
            if done.serial:
                found = await self.house.store.plan_revision(self.turn.project_id, done.serial)
                number = found.number if found is not None else 0
            event = Planned("over", self.job.seq, done.outcome, number, done.detail)
            detail = {"job": self.job.seq, "outcome": done.outcome}
            told = ProjectEvent(CHANGED, self.turn.id, detail)
            commit = Commit(
                events=((self.turn.id, event),), project_events=((self.turn.project_id, told),)
            )
            return commit, {}

        return await once(self.house, f"{self.job.id}/end", make)


@asynccontextmanager
async def _watched(run: _Run) -> AsyncGenerator[asyncio.Event]:
    """An event that is set when somebody wants the job to end while it runs."""
    cancelled = asyncio.Event()
    watching = asyncio.create_task(_watch(run, cancelled), name=f"watch {run.job.id}")
    try:
        yield cancelled
    finally:
        beside = [watching, *([run.pages] if run.pages is not None else [])]
        for task in beside:
            task.cancel()
        await asyncio.wait(beside)


async def _watch(run: _Run, cancelled: asyncio.Event) -> None:
    while not cancelled.is_set():
        await run.house.clock.sleep(WATCH_S)
        try:
            if await _is_unwanted(run):
                cancelled.set()
        except HuabenError as fault:
            _log.warning("planning %s goes on unwatched: %s", run.job.id, fault.message)


async def _is_unwanted(run: _Run) -> bool:
    if await run.house.store.effect(cancel_key(run.job.id)) is not None:
        return True
    if not run.scenario.planner.cancel_with_turn:
        return False
    turn = await run.house.store.turn(run.turn.id)
    return turn is not None and turn.run == "ended" and turn.outcome in STOPPED


async def cancel(house: House, job: DueJob) -> None:
    """Ask a job to end; one that has ended stays as it ended. It need not run here."""
    if await house.store.effect(cancel_key(job.id)) is None:
        await house.store.commit(Commit(rows=(Effect(cancel_key(job.id), {}),)))


async def planning_job(house: House, project_id: str, number: int) -> DueJob:
    """The job of that number. Raises `NotFound`."""
    job = await house.store.job(f"{project_id}/plan", number)
    if job is None or job.kind != KIND:
        raise NotFound.of("plan_job", f"{number}")
    return job
