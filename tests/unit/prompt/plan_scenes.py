"""A turn as planners see it, in both languages; apart because several tests look at it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from huaben.domain.plan.material import Character, LoreText, Material, Said
from huaben.domain.plan.notes import PlanNote
from huaben.domain.plan.revision import Plan
from huaben.domain.project import Language
from huaben.prompt.planning import PlanScene
from tests.unit.domain.plan.states import a_state

_ZH = Material(
    "zh",
    Character("沈砚", "渡口客栈的账房，话少，记性好。", "他从不先开口。"),
    "我其实是个记者，想写渡口的旧案。",
    "林",
    Said(1, "assistant", "雨下了一夜。沈砚抬起头：「打烊了。」"),
    (Said(1, "assistant", "雨下了一夜。沈砚抬起头：「打烊了。」"),),
    Said(2, "user", "我推开门，把旧伞放在柜台上。"),
    1,
    Plan(),
    lore=(
        LoreText("旧伞", "旧伞是师父留下的。"),
        LoreText("渡口镇", "镇上只有一家客栈。", given=False),
    ),
    known_names=("沈砚", "林"),
)
_EN = Material(
    "en",
    Character("Shen", "He keeps the books of the inn at the ford.", "He never speaks first."),
    "I am a reporter and want to write about the old case.",
    "Ann",
    Said(1, "assistant", "It had rained all night. Shen looked up. “We are closed.”"),
    (Said(1, "assistant", "It had rained all night. Shen looked up. “We are closed.”"),),
    Said(2, "user", "I push the door open and lay the old umbrella on the counter."),
    1,
    Plan(),
    lore=(
        LoreText("Umbrella", "His master left it."),
        LoreText("The ford", "One inn.", given=False),
    ),
    known_names=("Shen", "Ann"),
)
MATERIALS: Mapping[Language, Material] = {"zh": _ZH, "en": _EN}


def first_turn(language: Language) -> PlanScene:
    return PlanScene(MATERIALS[language], 8000)


def later_turn(language: Language) -> PlanScene:
    """With a plan of its own, notes of both kinds and a locked line."""
    zh = language == "zh"
    line = "- 沈砚认得那把伞 [m2]" if zh else "- Shen knows the umbrella [m2]"
    notes = (
        PlanNote(1, "agency", "由读者决定。" if zh else "It is the reader's.", "", 1),
        PlanNote(2, "npc", "他在等人。" if zh else "He waits.", "judge_npc", 1, "打烊了", True),
        PlanNote(3, "world", "船不会来。" if zh else "No ferry comes.", "simulate_world", 2),
    )
    plan = Plan(a_state(language, s1=line), notes, (line[2:-5],), 4)
    said = Said(3, "assistant", "他看了伞一眼。" if zh else "He looks at it.")
    words = Said(4, "user", "我问：船还来吗？" if zh else "I ask: will the ferry come?")
    before = MATERIALS[language]
    messages = (*before.messages, before.words, said)
    return PlanScene(replace(before, messages=messages, words=words, turn=2, plan=plan), 8000)
