"""`kill -9` behind every step of planning: no job is lost, each commits once, and no recorded call is paid
again (`planner.md` §6)."""

from __future__ import annotations

import asyncio
import os
from collections import Counter
from pathlib import Path

import pytest

from huaben.adapters.db.store import open_store
from huaben.adapters.system import SystemClock
from huaben.ports import Page
from huaben.services.stories import is_planning
from tests import forking
from tests.chaos.plan_driver import BOUNDARIES

STORIES = max(BOUNDARIES, int(os.environ.get("HUABEN_CHAOS_RUNS", "0")))
"""Each dies once; with 50 runs every boundary is met six times."""
LONGEST_S = 300.0
PAID = {"planner.route": 2, "planner.expert": 2, "planner.director": 1}


def run(*arguments: str) -> int:
    return forking.run("tests.chaos.plan_driver", *arguments, timeout=LONGEST_S)


@pytest.mark.chaos
def test_planning_survives_death_behind_every_step(tmp_path: Path) -> None:
    """One process after the other, until nobody dies any more."""
    assert run("tell", str(tmp_path), str(STORIES)) == 0
    deaths = 0
    while (code := run("plan", str(tmp_path))) != 0:
        assert code == -9
        deaths += 1
        assert deaths <= STORIES
    assert deaths == len(list(tmp_path.glob("died-*"))) == STORIES
    asyncio.run(check(tmp_path / "data"))


async def check(data: Path) -> None:
    store = open_store(data, clock=SystemClock())
    projects, _ = await store.projects("local", Page(limit=200))
    assert len(projects) == STORIES
    assert await store.due() == []
    for project in projects:
        trace = await store.plan_trace(project.id, 1)
        assert trace is not None
        assert (trace.outcome, trace.revision) == ("committed", 1)
        assert len(await store.plan_beats(project.id)) == 1
        calls = [one for one in await store.calls(trace.turn_id) if is_planning(one)]
        paid = Counter(one.purpose for one in calls if one.state == "done")
        assert paid == PAID, project.title
        told = [one for one in await store.events(trace.turn_id) if one.event.kind == "plan"]
        assert len(told) == 2
    assert [fault async for fault in store.audit()] == []
    await store.close()
