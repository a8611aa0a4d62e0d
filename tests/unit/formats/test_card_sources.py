"""Where a card's fields are taken from when a file says them twice (acceptance case C23)."""

from __future__ import annotations

from huaben.domain.jsonvalue import Json
from tests.builders.cards import as_json, card_chunk, picture, taken, text_chunk, v2

WHOLE = "他是渡口客栈的账房。" * 200


def test_c23_a_sites_short_texts_never_stand_in_for_the_definition() -> None:
    """C23: beside the definition a site has a clipped description and a first message of its own;
    the card is the definition, whole, and nothing of the two is mixed."""
    value: Json = {
        "node": {
            "name": "test",
            "description": "test",
            "tagline": WHOLE[:80],
            "first_message": "test",
            "definition": {
                "name": "沈砚",
                "personality": WHOLE,
                "first_message": "「打烊了。」",
                "example_dialogs": "",
            },
        }
    }
    card = taken(as_json(value)).card
    assert (card.name, card.description, card.first_mes) == ("沈砚", WHOLE, "「打烊了。」")
    assert "test" not in (card.scenario, card.personality, card.creator_notes, card.mes_example)


def test_c23_other_texts_of_a_picture_are_not_the_card() -> None:
    """C23: a title or description that a picture carries for itself does not reach the card, wherever
    it stands."""
    before = (text_chunk("Title", b"test"), text_chunk("Description", WHOLE[:20].encode()))
    data = picture(*before, card_chunk(v2({"description": WHOLE})), after=before)
    card = taken(data).card
    assert card.description == WHOLE
    assert card.name == "陆小凤"
