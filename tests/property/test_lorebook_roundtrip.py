"""What must hold of every lorebook: reading and writing it changes nothing, whatever it holds."""

import json
from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from huaben.domain.jsonvalue import Json, JsonObject
from huaben.domain.lore import Book
from huaben.formats.lorebook import BookFile, read_book, read_embedded, read_value, write_book
from tests.builders.lorebooks import as_file, card_entry, st_entry

WORDS = st.text(alphabet="龙王海aB/,\\*? é\n\u2028", max_size=8)
SCALARS: st.SearchStrategy[Json] = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-(10**20), 10**20),
    st.floats(allow_nan=False, allow_infinity=False),
    WORDS,
    st.sampled_from(["", "1", "true", "and", "before_char", "x, y"]),
)
VALUES: st.SearchStrategy[Json] = st.recursive(
    SCALARS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(WORDS, inner, max_size=3),
    max_leaves=6,
)
ST_NAMES = st.sampled_from([*st_entry(), "extensions"]) | WORDS
CARD_NAMES = (
    st.sampled_from([*card_entry(), "id", "secondary_keys", "comment", "position", "priority"])
    | WORDS
)
EXTENSIONS = st.dictionaries(
    st.sampled_from(["position", "selectiveLogic", "probability", "huaben", "group"]) | WORDS,
    VALUES,
    max_size=5,
)
ST_ENTRIES = st.dictionaries(ST_NAMES, VALUES, max_size=12)


def with_extensions(fields: JsonObject, extensions: JsonObject | None) -> Json:
    """The fields of an entry, with or without the object that programs add their own in."""
    return fields if extensions is None else {**fields, "extensions": extensions}


CARD_ENTRIES: st.SearchStrategy[Json] = st.builds(
    with_extensions, st.dictionaries(CARD_NAMES, VALUES, max_size=8), st.none() | EXTENSIONS
)


@st.composite
def st_files(draw: st.DrawFn) -> JsonObject:
    """A world info file whose every part may be anything."""
    keys = st.integers(0, 12).map(str) | WORDS
    members = draw(st.dictionaries(keys, ST_ENTRIES | SCALARS, max_size=6))
    rest = draw(st.dictionaries(WORDS, VALUES, max_size=3))
    # One entry that names its keys makes the file recognisable.
    return {**rest, "entries": {"0": st_entry(), **members, "99": st_entry(99)}}


@st.composite
def card_books(draw: st.DrawFn) -> JsonObject:
    """A card's book whose every part may be anything."""
    rest = draw(st.dictionaries(WORDS | st.sampled_from(["name", "scan_depth"]), VALUES))
    entries: Json = draw(st.lists(CARD_ENTRIES | SCALARS, max_size=5))
    return {**rest, "entries": entries}


def read(value: Json) -> Book:
    """The book in a value that is one."""
    found = read_value(value)
    assert isinstance(found, BookFile), found
    return found.book


@given(st_files(), st.sampled_from([None, 2, 4]))
def test_a_world_info_file_is_written_byte_for_byte(value: JsonObject, indent: int | None) -> None:
    """export(import(x)) = x on the bytes, unknown fields and nonsense included."""
    data = as_file(value, indent)
    found = read_book(data)
    assert isinstance(found, BookFile)
    assert write_book(found.book) == data


@given(card_books())
def test_a_cards_book_is_written_as_it_was(value: JsonObject) -> None:
    """export(import(x)) = x on the object a card holds, and in a stand-alone file."""
    book = read_embedded(value).book
    assert write_book(book, "character_book") == value
    standalone: JsonObject = {"spec": "lorebook_v3", "data": value, "x": 1}
    assert json.loads(write_book(read(standalone), "lorebook_v3")) == standalone


@given(st_files(), WORDS, st.booleans())
def test_one_change_changes_one_entry(value: JsonObject, content: str, enabled: bool) -> None:
    """After editing an entry all others, and the rest of the file, are as they were."""
    book = read(value)
    edited = replace(book.entries[0], content=content, enabled=enabled)
    written = json.loads(write_book(replace(book, entries=(edited, *book.entries[1:]))))
    again = read(written).entries
    assert (again[0].content, again[0].enabled) == (content, enabled)
    assert again[1:] == book.entries[1:]
    assert {**written, "entries": 0} == {**value, "entries": 0}


@given(card_books())
def test_meaning_survives_every_dialect(value: JsonObject) -> None:
    """Card to world info and back: the original returns, and every entry means the same between."""
    book = read_embedded(value).book
    file = read(json.loads(write_book(book)))
    assert write_book(file, "character_book") == value
    by_uid = {entry.uid: entry for entry in book.entries}
    for entry in file.entries:
        before = by_uid[entry.uid]
        assert replace(entry, raw={}, slot=None, dialect="sillytavern") == replace(
            before, raw={}, slot=None, dialect="sillytavern"
        )


@given(VALUES)
def test_any_value_is_a_book_or_a_refusal(value: Json) -> None:
    """Reading never fails, whatever the file holds."""
    read_value(value)
    for shape in ("entries", "worldinfo", "worldinfo_v2", "ai_dungeon", "data"):
        read_value({shape: value, "lorebookVersion": 1})
        read_value({shape: value, "kind": "memory"})
        read_value({shape: value, "type": "risu"})
        read_value({shape: value})
