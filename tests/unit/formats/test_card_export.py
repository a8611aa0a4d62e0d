"""Exports: each form holds what it can, and its report names the rest."""

from collections.abc import Callable
from dataclasses import replace

import pytest

from huaben.domain.card import Asset, Card
from huaben.domain.jsonvalue import Json, JsonObject
from huaben.formats.card import (
    AssetFile,
    Form,
    HeldBytes,
    export_card,
    read_card,
    repaired,
    write_charx,
    write_json,
    write_png,
)
from huaben.formats.cards.outcome import Refused
from tests.builders import cards as build
from tests.builders.cards import taken


def asset(uri: str, name: str, kind: str = "emotion") -> Json:
    """One declared asset with an unknown field."""
    return {"type": kind, "uri": uri, "name": name, "ext": "png", "x_note": 1}


def test_a_charx_comes_out_of_a_charx_as_it_went_in() -> None:
    """Card, declared assets, undeclared files: all there again, at the same addresses."""
    card = build.v3({"assets": [asset("embeded://assets/emotion/images/a.png", "happy")]})
    files = {
        "assets/emotion/images/a.png": b"smile",
        "module.risum": b"\x6f\x00",
        "笔记.json": b"{}",
    }
    file = taken(build.archive({"card.json": build.as_json(card), **files}))
    again = taken(write_charx(file.card, file.assets))
    assert again.card.raw == file.card.raw
    assert {item.path: item.read() for item in again.assets} == files


def test_a_png_with_assets_becomes_a_charx() -> None:
    """Legacy assets move to the places the specification gives, and the picture becomes the icon."""
    chunk = build.text_chunk("chara-ext-asset_:7", b"c21pbGU=")
    card = build.v3({"assets": [asset("__asset:7", "happy.png")]})
    data = build.picture(chunk, build.card_chunk(card, "ccv3"))
    file = taken(data)
    again = taken(write_charx(file.card, file.assets, image=file.image))
    assert {item.path for item in again.assets} == {
        "assets/emotion/images/happy.png",
        "assets/icon/images/main.png",
    }
    moved = next(item for item in again.card.assets if item.kind == "emotion")
    assert moved.uri == "embeded://assets/emotion/images/happy.png"
    assert moved.extra == {"x_note": 1}
    assert again.image == build.picture(chunk)
    assert isinstance(read_card(again.image or b""), Refused)


def test_a_portrait_that_is_already_there_is_not_added_again() -> None:
    """Exporting twice does not pile up icons."""
    file = taken(build.picture(build.card_chunk(build.v3(), "ccv3")))
    once = write_charx(file.card, file.assets, image=file.image)
    first = taken(once)
    assert write_charx(first.card, first.assets, image=first.image) == once


def test_an_unreadable_asset_is_left_out_and_named() -> None:
    """One damaged file does not lose the export."""

    class Damaged:
        def read(self) -> bytes | Refused:
            return Refused("corrupt", "cut short")

    files = [AssetFile("a.png", "a.png", Damaged()), AssetFile("b.png", "b.png", HeldBytes(b"b"))]
    made = export_card(Card(name="薛冰"), "charx", assets=files)
    assert [(note.code, note.path) for note in made.report.dropped] == [
        ("asset_unreadable", "a.png")
    ]
    assert [item.path for item in taken(made.data).assets] == ["b.png"]


@pytest.mark.parametrize("form", ["json", "png", "charx"])
def test_private_marks_never_leave_and_are_named(form: Form) -> None:
    """A mark that an edit brought in is cleared in every form."""
    card = replace(taken(build.as_json(build.v2())).card, extensions={"fav": True})
    made = export_card(card, form)
    assert "data.extensions.fav" in {note.path for note in made.report.dropped}
    assert taken(made.data).card.extensions == {"fav": False}


def test_what_a_form_cannot_hold_is_named() -> None:
    """JSON holds no picture and no files, PNG no files and no JPEG."""
    files = (AssetFile("a.png", "a.png", HeldBytes(b"a"), Asset("icon", "embeded://a.png")),)
    card = Card(name="薛冰")
    json_notes = export_card(card, "json", image=build.JPEG, assets=files).report
    assert {note.code for note in json_notes.dropped} == {"picture_left_out", "asset_left_out"}
    png_notes = export_card(card, "png", image=build.JPEG, assets=files).report
    assert {note.code for note in png_notes.dropped} == {"asset_left_out"}
    assert {note.code for note in png_notes.changed} == {"picture_replaced"}
    assert export_card(card, "charx", image=build.JPEG, assets=files).report.dropped == ()


@pytest.mark.parametrize("make", [build.v1, build.v2, build.v3])
def test_every_form_gives_the_same_card(make: Callable[[], JsonObject]) -> None:
    """A card goes through each form and arrives with the same fields."""
    card = taken(build.as_json(make())).card
    for data in (write_json(card), write_png(card, build.picture()), write_charx(card)):
        again = replace(taken(data).card, spec=card.spec, raw=card.raw)
        assert replace(again, assets=card.assets, extensions=card.extensions) == card


def test_a_repair_takes_mojibake_back_everywhere() -> None:
    """C05: after consent, names, greetings and lorebook are repaired; sound text is left alone."""
    baked = "你好，Zoë".encode().decode("latin-1")
    book: Json = {"entries": [{"keys": [baked], "content": "sound 雨"}]}
    value = build.v2({"first_mes": baked, "personality": "Zoë", "character_book": book})
    card = repaired(taken(build.as_json(value)).card)
    assert card.first_mes == "你好，Zoë"
    assert card.personality == "Zoë"
    assert card.book == {"entries": [{"keys": ["你好，Zoë"], "content": "sound 雨"}]}
