"""The exact prompt of a stage turn, in both languages, as files that are read like prose.

To accept a change: delete the file and run the test once; it then fails naming what it wrote.
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from huaben.agent.tools.table import listed, specs
from huaben.domain.project import Language
from huaben.domain.story import Exchange
from huaben.prompt.blocks import ActiveEntry
from huaben.prompt.stage import CardTexts, Constant, PastTurn, StageScene, UserTexts, compose

FOLDER = Path(__file__).with_name("prompts")
WORDS: dict[Language, tuple[str, ...]] = {
    "zh": ("沈砚", "账房。", "旧伞", "湘妃竹做的。", "「打烊了。」", "我推门。", "去哪？", "东市", "门开了。", "我递伞。"),
    "en": ("Shen", "A clerk.", "Umbrella", "Made of bamboo.", "“We are closed.”", "I push the door.", "Where to?", "East", "It opens.", "I offer the umbrella."),
}  # fmt: skip


def scene(language: Language) -> StageScene:
    name, about, title, text, greeting, first, question, answer, told, words = WORDS[language]
    return StageScene(
        language=language,
        words=words,
        card=CardTexts(name=name, description=about, rules="…"),
        user=UserTexts(appended="+"),
        persona_name="Ann",
        persona_named=True,
        persona_text="…",
        constants=(Constant("0/1", title, text),),
        greeting_title="1",
        greeting=greeting,
        past=(PastTurn("t1", first, told, (Exchange(question, answer),)),),
        active=(
            ActiveEntry("0/2", title, f"{text}【x】", "key"),
            ActiveEntry("0/3", title, "", ""),
        ),
        index=(title, title * 30),
        index_chars=20,
        tools=specs(listed(lore=True, card=True, memory=True, ledger=True), language),
    )


@pytest.mark.parametrize("language", ["zh", "en"])
def test_the_prompt_is_byte_for_byte(language: Language) -> None:
    prompt = compose(scene(language))
    told = "\n".join(f"===== {one.zone} {one.role}\n{one.text}" for one in prompt.segments)
    tools = json.dumps(
        [
            {"name": t.name, "description": t.description, "parameters": t.parameters}
            for t in prompt.tools
        ],
        ensure_ascii=False,
        indent=1,
    )
    _same(FOLDER / f"stage.{language}.txt", told + "\n")
    _same(FOLDER / f"tools.{language}.json", tools + "\n")


def test_brackets_of_titles_occur_in_titles_only() -> None:
    """Lore text with the same brackets cannot pass for a block."""
    last = compose(scene("zh")).segments[-1].text
    assert [line for line in last.splitlines() if "【" in line] == [
        "【相关设定】",
        "【设定集索引】",
        "【语言】",
    ]


def test_every_tool_is_described_in_both_languages() -> None:
    """The same tools and arguments, each with words of its own."""
    zh, en = (
        specs(listed(lore=True, card=True, memory=True, ledger=True), language)
        for language in ("zh", "en")
    )
    assert [t.name for t in zh] == [t.name for t in en]
    assert all(a.description and b.description for a, b in zip(zh, en, strict=True))


def _same(file: Path, text: str) -> None:
    if not file.exists():
        file.write_text(text, "utf-8")
        pytest.fail(f"wrote {file.name}; read it and commit it")
    assert file.read_text("utf-8") == text
