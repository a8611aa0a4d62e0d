"""What models answered, in whatever shape it came."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from huaben.domain.messages import ToolCall
from huaben.domain.plan.material import (
    Character,
    LoreText,
    Material,
    Said,
    last_messages,
    material_from_json,
    material_to_json,
    persona_shown,
)
from huaben.domain.plan.notes import Advice, PlanNote
from huaben.domain.plan.replies import Advised, Unreadable, read_advice, read_route
from huaben.domain.plan.revision import Plan
from huaben.domain.plan.rules import Wanted
from huaben.domain.plan.trace import TraceNode, nodes_from_json, nodes_to_json

ONE = Advised((Advice("他在等人", "抬起头"),))


@pytest.mark.parametrize(
    "reply",
    [
        '{"notes": [{"text": "他在等人", "quote": "抬起头"}]}',
        '好的：\n```json\n{"notes": [{"text": "他在等人", "quote": "抬起头"}]}\n```\n完毕。',
        '[{"note": "他在等人", "evidence": "抬起头"}]',
        '{"要点": [{"内容": "他在等人", "引文": "抬起头"}]}',
        '{"text": "他在等人", "quote": "抬起头"}',
        '先说 {这不是 JSON} 再说 {"advice": [{"content": "他在等人", "evidence": ["抬起头"]}, 7, ""]}',
    ],
)
def test_advice_is_read_from_many_shapes(reply: str) -> None:
    """Wrapped, bare, with other keys, among other words."""
    assert read_advice(reply) == ONE


@pytest.mark.parametrize(
    ("reply", "found"),
    [
        (" \n", Unreadable("blank")),
        ('{"notes": [{"text": "半', Unreadable("broken")),
        ('{"mood": 3}', Unreadable("no_notes")),
        ('{"notes": []}', Advised(())),
        ("他在等人 [m3]。", Advised((Advice("他在等人 [m3]。"),), plain=True)),
    ],
)
def test_what_says_nothing_is_told_from_what_says_none(reply: str, found: object) -> None:
    """An empty list is an answer; a broken object is none; prose is one note without proof."""
    assert read_advice(reply) == found


def test_a_hostile_reply_is_read_in_time() -> None:
    """Brackets that never close cost no more than a few looks at the text."""
    assert isinstance(read_advice("[" * 100_000 + '{"' * 1000), Unreadable)


def test_a_route_is_its_tool_calls() -> None:
    """With reason and focus where the arguments can be read, and whatever prefix a name has."""
    calls = [
        ToolCall("1", "judge_npc", '{"reason": "new face", "focus": "阿迟"}'),
        ToolCall("2", "functions.analyze_plot", "{broken"),
    ]
    assert read_route("ignored", calls) == (
        Wanted("judge_npc", "new face", "阿迟"),
        Wanted("analyze_plot"),
    )


@pytest.mark.parametrize(
    "text",
    [
        '{"calls": [{"name": "judge_npc", "focus": "阿迟"}]}',
        'I will call:\n[{"function": "judge_npc", "focus": "阿迟"}]',
        '{"name": "judge_npc", "arguments": {"focus": "阿迟"}}',
    ],
)
def test_a_route_may_be_written_as_json(text: str) -> None:
    """For models that cannot call tools."""
    assert read_route(text, ()) == (Wanted("judge_npc", "", "阿迟"),)
    assert read_route("无需调用。", ()) == ()


# ---- what is looked at -------------------------------------------------------------------------


def test_nine_messages_that_say_something() -> None:
    """Blank ones do not count, and keep their numbers out of it."""
    said = [
        Said(n, "user" if n % 2 else "assistant", "" if n == 8 else f"话 {n}") for n in range(12)
    ]
    assert [one.number for one in last_messages(said)] == [2, 3, 4, 5, 6, 7, 9, 10, 11]


def test_a_persona_is_shown_up_to_its_limit() -> None:
    """Four thousand characters."""
    assert len(persona_shown("名" * 5000)) == 4000
    assert persona_shown(" \n") == ""


def test_material_comes_back_from_json() -> None:
    """A job that was cut short goes on with what it had looked at."""
    material = Material(
        "en",
        Character("Mira", "ferrywoman", "keeps her word"),
        "a traveller",
        "Tom",
        Said(1, "assistant", "Rain."),
        (Said(1, "assistant", "Rain."), Said(2, "user", "推门")),
        Said(3, "user", "go on"),
        2,
        Plan("## Scene and time", (PlanNote(1, "npc", "x", "judge_npc", 1),), ("x",), 2),
        "before",
        (LoreText("伞", "师父的伞", given=False),),
        "remembered",
        ("Mira", "Tom"),
    )
    plain = json.loads(json.dumps(material_to_json(material)))
    assert material_from_json(plain) == material
    assert material_from_json({**plain, "greeting": None}) == replace(material, greeting=None)
    assert (material.first_turn, material.count) == (False, 3)
    with pytest.raises(ValueError):
        material_from_json([])


def test_a_trace_comes_back_from_json() -> None:
    """Also from a newer program that tells more."""
    node = TraceNode(
        "expert:judge_npc", "expert", "judge_npc", "done", "route:1", "", "m", "c", 2, 1.5, 10, 3, 1,
        4, "USD", {"plan": 12}, {"lines": 3}, ("- 没有出处",),
    )  # fmt: skip
    (plain,) = json.loads(json.dumps(nodes_to_json([node])))
    assert nodes_from_json([{**plain, "later": True}]) == (node,)
    assert node.tokens == 13
