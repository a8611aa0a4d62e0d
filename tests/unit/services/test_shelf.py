"""Cards, books and lore made ready: read once, kept a while, and given to their owner alone."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

import pytest

from huaben.domain.lore import Book, Entry, LoreSettings
from huaben.domain.lore.values import Place
from huaben.domain.project import StoredBook, StoredCard
from huaben.errors import NotFound
from huaben.ports import Commit, Committed
from huaben.services.shelf import Shelf
from huaben.testing.store import MemoryStore
from tests.builders.lorebooks import st_entry, st_file

SETTINGS = LoreSettings()


class CountedStore(MemoryStore):
    """Remembers which cards and books were asked for."""

    def __init__(self) -> None:
        super().__init__()
        self.asked: list[str] = []

    async def card(self, card_id: str) -> StoredCard | None:
        self.asked.append(card_id)
        return await super().card(card_id)

    async def lorebook(self, book_id: str) -> StoredBook | None:
        self.asked.append(book_id)
        return await super().lorebook(book_id)


def a_card(card_id: str, **data: object) -> StoredCard:
    content = {
        "spec": "chara_card_v2",
        "data": {"name": "沈砚", "first_mes": "「打烊了。」", **data},
    }
    return StoredCard(card_id, "ann", "沈砚", "hash", "沈砚.json", content, {}, "")


OWN = {"name": "渡口", "entries": [{"id": 1, "keys": ["账本"], "content": "旧账。"}]}
WORLD = dict(st_file(st_entry(1, key=["dragon"]), name="World"))
STORED = (
    a_card("plain"),
    a_card("full", character_book=OWN, nickname="阿砚"),
    StoredBook("world", "ann", "World", "hash", "w.json", WORLD, {}, ""),
)


async def a_shelf() -> tuple[Shelf, CountedStore]:
    store = CountedStore()
    assert isinstance(await store.commit(Commit(rows=STORED)), Committed)
    return Shelf(store), store


async def test_what_is_stored_is_read_once() -> None:
    """A stored card or book never changes under its id, nor does the book inside a card."""
    shelf, store = await a_shelf()
    own, world = await shelf.own_book("full", "ann"), await shelf.book("world", "ann")
    assert own is await shelf.own_book("full", "ann")
    assert world is await shelf.book("world", "ann")
    assert store.asked == ["full", "world"]
    assert (own.name, own.place, own.owner) == ("渡口", Place.CHARACTER, "阿砚")
    assert [entry.keys for entry in own.entries] == [("账本",)]
    assert (world.id, world.entries[0].keys) == ("world", ("dragon",))


async def test_a_card_without_a_book_has_an_empty_one() -> None:
    """So that a record that names it can still be read."""
    shelf, _ = await a_shelf()
    assert (await shelf.own_book("plain", "ann")).entries == ()


async def test_nobody_is_given_what_another_has_read() -> None:
    """Another user's card and book are not there, also after their owner has read them."""
    shelf, _ = await a_shelf()
    for read, name in ((shelf.card, "full"), (shelf.own_book, "full"), (shelf.book, "world")):
        await read(name, "ann")
        with pytest.raises(NotFound):
            await read(name, "ben")


def some(entries: int) -> Sequence[Book]:
    return [Book("b", tuple(Entry(uid, ("x",)) for uid in range(entries)))]


async def test_books_are_made_ready_once_for_all_turns() -> None:
    """Turns that begin together too share them; other rules or another place make them anew."""
    shelf, _ = await a_shelf()
    world = await shelf.book("world", "ann")
    first, second = await asyncio.gather(
        *(shelf.prepared(["world"], [world], SETTINGS) for _ in range(2))
    )
    assert first is second is await shelf.prepared(["world"], [world], SETTINGS)
    assert await shelf.prepared(["world"], [world], LoreSettings(exact=True)) is not first
    moved = Book("World", world.entries, id="world", place=Place.CHARACTER)
    again = await shelf.prepared(["world"], [moved], SETTINGS)
    assert again.books[0].place is Place.CHARACTER


async def test_what_was_used_last_is_kept_ready() -> None:
    """The oldest go first when there are too many entries; the newest stay whatever their number."""
    shelf = Shelf(MemoryStore(), ready_entries=30)
    kept = {name: await shelf.prepared([name], some(10), SETTINGS) for name in "abc"}
    assert await shelf.prepared(["a"], some(10), SETTINGS) is kept["a"]
    await shelf.prepared(["d"], some(10), SETTINGS)
    assert await shelf.prepared(["a"], some(10), SETTINGS) is kept["a"]
    assert await shelf.prepared(["b"], some(10), SETTINGS) is not kept["b"]
    many = await shelf.prepared(["e"], some(31), SETTINGS)
    assert await shelf.prepared(["e"], some(31), SETTINGS) is many
