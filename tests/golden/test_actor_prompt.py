"""The exact prompt of an actor's turn, in both languages; accepted as in `test_prompt`."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from huaben.domain.project import Language
from huaben.prompt.actor import compose, rendered
from huaben.prompt.segments import Piece
from tests.golden.test_prompt import scene

FOLDER = Path(__file__).with_name("prompts")


@pytest.mark.parametrize("language", ["zh", "en"])
def test_the_prompt_is_byte_for_byte(language: Language) -> None:
    """Read like prose; a change of it has to be meant."""
    prompt = compose(replace(scene(language), index_chars=0))
    text = "\n".join(f"===== {one.zone} {one.role}\n{one.text}" for one in prompt.segments) + "\n"
    assert prompt.tools == ()
    file = FOLDER / f"actor.{language}.txt"
    if not file.exists():
        file.write_text(text, "utf-8")
        pytest.fail(f"wrote {file.name}; read it and commit it")
    assert file.read_text("utf-8") == text


def test_a_template_remembers_which_variables_it_used() -> None:
    """Each once; what is empty leaves its paragraph out; what a variable holds is no template."""
    template = "{lore}\n\nSay: {question} — {question}!\n\n{memory} of {plan}\n\nalways\n\n{lore}"
    lore = [Piece("lore:1", "{question}"), Piece("lore:2", "")]
    pieces = rendered(template, {"lore": lore, "question": [Piece("words", "hi")]})
    assert [(piece.source, piece.text) for piece in pieces] == [
        ("lore:1", "{question}"),
        ("question", "Say: hi — hi!"),
        ("template", "always"),
    ]


def test_what_a_template_has_no_place_for_is_listed_as_unsent() -> None:
    """A memory that no template names is not forced in; it and all else without a place are named."""
    told = replace(scene("en"), index_chars=0, memory=Piece("memory", "The umbrella."), state=())
    prompt = compose(told, "The reader says: {question}")
    assert [piece.text for piece in prompt.segments[-1].pieces] == [
        f"The reader says: {told.words}"
    ]
    unsent = {one.source: one.reason for one in prompt.left_out}
    assert {"memory", "language", "cast"} <= set(unsent)
    assert "blocks" in unsent["memory"]
    everything = compose(told)
    assert "The umbrella." in everything.segments[-1].text
    assert everything.left_out == told.left_out
