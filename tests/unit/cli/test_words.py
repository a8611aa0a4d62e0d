"""The sentences of the command line, in both tables."""

from __future__ import annotations

import ast
import string
from collections.abc import Iterator
from pathlib import Path

import pytest

from huaben.cli.errors_zh import ERRORS
from huaben.cli.speaking import Language, Voice, language_of
from huaben.cli.words_en import WORDS as ENGLISH
from huaben.cli.words_zh import WORDS as CHINESE
from huaben.domain.story import TurnStatus
from huaben.formats.cards import outcome
from huaben.services.chores import KINDS

ROOM = Path(__file__).parents[3] / "src" / "huaben" / "cli"
FAMILIES = (
    "next.",
    "note.",
    "fact.",
    "because.",
    "why.",
    "doing.",
    "inspect.",
    "total.",
    "status.",
    "call.",
    "moving.",
    "jobs.",
    "amendments.",
)
"""Beginnings of keys that are put together while the program runs."""


def facts(sentence: str) -> set[str]:
    return {name for _, name, _, _ in string.Formatter().parse(sentence) if name}


def literal_keys() -> Iterator[tuple[str, str]]:
    """Each key that a module names as a whole, with the module."""
    for path in ROOM.glob("*.py"):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if not isinstance(node, ast.Call) or not node.args:
                continue
            called = node.func.attr if isinstance(node.func, ast.Attribute) else ""
            called = node.func.id if isinstance(node.func, ast.Name) else called
            first = node.args[0]
            key = str(first.value) if isinstance(first, ast.Constant) else ""
            if called in ("say", "count", "_say") and "." in key:
                yield key, path.name


def test_both_languages_have_the_same_sentences() -> None:
    """Nobody is answered in a language that they did not choose."""
    assert {key for key in ENGLISH if not key.endswith(".one")} == set(CHINESE)


@pytest.mark.parametrize("key", sorted(CHINESE))
def test_both_languages_tell_the_same_facts(key: str) -> None:
    """No fact is lost in translation."""
    assert facts(ENGLISH[key]) == facts(CHINESE[key])


def test_every_sentence_that_is_asked_for_exists() -> None:
    """A slip in a key is found here and not by a user."""
    missing = [(key, where) for key, where in literal_keys() if key not in ENGLISH]
    assert missing == []


def test_no_sentence_is_left_over() -> None:
    """What is no longer said is no longer translated."""
    modules = (path for path in ROOM.glob("*.py") if "words" not in path.name)
    text = "".join(path.read_text("utf-8") for path in modules).replace("'", '"')
    put_together = (*FAMILIES, "import.", "report.")
    whole = {key.removesuffix(".one") for key in ENGLISH if not key.startswith(put_together)}
    said = {key for key in whole if not key.endswith((".help", ".short"))}
    assert [key for key in sorted(said) if f'"{key}"' not in text] == []


def test_every_status_of_a_turn_has_a_word() -> None:
    """Whatever a turn comes to can be said."""
    statuses: tuple[str, ...] = TurnStatus.__args__
    assert [status for status in statuses if f"status.{status}" not in CHINESE] == []


def test_every_kind_of_job_has_a_word() -> None:
    """`huaben jobs` shows no code of ours."""
    assert [kind for kind in KINDS if f"jobs.{kind}" not in CHINESE] == []


def test_every_reason_to_refuse_a_file_is_translated() -> None:
    """A file that is not taken says why in Chinese too."""
    codes: tuple[str, ...] = outcome.RefusalCode.__args__
    assert [code for code in codes if code not in ERRORS] == []


@pytest.mark.parametrize("language", ["en", "zh"])
def test_numbers_are_counted_as_the_language_does(language: Language) -> None:
    """One of a thing is not called many."""
    voice = Voice(language)
    one, two = voice.count("turn.kept", 1), voice.count("turn.kept", 2)
    assert ("one character" in one) == (language == "en")
    assert "2" in two


@pytest.mark.parametrize(
    ("environment", "language"),
    [
        ({}, "en"),
        ({"LANG": "zh_CN.UTF-8"}, "zh"),
        ({"LANG": "zh_CN.UTF-8", "LC_ALL": "C.UTF-8"}, "en"),
        ({"LANG": "de_DE.UTF-8", "LC_MESSAGES": "zh_TW"}, "zh"),
        ({"LANG": "en_GB.UTF-8", "HUABEN_LANG": "zh"}, "zh"),
        ({"LC_ALL": "zh_CN.UTF-8", "HUABEN_LANG": "EN"}, "en"),
        ({"LC_ALL": "", "LANG": "zh"}, "zh"),
    ],
)
def test_the_language_follows_the_wish_then_the_locale(
    environment: dict[str, str], language: Language
) -> None:
    """`HUABEN_LANG` wins over the locale, and the locale is read as POSIX reads it."""
    assert language_of(environment) == language
