"""Faults, conflicts, shutdowns and deaths around a planning job in its house (`planner.md` §5)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pytest

from huaben.adapters.system import SystemClock
from huaben.domain.plan.revision import PlanRevision
from huaben.domain.plan.trace import PlanTrace
from huaben.errors import StorageFailed
from huaben.ports import Commit, Committed, Model, Row, Stale
from huaben.services import branching
from huaben.services.planning import editing, showing
from huaben.services.planning.editing import PlanChange
from huaben.services.stories import is_planning
from huaben.testing.models import Fault, FaultyModel
from huaben.testing.script import fail, reply, say, stall
from huaben.testing.store import MemoryStore
from tests.builders.waiting import come_to_rest
from tests.integration.planning.stage import ON, Room, Settings, a_room, state

REBASE: Settings = {"planner": {"enabled": True, "on_conflict": "rebase"}}
DIRECT = {"route": ["update_director_state"]}


class Unlucky(MemoryStore):
    """Commits with a row of `kind` go wrong `times` times: the answer is `lost`, or nothing is written."""

    def __init__(self, kind: type[Row], *, times: int = 1, lost: bool = False) -> None:
        super().__init__(SystemClock())
        self._kind = kind
        self._times = times
        self._lost = lost

    async def commit(self, commit: Commit) -> Committed | Stale:
        if self._times and any(isinstance(row, self._kind) for row in commit.rows):
            self._times -= 1
            if self._lost:
                await super().commit(commit)
            raise StorageFailed("disk", "the disk is full")
        return await super().commit(commit)


async def states_of(room: Room) -> list[str]:
    """The first lines of all revisions, oldest first."""
    found: list[str] = []
    for serial, _ in await room.house.store.plan_beats(room.project.id):
        revision = await room.house.store.plan_revision(room.project.id, serial)
        assert revision is not None
        found.append(revision.plan.state.splitlines()[1])
    return found


# ---- faults that pass, and faults that do not --------------------------------------------------


async def test_a_provider_that_fails_for_a_moment_is_asked_again() -> None:
    """Each attempt is on record; what failed cost nothing."""

    def wrap(model: Model) -> FaultyModel:
        return FaultyModel(model, [Fault(kind="fail")])

    async with a_room(DIRECT, wrap=wrap) as room:
        turn = await room.say("一。")
        assert await room.outcome() == "committed"
        calls = [one for one in await room.house.store.calls(turn.id) if is_planning(one)]
        assert [(one.purpose, one.state) for one in calls[:2]] == [
            ("planner.route", "failed"),
            ("planner.route", "done"),
        ]


async def test_a_commit_whose_answer_was_lost_is_not_made_twice() -> None:
    """The retry meets its own revision and knows it."""
    async with a_room(store=Unlucky(PlanRevision, lost=True)) as room:
        await room.say("一。")
        assert await room.outcome() == "committed"
        assert await states_of(room) == ["- 第 1 版 [m1]"]


async def test_a_disk_that_is_full_for_a_moment_loses_nothing() -> None:
    """Nothing was written, so the step is made again."""
    async with a_room(store=Unlucky(PlanRevision)) as room:
        await room.say("一。")
        assert await room.outcome() == "committed"
        assert len(room.roles_asked()) == 5


async def test_a_trace_that_cannot_be_kept_stops_nothing() -> None:
    """Neither the job nor the reply."""
    async with a_room(store=Unlucky(PlanTrace, times=99)) as room:
        turn = await room.say("一。")
        assert turn.outcome == "sealed"
        assert await states_of(room) == ["- 第 1 版 [m1]"]
        planned = await room.planned(turn)
        assert planned is not None
        assert planned.outcome == "committed"


async def test_a_planner_without_a_model_fails_alone() -> None:
    """The turn goes on; the outcome says why."""
    async with a_room() as room:
        room.roles.gone.add("planner")
        turn = await room.say("一。")
        assert turn.outcome == "sealed"
        planned = await room.planned(turn)
        assert planned is not None
        assert (planned.outcome, planned.detail) == (
            "failed",
            "no_connection: No model is connected for planner.",
        )
        job = await room.house.store.job(room.lane, 1)
        assert job is not None
        assert job.outcome.startswith("failed: no_connection")


async def test_a_refusal_of_the_provider_is_not_tried_again() -> None:
    """It fails at once, with the provider's word."""
    async with a_room({"route": reply(fail("provider_status", "401", retryable=False))}) as room:
        await room.say("一。", plan=False)
        room.planners.says["second"] = room.planners.says["route"]
        await room.plan()
        assert await room.outcome() == "committed", (
            "what a first turn must do needs no orchestrator"
        )
        await room.say("二。")
        assert await room.outcome() == "failed"


