"""The exact prompts of the continuity check and of putting chapters and discussion in short, in both languages.

To accept a change: delete the file and run the test once; it then fails naming what it wrote.
"""

from __future__ import annotations

import pytest

from huaben.domain.continuity import CHECKERS
from huaben.domain.digest import ChapterDigest, Digest
from huaben.domain.ledger import Character, Ledger
from huaben.domain.project import Language
from huaben.prompt.continuity import CheckScene, Passage, compose_check
from huaben.prompt.digest import compose_chapter, compose_talk, digest_block
from huaben.prompt.segments import Prompt
from huaben.prompt.stage import PastTurn
from tests.golden.test_memory_prompts import golden

SCENES: dict[Language, CheckScene] = {
    "zh": CheckScene(
        "zh",
        Ledger(location="渡口", characters={"沈砚": Character(status="淋了雨")}),
        (
            Passage("001-雨.md", "旧伞掉进了河里。", "他收好旧伞。"),
            Passage("002-灯.md", "灯亮了一夜。"),
            Passage("003-桥.md", "", "桥断了。"),
        ),
        (("004-城.md", "他撑开“旧伞”，过了桥。"),),
    ),
    "en": CheckScene("en", Ledger(), (Passage("001-Rain.md", "The umbrella was lost."),)),
}


def told(prompt: Prompt) -> str:
    return "\n".join(f"===== {one.zone} {one.role}\n{one.text}" for one in prompt.segments)


@pytest.mark.parametrize("language", ["zh", "en"])
def test_the_check_is_byte_for_byte(language: Language) -> None:
    """All experts share what the first of them is sent, but for its last line."""
    golden(f"continuity.{language}.txt", f"{told(compose_check(SCENES[language], CHECKERS[0]))}\n")
    every = [compose_check(SCENES[language], expert).segments for expert in CHECKERS]
    assert len({segments[:-1] for segments in every}) == 1


@pytest.mark.parametrize("language", ["zh", "en"])
def test_what_is_put_in_short_is_byte_for_byte(language: Language) -> None:
    """The two prompts, and the block that heads the log."""
    names = {"zh": ("001-雨.md", "雨下了一夜。", "写。", "写好了。"), "en": ("001-Rain.md", "It rained.", "Write.", "Done.")}  # fmt: skip
    name, text, words, report = names[language]
    chapter = compose_chapter(language, name, text)
    talk = compose_talk(language, report, [PastTurn("t", words, report)])
    block = digest_block(language, Digest((ChapterDigest(name, "a", text),), report, "t", 1, "n"))
    golden(f"digest.{language}.txt", f"{told(chapter)}\n\n{told(talk)}\n\n{block.text}\n")
