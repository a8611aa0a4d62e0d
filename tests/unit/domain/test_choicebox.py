"""A preset that has choices written into the prose is told by its words."""

from __future__ import annotations

import pytest

from huaben.domain.choicebox import brings_choices
from huaben.domain.preset import Listed, Preset, PresetPrompt


def preset(content: str, *, enabled: bool = True, identifier: str = "x") -> Preset:
    prompt = PresetPrompt(identifier, "选项 / choices", content=content)
    return Preset("p", (Listed(prompt, enabled),))


@pytest.mark.parametrize(
    "content",
    [
        "每次回复的末尾，给出四个选项供{{user}}选择。",
        "正文之后输出选择框：\n<选项>\nA. …\nB. …\n</选项>",
        "在结尾处列出3-5条行动建议。",
        "回覆結尾列出三個選項。",
        "At the end of every reply offer four choices in a box.",
        "End each response with 3-5 numbered options for {{user}}.",
        "Finish every reply by presenting several options: A, B, C.",
        "Provide a list of options at the end.",
        "Offer three other choices.",
        "Write the scene. Then:\n<choices>\n1. …\n</choices>",
        "毎回、三つの選択肢を提示する。",
    ],
)
def test_a_box_of_choices_is_known(content: str) -> None:
    """In each language, by a sentence or by a tag; named by its prompt."""
    assert brings_choices(preset(content)) == "选项 / choices"


@pytest.mark.parametrize(
    "content",
    [
        "",
        "不要在结尾给出选项。",
        "禁止输出<选项>。",
        "Never end a reply with options or choices.",
        "Do not list 4 choices at the end.",
        "Characters make their own choices.",
        "人物的选择要有后果。",
        "She was given few options in life. Write four paragraphs.",
        "文风：冷。四个段落。",
        "In every reply, give weight to {{user}}'s choices.",
        "Write two paragraphs about the consequences of their choices each turn.",
        "每次推进都要生成新的剧情分支。",
    ],
)
def test_other_talk_of_choices_is_none(content: str) -> None:
    """What forbids choices, or only speaks of them."""
    assert brings_choices(preset(content)) == ""


def test_what_is_not_sent_does_not_count() -> None:
    """A prompt that is switched off, and the text of a slot, which is never sent."""
    asking = "End every reply with four choices."
    assert brings_choices(preset(asking, enabled=False)) == ""
    assert brings_choices(preset(asking, identifier="chatHistory")) == ""


def test_long_texts_are_judged_soon() -> None:
    """A sentence without end costs no more than its length a few times over."""
    assert brings_choices(preset("给出" * 20_000 + "offer " * 5_000)) == ""
