"""The exact prompt of a writing turn and its tool list, in both languages; accepted as in `test_prompt`."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from huaben.agent.tools.table import listed
from huaben.agent.writing import writing_specs
from huaben.domain.manuscript import Chapter
from huaben.domain.project import Language
from huaben.domain.story import Exchange
from huaben.prompt.segments import Piece
from huaben.prompt.stage import CardTexts, Constant, PastTurn, UserTexts
from huaben.prompt.writing import WritingScene, compose

FOLDER = Path(__file__).with_name("prompts")


def scene(language: Language) -> WritingScene:
    zh = language == "zh"
    asked = Exchange("下雪吗？" if zh else "Snow?", "下" if zh else "Yes")
    return WritingScene(
        language=language,
        title="渡口" if zh else "The ferry",
        words="第二章再短一点。" if zh else "Make the second chapter shorter.",
        card=CardTexts(
            "沈砚" if zh else "Shen Yan",
            description="渡口客栈的账房。" if zh else "The clerk of the ferry inn.",
            rules="第三人称。" if zh else "Third person.",
        ),
        card_name="沈砚" if zh else "Shen Yan",
        user=UserTexts(rules="少用形容词。" if zh else "Few adjectives."),
        constants=(
            Constant("0/1", "渡口镇" if zh else "The town", "只有一家客栈。" if zh else "One inn."),
        ),
        past=(
            PastTurn("t1", "写第一章。" if zh else "Write chapter one.", "写好了。" if zh else "It is written.", (asked,)),
            PastTurn("t2", "改一改。" if zh else "Change it.", ""),
        ),
        chapters=(
            Chapter("001-雨夜.md" if zh else "001-rain.md", "a" * 64, 9, 1234, "2026-11-30T08:09:10.000Z"),
            Chapter("002-latin.md", "b" * 64, 9, None, "2026-11-30T08:09:10.000Z"),
        ),
        tools=(),
        state=(Piece("world_state", "【世界状态】\n时间：子时" if zh else "【World state】\nTime: midnight"),),
    )  # fmt: skip


@pytest.mark.parametrize("language", ["zh", "en"])
def test_the_prompt_is_byte_for_byte(language: Language) -> None:
    """Read like prose; a change of it has to be meant."""
    prompt = compose(scene(language))
    text = "\n".join(f"===== {one.zone} {one.role}\n{one.text}" for one in prompt.segments) + "\n"
    check(FOLDER / f"writing.{language}.txt", text)


@pytest.mark.parametrize("language", ["zh", "en"])
def test_the_tool_list_is_byte_for_byte(language: Language) -> None:
    """Its bytes must stay the same for a whole session."""
    tools = writing_specs(listed(lore=True, card=True, memory=True, ledger=True), language)
    names = [tool.name for tool in tools if tool.name in ("read", "grep", "find", "ls")]
    assert names == ["read", "grep", "find", "ls"]
    own = [t for t in tools if t.name in (*names, "edit", "write", "rename", "remove")]
    listing = [
        {"name": t.name, "description": t.description, "parameters": t.parameters} for t in own
    ]
    check(
        FOLDER / f"filetools.{language}.json",
        json.dumps(listing, ensure_ascii=False, indent=1, default=dict) + "\n",
    )


def check(file: Path, text: str) -> None:
    if not file.exists():
        file.write_text(text, "utf-8")
        pytest.fail(f"wrote {file.name}; read it and commit it")
    assert file.read_text("utf-8") == text
