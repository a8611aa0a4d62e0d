"""What a card says about itself."""

import pytest

from huaben.domain.card import DEFAULT_ASSET, Asset, Card, DepthPrompt, number_of
from huaben.domain.jsonvalue import Json


def test_a_card_is_called_by_its_nickname() -> None:
    """`{{char}}` is the nickname if there is one."""
    assert Card(name="陆小凤").called == "陆小凤"
    assert Card(name="陆小凤", nickname="小凤").called == "小凤"


def test_an_empty_first_message_is_still_a_greeting() -> None:
    """Every greeting keeps its index."""
    assert Card(name="A", alternate_greetings=("b",)).greetings == ("", "b")


@pytest.mark.parametrize(
    ("text", "blocks"),
    [
        ("", ()),
        ("<START>", ()),
        ("<start>\nA: 你好\n<START>\n\nB", ("A: 你好", "B")),
        ("A: hi", ("A: hi",)),
    ],
)
def test_examples_are_split_at_start_in_any_case(text: str, blocks: tuple[str, ...]) -> None:
    """A field of nothing but the mark has no examples."""
    assert Card(name="A", mes_example=text).example_blocks == blocks


def test_notes_are_given_in_the_language_asked_for() -> None:
    """Else in English, which `creator_notes` is unless the list says otherwise, else in any."""
    card = Card(name="A", creator_notes="en", creator_notes_multilingual={"zh": "中"})
    assert (card.notes_in("zh-TW"), card.notes_in("en"), card.notes_in("fr")) == ("中", "en", "en")
    assert Card(name="A", creator_notes_multilingual={"zh": "中"}).notes_in("fr") == "中"
    assert Card(name="A").notes_in("en") == ""
    both = Card(name="A", creator_notes="old", creator_notes_multilingual={"en": "new"})
    assert both.notes_in("en") == "new"


def test_the_main_icon_and_background_are_found() -> None:
    """Named main, else the first of its kind, else the default portrait or none."""
    one, two = Asset("icon", "a", "x"), Asset("icon", "b", "main")
    assert Card(name="A", assets=(one, two)).main_icon == two
    assert Card(name="A", assets=(one,)).main_icon == one
    assert Card(name="A").main_icon == DEFAULT_ASSET
    assert Card(name="A").main_background is None


@pytest.mark.parametrize(
    ("value", "read"),
    [("0.7", 0.7), (3, 1.0), (-1, 0.0), (None, 0.5), ("much", 0.5), (True, 0.5), (10**400, 0.5)],
)
def test_talkativeness_is_between_nought_and_one(value: Json, read: float) -> None:
    """Text counts when it is a number; anything else is a half."""
    assert Card(name="A", extensions={"talkativeness": value}).talkativeness == read


def test_other_extensions_are_read_only_in_their_own_type() -> None:
    """A world that is no text is none, a script that is no object is skipped."""
    odd = Card(name="A", extensions={"world": 5, "regex_scripts": [1, {"id": "x"}]})
    assert (odd.linked_world, odd.regex_scripts) == ("", ({"id": "x"},))
    assert Card(name="A", extensions={"world": "江湖", "regex_scripts": 1}).regex_scripts == ()
    assert Card(name="A", extensions={"depth_prompt": "x"}).depth_prompt is None
    assert Card(name="A", extensions={"depth_prompt": {"prompt": " "}}).depth_prompt is None
    note = Card(name="A", extensions={"depth_prompt": {"prompt": "雨"}}).depth_prompt
    assert note == DepthPrompt("雨", 4, "system")


@pytest.mark.parametrize("text", ["", "1e5", "0x10", "NaN", "１２x", "1" * 400, "--1"])
def test_text_that_is_no_plain_number_is_none(text: str) -> None:
    """Only plain decimals are read as numbers."""
    assert number_of(text) is None
