"""The exact prompt of a card's resident summary and the exact blocks of memory, in both languages, as files that
are read like prose.

To accept a change: delete the file and run the test once; it then fails naming what it wrote.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from huaben.domain.notes import Note
from huaben.domain.project import Language
from huaben.domain.remembering import NoteHit
from huaben.prompt.memoryblock import memory_block
from huaben.prompt.resident import STORIES, ResidentScene, compose_resident, resident_block

FOLDER = Path(__file__).with_name("prompts")
STORIES_TOLD: dict[Language, tuple[tuple[str, str], ...]] = {
    "zh": (("雨夜旧伞", "沈砚答应立冬前还伞。"), ("", "他在对岸住过一冬。")),
    "en": (("The old umbrella", "Shen promised it back before winter."), ("", "He once wintered across the river.")),
}  # fmt: skip
NAMES: dict[Language, str] = {"zh": "沈砚", "en": "Shen"}


def recaps(language: Language) -> tuple[Note, ...]:
    return tuple(
        Note(f"n{n}", "local", "recap", title, text, "model", "")
        for n, (title, text) in enumerate(STORIES_TOLD[language], 1)
    )


def golden(name: str, text: str) -> None:
    file = FOLDER / name
    if not file.exists():
        file.write_text(text, "utf-8")
        pytest.fail(f"wrote {file.name}; read it and commit it")
    assert file.read_text("utf-8") == text


@pytest.mark.parametrize("language", ["zh", "en"])
def test_the_resident_prompt_is_byte_for_byte(language: Language) -> None:
    many = recaps(language) * (STORIES // 2) + recaps(language)[:1]
    prompt = compose_resident(ResidentScene(language, NAMES[language], recaps(language)))
    told = "\n".join(f"===== {one.zone} {one.role}\n{one.text}" for one in prompt.segments)
    golden(f"resident.{language}.txt", f"{told}\n")
    longer = compose_resident(ResidentScene(language, NAMES[language], many))
    assert longer.segments[-1].pieces[-2].source == "resident.left"


@pytest.mark.parametrize("language", ["zh", "en"])
def test_the_blocks_are_byte_for_byte(language: Language) -> None:
    hits = [NoteHit(note, 1.5) for note in recaps(language)]
    block = memory_block(language, hits).piece.text
    head = resident_block(language, STORIES_TOLD[language][0][1]).text
    golden(f"memory.{language}.txt", f"{head}\n\n{block}\n")