class Unreadable(MemoryStore):
    """Plans cannot be read."""

    async def plan_at(self, project_id: str, beats: object) -> PlanRevision | None:
        raise StorageFailed("damaged", "the plan is damaged")


async def test_a_plan_that_cannot_be_read_is_done_without() -> None:
    """The reply goes on with the fallback, loudly; the job fails."""
    async with a_room(store=Unreadable(SystemClock())) as room:
        turn = await room.say("一。")
        assert turn.outcome == "sealed"
        assert "眼下没有可用的规划" in room.written_to()
        notices = [(one.code, one.detail) for one in (await room.view(turn)).notices]
        assert ("plan_unreadable", "damaged: the plan is damaged") in notices
        planned = await room.planned(turn)
        assert planned is not None
        assert planned.outcome == "failed"


async def test_settings_that_no_file_would_have_fail_the_job_alone() -> None:
    """A stored graph that an older program wrote."""
    async with a_room() as room:
        broken = {**room.project.config, "planner.graph": "no_such_step"}
        await room.house.store.commit(Commit(rows=(replace(room.project, config=broken),)))
        turn = await room.say("一。")
        assert turn.outcome == "sealed"
        trace = await room.trace()
        assert (trace.outcome, trace.detail) == ("failed", "graph: unknown step at no_such_step")


# ---- other writers -----------------------------------------------------------------------------


async def busy_room(room: Room, text: str, number: int) -> None:
    """Say something and wait until its director is at work."""
    room.planners.says["update_director_state"] = reply(stall(), say(state(number)))
    room.start()
    await room.say(text, plan=False)
    await room.planner.stalled.wait()
    room.planners.says["update_director_state"] = state(number)


async def edit(room: Room, text: str) -> PlanRevision:
    shown = await showing.show_plan(room.house, room.project.id)
    change = PlanChange(int(str(shown["revision"])), state=state(0, s6=f"- {text}"))
    return await editing.change_plan(room.house, room.project.id, change)


@pytest.mark.parametrize("settings", [ON, REBASE])
async def test_the_users_edit_is_not_overwritten(settings: Settings) -> None:
    """The job that began before gives up, or its director writes again on top."""
    async with a_room(DIRECT, settings=settings) as room:
        await room.say("一。")
        await busy_room(room, "二。", 7)
        mine = await edit(room, "只用近景")
        assert (mine.number, mine.author, mine.turn) == (2, "user", 2)
        room.planner.release()
        await room.jobs.idle()
        shown = await showing.show_plan(room.house, room.project.id)
        if settings is ON:
            assert await room.outcome() == "stale_write_rejected"
            assert (shown["revision"], shown["author"]) == (2, "user")
        else:
            assert await room.outcome() == "committed"
            assert (shown["revision"], shown["author"]) == (3, "planner")
            assert "只用近景" in room.sent()


async def test_an_edit_in_a_later_turn_counts_too() -> None:
    """A job that is behind the story does not hide what the user has written since."""
    async with a_room(DIRECT) as room:
        await busy_room(room, "一。", 7)
        await room.say("二。", plan=False)
        await edit(room, "只用近景")
        room.planner.release()
        await room.jobs.idle()
        assert await room.outcome(1) == "stale_write_rejected"
        shown = await showing.show_plan(room.house, room.project.id)
        assert "只用近景" in str(shown["state"]) or shown["author"] == "planner"


async def test_a_job_commits_to_its_own_branch_wherever_the_story_went() -> None:
    """Undone meanwhile, and told on elsewhere: the other branch does not see it."""
    async with a_room({"route": []}) as room:
        first = await room.say("一。", plan=False)
        room.planners.says["update_director_state"] = reply(stall(), say(state(5)))
        room.start()
        await room.planner.stalled.wait()
        await branching.undo(room.house, room.project.id)
        await room.say("另一句。", plan=False)
        await edit(room, "另一条路")
        room.planner.release()
        await room.jobs.idle()
        assert await room.outcome(1) == "committed"
        there = await showing.show_plan(room.house, room.project.id, first.id)
        assert "另一条路" not in str(there["state"])
        assert there["revision"] == 1


