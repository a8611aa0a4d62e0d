"""SillyTavern's world info: every field is read, and what is not changed comes out as it went in."""

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
    mark_of,
)
from huaben.formats.lorebook import write_book
from tests.builders.lorebooks import as_file, book_of, refused, st_entry, st_file, taken

RICH = st_entry(
    7,
    key=["龙王", "/dra(?:gon|ke){1,2}/i"],
    keysecondary=["sea"],
    comment="Dragon King 龙王",
    content="住在东海。",
    constant=True,
    vectorized=True,
    selectiveLogic=3,
    order=250,
    position=4,
    disable=True,
    ignoreBudget=True,
    excludeRecursion=True,
    preventRecursion=True,
    matchPersonaDescription=True,
    matchCharacterDescription=True,
    matchCharacterPersonality=True,
    matchCharacterDepthPrompt=True,
    matchScenario=True,
    matchCreatorNotes=True,
    delayUntilRecursion=2,
    probability=35,
    useProbability=False,
    depth=2,
    outletName="Sea",
    group="x, y",
    groupOverride=True,
    groupWeight=40,
    scanDepth=3,
    caseSensitive=True,
    matchWholeWords=False,
    useGroupScoring=True,
    automationId="splash",
    role=2,
    sticky=3,
    cooldown=2,
    delay=1,
    triggers=["normal", "continue"],
    displayIndex=5,
    characterFilter={"isExclude": True, "names": ["Ann"], "tags": ["sea"]},
    somethingNew={"deep": [1, None]},
)


ODD: list[tuple[str, Json, str, object]] = [
    ("probability", None, "probability", 100),
    ("probability", "40", "probability", 40),
    ("order", "", "order", 100),
    ("depth", "", "depth", 4),
    ("depth", "2", "depth", 2),
    ("role", None, "role", Role.SYSTEM),
    ("role", "assistant", "role", Role.ASSISTANT),
    ("position", "after_char", "position", Position.AFTER_CHAR),
    ("position", "4", "position", Position.AT_DEPTH),
    ("position", 12, "position", Position.BEFORE_CHAR),
    ("disable", "false", "enabled", True),
    ("disable", 1, "enabled", False),
    ("constant", "yes", "constant", True),
    ("scanDepth", "", "scan_depth", None),
    ("scanDepth", 0, "scan_depth", 0),
    ("matchWholeWords", "true", "whole_words", True),
    ("key", None, "keys", ()),
    ("key", "a, b", "keys", ()),
    ("key", ["a", 7, None, {}], "keys", ("a", "7")),
    ("delayUntilRecursion", True, "recursion", Recursion(delay_level=1)),
    ("delayUntilRecursion", False, "recursion", Recursion()),
    ("delayUntilRecursion", 3, "recursion", Recursion(delay_level=3)),
    ("characterFilter", "Ann", "filter", CharacterFilter()),
    ("characterFilter", None, "filter", CharacterFilter()),
    ("sticky", -2, "timing", Timing()),
    ("groupWeight", "12", "group", Group(weight=12)),
    ("group", " x ,, y,x ", "group", Group(("x", "y"))),
    ("group", ["x", "y"], "group", Group(("x", "y"))),
    ("order", 10**400, "order", 2**53),
    ("comment", 7, "title", "7"),
]


def test_every_field_of_an_entry_is_read() -> None:
    """Each field of the format reaches its place in our value."""
    entry = book_of(st_file(RICH)).entries[0]
    assert entry == Entry(
        uid=7,
        keys=("龙王", "/dra(?:gon|ke){1,2}/i"),
        secondary=("sea",),
        title="Dragon King 龙王",
        content="住在东海。",
        constant=True,
        logic=Logic.AND_ALL,
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
        triggers=("normal", "continue"),
        filter=CharacterFilter(exclude=True, names=("Ann",), tags=("sea",)),
        vectorized=True,
        automation_id="splash",
        display_index=5,
        raw=RICH,
        slot="0",
    )


def test_a_missing_field_has_the_default_of_a_new_entry() -> None:
    """An entry of nothing but keys is SillyTavern's template with those keys."""
    entry = book_of({"entries": {"3": {"key": ["a"]}}}).entries[0]
    assert replace(entry, raw={}, slot=None) == Entry(uid=3, keys=("a",))


@pytest.mark.parametrize("indent", [4, 2, None])
def test_l31_loading_and_saving_changes_no_byte(indent: int | None) -> None:
    """A file that nothing was changed in is written byte for byte, however it was laid out."""
    original = as_file(
        st_file(RICH, st_entry(1, content="行一\n行二 \u2028 “引”"), name="海", extra=[1.5, {}]),
        indent,
    )
    assert write_book(taken(original).book) == original


def test_only_the_changed_field_changes() -> None:
    """A changed field is written at its place; every other byte stays."""
    book = book_of(st_file(RICH, st_entry(1)))
    edited = replace(book.entries[0], content="住在西海。", enabled=True)
    written = json.loads(write_book(replace(book, entries=(edited, book.entries[1]))))
    assert written == st_file({**RICH, "content": "住在西海。", "disable": False}, st_entry(1))


def test_a_new_entry_is_written_with_every_field() -> None:
    """An entry made here reads back equal and has the fields that SillyTavern expects."""
    book = book_of(st_file(st_entry(0)))
    new = Entry(uid=1, keys=("灯",), title="灯", timing=Timing(sticky=2))
    written = json.loads(write_book(replace(book, entries=(*book.entries, new))))
    assert set(st_entry()) - {"displayIndex", "characterFilter"} <= set(written["entries"]["1"])
    again = book_of(written).entries[1]
    assert replace(again, raw={}, slot=None) == new


