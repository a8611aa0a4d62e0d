"""Where two prompts of a session part, and why."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import pytest

from huaben.domain.messages import ToolSpec
from huaben.prompt.blocks import ActiveEntry
from huaben.prompt.breaks import Break, break_between, lasting
from huaben.prompt.segments import Piece, Prompt, Segment
from huaben.prompt.stage import CardTexts, Constant, PastTurn, StageScene, UserTexts, compose

SCENE = StageScene(
    language="zh",
    words="我推门。",
    card=CardTexts(name="沈砚", description="账房。"),
    user=UserTexts(),
    persona_name="Ann",
    persona_named=True,
    persona_text="一个赶路的人。",
    constants=(Constant("0/1", "镇", "镇上只有一家客栈。"),),
    greeting_title="开场一",
    greeting="「打烊了。」",
    past=(PastTurn("t1", "我站着。", "他抬头。"), PastTurn("t2", "我坐下。", "He nods.")),
    active=(),
    index=("旧伞",),
    index_chars=100,
    tools=(ToolSpec("draft_write", "写", {}), ToolSpec("ask", "问", {})),
)


def between(one: StageScene, other: StageScene) -> Break | None:
    return break_between(compose(one).outline(), compose(other).outline())


def test_a_later_turn_repeats_the_one_before_it() -> None:
    """New words, new lore and one more turn behind them break nothing; nor does a reroll."""
    later = replace(
        SCENE,
        words="我递伞。",
        past=(*SCENE.past, PastTurn("t3", "我推门。", "门开了。")),
        active=(ActiveEntry("0/2", "伞", "竹骨。", "key"),),
        index=("旧伞", "客栈"),
    )
    assert between(SCENE, later) is None
    assert between(SCENE, SCENE) is None


CAUSES: Mapping[str, tuple[StageScene, str]] = {
    "tools": (replace(SCENE, tools=SCENE.tools[:1]), "tools: ask"),
    "a tool's words": (
        replace(SCENE, tools=(ToolSpec("draft_write", "写", {}), ToolSpec("ask", "?", {}))),
        "tools",
    ),
    "persona": (replace(SCENE, persona_text="一个商人。"), "system: persona"),
    "card": (
        replace(SCENE, card=CardTexts(name="沈砚", description="掌柜", scenario="Rain.")),
        "system: card.description, card.scenario",
    ),
    "book": (replace(SCENE, constants=()), "system: constants"),
    "own text": (replace(SCENE, user=UserTexts(system="你是说书人。")), "system: base"),
    "opening": (replace(SCENE, greeting_title="开场二", greeting="雨停了。"), "greeting"),
    "the opening's text": (replace(SCENE, greeting="「请进。」"), "edit: greeting"),
    "edit": (
        replace(SCENE, past=(PastTurn("t1", "我站着。", "他不抬头。"), SCENE.past[1])),
        "edit: turn:t1",
    ),
    "other branch": (replace(SCENE, past=(PastTurn("t9", "我走。", "他没拦。"),)), "branch"),
    "undone": (replace(SCENE, past=SCENE.past[:1]), "branch"),
}


@pytest.mark.parametrize("name", CAUSES)
def test_every_cause_is_named(name: str) -> None:
    """With the pieces that differ, where there are any."""
    changed, cause = CAUSES[name]
    assert str(between(SCENE, changed)) == cause


def test_a_change_of_the_same_length_is_seen() -> None:
    """Lengths alone would miss it."""
    assert str(between(SCENE, replace(SCENE, persona_text="一个赶路的僧。"))) == "system: persona"


def test_outlines_of_an_earlier_program_are_compared_by_length() -> None:
    """They have no marks and do not name their tools."""

    def old(scene: StageScene) -> list[dict[str, object]]:
        rows: list[dict[str, object]] = []
        for one in compose(scene).segments:
            pieces = [{"source": p.source, "chars": len(p.text)} for p in one.pieces]
            rows.append({"zone": one.zone, "role": one.role, "pieces": pieces})
        return rows

    assert break_between(old(SCENE), old(SCENE)) is None
    changed = break_between(old(SCENE), old(replace(SCENE, persona_text="一个商人。")))
    assert str(changed) == "system: persona"


def test_everything_before_the_last_message_is_sent_again() -> None:
    """System text, opening and both messages of each turn."""
    assert [row["role"] for row in lasting(compose(SCENE).outline())] == [
        "system",
        "assistant",
        *["user", "assistant"] * 2,
    ]


def test_a_script_that_counts_messages_is_named_as_the_cause() -> None:
    """It changed a message that had been sent, or left nothing of it."""

    def row(text: str, reason: str = "") -> Segment:
        return Segment("log", "assistant", (Piece("turn:1", text, reason),) if text else ())

    tail = Segment("tail", "user", (Piece("words", "x"),))
    plain, cut = row("好。<状态>"), row("好。", "scripts: 藏状态, tidy")
    for former, later in ((plain, cut), (cut, plain)):
        found = break_between(Prompt((former, tail)).outline(), Prompt((later, tail)).outline())
        assert found == Break("scripts", ("tidy", "藏状态", "turn:1"))
    gone = break_between(Prompt((plain, tail)).outline(), Prompt((row(""), tail)).outline())
    assert gone is not None
    assert gone.code == "scripts"
