"""The exact blocks of world state and roster and the exact prompt of the scribe, in both languages, as
files that are read like prose.

To accept a change: delete the file and run the test once; it then fails naming what it wrote.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from huaben.domain.ledger import Character, Ledger, Roster
from huaben.domain.project import Language
from huaben.domain.scribereply import ReplyFault
from huaben.prompt.scribe import ScribeScene, ask_again, compose_scribe
from huaben.prompt.worldstate import roster_block, world_state_block

FOLDER = Path(__file__).with_name("prompts")
LEDGERS: dict[Language, Ledger] = {
    "zh": Ledger(
        "雨夜，亥时",
        "渡口客栈",
        {"沈砚": Character(12, "疲倦", "柜台后", "认得那把伞"), "阿棠": Character()},
        ("旧伞", "一号房的钥匙"),
        {"约定": "天晴还伞"},
        ("伞是谁借出去的", "账本缺了一页"),
    ),
    "en": Ledger(
        "a rainy night, late",
        "the Late Ferry",
        {
            "Shen": Character(12, "tired", "behind the counter", "knows the umbrella"),
            "Tang": Character(),
        },
        ("the old umbrella", "the key to room one"),
        {"promise": "the umbrella comes back in fine weather"},
        ("who lent the umbrella", "a page is missing from the ledger"),
    ),
}
ROSTERS: dict[Language, Roster] = {
    "zh": Roster(
        {"沈砚": "雨夜", "阿棠": ""},
        {"旧伞": "雨夜"},
        {"渡口客栈": "雨夜"},
        {"伞是谁借出去的": "雨夜"},
    ),
    "en": Roster(
        {"Shen": "a rainy night", "Tang": ""},
        {"the old umbrella": "a rainy night"},
        {"the Late Ferry": "a rainy night"},
        {"who lent the umbrella": "a rainy night"},
    ),
}
TURNS: dict[Language, tuple[str, str, str]] = {
    "zh": ("我把伞放在柜台上。", "他看了伞一眼，把灯拨亮。", "好感只由沈砚一个人记。"),
    "en": ("I lay the umbrella on the counter.", "He looks at it and turns up the lamp.", "Only Shen has an affinity."),
}  # fmt: skip


@pytest.mark.parametrize("language", ["zh", "en"])
def test_the_blocks_are_byte_for_byte(language: Language) -> None:
    blocks = (
        world_state_block(language, LEDGERS[language]),
        roster_block(language, ROSTERS[language]),
    )
    _same(FOLDER / f"worldstate.{language}.txt", "\n\n".join(one.text for one in blocks) + "\n")


@pytest.mark.parametrize("language", ["zh", "en"])
def test_the_scribes_prompt_is_byte_for_byte(language: Language) -> None:
    words, prose, rules = TURNS[language]
    prompt = compose_scribe(ScribeScene(language, LEDGERS[language], words, prose, rules, "Ann"))
    again = ask_again(prompt, language, "…", ReplyFault("broken", "Expecting value at 7"))
    told = "\n".join(f"===== {one.zone} {one.role}\n{one.text}" for one in again.segments)
    _same(FOLDER / f"scribe.{language}.txt", told + "\n")


def _same(file: Path, text: str) -> None:
    if not file.exists():
        file.write_text(text, "utf-8")
        pytest.fail(f"wrote {file.name}; read it and commit it")
    assert file.read_text("utf-8") == text
