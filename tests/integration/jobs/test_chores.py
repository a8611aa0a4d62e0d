"""How a due job is carried out: attempts, outcomes, predecessors, and what survives a death."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from itertools import pairwise

import pytest

from huaben.errors import BadInput, HuabenError, ProviderFailed, StorageFailed
from huaben.ports import Commit, Due, DueDone, DueJob, Effect, Page, Step
from huaben.services import chores
from huaben.services.chores import StepFailed
from huaben.services.effects import once
from huaben.services.house import House
from tests.builders.waiting import AWHILE_S, come_to_rest
from tests.integration.jobs.yard import Yard

LANE = "雨/post"


def a_due(kind: str = "note", **payload: object) -> Due:
    return Due(LANE, kind, payload)


async def idle(yard: Yard) -> None:
    await yard.patiently(yard.jobs.idle())


async def test_a_job_ends_with_the_word_of_its_kind(yard: Yard) -> None:
    """What a kind returns is the outcome that everybody sees."""

    async def note(house: House, job: DueJob, step: Step) -> str:
        given = await step("读", lambda: read(job))
        return str(given["word"])

    async def read(job: DueJob) -> Mapping[str, object]:
        return {"word": job.payload["word"]}

    yard.start(note=note)
    await yard.due(a_due(word="unchanged"), a_due(word="完成"))
    await idle(yard)
    assert [await yard.outcome(LANE, n) for n in (1, 2)] == ["unchanged", "完成"]


@pytest.mark.parametrize(
    ("fault", "attempts"),
    [
        (ProviderFailed("overloaded", "太忙", retryable=True), 3),
        (StorageFailed("disk_full", "no room"), 3),
        (ProviderFailed("bad_key", "refused"), 1),
        (BadInput("bad_reply", "无法读"), 1),
        (ValueError("a mistake of ours"), 1),
    ],
    ids=lambda value: type(value).__name__ if isinstance(value, Exception) else str(value),
)
async def test_a_step_is_tried_again_only_where_its_fault_may_pass(
    yard: Yard, fault: Exception, attempts: int
) -> None:
    """Up to three attempts with a growing wait; then the job has failed, visibly and for good."""
    tried: list[float] = []

    async def note(house: House, job: DueJob, step: Step) -> str:
        async def act() -> Mapping[str, object]:
            tried.append(house.clock.monotonic())
            raise fault

        await step("act", act)
        return "done"

    yard.start(note=note)
    await yard.due(a_due())
    await idle(yard)
    code = fault.code if isinstance(fault, HuabenError) else "broken"
    assert (await yard.outcome(LANE)).startswith(f"failed: {code}: ")
    waits = [after - before for before, after in pairwise(tried)]
    assert waits == [1.0, 4.0][: attempts - 1]
    assert len(tried) == attempts


async def test_a_fault_that_passes_leaves_no_trace(yard: Yard) -> None:
    """The second attempt succeeds, after the wait that the provider asked for."""
    tried: list[float] = []

    async def note(house: House, job: DueJob, step: Step) -> str:
        async def act() -> Mapping[str, object]:
            tried.append(house.clock.monotonic())
            if len(tried) == 1:
                raise ProviderFailed("overloaded", "wait", retryable=True, retry_after_s=20)
            return {}

        await step("act", act)
        return "done"

    yard.start(note=note)
    await yard.due(a_due())
    await idle(yard)
    assert await yard.outcome(LANE) == "done"
    assert tried[1] - tried[0] == 20.0


async def test_a_kind_may_go_on_after_a_failed_step_and_learns_the_same_when_it_runs_again(
    yard: Yard,
) -> None:
    """The failure of a step is recorded like a result: a later run takes the same turn."""
    learnt: list[str] = []

    async def note(house: House, job: DueJob, step: Step) -> str:
        try:
            await step("expert", fail)
        except StepFailed as failed:
            learnt.append(f"{failed.code}: {failed.message}")
        await step("next", succeed)
        await step("last", succeed)
        return "done"

    async def fail() -> Mapping[str, object]:
        raise BadInput("unreadable", "读不懂")

    async def succeed() -> Mapping[str, object]:
        return {}

    yard.start(note=note)
    yard.jobs.die_after(3)
    await yard.due(a_due())
    await yard.jobs.idle()
    await yard.restart(note=note)
    await idle(yard)
    assert await yard.outcome(LANE) == "done"
    assert learnt == ["unreadable: 读不懂"] * 2


async def test_unknown_and_broken_kinds_fail_without_stopping_their_lane(yard: Yard) -> None:
    """A job that this version does not know, and one whose code is wrong, are told and passed."""

    async def broken(house: House, job: DueJob, step: Step) -> str:
        raise KeyError("没有")

    async def note(house: House, job: DueJob, step: Step) -> str:
        return "done"

    yard.start(broken=broken, note=note)
    await yard.due(a_due("from the future"), a_due("broken"), a_due())
    await idle(yard)
    outcomes = [await yard.outcome(LANE, n) for n in (1, 2, 3)]
    assert outcomes[0].startswith("failed: unknown_kind: ")
    assert outcomes[1] == "failed: broken: KeyError: '没有'"
    assert outcomes[2] == "done"


async def test_undone_predecessors_come_first(yard: Yard) -> None:
    """Whichever job of a lane is begun, the earlier ones are completed before it."""
    order: list[int] = []

    async def note(house: House, job: DueJob, step: Step) -> str:
        async def act() -> Mapping[str, object]:
            order.append(job.seq)
            return {}

        await step("act", act)
        return "done"

    await yard.store.commit(Commit(due=(a_due(), a_due(), a_due(), Due("b/post", "note", {}))))
    names: list[str] = []

    async def step(name: str, action: chores.Action) -> Mapping[str, object]:
        names.append(name)
        return await action()

    await chores.carry_out(yard.house, LANE, 2, step, kinds={"note": note})
    assert order == [1, 2]
    assert {job.id for job in await yard.store.due()} == {f"{LANE}:0000000003", "b/post:0000000001"}
    assert names == ["lane", "1: act", "2: act"]
    await chores.carry_out(yard.house, LANE, 1, step, kinds={"note": note})
    assert order == [1, 2]


async def test_a_job_that_was_settled_while_it_waited_is_not_carried_out(yard: Yard) -> None:
    """A newer job may replace a waiting one: its first outcome stands."""
    ran: list[int] = []

    async def note(house: House, job: DueJob, step: Step) -> str:
        ran.append(job.seq)
        return "done"

    await yard.due(a_due(), a_due())
    await yard.store.commit(Commit(rows=(DueDone(LANE, 1, "superseded"),)))
    yard.start(note=note)
    await idle(yard)
    assert ran == [2]
    assert await yard.outcome(LANE, 1) == "superseded"


async def test_a_job_whose_story_is_gone_for_good_is_over(yard: Yard) -> None:
    """There is no place for its outcome: nobody waits for one, and its lane is free."""

    async def note(house: House, job: DueJob, step: Step) -> str:
        yard.store.break_with(StorageFailed("missing_row", "the job does not exist"))
        return "done"

    async def at_once(name: str, action: chores.Action) -> Mapping[str, object]:
        return await action()

    await yard.due(a_due())
    carrying = chores.carry_out(yard.house, LANE, 1, at_once, kinds={"note": note})
    await asyncio.wait_for(carrying, AWHILE_S)
    yard.store.break_with(None)
    assert await yard.outcome(LANE) == ""


async def test_an_outcome_is_recorded_as_soon_as_the_store_takes_it(yard: Yard) -> None:
    """A full disk delays the outcome and never loses it; nothing is done twice for it."""
    ran: list[str] = []

    async def note(house: House, job: DueJob, step: Step) -> str:
        async def act() -> Mapping[str, object]:
            ran.append("act")
            yard.store.break_with(StorageFailed("disk_full", "no room"))
            return {}

        await step("act", act)
        return "done"

    yard.start(note=note)
    await yard.due(a_due())
    await yard.clock.advance(60)
    assert await yard.outcome(LANE) == ""
    yard.store.break_with(None)
    await idle(yard)
    assert await yard.outcome(LANE) == "done"
    assert ran == ["act"]


async def test_an_effect_happens_once_wherever_the_job_was_cut(yard: Yard) -> None:
    """Three steps with an effect each, and a death after every possible number of recorded steps:
    each effect is made once, what it came to is the same in each run (`architecture.md` §1)."""
    made: list[str] = []
    seen: set[str] = set()

    async def note(house: House, job: DueJob, step: Step) -> str:
        async def act(name: str) -> Mapping[str, object]:
            async def make() -> tuple[Commit, Mapping[str, object]]:
                made.append(f"{job.id} {name}")
                return Commit(), {"made": house.ids.new()}

            return await once(house, f"{job.id}/{name}", make)

        for name in ("一", "二", "three"):
            given = await step(name, lambda name=name: act(name))
            seen.add(f"{job.id} {name} {given['made']}")
        return "done"

    jobs = 4
    yard.start(note=note)
    for steps in range(1, 5):
        yard.jobs.die_after(steps)
        await yard.due(a_due())
        await yard.jobs.idle()
        await come_to_rest()
        await yard.restart(note=note)
        await idle(yard)
    assert len(await yard.store.effects("")) == jobs * 3
    assert len(seen) == jobs * 3
    assert len(made) == jobs * 3
    assert [await yard.outcome(LANE, n) for n in range(1, jobs + 1)] == ["done"] * jobs


async def test_an_effect_of_two_at_once_is_read_back_by_the_later(yard: Yard) -> None:
    """Who comes second gets what the first made."""
    gate = asyncio.Event()

    async def make(which: str) -> tuple[Commit, Mapping[str, object]]:
        await gate.wait()
        return Commit(), {"made": which}

    both = [
        asyncio.create_task(once(yard.house, "同", lambda which=which: make(which)))
        for which in ("first", "second")
    ]
    await asyncio.sleep(0)
    gate.set()
    assert await asyncio.gather(*both) == [{"made": "first"}] * 2
    assert await yard.store.effects("") == [Effect("同", {"made": "first"})]


async def test_jobs_are_shown_with_state_and_progress(yard: Yard) -> None:
    """The list tells what waits, runs, is done and has failed, and how far each has come."""
    gate = asyncio.Event()

    async def note(house: House, job: DueJob, step: Step) -> str:
        async def act() -> Mapping[str, object]:
            await house.store.commit(Commit(rows=(Effect(f"{job.id}/0", {}),)))
            if job.seq == 3:
                await gate.wait()
            return {}

        await step("act", act)
        if job.seq == 2:
            raise BadInput("odd", "怪")
        return "done"

    yard.start(note=note)
    await yard.due(*(a_due(total=2) for _ in range(4)))
    for _ in range(200):
        await asyncio.sleep(0)
    shown, following = await chores.list_jobs(yard.house, Page())
    assert following is None
    told = [(one.id[-1], one.state, one.done, one.total) for one in shown]
    assert told == [
        ("4", "waiting", 0, 2),
        ("3", "running", 1, 2),
        ("2", "failed", 1, 2),
        ("1", "done", 1, 2),
    ]
    assert shown[2].outcome == "failed: odd: 怪"
    gate.set()
    await idle(yard)
