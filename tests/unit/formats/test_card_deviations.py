"""Cards whose fields deviate, files that are no cards, and JSON that means harm."""

import json
from dataclasses import replace

import pytest

from huaben.domain.card import DepthPrompt
from huaben.domain.jsonvalue import Json, JsonObject
from huaben.formats.card import CardFile, Refused, card_of_json, read_card, write_json
from tests.builders import cards as build
from tests.builders.cards import data_of, exported, noted


def taken(value: Json, filename: str = "") -> CardFile:
    """The card file of a JSON value."""
    return build.taken(build.as_json(value), filename)


def refused(value: Json) -> Refused:
    """The refusal of a JSON value."""
    return build.refused(build.as_json(value))


def test_c08_null_fields_are_absent_fields() -> None:
    """C08: null books, extensions, tags and greetings import, and stay null in an export."""
    nulls: JsonObject = {
        "character_book": None,
        "extensions": None,
        "tags": None,
        "alternate_greetings": None,
        "first_mes": None,
    }
    value = build.v2(nulls)
    card = taken(value).card
    assert card.book is None
    assert (card.extensions, card.tags, card.alternate_greetings, card.first_mes) == (
        {},
        (),
        (),
        "",
    )
    assert exported(card) == value


@pytest.mark.parametrize("position", [4, "", None, "odd", 99, []])
def test_c10_an_odd_entry_position_never_fails_the_card(position: Json) -> None:
    """C10: the embedded book is carried as it is, whatever its entries say."""
    book: JsonObject = {"entries": [{"keys": ["a"], "content": "x", "position": position}]}
    value = build.v2({"character_book": book})
    card = taken(value).card
    assert card.book == book
    assert exported(card) == value


@pytest.mark.parametrize(
    ("depth", "read"),
    [("", 4), ("2", 2), (None, 4), (0, 0), (3.0, 3), ("deep", 4), (-1, 0), (True, 4), (1e400, 4)],
)
def test_c11_the_depth_of_the_characters_note_is_normalised(depth: Json, read: int) -> None:
    """C11: a depth of any type becomes a number, 4 when it says nothing."""
    note: JsonObject = {"prompt": "p", "depth": depth, "role": "system"}
    found = card_of_json(build.v2({"extensions": {"depth_prompt": note}}))
    assert not isinstance(found, Refused)
    assert found[0].depth_prompt == DepthPrompt("p", read, "system")


@pytest.mark.parametrize(
    ("role", "read"),
    [("User", "user"), (2, "assistant"), ("1", "user"), (None, "system"), (7, "system")],
)
def test_the_role_of_the_characters_note_is_normalised(role: Json, read: str) -> None:
    """Roles come as names and numbers."""
    note: JsonObject = {"prompt": "p", "role": role}
    found = taken(build.v2({"extensions": {"depth_prompt": note}})).card.depth_prompt
    assert found is not None
    assert found.role == read


def test_c11_numbers_as_text_are_read_and_named() -> None:
    """C11: `"0.7"` is 0.7; the change is in the report and the original form in the export."""
    note: JsonObject = {"prompt": "p", "depth": "", "role": "system"}
    value = build.v2({"extensions": {"talkativeness": "0.7", "depth_prompt": note}})
    file = taken(value)
    assert file.card.talkativeness == 0.7
    paths = {note.path for note in file.report.changed}
    assert "data.extensions.talkativeness" in paths
    assert "data.extensions.depth_prompt.depth" in paths
    assert exported(file.card) == value


@pytest.mark.parametrize("fav", [True, "true"])
def test_c11_private_marks_are_cleared_coming_in_and_going_out(fav: Json) -> None:
    """Favourites and chat names of the former owner neither arrive nor leave, and are named."""
    file = taken(build.v2({"extensions": {"fav": fav, "x": 1}}, fav=fav, chat="A - 2023"))
    assert file.card.extensions == {"fav": False, "x": 1}
    assert "chat" not in file.card.raw
    dropped = {note.path for note in file.report.dropped}
    assert dropped == {"fav", "chat", "data.extensions.fav"}
    assert dropped.isdisjoint(note.path for note in file.report.kept)
    written = exported(replace(file.card, extensions={"fav": True}))
    assert data_of(written)["extensions"] == {"fav": False}
    assert written["fav"] is False


@pytest.mark.parametrize("name", ["", "  ", None])
def test_c13_an_empty_name_falls_back_to_the_file(name: Json) -> None:
    """C13: the file's name is used, the user is told, and the export has it."""
    value = build.v2({"name": name})
    file = taken(value, "C:\\cards\\花满楼.card.json")
    assert file.card.name == "花满楼.card"
    assert "name_from_file" in noted(file)["changed"]
    assert data_of(exported(file.card))["name"] == "花满楼.card"
    assert taken(value).card.name == "Unnamed"


@pytest.mark.parametrize(
    "book",
    [
        {"entries": {"0": {"uid": 0, "key": ["x"], "content": "y"}}},
        {"entries": [], "name": "江湖", "description": "d"},
        {"spec": "lorebook_v3", "data": {"entries": []}},
        {"lorebookVersion": 6, "entries": []},
        {"type": "risu", "ver": 1, "data": []},
    ],
)
def test_c14_a_lorebook_is_refused_as_one(book: Json) -> None:
    """C14: no blank character is made of a lorebook; the refusal lets a caller route it."""
    assert refused(book).code == "lorebook_file"


