"""Every note of a report can be said in every language: on the command line and on the page."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from huaben.cli.notes import LEADS, Noted, rendered
from huaben.cli.speaking import Language
from huaben.cli.words_en import WORDS as ENGLISH
from huaben.cli.words_zh import WORDS as CHINESE
from huaben.formats.cards import outcome
from huaben.formats.chats import values
from huaben.formats.lorebook import file as lorebook
from huaben.formats.notecodes import NOTE_CODES, WHYS

ROOT = Path(__file__).parents[2]
COMMAND_LINE = {"en": ENGLISH, "zh": CHINESE}
SAYING = ("kept", "changed", "dropped", "warn")
LANGUAGES: tuple[Language, ...] = ("en", "zh")
PART = re.compile(r"^  (\w+): \{$(.*?)^  \},$", re.M | re.S)
WORD = re.compile(r"(\w+):\s+\"((?:[^\"\\]|\\.)*)\"")


@cache
def page(language: Language) -> dict[str, dict[str, str]]:
    """The page's own words: of `notes`, of `facts` as `code.fact`, of `why`."""
    text = (ROOT / "frontend/src/i18n" / language / "report.ts").read_text("utf-8")
    parts = dict[str, str](PART.findall(text))
    found = {name: dict(WORD.findall(parts[name])) for name in ("notes", "why")}
    facts = re.findall(r"(\w+): \{(.*?)\},?$", parts["facts"], re.M | re.S)
    told = {f"{code}.{key}": said for code, body in facts for key, said in WORD.findall(body)}
    return {**found, "facts": told}


def uses() -> Iterator[tuple[str, frozenset[str]]]:
    """The code of each note that is made with facts, and their names."""
    for path in (
        *(ROOT / "src/huaben/formats").rglob("*.py"),
        *(ROOT / "src/huaben/services").rglob("*.py"),
    ):
        text = path.read_text("utf-8")
        if "formats.report" not in text and path.name != "report.py":
            continue
        for node in ast.walk(ast.parse(text)):
            if isinstance(node, ast.Call) and node.args:
                yield from of_call(node)


def of_call(node: ast.Call) -> Iterator[tuple[str, frozenset[str]]]:
    code = node.args[0]
    if not isinstance(code, ast.Constant) or not isinstance(code.value, str):
        return
    if isinstance(node.func, ast.Attribute) and node.func.attr in SAYING and node.keywords:
        yield code.value, frozenset(one.arg for one in node.keywords if one.arg is not None)
    elif isinstance(node.func, ast.Name) and node.func.id == "Note":
        for one in node.args[3:]:
            if isinstance(one, ast.Dict):
                keys = [key.value for key in one.keys if isinstance(key, ast.Constant)]
                yield code.value, frozenset(str(key) for key in keys)


USES = sorted({(code, tuple(sorted(names))) for code, names in uses()})


def said_on_page(words: dict[str, str], code: str, lead: str) -> str | None:
    """A counted sentence has a form for one and one for many."""
    keys = [f"{owner}.{lead}{form}" for owner in (code, "any") for form in ("", "_other")]
    return next((words[key] for key in keys if key in words), None)


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_code_has_words(language: Language) -> None:
    """Whatever an import found is told in the reader's language; why, too."""
    slugs = [why.replace(" ", "_") for why in WHYS]
    assert set(page(language)["notes"]) == set(NOTE_CODES)
    assert set(page(language)["why"]) == set(slugs)
    table = COMMAND_LINE[language]
    assert [code for code in NOTE_CODES if f"note.{code}" not in table] == []
    assert [slug for slug in slugs if f"because.{slug}" not in table] == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_reason_to_refuse_a_file_has_words_on_the_page(language: Language) -> None:
    """A file that is not taken says why in the reader's language."""
    folder = ROOT / "frontend/src/i18n" / language
    said = {
        word
        for name in ("library.ts", "report.ts")
        for body in re.findall(
            r"^  refused: \{$(.*?)^  \},$", (folder / name).read_text("utf-8"), re.M | re.S
        )
        for word in re.findall(r"^    (\w+):", body, re.M)
    }
    codes: set[str] = {
        *outcome.RefusalCode.__args__,
        *values.RefusalCode.__args__,
        *lorebook.RefusalCode.__args__,
    }
    assert codes - said == set()


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_value_is_said(language: Language) -> None:
    """No note is made with values that nobody says, and no sentence wants a value that it is not given."""
    assert len(USES) > 40
    table, words = COMMAND_LINE[language], page(language)["facts"]
    for code, names in USES:
        lead = next(one for one in LEADS if one in names)
        on_page = said_on_page(words, code, lead)
        assert on_page is not None, (code, lead)
        assert set(re.findall(r"\{\{(\w+)\}\}", on_page)) <= set(names), code
        key = next((k for k in (f"fact.{code}.{lead}", f"fact.any.{lead}") if k in table), "")
        assert set(re.findall(r"\{(\w+)\}", table[key])) <= set(names), code


def test_the_page_looks_for_facts_in_the_same_order() -> None:
    """The one that leads is the same in both interfaces."""
    text = (ROOT / "frontend/src/library/importing/notes.ts").read_text("utf-8")
    found = re.search(r"const LEADS = \[(.*?)\]", text, re.S)
    assert found is not None
    assert tuple(re.findall(r'"(\w+)"', found[1])) == LEADS


def test_a_note_is_said_with_its_values() -> None:
    """A report of an older import, without values apart, keeps the program's English sentence."""
    note = Noted("more_notes", "", "1 further notes", {"n": 1})
    assert rendered(note) == "and more 1 further note"
    read = Noted("unreadable_field", "data.tags", "not a list", {"why": "not a list"})
    assert rendered(read) == "a field cannot be read [data.tags] not a list"
    assert rendered(Noted("more_notes", "", "7 further notes")).endswith("7 further notes")
