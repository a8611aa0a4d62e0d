"""What every store promises about plans: whole revisions, one writer at a time, each branch its own."""

from __future__ import annotations

import asyncio
from dataclasses import replace

import pytest

from huaben.domain.plan.notes import PlanNote
from huaben.domain.plan.revision import Plan, PlanRevision
from huaben.domain.plan.trace import PlanTrace, TraceNode
from huaben.domain.project import Project
from huaben.domain.story import Turn
from huaben.errors import StorageFailed
from huaben.ports import Binned, Commit, Committed, Head, Purged, Row, Stale, Store
from tests.contract.samples import AT, a_project, a_turn

NOTE = PlanNote(1, "npc", "她在等人 / waits", "judge_npc", 1, "抬起头", True, "推门", True)


def a_revision(project: Project, at: Turn, **changes: object) -> PlanRevision:
    values: dict[str, object] = {
        "project_id": project.id,
        "beat": at.beat,
        "node": at.id,
        "number": 1,
        "base": 0,
        "author": "planner",
        "why": "director",
        "at": AT,
        "plan": Plan("## 场景与时间\n- 雨夜 [m1]", (NOTE,), ("雨夜",), 2),
    }
    return PlanRevision(**values | changes)  # pyright: ignore[reportArgumentType] - a builder


def a_trace(project: Project, at: Turn, seq: int, **changes: object) -> PlanTrace:
    node = TraceNode("route:1", "route", "orchestrator", "done", prompt=90, completion=10)
    values: dict[str, object] = {
        "project_id": project.id,
        "seq": seq,
        "turn_id": at.id,
        "beat": at.beat,
        "began_at": AT,
        "nodes": (node,),
    }
    return PlanTrace(**values | changes)  # pyright: ignore[reportArgumentType] - a builder


async def stored(store: Store, *rows: Row) -> Committed:
    answer = await store.commit(Commit(rows=rows))
    assert isinstance(answer, Committed)
    return answer


async def a_story(store: Store, turns: int = 3) -> tuple[Project, list[Turn]]:
    project = a_project()
    path: list[Turn] = []
    for depth in range(turns):
        parent = path[-1].id if path else None
        path.append(a_turn(project, parent=parent, depth=depth, run="ended", outcome="sealed"))
    await stored(store, project, *path, Head(project.id, path[-1].id))
    return project, path


async def test_a_revision_comes_back_whole(store: Store) -> None:
    """Every field, with any words; the store gives the serial and takes none."""
    project, (_, here, _) = await a_story(store)
    full = a_revision(
        project, here, number=7, base=3, author="user", why="lock", turn=4, history=9,
        tools=("judge_npc", "update_director_state"), job="p/plan:0000000001", serial=99,
    )  # fmt: skip
    done = await stored(store, full)
    assert done.revisions["plan", project.id] == 1
    assert await store.plan_revision(project.id, 1) == replace(full, serial=1)
    assert await store.plan_revision(project.id, 2) is None
    assert await store.plan_at(project.id, []) is None
    assert await store.plan_at("nobody", [here.beat]) is None


async def test_each_branch_has_its_own_plan(store: Store) -> None:
    """In force is the newest revision on the way; undo takes it back, another branch never saw it."""
    project, (root, here, last) = await a_story(store)
    there = a_turn(project, parent=root.id, run="ended", outcome="sealed")
    again = a_turn(project, parent=root.id, beat=here.beat, run="ended", outcome="sealed")
    await stored(store, there, again)
    for turn, state in ((root, "一"), (here, "二"), (there, "三"), (here, "四")):
        await stored(store, a_revision(project, turn, plan=Plan(state)))
    found: list[str] = []
    for path in ([root], [root, here, last], [root, there], [root, again]):
        plan = await store.plan_at(project.id, {turn.beat for turn in path})
        assert plan is not None
        found.append(plan.plan.state)
    assert found == ["一", "四", "三", "四"], "a variant has the plan of its beat"
    own = {root.beat, here.beat}
    listed = await store.plan_revisions(project.id, own)
    assert [one.serial for one in listed] == [4, 2, 1]
    assert [one.serial for one in await store.plan_revisions(project.id, own, 4, 1)] == [2]
    beats = await store.plan_beats(project.id, 2)
    assert beats == [(3, there.beat), (4, here.beat)]


