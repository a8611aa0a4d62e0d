"""Editing a lorebook loses nothing: what an edit does not name is in the new file as it was in the old."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from huaben.domain.jsonvalue import Json, JsonObject
from huaben.domain.lore.values import Book, Entry, Position
from huaben.formats.lorebook.editing import (
    BookEdit,
    NoSuchEntry,
    WrittenBook,
    edited,
    entry_of,
    fields_of,
)
from huaben.formats.lorebook.file import BookFile
from huaben.formats.lorebook.read import read_value

WORLD: JsonObject = {
    "name": "雨夜旧伞",
    "strange": [1, None],
    "entries": {
        "0": {
            "uid": 0,
            "key": ["旧伞"],
            "comment": "伞",
            "content": "伞柄刻着「证」字。",
            "x": {"y": 1},
        },
        "4": {"uid": 4, "key": ["ferry"], "content": "Closed.", "order": "7", "disable": True},
    },
}
CARD_BOOK: JsonObject = {
    "name": "沈砚",
    "entries": [
        {
            "id": 3,
            "keys": ["师父"],
            "content": "失踪。",
            "enabled": True,
            "position": "before_char",
        },
        {"id": 3, "keys": ["night"], "content": "Dark.", "extensions": {"mine": "kept"}},
    ],
}
V3: JsonObject = {"spec": "lorebook_v3", "data": CARD_BOOK}
AGNAI: JsonObject = {
    "kind": "memory",
    "name": "agnai",
    "entries": [{"name": "龙", "keywords": ["龙王"], "entry": "深海。", "weight": 3, "odd": 1}],
}


def read(value: Json) -> Book:
    found = read_value(value, "x")
    assert isinstance(found, BookFile)
    return found.book


def after(book: Book, edit: BookEdit) -> Book:
    found = edited(book, edit)
    assert isinstance(found, WrittenBook)
    return read(json.loads(json.dumps(found.content)))


@pytest.mark.parametrize("value", [WORLD, CARD_BOOK, V3])
def test_an_edit_of_nothing_is_the_same_file(value: JsonObject) -> None:
    """Odd values, unknown fields and two entries of one id are as they were."""
    assert edited(read(value), BookEdit()) == WrittenBook(value, 0)


@pytest.mark.parametrize("value", [WORLD, CARD_BOOK, V3])
def test_only_what_is_named_changes(value: JsonObject) -> None:
    """One entry gets other words and is off; every other value stays."""
    book = read(value)
    first, second = book.entries
    now = after(book, BookEdit(changed={first.uid: {"content": "Other. 换了。", "enabled": False}}))
    assert (now.entries[0].content, now.entries[0].enabled) == ("Other. 换了。", False)
    assert now.entries[0].keys == first.keys
    assert now.entries[1].raw == second.raw


def test_entries_are_added_behind_and_taken_out() -> None:
    """A new entry has a number of its own; one that is gone leaves no other changed."""
    book = read(WORLD)
    fields: JsonObject = {"title": "夜市", "keys": ["夜市", "market"], "position": 4, "depth": 2}
    now = after(book, BookEdit(added=[fields], removed=frozenset({0})))
    assert [entry.uid for entry in now.entries] == [4, 5]
    assert now.entries[1].keys == ("夜市", "market")
    assert (now.entries[1].position, now.entries[1].depth) == (Position.AT_DEPTH, 2)
    assert now.raw["strange"] == [1, None]


@pytest.mark.parametrize("value", [WORLD, CARD_BOOK, V3])
def test_the_raw_of_an_entry_is_taken_as_it_is(value: JsonObject) -> None:
    """A field that nobody knows is there afterwards, and one that is gone is gone."""
    book = read(value)
    uid = book.entries[0].uid
    whole: JsonObject = {"content": "raw", "mine": {"深": 1}}
    now = after(book, BookEdit(raw={uid: whole}))
    found = next(entry for entry in now.entries if entry.content == "raw")
    assert (found.raw, found.keys) == (whole, ())


def test_a_name_can_be_given() -> None:
    """Of a world info file as of a card's book."""
    for value in (WORLD, CARD_BOOK, V3):
        assert after(read(value), BookEdit(name="百草堂")).name == "百草堂"


def test_a_book_of_another_program_becomes_one_that_can_be_written() -> None:
    """Its entries read the same, and what it had is kept in the file."""
    book = read(AGNAI)
    uid = book.entries[0].uid
    now = after(book, BookEdit(changed={uid: {"title": "海"}}))
    assert now.dialect == "sillytavern"
    assert (now.entries[0].title, now.entries[0].keys) == ("海", ("龙王",))
    assert "odd" in json.dumps(now.raw)


def test_an_entry_that_is_not_there_is_named() -> None:
    """Nothing is written for an edit of an entry that the book has not."""
    assert edited(read(WORLD), BookEdit(removed=frozenset({9}))) == NoSuchEntry(9)


keys = st.lists(st.text(min_size=1, max_size=8), max_size=3)
fields = st.fixed_dictionaries(
    {},
    optional={
        "keys": keys,
        "secondary": keys,
        "title": st.text(max_size=8),
        "content": st.text(max_size=20),
        "logic": st.integers(0, 3),
        "position": st.integers(0, 7),
        "order": st.integers(-100, 1000),
        "probability": st.integers(0, 100),
        "scan_depth": st.none() | st.integers(0, 1000),
        "case_sensitive": st.none() | st.booleans(),
        "sticky": st.none() | st.integers(1, 50),
        "group_weight": st.integers(0, 100),
        "match_scenario": st.booleans(),
        "filter": st.just({"isExclude": True, "names": ["沈砚"], "tags": []}),
    },
)


@given(wish=fields)
@pytest.mark.parametrize("value", [WORLD, CARD_BOOK])
def test_what_is_wished_is_what_is_read(value: JsonObject, wish: dict[str, Json]) -> None:
    """Whatever fields an entry is given, reading the file tells them again."""
    book = read(value)
    uid = book.entries[0].uid
    found = after(book, BookEdit(changed={uid: wish})).entries[0]
    told = fields_of(found)
    assert {name: told[name] for name in wish} == {**wish, **_titled(wish, found)}
    assert fields_of(entry_of(uid, wish)).keys() == told.keys()


def _titled(wish: dict[str, Json], found: Entry) -> dict[str, Json]:
    """A title that is emptied falls back to the name that a card's entry has."""
    return {"title": found.title} if wish.get("title") == "" else {}


def test_the_files_of_programs_survive_a_round() -> None:
    """Taking a field there and back is the file as it was, but for the field itself."""
    book = read(WORLD)
    there = after(book, BookEdit(changed={0: {"content": "x"}}))
    back = edited(there, BookEdit(changed={0: {"content": "伞柄刻着「证」字。"}}))
    assert isinstance(back, WrittenBook)
    assert back.content == WORLD


@pytest.mark.parametrize("source", [WORLD, CARD_BOOK, AGNAI])
@pytest.mark.parametrize("target", [WORLD, CARD_BOOK])
def test_an_entry_of_another_book_brings_all_it_had(source: JsonObject, target: JsonObject) -> None:
    """It says the same in its new book, under a number that no other has, unknown fields and all."""
    entry = read(source).entries[0]
    now = after(read(target), BookEdit(brought=[entry]))
    uids = [one.uid for one in now.entries]
    assert len(set(uids)) == len(uids)
    brought = now.entries[-1]
    assert (brought.keys, brought.content) == (entry.keys, entry.content)
    unknown = {"x", "odd"} & entry.raw.keys()
    assert all(f'"{name}"' in json.dumps(brought.raw) for name in unknown)
