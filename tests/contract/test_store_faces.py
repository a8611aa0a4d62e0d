"""What every store promises about the shelf of cards: lists, searches, tags, favourites."""

from __future__ import annotations

from dataclasses import replace

import pytest

from huaben.domain.cardface import Looking
from huaben.domain.libraryitem import Favourite
from huaben.domain.project import StoredCard
from huaben.ports import Binned, Commit, Page, Purged, Row, Store
from tests.contract.samples import AT, USER, a_card


def named(name: str, *tags: object, **more: object) -> StoredCard:
    return a_card(name=name, content={"data": {"name": name, "tags": list(tags), **more}})


async def stored(store: Store, *rows: Row) -> None:
    await store.commit(Commit(rows=rows))


async def names(store: Store, looking: Looking) -> list[str]:
    found, following = await store.look_for_cards(USER, looking, Page())
    assert following is None
    return [one.card.name for one in found]


async def test_words_find_name_creator_tag_and_file(store: Store) -> None:
    """Every word must be somewhere in what the card shows, whatever its case and width."""
    lamp = replace(named("点灯人", "夜市", creator="Alice"), filename="lamp.png")
    ferry = named("The Ferryman", "River", creator="alice")
    await stored(store, lamp, ferry)
    for words, expected in {
        "": ["The Ferryman", "点灯人"],
        "灯": ["点灯人"],
        "ALICE": ["The Ferryman", "点灯人"],
        "alice river": ["The Ferryman"],
        "ＦＥＲＲＹ": ["The Ferryman"],
        "lamp.png": ["点灯人"],
        "100%": [],
        "_": [],
        "nobody": [],
    }.items():
        assert await names(store, Looking(words)) == expected, words


async def test_a_tag_is_found_whole(store: Store) -> None:
    """A tag is the whole tag; of tags that differ in case alone there is one, counted together."""
    await stored(store, named("A", "River", "river"), named("B", "rivers"), named("C", "RIVER", 3))
    assert await names(store, Looking(tag="river")) == ["C", "A"]
    assert await store.card_tags(USER) == [("River", 2), ("rivers", 1)]


async def test_favourites_are_listed_alone(store: Store) -> None:
    """The user's choice can be given and taken back, and outlives another writing of the card."""
    kept, other = named("A"), named("B")
    await stored(store, kept, other, Favourite(USER, kept.id, chosen=True))
    await stored(store, replace(kept, filename="new.png"))
    assert await names(store, Looking(favourite=True)) == ["A"]
    (found, _), _ = await store.look_for_cards(USER, Looking(order="name"), Page())
    assert found.favourite
    assert await store.is_favourite(kept.id)
    assert not await store.is_favourite(other.id)
    await stored(store, Favourite(USER, kept.id, chosen=False))
    assert await names(store, Looking(favourite=True)) == []


@pytest.mark.parametrize("order", ["newest", "name"])
async def test_pages_hold_each_card_once(store: Store, order: str) -> None:
    """Page by page every card comes once, also those of one name."""
    cards = [named(name) for name in ("b", "A", "a", "B", "阿")]
    await stored(store, *cards)
    looking = Looking(order="name" if order == "name" else "newest")
    seen: list[str] = []
    after: str | None = None
    for _ in range(3):
        found, after = await store.look_for_cards(USER, looking, Page(after, 2))
        seen += [one.card.name for one in found]
    assert after is None
    assert seen == (["A", "a", "b", "B", "阿"] if order == "name" else ["阿", "B", "a", "A", "b"])


async def test_the_trash_is_not_on_the_shelf(store: Store) -> None:
    """What was deleted is not listed, comes back whole, and leaves nothing when it goes for good."""
    card = named("A", "x")
    await stored(store, card, Favourite(USER, card.id, chosen=True))
    await stored(store, Binned("card", card.id, AT))
    assert await names(store, Looking()) == []
    assert await store.card_tags(USER) == []
    await stored(store, Binned("card", card.id, ""))
    assert await names(store, Looking(favourite=True)) == ["A"]
    await stored(store, Binned("card", card.id, AT))
    await stored(store, Purged("card", card.id))
    assert [fault async for fault in store.audit()] == []


async def test_any_name_and_tag_is_taken(store: Store) -> None:
    """Halves of characters, U+0000 and tags that are no texts refuse no card."""
    await stored(store, named("\ud83d \0 灯", "\ud83d", None, {"x": 1}, "\0", "t" * 5000))
    assert await names(store, Looking("灯")) == ["\ud83d \0 灯"]
