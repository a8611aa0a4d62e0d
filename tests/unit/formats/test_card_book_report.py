"""What a card's own lorebook needed is told with the card, under the book's place in it."""

import pytest

from huaben.domain.jsonvalue import Json, JsonObject
from huaben.formats.card import CardFile
from huaben.formats.report import Note
from tests.builders import cards as build

ENTRY: JsonObject = {"keys": ["茶楼"], "content": "A tea-house.", "extensions": {}}


def with_book(book: Json) -> CardFile:
    """A version 2 card around the book."""
    return build.taken(build.as_json(build.v2({"character_book": book})))


def entry(**fields: Json) -> JsonObject:
    """A sound entry but for `fields`."""
    return {**ENTRY, "id": 0, "enabled": True, "insertion_order": 1, **fields}


def placed(notes: tuple[Note, ...]) -> set[tuple[str, str]]:
    """The codes and places of the notes that lie in the book."""
    return {
        (note.code, note.path.removeprefix("data.character_book."))
        for note in notes
        if note.path.startswith("data.character_book.")
    }


@pytest.mark.parametrize("given", [9, "and"])
def test_l08_an_unknown_logic_in_a_cards_book_is_a_warning_of_the_card(given: Json) -> None:
    """Read as AND ANY, and the reader of the report is told where."""
    file = with_book({"entries": [entry(extensions={"selectiveLogic": given})]})
    place = "entries.0.extensions.selectiveLogic"
    assert placed(file.report.warnings) == {("unknown_logic", place)}


@pytest.mark.parametrize("given", [4, ""])
def test_c10_an_invalid_position_in_a_cards_book_is_named(given: Json) -> None:
    """The position that was understood instead is a change."""
    file = with_book({"entries": [entry(position=given)]})
    assert placed(file.report.changed) == {("read_otherwise", "entries.0.position")}


@pytest.mark.parametrize("entries", [None, "茶楼", 3])
def test_entries_that_are_no_list_are_a_warning(entries: Json) -> None:
    """A book without any entry that can be read is never silent."""
    file = with_book({"name": "x", "entries": entries})
    assert placed(file.report.warnings) == {("entries_not_a_list", "entries")}


def test_members_that_are_no_entries_are_named() -> None:
    """They stay in the file, each with its place."""
    file = with_book({"entries": [entry(), "茶楼", None]})
    named = {place for code, place in placed(file.report.kept) if code == "entry_not_an_object"}
    assert named == {"entries.1", "entries.2"}


def test_ids_that_repeat_or_are_none_are_named() -> None:
    """An entry whose id another one has, or whose id is no number, is known by another here."""
    file = with_book({"entries": [entry(), entry(), entry(id="abc"), ENTRY]})
    assert placed(file.report.changed) == {
        ("read_otherwise", "entries.1.id"),
        ("read_otherwise", "entries.2.id"),
    }


def test_what_the_book_says_beside_its_entries_has_its_own_place() -> None:
    """A field of the book is named by the path that leads to it."""
    file = with_book({"scan_depth": "4", "entries": []})
    assert placed(file.report.changed) == {("read_otherwise", "scan_depth")}


def test_a_sound_book_adds_nothing() -> None:
    """What is kept of a book is told once, as the field it is."""
    file = with_book({"entries": [entry(x_unknown=1), entry(id=1)]})
    for notes in (file.report.kept, file.report.changed, file.report.warnings):
        assert placed(notes) == set()


def test_a_flat_cards_book_is_named_where_it_lies() -> None:
    """Version 1 has no `data`, so neither has the path."""
    book: Json = {"entries": None}
    file = build.taken(build.as_json(build.v1(character_book=book)))
    assert "character_book.entries" in {note.path for note in file.report.warnings}


def test_a_bare_list_of_entries_is_reported_too() -> None:
    """A list in place of a book is wrapped and then read like any."""
    file = with_book([entry(position=4), "茶楼"])
    assert ("read_otherwise", "entries.0.position") in placed(file.report.changed)


def test_a_hostile_book_cannot_flood_the_report() -> None:
    """The notes of the book are bounded, and what is over the bound is counted."""
    file = with_book({"entries": [entry(id=0, position="") for _ in range(2000)]})
    assert len(file.report.changed) <= 501
    assert any(note.code == "more_notes" for note in file.report.changed)
