"""A planning job from its snapshot to its outcome (`planner.md` §3)."""

from __future__ import annotations

from dataclasses import replace

import pytest

from huaben.domain.plan.notes import EXPERTS
from huaben.domain.plan.rules import DIRECTOR
from huaben.errors import NoConnection
from tests.unit.domain.plan.states import a_state
from tests.unit.planner.room import NEW_STATE, NOTES, QUIET, Room, first_turn, later_turn, planner


async def test_a_first_turn_judges_directs_and_writes() -> None:
    """Whatever the orchestrator asks for; each note keeps whether its quotation was found."""
    room = Room({"route:1": [], "route:2": []})
    done = await room.run()
    assert (done.outcome, done.serial, done.turn) == ("committed", 1, 1)
    assert room.made == [
        "route:1",
        "expert:judge_npc",
        "expert:direct_scene",
        "route:2",
        "director",
    ]
    (candidate,) = room.commits
    assert candidate.plan.state == NEW_STATE
    assert candidate.tools == ("judge_npc", "direct_scene", DIRECTOR)
    told = [(n.label, n.group, n.checked, n.tool) for n in candidate.plan.notes]
    assert told == [
        ("n1", "npc", True, "judge_npc"),
        ("n2", "npc", False, "judge_npc"),
        ("n3", "camera", True, "direct_scene"),
        ("n4", "camera", False, "direct_scene"),
        ("n5", "agency", False, ""),
    ]
    assert {n.words for n in candidate.plan.notes[:4]} == {first_turn().words.text}
    assert [tool.name for tool in room.errands[3].prompt.tools] == [DIRECTOR]


async def test_an_ordinary_continuation_costs_one_call() -> None:
    """The look decides that nothing is needed; the plan stays."""
    room = Room(QUIET, later_turn(), serial=4)
    done = await room.run()
    assert (done.outcome, done.base, done.serial, room.made) == ("retained", 4, 0, ["route:1"])
    assert room.commits == []


@pytest.mark.parametrize("words", ["我看见一个叫阿迟的船工。", "I turn to Mira and wave."])
async def test_a_new_name_is_judged_and_written(words: str) -> None:
    """In Chinese and in English; a name that the plan knows is not new."""
    material = later_turn()
    material = replace(material, words=replace(material.words, text=words))
    room = Room({"route:1": [], "route:2": []}, material)
    done = await room.run()
    assert done.outcome == "committed"
    assert room.made == ["route:1", "expert:judge_npc", "route:2", "director"]
    known = replace(material.plan, state=f"{material.plan.state}\n- 阿迟, Mira")
    quiet = Room(QUIET, replace(material, plan=known))
    assert (await quiet.run()).outcome == "retained"


async def test_the_director_may_be_called_without_experts() -> None:
    """In the first phase; there is no second then."""
    room = Room({"route:1": [DIRECTOR]}, later_turn())
    assert (await room.run()).outcome == "committed"
    assert room.made == ["route:1", "director"]


async def test_advice_without_a_director_stays_in_the_trace() -> None:
    """Notes are added only with a changed plan."""
    room = Room({"route:1": ["analyze_plot"], "route:2": []}, later_turn())
    done = await room.run()
    assert (done.outcome, room.commits) == ("retained", [])
    assert room.node(done, "expert:analyze_plot").detail == "2 notes, 1 advisory"
    without = Room({"route:1": ["analyze_plot"]}, later_turn(), planner(tools=("analyze_plot",)))
    assert (await without.run()).detail == "the director is not enabled"


async def test_only_what_is_enabled_is_offered_and_forced() -> None:
    """A first turn without its experts and without a director."""
    room = Room(
        {"route:1": ["judge_npc", "analyze_plot"]}, section=planner(tools=("analyze_plot",))
    )
    done = await room.run()
    assert room.made == ["route:1", "expert:analyze_plot"]
    assert room.node(done, "refused:judge_npc").detail == "not_offered"


async def test_experts_work_side_by_side() -> None:
    """Six at a time, or as many as the scenario allows, then the rest."""
    every = list(EXPERTS)
    room = Room({"route:1": every})
    assert (await room.run()).outcome == "committed"
    assert room.most_in_flight == 6
    narrow = Room({"route:1": every}, section=planner(parallel=4))
    assert (await narrow.run()).outcome == "committed"
    assert narrow.most_in_flight == 4
    assert narrow.made[1:7] == [f"expert:{name}" for name in EXPERTS]
    assert narrow.commits[0].plan == room.commits[0].plan


@pytest.mark.parametrize(
    ("reply", "outcome", "detail"),
    [
        ("## 场景与时间\n没写完", "invalid", "heading_missing: ## 在场人物"),
        (a_state(s0="长" * 9000), "invalid", "too_long: 9"),
        (a_state(s0="- <think>x</think>"), "invalid", "internal_marker: <think>"),
        (a_state(s0="* 雨夜"), "unchanged", ""),
    ],
)
async def test_what_may_not_stand_is_not_committed(reply: str, outcome: str, detail: str) -> None:
    """The old revision stays, the reason is told."""
    room = Room({"route:1": [DIRECTOR], "director": reply}, later_turn())
    done = await room.run()
    assert done.outcome == outcome
    assert done.detail.startswith(detail)
    assert room.commits == []


async def test_lines_without_ground_are_in_the_trace() -> None:
    """A line may rest on a message or on a note that is proved, also one of this job."""
    state = a_state(s0="- 雨夜", s1="- 甲 [n1]\n- 乙 [n2]\n- 丙 [m9]\n- 丁 [m4]\n- 戊")
    room = Room({"route:1": ["judge_npc"], "director": state}, later_turn())
    done = await room.run()
    assert room.node(done, "validate").lines == ("- 乙 [n2]", "- 丙 [m9]", "- 戊")
    assert done.outcome == "committed"


