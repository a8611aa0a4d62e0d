"""The book inside a card and the stand-alone V3 book: read whole, written as they were."""

import json
from dataclasses import replace

import pytest

from huaben.domain.jsonvalue import Json, JsonObject
from huaben.domain.lore import (
    CharacterFilter,
    Entry,
    Group,
    Logic,
    Position,
    Recursion,
    Role,
    Sources,
    Timing,
)
from huaben.formats.lorebook import read_embedded, write_book
from tests.builders.lorebooks import book_of, card_book, card_entry, st_entry, st_file, taken

RICH = card_entry(
    id=7,
    keys=["龙王", "/dra(?:gon|ke){1,2}/i"],
    secondary_keys=["sea"],
    comment="Dragon King 龙王",
    name="ignored",
    content="住在东海。",
    constant=True,
    selective=True,
    insertion_order=250,
    enabled=False,
    position="after_char",
    priority=12,
    use_regex=True,
    case_sensitive=False,
    unknown={"deep": [1]},
    extensions={
        "position": 4,
        "vectorized": True,
        "selectiveLogic": 2,
        "ignore_budget": True,
        "exclude_recursion": True,
        "prevent_recursion": True,
        "delay_until_recursion": 2,
        "match_persona_description": True,
        "match_character_description": True,
        "match_character_personality": True,
        "match_character_depth_prompt": True,
        "match_scenario": True,
        "match_creator_notes": True,
        "probability": 35,
        "useProbability": False,
        "depth": 2,
        "role": 2,
        "outlet_name": "Sea",
        "group": "x, y",
        "group_override": True,
        "group_weight": 40,
        "use_group_scoring": True,
        "scan_depth": 3,
        "case_sensitive": True,
        "match_whole_words": False,
        "automation_id": "splash",
        "sticky": 3,
        "cooldown": 2,
        "delay": 1,
        "triggers": ["normal"],
        "display_index": 5,
        "somebody": {"else": True},
    },
)
WHOLE = Entry(
    uid=7,
    keys=("龙王", "/dra(?:gon|ke){1,2}/i"),
    secondary=("sea",),
    title="Dragon King 龙王",
    content="住在东海。",
    constant=True,
    logic=Logic.NOT_ANY,
    order=250,
    position=Position.AT_DEPTH,
    enabled=False,
    depth=2,
    role=Role.ASSISTANT,
    outlet="Sea",
    probability=35,
    use_probability=False,
    ignore_budget=True,
    group=Group(("x", "y"), prioritised=True, weight=40, scoring=True),
    recursion=Recursion(excluded=True, prevents=True, delay_level=2),
    timing=Timing(sticky=3, cooldown=2, delay=1),
    sources=Sources(True, True, True, True, True, True),
    scan_depth=3,
    case_sensitive=True,
    whole_words=False,
    triggers=("normal",),
    vectorized=True,
    automation_id="splash",
    display_index=5,
    priority=12,
)


def plain(entry: Entry) -> Entry:
    """An entry without where it came from."""
    return replace(entry, raw={}, slot=None, dialect="sillytavern")


def embedded(*entries: JsonObject, **top: Json) -> tuple[Entry, ...]:
    """The entries of a card's book."""
    return read_embedded(card_book(*entries, **top)).book.entries


def test_every_field_of_an_entry_is_read() -> None:
    """Each field of the specification and of SillyTavern's extensions reaches our value."""
    assert plain(embedded(RICH)[0]) == WHOLE


@pytest.mark.parametrize("top", [{}, {"scan_depth": 50, "token_budget": 500, "x": [None]}])
def test_l10_reading_and_writing_changes_nothing(top: JsonObject) -> None:
    """The object that is written equals the object that was read."""
    value = card_book(RICH, card_entry(), card_entry(id="abc"), **top)
    assert write_book(read_embedded(value).book, "character_book") == value