# ---- ends from outside -------------------------------------------------------------------------


async def test_a_job_can_be_cancelled() -> None:
    """While it waits, and while it runs; what is over stays over."""
    async with a_room({"route": reply(stall())}) as room:
        await room.say("一。", plan=False)
        job = await editing.cancel_job(room.house, room.project.id, 1)
        await editing.cancel_job(room.house, room.project.id, job.seq)
        await room.plan()
        assert await room.outcome() == "cancelled"
        assert room.roles_asked() == []
        await room.say("二。", plan=False)
        await room.planner.stalled.wait()
        await editing.cancel_job(room.house, room.project.id, 2)
        await room.jobs.idle()
        assert await room.outcome() == "cancelled"
        with pytest.raises(Exception, match="over"):
            await editing.cancel_job(room.house, room.project.id, 2)


async def test_a_planner_that_was_switched_off_plans_no_more() -> None:
    """What waits is not carried out, and the next turn makes nothing due."""
    async with a_room() as room:
        turn = await room.say("一。", plan=False)
        await editing.switch(room.house, room.project.id, on=False)
        await room.plan()
        trace = await room.trace()
        assert (trace.outcome, trace.detail) == ("cancelled", "the planner is switched off")
        await room.say("二。", plan=False)
        assert await room.due() == []
        assert "【剧情规划】\n" not in room.written_to()
        with pytest.raises(Exception, match="switched off"):
            await editing.plan_again(room.house, room.project.id, turn.id)
        await editing.switch(room.house, room.project.id, on=True)
        await editing.plan_again(room.house, room.project.id, turn.id)
        await room.plan()
        assert await room.outcome() == "committed"


async def test_shutting_down_hands_the_job_back() -> None:
    """The call that ran is cut off; the next process makes that one again and no other."""
    async with a_room({"judge_npc": reply(stall())}) as room:
        turn = await room.say("一。", plan=False)
        room.start()
        await room.planner.stalled.wait()
        await come_to_rest()  # the other expert answers
        await room.restart()
        assert await room.due() == [turn.id]
        room.planners.says["judge_npc"] = None
        await room.plan()
        assert await room.outcome() == "committed"
        assert sorted(room.roles_asked()) == sorted(
            ("route", "judge_npc", "judge_npc", "direct_scene", "second", "update_director_state")
        )
        calls = [one for one in await room.house.store.calls(turn.id) if is_planning(one)]
        assert sum(one.state == "done" for one in calls) == 5


STEPS = 9
"""What a job of a first turn records: the lane, the snapshot, a route, two experts, a route, the
director, the commit, the end."""


@pytest.mark.parametrize("steps", range(STEPS + 1))
async def test_death_at_every_step_boundary(steps: int) -> None:
    """The job is not lost, commits once, and no recorded call is paid again."""
    async with a_room() as room:
        turn = await room.say("一。", plan=False)
        room.jobs.die_after(steps)
        room.start()
        await room.jobs.idle()
        if steps < STEPS:
            await room.restart()
        await room.plan()
        assert await room.outcome() == "committed"
        assert await states_of(room) == ["- 第 1 版 [m1]"]
        calls = [one for one in await room.house.store.calls(turn.id) if is_planning(one)]
        paid = [one.purpose for one in calls if one.state == "done"]
        assert sorted(paid) == [
            "planner.director", "planner.expert", "planner.expert", "planner.route", "planner.route",
        ]  # fmt: skip
        told = [
            logged.event
            for logged in await room.house.store.events(turn.id)
            if logged.event.kind == "plan"
        ]
        assert len(told) == 2
        assert [fault async for fault in room.house.store.audit()] == []


async def test_the_outcomes_are_words_of_the_jobs_list() -> None:
    """A job that failed is shown as failed there too, one that was superseded is done."""
    async with a_room({"route": []}) as room:
        await room.say("一。", plan=False)
        await room.say("二。")
        kinds: Sequence[str] = [
            job.outcome for n in (1, 2) if (job := await room.house.store.job(room.lane, n))
        ]
        assert kinds == ["superseded", "retained"]