# ---- experts that fail -------------------------------------------------------------------------


async def test_an_expert_that_fails_leaves_the_others_to_it() -> None:
    """An unreadable reply is not asked for again; both are in the trace."""
    script = {
        "route:1": ["judge_npc", "analyze_plot", "direct_scene"],
        "expert:analyze_plot": NoConnection("no_connection", "gone"),
        "expert:direct_scene": '{"notes": [{"text": "半',
    }
    room = Room(script, later_turn())
    done = await room.run()
    assert done.outcome == "committed"
    assert [n.tool for n in room.commits[0].plan.notes] == ["judge_npc", "judge_npc", ""]
    assert room.made.count("expert:direct_scene") == 1
    assert room.node(done, "expert:analyze_plot").detail == "no_connection: gone"
    assert room.node(done, "expert:direct_scene").detail == "unreadable: broken"
    assert room.node(done, "expert:direct_scene").status == "failed"


async def test_phase_two_and_director_run_when_every_expert_failed() -> None:
    """Nothing was advised, and that is told."""
    room = Room({"expert:judge_npc": "", "expert:direct_scene": " "})
    done = await room.run()
    assert done.outcome == "committed"
    assert [note.group for note in room.commits[0].plan.notes] == ["agency"]
    assert "（没有人提出意见）" in room.errands[3].prompt.segments[-1].text


async def test_what_is_forced_needs_no_orchestrator() -> None:
    """On a first turn the rules are enough; on an ordinary one its failure is the job's."""
    gone = {
        "route:1": NoConnection("no_connection", "gone"),
        "route:2": NoConnection("no_connection", "x"),
    }
    assert (await Room(gone).run()).outcome == "committed"
    done = await Room(gone, later_turn()).run()
    assert (done.outcome, done.detail) == ("failed", "no_connection: gone")


# ---- routing -----------------------------------------------------------------------------------


async def test_manual_routing_never_escalates() -> None:
    """However much is asked for."""
    room = Room({"route:1": list(EXPERTS)}, later_turn())
    await room.run()
    assert not any(errand.escalated for errand in room.errands)


async def test_auto_routing_lets_the_larger_model_decide() -> None:
    """A phase that asks for three is routed again; each phase begins with the ordinary model."""
    script = {
        "route:1": ["judge_npc", "analyze_plot", "direct_scene"],
        "route:1:escalated": ["judge_npc"],
    }
    room = Room(script, later_turn(), planner(routing="auto"))
    done = await room.run()
    assert room.made == ["route:1", "route:1:escalated", "expert:judge_npc", "route:2", "director"]
    assert [errand.escalated for errand in room.errands] == [False, True, False, False, False]
    assert room.node(done, "route:1:escalated").detail == "judge_npc"
    few = Room({"route:1": ["judge_npc", "analyze_plot"]}, later_turn(), planner(routing="auto"))
    await few.run()
    assert "route:1:escalated" not in few.made


async def test_a_larger_model_that_fails_changes_nothing() -> None:
    """What the ordinary one asked for stands."""
    script = {
        "route:1": ["judge_npc", "analyze_plot", "direct_scene"],
        "route:1:escalated": NoConnection("no_connection", "gone"),
    }
    room = Room(script, later_turn(), planner(routing="auto"))
    assert (await room.run()).outcome == "committed"
    assert len([node for node in room.made if node.startswith("expert")]) == 3


async def test_a_model_without_tools_routes_in_words() -> None:
    """It is told how, and its answer is read."""
    said = '好：{"calls": [{"name": "judge_npc", "focus": "沈砚"}]}'
    room = Room({"route:1": said, "route:2": '{"calls": []}'}, later_turn(), tools=False)
    done = await room.run()
    assert room.made == ["route:1", "expert:judge_npc", "route:2"]
    assert room.errands[0].prompt.tools == ()
    assert "focus: 沈砚" in room.node(done, "expert:judge_npc").detail


# ---- graphs ------------------------------------------------------------------------------------


async def test_a_graph_runs_without_a_route() -> None:
    """In its order, each step with the advice of its inputs, independent ones together."""
    graph = (
        "judge_npc; analyze_plot; direct_scene <- judge_npc, analyze_plot;"
        "update_director_state <- direct_scene, judge_npc"
    )
    room = Room({}, later_turn(), planner(graph=graph))
    done = await room.run()
    assert done.outcome == "committed"
    assert room.made == [
        "expert:analyze_plot",
        "expert:judge_npc",
        "expert:direct_scene",
        "director",
    ]
    assert room.most_in_flight == 2
    given = room.errands[2].prompt.segments[-1].text
    assert all(f"[n{n}]" in given for n in (1, 2, 3, 4))
    assert [n.tool for n in room.commits[0].plan.notes[:4]] == [
        "direct_scene", "direct_scene", "judge_npc", "judge_npc",
    ]  # fmt: skip
    assert len({n.number for n in room.commits[0].plan.notes}) == 5


async def test_a_graph_without_a_director_only_advises() -> None:
    """What it found is in the trace."""
    room = Room({}, later_turn(), planner(graph="judge_npc"))
    done = await room.run()
    assert (done.outcome, room.commits) == ("retained", [])
    assert room.node(done, "expert:judge_npc").status == "done"


def test_the_script_of_these_tests_is_honest() -> None:
    """The quotation that is found stands in the history."""
    assert "沈砚抬起头" in first_turn().messages[0].text
    assert "沈砚抬起头" in NOTES
