"""The kinds of background jobs, and how a due one is carried out to its outcome.

Apart from the engine that calls this: which steps a job takes is the program's, that they are not
taken twice is the engine's.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Literal, TypeAlias, cast

import structlog

from huaben.errors import HuabenError, ProviderFailed, StorageFailed
from huaben.ports import Action, Commit, DueDone, DueJob, Page, Step
from huaben.services import amending, chats_planting, images, importing, moving, trash
from huaben.services.aftermath import building, chain, recomputing, remembering
from huaben.services.house import House
from huaben.services.planning import chore as planning
from huaben.services.writing import caring, checking, quiet, reporting

_log = structlog.get_logger("huaben.chores")

Kind: TypeAlias = Callable[[House, DueJob, Step], Awaitable[str]]
"""Takes a job's steps and returns its outcome, one word such as `done`. Between steps it decides only
by what steps gave; whatever it writes, it writes within a step and under an effect key."""

KINDS: Mapping[str, Kind] = {
    importing.KIND: importing.carry_out,
    moving.KIND: importing.carry_out,
    chats_planting.KIND: chats_planting.carry_out,
    trash.KIND: trash.carry_out,
    chain.KIND: chain.carry_out,
    chain.AGAIN: chain.carry_out_again,
    recomputing.KIND: recomputing.carry_out,
    remembering.KIND: remembering.carry_out,
    building.KIND: building.carry_out,
    planning.KIND: planning.carry_out,
    images.KIND: images.carry_out,
    amending.KIND: amending.carry_out,
    quiet.KIND: caring.carry_out,
    reporting.KIND: checking.carry_out,
}

WAITS_S = (1.0, 4.0)
"""Before the second and the third attempt at a step."""
MAX_WAIT_S = 60.0


async def begin(house: House) -> None:
    """Take up what earlier processes left undone, and make due what the calendar says."""
    await trash.make_due(house)
    house.jobs.start(partial(carry_out, house))


class StepFailed(HuabenError):
    """A step came to nothing after its last attempt, in this run or in an earlier one."""


async def carry_out(
    house: House, lane: str, seq: int, step: Step, *, kinds: Mapping[str, Kind] = KINDS
) -> None:
    """Carry out a due job and record its outcome: the kind's own word, or `failed: code: message`.

    Undone predecessors in its lane come first. A step is tried three times when its fault may
    pass; a kind that raises has failed."""
    tried = _Tried(house, step)
    try:
        given = await tried("lane", lambda: _undone(house, lane, seq))
    except StepFailed as fault:
        await _settle(house, DueDone(lane, seq, _failed(fault)))
        return
    for found in cast("list[tuple[int, str, Mapping[str, object], str]]", given["jobs"]):
        number, kind, payload, made_at = found
        job = DueJob(lane, number, kind, payload, "", made_at)
        outcome = await _outcome(house, job, _Tried(house, step, f"{number}: "), kinds)
        await _settle(house, DueDone(lane, number, outcome))


async def _undone(house: House, lane: str, seq: int) -> Mapping[str, object]:
    jobs = [job for job in await house.store.due(lane) if job.seq <= seq]
    return {"jobs": [[job.seq, job.kind, job.payload, job.made_at] for job in jobs]}


async def _outcome(house: House, job: DueJob, step: Step, kinds: Mapping[str, Kind]) -> str:
    kind = kinds.get(job.kind)
    if kind is None:
        return f"failed: unknown_kind: this version knows no jobs of the kind {job.kind}"
    try:
        return await kind(house, job, step)
    except HuabenError as fault:
        _log.warning("job_failed", job=job.id, kind=job.kind, code=fault.code)
        return _failed(fault)
    except Exception as fault:  # noqa: BLE001 - the worker's boundary: one job must not end the lane
        _log.exception("job_broke", job=job.id, kind=job.kind)
        return f"failed: broken: {type(fault).__name__}: {fault}"


def _failed(fault: HuabenError) -> str:
    return f"failed: {fault.code}: {fault.message}"


async def _settle(house: House, done: DueDone) -> None:
    """Record the outcome, however long it takes: a job is over when the library says so."""
    wait_s = WAITS_S[0]
    while True:
        try:
            await house.store.commit(Commit(rows=(done,)))
        except HuabenError as fault:
            if fault.code == "missing_row":
                return  # the job went with its story, which was let go for good meanwhile
            _log.error("outcome_not_recorded", lane=done.lane, seq=done.seq, code=fault.code)
            await house.clock.sleep(wait_s)
            wait_s = min(wait_s * 2, MAX_WAIT_S)
        else:
            return


@dataclass(frozen=True, slots=True)
class _Tried:
    """A step with its attempts. What it came to is recorded as a value, failure included, so that a
    later run learns the same."""

    house: House
    step: Step
    prefix: str = ""

    async def __call__(self, name: str, action: Action) -> Mapping[str, object]:
        """Raises `StepFailed`."""
        given = await self.step(f"{self.prefix}{name}", lambda: _attempts(self.house, action))
        if "failed" in given:
            code, message = cast("tuple[str, str]", given["failed"])  # as `_attempts` gives it
            raise StepFailed(code, message)
        return cast("Mapping[str, object]", given["done"])  # as `_attempts` gives it


async def _attempts(house: House, action: Action) -> Mapping[str, object]:
    for wait_s in (*WAITS_S, None):
        try:
            return {"done": await action()}
        except HuabenError as fault:
            if wait_s is None or not _may_pass(fault):
                return {"failed": (fault.code, fault.message)}
            asked_s = fault.retry_after_s if isinstance(fault, ProviderFailed) else None
            await house.clock.sleep(min(max(wait_s, asked_s or 0.0), MAX_WAIT_S))
        except Exception as fault:  # noqa: BLE001 - the worker's boundary: recorded as the step's failure
            _log.exception("step_broke")
            return {"failed": ("broken", f"{type(fault).__name__}: {fault}")}
    raise AssertionError("the last attempt returns")


def _may_pass(fault: HuabenError) -> bool:
    return isinstance(fault, StorageFailed) or (
        isinstance(fault, ProviderFailed) and fault.retryable
    )


# ---- showing -----------------------------------------------------------------------------------

State: TypeAlias = Literal["waiting", "running", "done", "failed"]


@dataclass(frozen=True, slots=True)
class JobShown:
    """A job as clients see it. `done` counts its recorded effects, of `total` where that is known;
    `outcome` is empty until it is over."""

    id: str
    lane: str
    kind: str
    state: State
    outcome: str
    made_at: str
    done: int
    total: int | None


async def list_jobs(house: House, page: Page) -> tuple[list[JobShown], str | None]:
    """The jobs from the newest to the oldest, those that are over too."""
    jobs, following = await house.store.jobs(page)
    return [await show_job(house, job) for job in jobs], following


async def show_job(house: House, job: DueJob) -> JobShown:
    total = job.payload.get("total")
    return JobShown(
        id=job.id,
        lane=job.lane,
        kind=job.kind,
        state=state_of(house, job),
        outcome=job.outcome,
        made_at=job.made_at,
        done=await house.store.count_effects(f"{job.id}/"),
        total=total if isinstance(total, int) else None,
    )


def state_of(house: House, job: DueJob) -> State:
    if job.outcome:
        return "failed" if job.outcome.startswith("failed") else "done"
    return "running" if job.id in house.jobs.running else "waiting"
