"""`huaben inspect --plan`: the trace of a turn's planning as a tree, and the plan there."""

from __future__ import annotations

import json

import pytest

from huaben.cli.planning import show_planning
from tests.integration.planning.stage import a_room, state


async def test_planning_is_told_as_a_tree(capsys: pytest.CaptureFixture[str]) -> None:
    """Who was asked, what came of it, what rests on nothing, and the plan."""
    says = {"update_director_state": state(1, s1="- 沈砚认得那把伞"), "direct_scene": "{broken"}
    async with a_room(says) as room:
        turn = await room.say("一。")
        await show_planning(room.house, room.project.id, turn.id, as_json=False)
        told = capsys.readouterr().out
        assert "Planning 1: a new plan" in told
        assert "  route · done · planner" in told
        assert "    judge_npc · done" in told
        assert "2 notes, 1 advisory; forced: first_turn" in told
        assert "direct_scene · done" in told or "direct_scene · failed" in told
        assert "rests on nothing named: - 沈砚认得那把伞" in told
        assert "Plan at this turn: revision 1, 0 turns behind" in told
        assert "## 场景与时间" in told
        await show_planning(room.house, room.project.id, turn.id, as_json=True)
        whole = json.loads(capsys.readouterr().out)
        assert whole["plan"]["revision"] == 1
        assert [job["outcome"] for job in whole["jobs"]] == ["committed"]


async def test_a_turn_without_planning_says_so(capsys: pytest.CaptureFixture[str]) -> None:
    """And one that still waits says that."""
    async with a_room(settings={}) as room:
        turn = await room.say("一。")
        await show_planning(room.house, room.project.id, turn.id, as_json=False)
        assert "Nothing has been planned after this turn." in capsys.readouterr().out
    async with a_room() as room:
        turn = await room.say("一。", plan=False)
        await show_planning(room.house, room.project.id, turn.id, as_json=False)
        told = capsys.readouterr().out
        assert "Planning 1: waiting" in told
        assert "There is no plan at this turn yet." in told
