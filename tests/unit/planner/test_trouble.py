"""Failure, conflict, budgets, cancellation and death (`planner.md` §5)."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from dataclasses import replace

import pytest

from huaben.domain.plan.notes import EXPERTS
from huaben.domain.plan.rules import DIRECTOR
from huaben.domain.plan.trace import OUTCOMES
from huaben.errors import ProviderFailed
from huaben.planner.job import run_job
from tests.unit.planner.room import NEW_STATE, Died, Room, Script, later_turn, planner


def busy(wait_s: float | None = None) -> ProviderFailed:
    return ProviderFailed("provider_status", "503", retryable=True, retry_after_s=wait_s)


# ---- models that fail for a moment -------------------------------------------------------------


async def test_a_call_is_tried_three_times() -> None:
    """With growing pauses; the third attempt may still succeed."""
    room = Room({"route:1": [busy(), busy(), [DIRECTOR]]}, later_turn())
    done = await room.patiently()
    assert done.outcome == "committed"
    route = room.node(done, "route:1")
    assert (route.attempts, route.seconds) == (3, 5.0)


async def test_a_fourth_attempt_is_not_made() -> None:
    """Then the job has failed, and says why."""
    room = Room({"route:1": busy()}, later_turn())
    done = await room.patiently()
    assert (done.outcome, done.detail) == ("failed", "provider_status: 503")
    assert room.made == ["route:1"] * 3


async def test_a_refusal_is_final() -> None:
    """What would not pass is not tried again."""
    room = Room({"route:1": ProviderFailed("provider_status", "401")}, later_turn())
    assert (await room.run()).outcome == "failed"
    assert room.made == ["route:1"]


async def test_a_provider_that_asks_for_patience_gets_it() -> None:
    """Its own wait before the next attempt; another form of the request is sent at once."""
    room = Room({"route:1": [busy(30), [DIRECTOR]]}, later_turn())
    assert room.node(await room.patiently(), "route:1").seconds == 30
    reshaped = ProviderFailed("reshaped", "without a field")
    again = Room({"route:1": [reshaped, [DIRECTOR]]}, later_turn())
    assert again.node(await again.run(), "route:1").seconds == 0


async def test_a_call_has_its_time() -> None:
    """180 seconds, three times; one that never answers does not hold the others."""
    room = Room({"route:1": ["judge_npc", "analyze_plot"], "expert:judge_npc": None}, later_turn())
    done = await room.patiently()
    assert done.outcome == "committed"
    late = room.node(done, "expert:judge_npc")
    assert late.detail == "timeout: No answer within 180 s."
    assert (late.attempts, late.seconds) == (3, 545.0)


async def test_a_job_has_its_time() -> None:
    """Time at work, over all its steps; 0 means no limit."""
    script = {"route:1": ["judge_npc"], "expert:judge_npc": None, "route:2": None}
    room = Room(script, later_turn(), planner(deadline_s=600))
    done = await room.patiently()
    assert done.outcome == "failed"
    assert sum(node.seconds for node in done.nodes) <= 600
    assert room.made.count("route:2") == 1
    assert "director" not in room.made
    free = Room(script, later_turn(), planner(deadline_s=0))
    assert (await free.patiently()).detail == "timeout: No answer within 180 s."
    assert free.made.count("route:2") == 3


# ---- budgets -----------------------------------------------------------------------------------


async def test_calls_beyond_the_budget_are_refused_by_name() -> None:
    """One is kept for the director, what is forced comes first."""
    room = Room({"route:1": list(EXPERTS)}, section=planner(max_calls=4))
    done = await room.run()
    assert done.outcome == "committed"
    assert [node for node in room.made if node.startswith("expert")] == [
        "expert:analyze_plot",
        "expert:judge_npc",
        "expert:direct_scene",
    ]
    refused = {n.name: n.detail for n in done.nodes if n.status == "refused"}
    assert refused == dict.fromkeys(
        ("audit_knowledge", "simulate_world", "manage_callbacks"), "over_calls"
    )


async def test_a_job_has_its_tokens() -> None:
    """Counted as reported, and estimated for what is yet to be asked."""
    room = Room({"route:1": [DIRECTOR]}, later_turn(), planner(job_tokens=1500))
    done = await room.run()
    assert (done.outcome, done.detail) == ("retained", "over_job_tokens")
    assert room.node(done, "director").status == "refused"
    assert room.made == ["route:1"]


async def test_a_day_has_its_tokens() -> None:
    """What other jobs of the day took counts too; then nothing is asked at all."""
    room = Room({}, later_turn(), planner(day_tokens=10_000), day_tokens=9_900)
    done = await room.run()
    assert (done.outcome, done.detail, room.made) == ("retained", "over_day_tokens", [])
    assert room.node(done, "route:1").status == "refused"


# ---- other writers -----------------------------------------------------------------------------


async def test_another_writer_is_not_overwritten() -> None:
    """By default the job gives up."""
    room = Room({"route:1": [DIRECTOR]}, later_turn(), others=1)
    done = await room.run()
    assert (done.outcome, room.commits, room.serial) == ("stale_write_rejected", [], 1)
    assert room.node(done, "commit").status == "refused"


async def test_a_director_may_write_again_on_what_stands_now() -> None:
    """It sees the other's plan, and the notes of the job are numbered after its own."""
    room = Room({"route:1": ["judge_npc"]}, later_turn(), planner(on_conflict="rebase"), others=2)
    done = await room.run()
    assert (done.outcome, done.serial) == ("committed", 3)
    assert [node for node in room.made if node.startswith("director")] == [
        "director",
        "director:2",
        "director:3",
    ]
    assert "别人写的" in room.errands[-1].prompt.segments[1].text
    assert [note.number for note in room.commits[0].plan.notes] == [9, 10, 11]
    assert [node.status for node in done.nodes if node.kind == "commit"] == [
        "refused",
        "refused",
        "done",
    ]


