"""What a scenario may choose: governance, performer, language, protocol, escalation, graph, own prompts."""

from __future__ import annotations

import json

import pytest

from huaben.adapters.models.jsontools import JsonTools
from huaben.domain.notes import Note
from huaben.domain.project import Language
from huaben.ports import Commit
from huaben.services.planning import editing
from huaben.testing.models import ScriptedModel
from huaben.testing.script import Asked, Step, call, reply, say
from tests.builders.jsonscript import as_json
from tests.integration.planning.stage import ON, Planners, Room, Settings, a_room, role_of
from tests.unit.domain.plan.states import a_state

SUMMARISER = "前情提要的人"
LISTED = "用 JSON 调用："
COMPACTED: Settings = {
    "planner": {"enabled": True},
    "compaction": {"keep": 2, "every": 2, "min_chars": 10},
    "performer": {"kind": "actor"},
}


def teller(asked: Asked) -> Step:
    if SUMMARISER in str(asked.messages[0]["content"]):
        return say("提要：旧伞在沈砚手里。")
    return say(f"雨一直下，檐下的灯笼晃了三晃。（{asked.last_text[-5:]}）")


def _texts(room: Room) -> list[str]:
    return [room.written_to(number) for number in range(len(room.story.bodies))]


@pytest.mark.parametrize("governance", ["off", "shadow", "enforce"])
async def test_governance_decides_what_planners_read(governance: str) -> None:
    """Under enforce the summary and the retained turns, no raw old turn, and the plan once; else the
    last messages whole. Shadow sends what off sends."""
    settings: Settings = {**COMPACTED, "governance": governance}
    async with a_room(
        {"route": ["update_director_state"]}, settings=settings, story=teller
    ) as room:
        for number in range(1, 6):
            await room.say(f"第{number}句话。")
        await room.say("最后一句话。")
        routes = [n for n, role in enumerate(room.roles_asked()) if role == "route"]
        sent = room.sent(routes[-1])
        assert ("提要：旧伞在沈砚手里。" in sent) is (governance == "enforce")
        assert ("第2句话。" in sent) is (governance != "enforce")
        assert "第5句话。" in sent
        assert sent.count("- 第 5 版 [m1]") == 1
        snapshot = (await room.trace()).nodes[0]
        assert ("shadow_tokens" in snapshot.sizes) is (governance == "shadow")
        last = next(text for text in _texts(room)[::-1] if SUMMARISER not in text)
        assert last.count("【剧情规划】\n") == 1


async def test_a_performer_without_tools_is_shown_the_plan_too() -> None:
    """In the same block of its last message."""
    async with a_room(settings={**ON, "performer": {"kind": "actor"}}, story=teller) as room:
        await room.say("一。")
        await room.say("二。", plan=False)
        last = json.loads(room.story.bodies[-1])["messages"][-1]["content"]
        assert "【剧情规划】\n## 场景与时间\n- 第 1 版" in last
        assert last.index("【剧情规划】") < last.index("【语言】")


async def test_a_room_speaks_the_projects_language() -> None:
    """Prompts, headings, blocks and the fixed principle in English."""
    language: Language = "en"
    state = a_state(language, s0="- Rain [m1]\n- Viewpoint: Shen [m1]")
    async with a_room({"update_director_state": state}, language=language) as room:
        await room.say("I push the door open.")
        assert await room.outcome() == "committed"
        assert "You route the work of a planning room." in room.sent(0)
        await room.say("I sit down.", plan=False)
        assert "【Story plan】\n## Scene and time\n- Rain\n" in room.written_to()
        assert (
            "What the reader's character thinks, says and does is the reader's to decide"
            in room.written_to()
        )


def in_words(asked: Asked) -> Step:
    """A planner that is told of its functions in the system text, and calls the first of them."""
    listed = str(asked.messages[0]["content"]).partition(LISTED)[2]
    if "analyze_plot" in listed:
        return reply(call("analyze_plot", focus="旧伞"))
    return say("维持原样") if listed else Planners()(asked)


