"""The exact prompt of a turn in a story that wears a preset, in both languages; beside the one without, whose
bytes a preset must not change.

To accept a change: delete the file and run the test once; it then fails naming what it wrote.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from huaben.domain.preset import Listed, Preset, PresetPrompt, PresetTexts
from huaben.domain.project import Language
from huaben.prompt.inchat import InChat
from huaben.prompt.preset import Staging, arrange
from huaben.prompt.segments import Piece
from huaben.prompt.stage import compose
from huaben.prompt.texts import shipped
from tests.golden.test_prompt import scene

FOLDER = Path(__file__).with_name("prompts")
TEXTS: dict[Language, dict[str, str]] = {
    "zh": {"main": "慢慢讲。", "deep": "语气要冷。", "jailbreak": "留在场景里。"},
    "en": {"main": "Take your time.", "deep": "Keep it cold.", "jailbreak": "Stay in the scene."},
}
ORDER = (
    "main",
    "worldInfoBefore",
    "personaDescription",
    "charDescription",
    "worldInfoAfter",
    "deep",
    "off",
    "chatHistory",
    "jailbreak",
)


def staging(language: Language) -> Staging:
    listed = tuple(
        Listed(PresetPrompt(name, name, in_chat=name == "deep"), enabled=name != "off")
        for name in ORDER
    )
    preset = Preset("p", listed, texts=PresetTexts(lore_format="<{0}>"))
    note = InChat(Piece("authors_note", "…", "due with every 2. message"), 3, role="user")
    return Staging(preset, TEXTS[language], new_chat="***", inserted=(note,))


@pytest.mark.parametrize("language", ["zh", "en"])
def test_the_prompt_is_byte_for_byte(language: Language) -> None:
    """Every zone, with the reasons of its pieces and what is left out."""
    prompt = compose(arrange(scene(language), staging(language)))
    stage = shipped(language, "stage")  # a file of its own, read in the golden of the stage
    told = [
        f"===== {one.zone} {one.role}\n{one.text.replace(stage, '[stage]')}"
        for one in prompt.segments
    ]
    told += [f"----- {one.source}: {one.reason}" for one in prompt.left_out]
    file = FOLDER / f"preset.{language}.txt"
    text = "\n".join(told) + "\n"
    if not file.exists():
        file.write_text(text, "utf-8")
        pytest.fail(f"wrote {file.name}; read it and commit it")
    assert file.read_text("utf-8") == text


@pytest.mark.parametrize("language", ["zh", "en"])
def test_what_was_told_is_the_same_with_a_preset_and_without(language: Language) -> None:
    """Between the system text and the last message not a byte differs, and the tools are the same."""
    bare, dressed = scene(language), arrange(scene(language), staging(language))
    plain, staged = compose(bare), compose(dressed)
    assert [one for one in staged.segments if one.zone == "log"] == [
        one for one in plain.segments if one.zone == "log"
    ]
    assert staged.tools == plain.tools