@pytest.mark.parametrize(
    "value",
    [
        [],
        "text",
        5,
        None,
        {},
        {"name": "Alpaca", "input_sequence": "### In"},
        {"prompts": [], "prompt_order": []},
        {"name": "set", "qrList": []},
        {"name": "A", "mes": "hello", "is_user": False},
        {"scriptName": "x", "findRegex": "/a/"},
        {"data": {"x": 1}},
        {"spec": "chara_card_v2", "data": []},
    ],
)
def test_other_json_is_not_a_card(value: Json) -> None:
    """Presets, chats, scripts and plain values are refused with a reason."""
    found = refused(value)
    assert found.code == "not_a_card"
    assert found.detail


def test_c26_json_with_a_byte_order_mark_is_read() -> None:
    """C26: what Windows editors put in front is skipped, once or twice; UTF-16 is read too."""
    text = '{"name":"A"}'
    for data in (
        ("\ufeff" + text).encode(),
        ("\ufeff\ufeff" + text).encode(),
        ("\ufeff" + text).encode("utf-16-le"),
        text.encode("utf-16"),
    ):
        found = read_card(data)
        assert isinstance(found, CardFile)
        assert found.card.name == "A"


def test_fields_of_the_wrong_type_are_read_or_named_never_fatal() -> None:
    """Each deviation of real files gives its nearest reading, and the export its original form."""
    odd: JsonObject = {
        "alternate_greetings": "一个",
        "group_only_greetings": [1, None, "b"],
        "character_version": 2,
        "description": ["a", "b"],
        "personality": {"x": 1},
        "extensions": [],
        "creation_date": 1_700_000_000_000,
        "modification_date": "x",
        "assets": [{"uri": "ccdefault:", "x": 1}, 5, {"type": "icon"}],
        "character_book": [{"keys": ["a"], "content": "b"}],
        "creator_notes_multilingual": {"en": "a", "zh": 3},
        "source": "https://example.org",
    }
    value = build.v3(odd)
    file = taken(value)
    card = file.card
    assert card.alternate_greetings == ("一个",)
    assert card.group_only_greetings == ("1", "b")
    assert (card.character_version, card.description, card.personality) == ("2", "a\nb", "")
    assert (card.creation_date, card.modification_date) == (1_700_000_000, 0)
    assert [(asset.kind, asset.extra) for asset in card.assets] == [("icon", {"x": 1})]
    assert card.book == {"entries": [{"keys": ["a"], "content": "b"}]}
    assert card.source == ("https://example.org",)
    assert "unreadable_field" in noted(file)["warnings"]
    assert exported(card) == value


def test_scripts_in_a_card_are_kept_and_named() -> None:
    """Regex scripts wait for the user's word, others are never run; the report says they are there."""
    raw: JsonObject = {"regex_scripts": [{"id": "1"}], "tavern_helper": {"scripts": [1]}}
    file = taken(build.v2({"extensions": {**raw, "risuai": {"x": 1}}}))
    assert {"scripts_waiting", "scripts_not_run"} <= set(noted(file)["warnings"])
    assert file.card.regex_scripts == ({"id": "1"},)


def test_mojibake_is_offered_for_repair_never_repaired() -> None:
    """C05: text that was spoiled by an earlier tool is left alone and named."""
    file = taken(build.v1(name="ZoÃ«"))
    assert file.card.name == "ZoÃ«"
    assert "mojibake" in noted(file)["warnings"]


@pytest.mark.parametrize("key", ["__proto__", "constructor", "__class__", "toString"])
def test_x07_keys_with_a_meaning_elsewhere_are_plain_keys(key: str) -> None:
    """X07: such keys are data like any other, at every level."""
    value = build.v2({key: {"x": 1}, "extensions": {key: 1}}, **{key: 2})
    assert exported(taken(value).card) == value


def test_x07_json_ten_thousand_levels_deep_is_refused() -> None:
    """X07: depth costs nothing and crashes nothing."""
    for deep in ("[" * 10_000 + "]" * 10_000, '{"a":' * 10_000 + "1" + "}" * 10_000):
        found = read_card(f'{{"name":"A","description":"","x":{deep}}}'.encode())
        assert isinstance(found, Refused)
        assert found.code == "too_deep"


@pytest.mark.parametrize("number", ["NaN", "Infinity", "-Infinity", "1e999"])
def test_numbers_that_are_not_json_are_refused(number: str) -> None:
    """No other reader takes them, so none is ever held or written."""
    found = read_card(f'{{"name":"A","x":{number}}}'.encode())
    assert isinstance(found, Refused)
    assert found.code == "corrupt"


def test_lone_surrogates_become_replacement_characters() -> None:
    """Half an emoji cannot crash a later encoding; a whole one is left alone."""
    found = read_card(b'{"name":"A\\ud83d","description":"\\ud83c\\udf19","\\udc00":1}')
    assert isinstance(found, CardFile)
    assert (found.card.name, found.card.description) == ("A\ufffd", "🌙")
    assert write_json(found.card)


def test_x04_markup_in_a_name_is_text() -> None:
    """X04: a name is kept as typed; escaping is the business of whoever shows it."""
    name = "<img src=x onerror=alert(1)>"
    assert taken(build.v2({"name": name})).card.name == name


def test_bytes_that_are_no_text_are_refused() -> None:
    """Empty files and noise are told apart from cards."""
    for data in (b"", b"\x00" * 100, b"\xff\xd8\xff", b"hello", b'{"name":"A"'):
        assert isinstance(read_card(data), Refused)


def test_a_flood_of_notes_is_bounded() -> None:
    """A hundred thousand unknown keys give a short report that says how many more there are."""
    report = taken(build.v2({f"x{number}": 1 for number in range(100_000)})).report
    assert len(report.kept) <= 501
    assert report.kept[-1].code == "more_notes"
    assert json.dumps(report.to_json())