@pytest.mark.parametrize(
    "changed", [WHOLE, replace(WHOLE, filter=CharacterFilter(True, ("Ann",), ("海",)))]
)
def test_l10_every_field_survives_a_world_info_file_and_the_way_back(changed: Entry) -> None:
    """An entry goes into a SillyTavern file, back into a card, and is the same entry."""
    book = replace(read_embedded(card_book()).book, entries=(changed,))
    through_file = book_of(json.loads(write_book(book)))
    assert plain(through_file.entries[0]) == changed
    assert plain(read_embedded(write_book(through_file, "character_book")).book.entries[0]) == (
        changed
    )


def test_unknown_fields_of_a_card_survive_a_world_info_file_and_the_way_back() -> None:
    """A file that came from a card carries the card's book, and is laid over it again."""
    value = card_book(RICH, card_entry(id=3, foo="bar"), baz=1)
    file = book_of(json.loads(write_book(read_embedded(value).book)))
    assert file.raw["originalData"] == value
    assert write_book(file, "character_book") == value
    edited = [replace(each, content="新") if each.uid == 7 else each for each in file.entries]
    assert write_book(replace(file, entries=tuple(edited)), "character_book") == card_book(
        {**RICH, "content": "新"}, card_entry(id=3, foo="bar"), baz=1
    )


def test_unknown_fields_of_a_world_info_file_survive_a_card() -> None:
    """What SillyTavern's entry has and the specification has not goes along under extensions."""
    book = book_of(st_file(st_entry(novel={"a": 1})))
    written = write_book(book, "character_book")
    entry = read_embedded(written).book.entries[0]
    extensions = entry.raw["extensions"]
    assert isinstance(extensions, dict)
    huaben = extensions["huaben"]
    assert isinstance(huaben, dict)
    assert huaben["entry"] == st_entry(novel={"a": 1})


def test_l11_doubled_missing_and_textual_ids_are_four_entries() -> None:
    """Nothing collapses: each entry has its own uid, and the ids in the card stay."""
    value = card_book(
        card_entry(id=0, keys=["a"]),
        card_entry(id=0, keys=["b"]),
        card_entry(keys=["c"]),
        card_entry(id="abc", keys=["d"]),
    )
    book = read_embedded(value).book
    assert [entry.keys for entry in book.entries] == [("a",), ("b",), ("c",), ("d",)]
    assert [entry.uid for entry in book.entries] == [0, 1, 2, 3]
    assert [entry.raw.get("id") for entry in book.entries] == [0, 0, None, "abc"]
    assert write_book(book, "character_book") == value


@pytest.mark.parametrize(("given", "logic"), [(2, 2), (9, 0), ("and", 0)])
def test_l08_the_logic_of_an_embedded_book_survives(given: Json, logic: int) -> None:
    """NOT ANY stays 2; what names no logic is AND ANY with a warning."""
    value = card_book(card_entry(extensions={"selectiveLogic": given}))
    found = read_embedded(value)
    assert found.book.entries[0].logic == logic
    assert bool(found.report.warnings) == (logic != given)
    assert write_book(found.book, "character_book") == value


def test_l32_the_specifications_case_sensitive_is_honoured_and_written_in_both_places() -> None:
    """`case_sensitive` of the entry itself counts where the extension says nothing."""
    book = read_embedded(card_book(card_entry(case_sensitive=True))).book
    assert book.entries[0].case_sensitive is True
    quiet = replace(book, entries=(replace(book.entries[0], case_sensitive=False),))
    assert write_book(quiet, "character_book") == card_book(
        card_entry(case_sensitive=False, extensions={"case_sensitive": False})
    )


@pytest.mark.parametrize(
    ("changed", "position"),
    [
        ({"position": "before_char"}, Position.BEFORE_CHAR),
        ({"position": "after_char"}, Position.AFTER_CHAR),
        ({"position": "somewhere"}, Position.AFTER_CHAR),
        ({}, Position.AFTER_CHAR),
        ({"position": 4}, Position.AT_DEPTH),
        ({"position": ""}, Position.AFTER_CHAR),
        ({"position": "before_char", "extensions": {"position": 5}}, Position.EXAMPLES_TOP),
        ({"position": "before_char", "extensions": {"position": ""}}, Position.BEFORE_CHAR),
        ({"position": None, "extensions": None}, Position.AFTER_CHAR),
    ],
)
def test_c10_any_position_is_read(changed: JsonObject, position: Position) -> None:
    """The extension's number first, then the specification's word, a number there, else after."""
    value = card_book(card_entry(keys=["a"], content="x", **changed))
    book = read_embedded(value).book
    assert book.entries[0].position is position
    assert write_book(book, "character_book") == value


