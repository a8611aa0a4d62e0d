"""Cards as JSON: every dialect and deviation is read, and what is not understood comes out again."""

import json
from collections.abc import Callable
from dataclasses import replace

import pytest

from huaben.domain.card import Card, DepthPrompt
from huaben.domain.jsonvalue import Json, JsonObject
from huaben.formats.card import CardFile, write_json
from tests.builders import cards as build
from tests.builders.cards import data_of, exported, noted


def taken(value: Json, filename: str = "") -> CardFile:
    """The card file of a JSON value."""
    return build.taken(build.as_json(value), filename)


def test_every_field_of_version_3_is_read() -> None:
    """A complete card arrives complete."""
    card = taken(build.v3({"character_book": {"entries": []}})).card
    assert card.spec == "v3"
    assert card.called == "小凤"
    assert card.greetings == ("“你来得正好，{{user}}。”", "雨夜。", "A letter waits.")
    assert card.group_only_greetings == ("大家都到了。",)
    assert card.tags == ("武侠", "mystery")
    assert card.notes_in("zh-CN") == "茶楼疑案"
    assert card.notes_in("fr") == "A tea-house mystery."
    assert card.source == ("https://example.org/cards/1",)
    assert (card.creation_date, card.modification_date) == (1_700_000_000, 1_700_000_500)
    assert card.main_icon.uri == "ccdefault:"
    assert card.book == {"entries": []}
    assert card.talkativeness == 0.7
    assert card.depth_prompt == DepthPrompt("雨", 2, "system")
    assert card.example_blocks == ("{{char}}: 请坐。",)


@pytest.mark.parametrize("make", [build.v2, build.v3])
def test_an_export_without_changes_equals_the_original(make: Callable[..., JsonObject]) -> None:
    """Version 2 and 3 cards come out as they went in, unknown fields at every level included."""
    value = make({"x_unknown": [1, {"深": None}], "nickname": ""}, x_top={"a": 1.5}, avatar="none")
    assert exported(taken(value).card) == value


def test_a_version_1_card_is_raised_to_version_2_and_keeps_what_it_had() -> None:
    """A flat card gains `spec` and `data`; its own keys stay beside them."""
    value = build.v1(create_date="2023-1-1", x_unknown=[1])
    written = exported(taken(value).card)
    assert {key: written[key] for key in value} == value
    assert written["spec"] == "chara_card_v2"
    assert data_of(written)["first_mes"] == value["first_mes"]
    assert taken(written).card.description == taken(value).card.description


def test_a_changed_field_is_the_only_one_that_changes() -> None:
    """An edit is laid over the original; deviating fields beside it keep their odd shapes."""
    value = build.v2({"tags": "武侠, 悬疑", "character_version": 2, "extensions": None})
    file = taken(value)
    assert file.card.tags == ("武侠", "悬疑")
    written = exported(replace(file.card, description="改过"))
    assert written == {**value, "data": {**data_of(value), "description": "改过"}}


def test_top_level_repetitions_follow_a_change() -> None:
    """No reader meets an old value at the top level after an edit."""
    value = build.v2(name="陆小凤", creatorcomment="A tea-house mystery.", tags=["武侠"])
    written = exported(replace(taken(value).card, name="花满楼", creator_notes="新", tags=("x",)))
    assert (written["name"], written["creatorcomment"], written["tags"]) == ("花满楼", "新", ["x"])
    assert data_of(written)["name"] == "花满楼"


def test_data_wins_over_the_top_level_and_the_difference_is_named() -> None:
    """When both places disagree, `data` is used; when `data` is silent, the top level is."""
    file = taken(build.v2({"scenario": None}, name="Other", scenario="桥头"))
    assert file.card.name == "陆小凤"
    assert file.card.scenario == "桥头"
    assert "top_level_differs" in noted(file)["warnings"]
    assert "taken_from_top_level" in noted(file)["changed"]


def test_a_version_2_card_given_a_nickname_becomes_version_3() -> None:
    """A field only version 3 has makes the export version 3, with what that requires."""
    written = exported(replace(taken(build.v2()).card, nickname="小凤"))
    assert written["spec"] == "chara_card_v3"
    assert data_of(written)["group_only_greetings"] == []


def test_a_card_made_here_is_written_whole() -> None:
    """A card without an original has every required field and no empty optional ones."""
    written = exported(Card(name="薛冰", first_mes="你好"))
    assert data_of(written)["alternate_greetings"] == []
    assert "assets" not in data_of(written)
    assert taken(written).card.name == "薛冰"


def test_removing_a_book_removes_it_from_the_export() -> None:
    """An edit can take a field away."""
    card = taken(build.v2({"character_book": {"entries": []}})).card
    assert "character_book" not in data_of(exported(replace(card, book=None)))


def test_true_and_one_are_different_values() -> None:
    """A change from 1 to true in the extensions is a change."""
    card = taken(build.v2({"extensions": {"x": 1}})).card
    written = exported(replace(card, extensions={"x": True}))
    assert data_of(written)["extensions"] == {"x": True}
    assert '"x": true' in write_json(replace(card, extensions={"x": True})).decode()


def test_pygmalion_fields_are_read_under_their_own_names() -> None:
    """The `char_` dialect is a card; its keys stay in the export."""
    value: JsonObject = {
        "char_name": "Ann",
        "char_persona": "calm",
        "char_greeting": "Hi",
        "example_dialogue": "<START>",
        "world_scenario": "inn",
    }
    card = taken(value).card
    assert (card.name, card.description, card.first_mes) == ("Ann", "calm", "Hi")
    assert (card.scenario, card.example_blocks) == ("inn", ())
    written = exported(card)
    assert {key: written[key] for key in value} == value
    assert taken(written).card.description == "calm"


def test_a_site_envelope_is_read_by_its_own_names() -> None:
    """In a site's answer `personality` is the description, and the notes are its `description`."""
    value: Json = {
        "node": {
            "fullPath": "someone/ann",
            "topics": ["calm"],
            "definition": {
                "name": "Ann",
                "personality": "who she is",
                "tavern_personality": "calm",
                "description": "notes",
                "first_message": "Hi",
            },
        }
    }
    card = taken(value).card
    assert (card.description, card.personality, card.creator_notes) == (
        "who she is",
        "calm",
        "notes",
    )
    assert (card.creator, card.tags) == ("someone", ("calm",))
    assert exported(card)["node"] == value["node"]


def test_wrappers_are_taken_off_and_named() -> None:
    """A card inside another object, a list or a string is found."""
    wrappers: list[Json] = [{"data": build.v2(), "id": 7}, [build.v2()], {"character": build.v1()}]
    for wrapped in wrappers:
        file = taken(wrapped)
        assert file.card.name == "陆小凤"
        assert "wrapper_removed" in noted(file)["changed"]
    assert taken(json.dumps(build.v2())).card.name == "陆小凤"
    bare = taken({"data": data_of(build.v2())})
    assert "spec_missing" in noted(bare)["changed"]
    assert exported(bare.card)["spec"] == "chara_card_v2"


def test_a_newer_version_is_read_with_a_warning_and_survives() -> None:
    """A card of a later specification is never refused, and stays of that version."""
    for value in (build.v3(spec_version="3.1"), {**build.v3(), "spec": "chara_card_v4"}):
        file = taken(value)
        assert file.card.spec == "v3"
        assert "newer_spec" in noted(file)["warnings"]
        assert exported(file.card) == value