async def test_a_model_without_native_calls_routes_by_json() -> None:
    """Through the layer that gives any model tools."""
    plain = ScriptedModel(as_json(in_words), name="plain")
    tools = JsonTools(plain, {"zh": f"{LISTED}{{tools}}", "en": "{tools}"})
    async with a_room(wrap=lambda _: tools) as room:
        await room.say("一。")
        trace = await room.trace()
        assert trace.outcome == "committed"
        experts = {node.name: node.detail for node in trace.nodes if node.kind == "expert"}
        assert list(experts) == ["analyze_plot", "judge_npc", "direct_scene"]
        assert "focus: 旧伞" in experts["analyze_plot"]
        assert all(b'"tools":[]' in body for body in plain.bodies)


async def test_escalation_goes_to_its_own_model() -> None:
    """A phase that asks for three functions is routed again by the larger model."""
    settings: Settings = {
        "models": {"escalation": "big"},
        "planner": {"enabled": True, "routing": "auto"},
    }
    wide = {"route": ["analyze_plot", "judge_npc", "direct_scene", "simulate_world"]}
    async with a_room(wide, settings=settings) as room:
        big = ScriptedModel(Planners({"route": ["analyze_plot"]}), name="big")
        room.roles.escalation = big
        await room.say("一。")
        trace = await room.trace()
        assert [(node.id, node.model) for node in trace.nodes if node.kind == "route"] == [
            ("route:1", "planner"),
            ("route:1:escalated", "big"),
            ("route:2", "planner"),
        ]
        assert [role_of(Asked.read(body)) for body in big.bodies] == ["route"]
        experts = [node.name for node in trace.nodes if node.kind == "expert"]
        assert experts == ["analyze_plot", "judge_npc", "direct_scene"], "forced ones stay"


async def test_a_graph_and_own_prompts_are_the_scenarios() -> None:
    """Fixed steps in place of a route, and a role's own last message."""
    settings: Settings = {
        "planner": {
            "enabled": True,
            "graph": "judge_npc; update_director_state <- judge_npc",
            "judge_npc_prompt": "现在轮到 {role}。只看这一句：{words}",
        }
    }
    async with a_room(settings=settings) as room:
        await room.say("一。")
        await room.say("二。")
        assert room.roles_asked() == ["judge_npc", "update_director_state"] * 2
        last = json.loads(room.planner.bodies[0])["messages"][-1]["content"]
        assert last == "现在轮到 judge_npc。只看这一句：一。"
        assert await room.outcome() == "committed"


@pytest.mark.parametrize("sees", [True, False])
async def test_planners_read_what_the_writer_was_told_of_memory(sees: bool) -> None:
    """The same words, where the scenario lets them; and lore likewise."""
    settings: Settings = {
        "planner": {"enabled": True, "see_memory": sees, "see_lore": sees},
        "memory": {"sources": ["store"]},
    }
    async with a_room(settings=settings) as room:
        note = Note(
            room.house.ids.new(), "local", "note", "旧伞", "旧伞是从北岸借来的。", "user",
            room.house.now(), project_id=room.project.id,
        )  # fmt: skip
        await room.house.store.commit(Commit(rows=(note,)))
        await room.say("我问起旧伞。")
        assert "旧伞是从北岸借来的。" in room.written_to(0)
        assert ("旧伞是从北岸借来的。" in room.sent(0)) is sees
        assert ("湘妃竹" in room.sent(0)) is sees


async def test_a_switch_needs_a_sound_scenario() -> None:
    """A planner that would not load cannot be switched on."""
    async with a_room(settings={"planner": {"routing": "auto"}}) as room:
        with pytest.raises(Exception, match="escalation"):
            await editing.switch(room.house, room.project.id, on=True)