async def test_it_does_not_write_again_for_ever() -> None:
    """Three times, then the job gives up as well."""
    room = Room({"route:1": [DIRECTOR]}, later_turn(), planner(on_conflict="rebase"), others=9)
    done = await room.run()
    assert done.outcome == "stale_write_rejected"
    assert len([node for node in room.made if node.startswith("director")]) == 4
    assert room.commits == []


# ---- ends from outside -------------------------------------------------------------------------


async def test_a_job_that_is_cancelled_asks_nobody_again() -> None:
    """In the middle of a call, in a pause between attempts, and before anything."""
    for script in ({"route:1": None}, {"route:1": busy()}):
        room = Room(script, later_turn())
        task = asyncio.create_task(room.run())
        await room.clock.advance(0.5)
        room.cancelled.set()
        await room.clock.advance(0)
        done = await task
        assert (done.outcome, room.made) == ("cancelled", ["route:1"])
    never = Room({}, later_turn())
    never.cancelled.set()
    assert ((await never.run()).outcome, never.made) == ("cancelled", [])


async def test_cancelling_waits_for_no_expert() -> None:
    """Those that had answered are in the trace."""
    script = {"route:1": ["judge_npc", "analyze_plot"], "expert:judge_npc": None}
    room = Room(script, later_turn())
    task = asyncio.create_task(room.run())
    await room.clock.advance(1)
    room.cancelled.set()
    done = await task
    assert done.outcome == "cancelled"
    assert room.node(done, "expert:analyze_plot").status == "done"
    assert room.node(done, "expert:judge_npc").detail.startswith("cancelled")
    assert room.commits == []


async def test_shutting_down_leaves_nothing_recorded() -> None:
    """The call that ran is cancelled; the next run makes it again and no other."""
    room = Room({"route:1": ["judge_npc"], "expert:judge_npc": None}, later_turn())
    task = asyncio.create_task(room.run())
    await room.clock.advance(1)
    task.cancel()
    with suppress(asyncio.CancelledError):
        await task
    assert sorted(room.records) == ["open", "route:1"]
    room.script = {"route:1": ["judge_npc"]}
    assert (await room.run()).outcome == "committed"
    assert room.made == ["route:1", "expert:judge_npc", "expert:judge_npc", "route:2", "director"]


STEPS = 7
"""What a first turn records: the snapshot, a route, two experts, another route, director, commit."""


@pytest.mark.parametrize("steps", range(STEPS + 1))
async def test_death_at_any_step_costs_nothing_twice(steps: int) -> None:
    """The next process comes to the same end: each call paid once, one commit, the same plan."""
    script: Script = {"route:1": [], "route:2": []}
    whole = Room(script)
    expected = await whole.run()
    room = Room(script, steps_left=steps)
    if steps < STEPS:
        with pytest.raises(Died):
            await room.run()
        room.steps_left = None
    done = await room.run()
    assert len(room.records) == STEPS
    assert (done.outcome, done.serial) == ("committed", 1)
    assert sorted(room.made) == sorted(whole.made)
    assert room.commits == whole.commits
    assert done.nodes == expected.nodes


async def test_a_snapshot_that_cannot_be_taken_is_a_failure() -> None:
    """And what a service says instead of one is the outcome."""
    room = Room({})
    desk = room.desk()

    async def superseded() -> dict[str, object]:
        return {"outcome": "superseded", "detail": "by 7"}

    done = await run_job(replace(desk, open=superseded), room.section)
    assert (done.outcome, done.detail) == ("superseded", "by 7")
    assert done.outcome in OUTCOMES
    assert room.made == []


def test_the_new_state_differs() -> None:
    """Or no test of a commit would mean anything."""
    assert later_turn().plan.state != NEW_STATE