async def test_of_two_writers_one_is_told(store: Store) -> None:
    """What was made from the same revision does not overwrite what came first."""
    project, (_, here, _) = await a_story(store)
    key = ("plan", project.id)
    mine, theirs = (a_revision(project, here, plan=Plan(text)) for text in ("甲", "乙"))
    assert isinstance(await store.commit(Commit({key: 0}, rows=(mine,))), Committed)
    assert await store.commit(Commit({key: 0}, rows=(theirs,))) == Stale(*key, 0, 1)
    plan = await store.plan_at(project.id, [here.beat])
    assert plan is not None
    assert plan.plan.state == "甲"


async def test_no_update_is_lost_with_eight_writers(store: Store) -> None:
    """Each reads, adds its line and tries until it stands: afterwards all lines are there."""
    project, (_, here, _) = await a_story(store)
    writers, each = 8, 12

    async def write(name: int) -> None:
        for n in range(each):
            while True:
                found = await store.plan_at(project.id, [here.beat])
                serial, before = (0, Plan()) if found is None else (found.serial, found.plan)
                after = replace(before, state=f"{before.state}{name}.{n}\n")
                row = a_revision(project, here, number=serial + 1, base=serial, plan=after)
                done = await store.commit(Commit({("plan", project.id): serial}, rows=(row,)))
                if isinstance(done, Committed):
                    break

    await asyncio.gather(*(write(name) for name in range(writers)))
    last = await store.plan_at(project.id, [here.beat])
    assert last is not None
    assert last.number == last.serial == writers * each
    lines = last.plan.state.split()
    assert sorted(lines) == sorted(f"{name}.{n}" for name in range(writers) for n in range(each))
    beats = await store.plan_beats(project.id)
    assert [serial for serial, _ in beats] == list(range(1, writers * each + 1))


async def test_a_plan_is_found_behind_many_others(store: Store) -> None:
    """However many revisions other branches have made since."""
    project, (root, here, _) = await a_story(store)
    await stored(store, a_revision(project, root))
    await stored(store, *(a_revision(project, here, plan=Plan(str(n))) for n in range(450)))
    plan = await store.plan_at(project.id, [root.beat])
    assert plan is not None
    assert plan.serial == 1


@pytest.mark.parametrize("missing", ["project_id", "node"])
async def test_a_plan_of_nothing_is_refused(store: Store, missing: str) -> None:
    """Its project and its node exist."""
    project, (_, here, _) = await a_story(store)
    with pytest.raises(StorageFailed):
        await store.commit(Commit(rows=(a_revision(project, here, **{missing: "nowhere"}),)))


# ---- traces ------------------------------------------------------------------------------------


async def test_a_trace_takes_the_place_of_the_former_one(store: Store) -> None:
    """A job tells more as it goes on; its tokens count once, from the day on that it began."""
    project, (_, here, _) = await a_story(store)
    running = a_trace(project, here, 1)
    over = replace(
        running, ended_at=AT, outcome="committed", detail="说明", base=1, revision=2, turn=3,
        nodes=(*running.nodes, TraceNode("commit", "commit", "", "done", "director", lines=("- 甲",))),
    )  # fmt: skip
    await stored(store, running, a_trace(project, here, 2, began_at="2026-10-31T00:00:00Z"))
    assert await store.plan_trace(project.id, 1) == running
    await stored(store, over)
    assert await store.plan_trace(project.id, 1) == over
    assert await store.plan_trace(project.id, 9) is None
    assert [one.seq for one in await store.plan_traces(project.id)] == [2, 1]
    assert [one.seq for one in await store.plan_traces(project.id, 2)] == [1]
    assert await store.plan_tokens(project.id, "2026-11-01") == 100
    assert await store.plan_tokens(project.id, "2026-10-01") == 200
    assert await store.plan_tokens("nobody", "") == 0


async def test_plans_go_with_their_project(store: Store) -> None:
    """For good, and those of another project stay."""
    project, (_, here, _) = await a_story(store)
    other, (_, there, _) = await a_story(store)
    await stored(
        store, a_revision(project, here), a_trace(project, here, 1), a_revision(other, there)
    )
    assert [fault async for fault in store.audit()] == []
    await stored(store, Binned("project", project.id, AT))
    await stored(store, Purged("project", project.id))
    assert await store.plan_revision(project.id, 1) is None
    assert await store.plan_traces(project.id) == []
    assert await store.plan_revision(other.id, 1) is not None