def test_a_deleted_entry_is_gone_and_its_neighbours_keep_their_keys() -> None:
    """Removing one entry removes its member and renumbers nothing."""
    book = book_of(st_file(st_entry(0), st_entry(1), st_entry(2)))
    written = json.loads(write_book(replace(book, entries=(book.entries[0], book.entries[2]))))
    assert list(written["entries"]) == ["0", "2"]


def test_entries_are_walked_in_numeric_order_of_their_keys() -> None:
    """Object keys that are numbers come first and ascend, as JavaScript walks them."""
    members: dict[str, Json] = {key: {"key": [key]} for key in ("10", "b", "9", "01", "0")}
    assert [entry.keys[0] for entry in book_of({"entries": members}).entries] == [
        "0",
        "9",
        "10",
        "b",
        "01",
    ]


def test_uid_0_is_an_id_and_doubles_get_fresh_ones() -> None:
    """No entry is lost to another's id; the ids in the file stay as they were."""
    value: JsonObject = {
        "entries": {"0": {"uid": 0}, "1": {"uid": 0}, "x": {"key": ["k"]}, "5": None}
    }
    found = taken(value)
    assert [entry.uid for entry in found.book.entries] == [0, 1, 2]
    assert json.loads(write_book(found.book)) == value
    assert [note.path for note in found.report.kept if note.code == "entry_not_an_object"] == [
        "entries.5"
    ]


@pytest.mark.parametrize(
    ("given", "logic"),
    [(2, Logic.NOT_ANY), ("2", Logic.NOT_ANY), ("NOT_ANY", Logic.NOT_ANY), ("and all", 3)],
)
def test_a_logic_that_can_be_understood_is(given: Json, logic: int) -> None:
    """Numbers as text and the names of the logics are read as meant."""
    assert book_of(st_file(st_entry(selectiveLogic=given))).entries[0].logic == logic


@pytest.mark.parametrize("given", [9, "and", -1, 1.5, [], True])
def test_l08_an_unknown_logic_is_and_any_with_a_warning(given: Json) -> None:
    """What names no logic is read as AND ANY, said in the report and written back as it was."""
    value = st_file(st_entry(selectiveLogic=given))
    found = taken(value)
    assert found.book.entries[0].logic is Logic.AND_ANY
    assert [note.path for note in found.report.warnings] == ["entries.0.selectiveLogic"]
    assert json.loads(write_book(found.book)) == value


@pytest.mark.parametrize(("field", "given", "attribute", "read"), ODD)
def test_odd_values_are_read_and_come_back_as_they_were(
    field: str, given: Json, attribute: str, read: object
) -> None:
    """A value of the wrong type is read as the nearest right one and never rewritten."""
    value = st_file({**st_entry(), field: given})
    book = book_of(value)
    assert getattr(book.entries[0], attribute) == read
    assert json.loads(write_book(book)) == value


def test_what_is_kept_and_not_acted_upon_is_named() -> None:
    """Unknown fields once each, automation, and unknown triggers are in the report."""
    value = st_file(RICH, st_entry(1, somethingNew=1, triggers=["monday"]), weird=True)
    report = taken(value).report
    assert {(note.code, note.path) for note in report.kept} == {
        ("unknown_field", "entries[*].somethingNew"),
        ("unknown_field", "weird"),
        ("automation_not_run", "entries.0.automationId"),
    }
    assert [(note.code, note.detail) for note in report.warnings] == [("unknown_trigger", "monday")]


def test_the_name_is_the_files_own_or_the_file_name() -> None:
    """A name in the file wins over the file name; a file without one stays without one."""
    assert taken(st_file(name="海 Sea"), "x.json").book.name == "海 Sea"
    unnamed = taken(st_file(st_entry()), "folder\\旧城.json").book
    assert unnamed.name == "旧城"
    assert "name" not in json.loads(write_book(replace(unnamed, name="新城")))


@pytest.mark.parametrize(
    ("data", "code"),
    [
        (b"{", "corrupt"),
        (b"\xff\xfe", "corrupt"),
        (b'{"entries": NaN}', "corrupt"),
        (b"[" * 10_000, "corrupt"),
        (b"7", "not_a_lorebook"),
        (b"{}", "not_a_lorebook"),
        (b"[]", "not_a_lorebook"),
        (b'{"entries": [1, 2]}', "not_a_lorebook"),
        (b'{"spec": "chara_card_v2", "data": {"name": "A"}}', "card_file"),
        (b'{"name": "A", "first_mes": "Hello"}', "card_file"),
    ],
)
def test_what_is_no_lorebook_is_refused_with_the_reason(data: bytes, code: str) -> None:
    """A file of something else, or of nothing, is a refusal and never a fault."""
    assert refused(data).code == code


def test_a_byte_order_mark_does_no_harm() -> None:
    """A file that an editor put U+FEFF before reads like any other."""
    assert taken(b"\xef\xbb\xbf" + as_file(st_file(st_entry()))).book.entries[0].title == "旧伞"


def test_l28_the_same_file_read_twice_is_the_same_book() -> None:
    """Equal entries with equal marks, so that importing again can tell what is there already."""
    data = as_file(st_file(RICH, st_entry(1)))
    first, again = taken(data).book, taken(data).book
    assert first == again
    assert [mark_of(entry) for entry in first.entries] == [mark_of(e) for e in again.entries]
    assert mark_of(first.entries[0]) != mark_of(replace(first.entries[0], content="x"))