@pytest.mark.parametrize(
    ("changed", "attribute", "read"),
    [
        ({"keys": "龙, /a,b/i , sea"}, "keys", ("龙", "/a,b/i", "sea")),
        ({"keys": None}, "keys", ()),
        ({"insertion_order": "30"}, "order", 30),
        ({"insertion_order": None}, "order", 100),
        ({"enabled": None}, "enabled", True),
        ({"comment": "", "name": "灯"}, "title", "灯"),
        ({"secondary_keys": ["b"]}, "selective", False),
        ({"extensions": {"depth": ""}}, "depth", 4),
        ({"extensions": {"probability": None}}, "probability", 100),
        ({"extensions": []}, "probability", 100),
    ],
)
def test_odd_values_are_read_and_come_back_as_they_were(
    changed: JsonObject, attribute: str, read: object
) -> None:
    """A value of the wrong type is read as the nearest right one and never rewritten."""
    value = card_book(card_entry(**changed))
    book = read_embedded(value).book
    assert getattr(book.entries[0], attribute) == read
    assert write_book(book, "character_book") == value


@pytest.mark.parametrize("entries", [None, "none", 3, {"0": card_entry(), "x": None}, [None, 7]])
def test_a_book_of_another_shape_is_still_a_book(entries: Json) -> None:
    """Whatever stands in place of the list of entries is read as far as it goes, and kept."""
    value: JsonObject = {"name": "Odd", "entries": entries}
    book = read_embedded(value).book
    assert len(book.entries) == (1 if isinstance(entries, dict) else 0)
    if isinstance(entries, list | dict):
        assert write_book(book, "character_book") == value


def test_the_books_own_limits_are_read_and_written() -> None:
    """Scan depth, budget and recursion of the book are ours to read and to change."""
    value = card_book(scan_depth=50, token_budget=500, recursive_scanning=False, description="海")
    book = read_embedded(value).book
    assert (book.scan_depth, book.token_budget, book.recursive) == (50, 500, False)
    changed = replace(book, name="Port", scan_depth=None, token_budget=9, recursive=True)
    assert write_book(changed, "character_book") == {
        **card_book(token_budget=9, recursive_scanning=True, description="海"),
        "name": "Port",
    }


def test_a_standalone_book_comes_back_as_it_was() -> None:
    """`lorebook_v3` keeps its envelope, its data and what stands beside them."""
    value: JsonObject = {"spec": "lorebook_v3", "data": card_book(RICH, x=1), "note": "n"}
    book = book_of(value)
    assert (book.dialect, book.name, plain(book.entries[0])) == ("lorebook_v3", "Harbour", WHOLE)
    assert json.loads(write_book(book, "lorebook_v3")) == value


def test_a_standalone_book_of_a_cards_says_of_each_entry_whether_it_uses_patterns() -> None:
    """`use_regex` is required there: true where a key is written as a pattern."""
    book = read_embedded(card_book(card_entry(), card_entry(keys=["/a/"]))).book
    written = json.loads(write_book(book, "lorebook_v3"))
    assert [entry["use_regex"] for entry in written["data"]["entries"]] == [False, True]


def test_entries_that_ask_for_patterns_and_have_none_are_named() -> None:
    """`use_regex` on plain keys is one note, since SillyTavern writes it on every entry."""
    report = taken(card_book(*[card_entry(use_regex=True)] * 3)).report
    assert [(note.code, note.detail) for note in report.kept] == [
        ("use_regex_by_look", "keys of 3 entries are plain text")
    ]


def test_a_book_of_chub_is_a_cards_book() -> None:
    """A file of that shape with extensions of its own is recognised, and keeps them."""
    value: JsonObject = {**card_book(card_entry()), "extensions": {"chub": {"id": 7}}}
    book = book_of(value)
    assert book.dialect == "character_book"
    assert write_book(book, "character_book") == value
