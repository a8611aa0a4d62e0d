"""The document about formats names every field that is read, so that none has an unknown fate."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import pytest

from huaben.domain.decorators import COUNT_NAMES, FLAG_NAMES, LIST_NAMES, WORD_NAMES
from huaben.formats import authors_note, personas, regex_scripts
from huaben.formats.cards.fields import FIELDS
from huaben.formats.chats import jsonl as chat_files
from huaben.formats.chats import sillytavern as chat_rows
from huaben.formats.lorebook import character_book, sillytavern
from huaben.formats.presets import chat, connection, prompts

TEXT = (Path(__file__).parents[3] / "docs" / "formats.md").read_text("utf-8")


def ends(paths: Iterable[tuple[str, ...]]) -> set[str]:
    return {path[-1] for path in paths}


@pytest.mark.parametrize(
    ("what", "names"),
    [
        ("card", set(FIELDS)),
        ("SillyTavern", ends(sillytavern.PATHS.values())),
        ("card's book", ends(character_book.PATHS.values())),
        ("chats", {*chat_rows.ROW_FIELDS, *chat_rows.HEADER_FIELDS, *chat_files.NOT_HONOURED}),
        ("presets", set(chat.USED) | set(chat.NOT_APPLIED) - {"extensions"}),
        ("prompts", set(prompts.PROMPT_FIELDS)),
        ("connections", {*connection.SECRET, *connection.NAMED}),
        ("scripts", set(regex_scripts.FIELDS)),
        ("personas", set(personas.DESCRIPTION_FIELDS)),
        ("note", set(authors_note.FIELDS)),
        ("decorators", COUNT_NAMES | FLAG_NAMES | LIST_NAMES | WORD_NAMES),
    ],
)
def test_every_field_has_a_fate(what: str, names: set[str]) -> None:
    """In the tables, between signs of code, alone or as the end of a path."""
    missing = {name for name in names if f"`{name}`" not in TEXT and f".{name}`" not in TEXT}
    assert missing == set(), what
