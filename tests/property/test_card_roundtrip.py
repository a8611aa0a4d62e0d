"""What must hold of every card: nothing unknown is lost, an edit changes one thing, a picture stays itself."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from huaben.domain.card import Card
from huaben.domain.decorators import parse_decorators
from huaben.domain.jsonvalue import Json, JsonObject, dump_json, parse_json
from huaben.formats.base64ish import decode_base64, encode_base64
from huaben.formats.card import write_charx, write_json, write_png
from huaben.formats.cards.fields import FIELDS
from huaben.formats.png import PngFault, walk_png
from tests.builders import cards as build
from tests.builders.cards import taken

TEXT = st.text(st.characters(codec="utf-8"), max_size=12)
SCALARS: st.SearchStrategy[Json] = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-(10**20), 10**20),
    st.floats(allow_nan=False, allow_infinity=False),
    TEXT,
)


def _nested(inner: st.SearchStrategy[Json]) -> st.SearchStrategy[Json]:
    return st.one_of(st.lists(inner, max_size=3), st.dictionaries(TEXT, inner, max_size=3))


VALUES: st.SearchStrategy[Json] = st.recursive(SCALARS, _nested, max_leaves=6)
UNKNOWN = st.dictionaries(TEXT.filter(lambda key: key not in ("fav", "chat")), VALUES, max_size=3)
NAMES = TEXT.filter(lambda name: bool(name.strip()))
TEXT_FIELDS = st.sampled_from(
    ("nickname", "description", "scenario", "first_mes", "system_prompt", "creator")
)


@st.composite
def cards(draw: st.DrawFn) -> JsonObject:
    """Version 2 and 3 cards whose fields have any type, with unknown fields on every level."""
    wild: JsonObject = draw(st.dictionaries(st.sampled_from(FIELDS), VALUES, max_size=6))
    extensions = wild.get("extensions")
    if isinstance(extensions, dict):
        extensions.pop("fav", None)
    data: JsonObject = {**draw(UNKNOWN), **wild, "name": draw(NAMES)}
    version = draw(st.sampled_from((("chara_card_v2", "2.0"), ("chara_card_v3", "3.0"))))
    unknown = {key: value for key, value in draw(UNKNOWN).items() if key != "extensions"}
    return {**unknown, "spec": version[0], "spec_version": version[1], "data": data}


def reread(data: bytes) -> Json:
    """JSON bytes as a value that tells 1 from 1.0 and true."""
    return dump_json(_parsed(data.decode()))


def _parsed(text: str) -> Json:
    value = parse_json(text)
    assert value is None or isinstance(value, bool | int | float | str | list | dict)
    return value


def same_fields(one: Card, other: Card) -> bool:
    """Whether two cards say the same, whatever file they came from."""
    return replace(one, spec="v3", raw={}) == replace(other, spec="v3", raw={})


@given(cards())
def test_an_export_of_an_import_is_the_original(value: JsonObject) -> None:
    """Every field, known or not, of whatever type, comes out of JSON as it went in."""
    card = taken(dump_json(value).encode()).card
    assert reread(write_json(card)) == dump_json(value)


@given(cards())
def test_every_container_gives_the_same_card(value: JsonObject) -> None:
    """PNG and CharX exports read back to the same fields, and keep unknown ones."""
    card = taken(dump_json(value).encode()).card
    for data in (write_png(card, None), write_charx(card)):
        again = taken(data).card
        assert same_fields(again, card)
        top, kept = value["data"], again.raw["data"]
        assert isinstance(top, dict)
        assert isinstance(kept, dict)
        assert all(kept[key] == top[key] for key in top if key not in FIELDS)


@given(cards(), TEXT_FIELDS, NAMES)
def test_an_edit_changes_one_field(value: JsonObject, field: str, text: str) -> None:
    """An edited text is the only difference between original and export, the version apart."""
    card = taken(dump_json(value).encode()).card
    fields: dict[str, str] = {field: text}
    edited = replace(card, **fields)
    exported = _parsed(write_json(edited).decode())
    before, after = value["data"], exported["data"] if isinstance(exported, dict) else None
    assert isinstance(before, dict)
    assert isinstance(after, dict)
    assert after[field] == text
    added = set(after) - set(before) - {field}
    assert all(not after[key] for key in added)
    changed = {key for key in before if before[key] != after[key] and before[key] is not None}
    assert changed <= {field}


@given(cards(), st.lists(st.binary(max_size=20), max_size=4), st.binary(max_size=20))
def test_a_picture_is_itself_but_for_the_card(
    value: JsonObject, bodies: list[bytes], tail: bytes
) -> None:
    """A second export differs from the first in the card chunks alone, unknown chunks kept in order."""
    card = taken(dump_json(value).encode()).card
    extra = [build.chunk(b"prVt", body) for body in bodies]
    image = build.picture(*extra[:2], after=extra[2:]) + b"\x00" + tail
    written = write_png(card, image)
    png = walk_png(written)
    assert not isinstance(png, PngFault)
    cards_at = [chunk for chunk in png.chunks if chunk.kind == b"tEXt"]
    assert len(cards_at) == 2
    rest = written[: cards_at[0].start] + written[cards_at[1].end :]
    assert rest == image
    assert write_png(card, written) == written


@given(VALUES)
def test_json_is_read_as_it_was_written(value: Json) -> None:
    """Parsing what was dumped gives an equal value."""
    assert parse_json(dump_json(value)) == value


@given(st.binary(max_size=200))
def test_base64_is_read_as_it_was_written(data: bytes) -> None:
    """Decoding what was encoded gives the same bytes, padded or not."""
    assert decode_base64(encode_base64(data)) == data
    assert decode_base64(encode_base64(data).rstrip(b"=")) == data


@given(st.text(st.sampled_from("@ad1\n \r雨,"), max_size=60))
def test_stripped_content_has_no_decorators_left(content: str) -> None:
    """What was taken out once is out; what stays is the end of the content, unchanged."""
    found = parse_decorators(content)
    again = parse_decorators(found.content)
    assert content.endswith(found.content)
    assert again.content == found.content or found == again
    assert again.decorators == ()


@pytest.mark.parametrize("name", ["陆小凤", "<img onerror>", "a" * 5000, "\u202eabc", "🌙"])
def test_odd_names_go_through_every_form(name: str) -> None:
    """Names are text, whatever is in them."""
    card = Card(name=name)
    for data in (write_json(card), write_png(card, None), write_charx(card)):
        assert taken(data).card.name == name
