"""A stored row that cannot be read hides no other one (kwaroran/Risuai#228, SillyTavern#4235)."""

from __future__ import annotations

import tracemalloc
from dataclasses import replace
from pathlib import Path

import pytest
from sqlalchemy import create_engine, make_url, text

from huaben.adapters.db.store import open_store
from huaben.errors import StorageFailed
from huaben.ports import Commit, Page, Store
from huaben.testing.clock import ManualClock
from tests.contract.samples import a_book, a_card

CARDS = 3_000
PAGE = 50


def spoil(place: str | Path, statement: str, **values: str) -> None:
    """Change a stored row behind the store's back."""
    url = (
        f"sqlite:///{place / 'huaben.db'}"
        if isinstance(place, Path)
        else make_url(place).set(drivername="postgresql+psycopg")
    )
    engine = create_engine(url)
    with engine.begin() as connection:
        connection.execute(text(statement), values)
    engine.dispose()


async def all_pages(store: Store, limit: int) -> list[str]:
    listed: list[str] = []
    after: str | None = None
    while True:
        cards, after = await store.cards("local", Page(after, limit))
        listed.extend(card.id for card in cards)
        if after is None:
            return listed


async def test_a_broken_card_is_listed_as_broken_among_whole_ones(place: str | Path) -> None:
    """Content that is no JSON, a report of another shape: the list marks these two and shows all."""
    store = open_store(place, clock=ManualClock())
    cards = [a_card(name=f"卡 {n}") for n in range(5)]
    await store.commit(Commit(rows=tuple(cards)))
    spoil(place, "UPDATE card SET content = '{\"data\": ' WHERE id = :id", id=cards[1].id)
    spoil(place, "UPDATE card SET report = '[1]' WHERE id = :id", id=cards[3].id)
    listed, following = await store.cards("local", Page())
    assert following is None
    assert [(card.name, bool(card.broken)) for card in listed] == [
        (card.name, n in (1, 3)) for n, card in reversed(list(enumerate(cards)))
    ]
    assert [replace(cards[n], revision=1) for n in (4, 2, 0)] == [
        card for card in listed if not card.broken
    ]
    for card in (cards[1], cards[3]):
        with pytest.raises(StorageFailed, match="could not be read"):
            await store.card(card.id)
    await store.close()


async def test_a_broken_lorebook_is_listed_as_broken(place: str | Path) -> None:
    """The same holds for lorebooks."""
    store = open_store(place, clock=ManualClock())
    whole, torn = a_book(), a_book(name="残卷")
    await store.commit(Commit(rows=(whole, torn)))
    spoil(place, "UPDATE lorebook SET content = '' WHERE id = :id", id=torn.id)
    listed, _ = await store.lorebooks("local", Page())
    assert [(book.name, bool(book.broken)) for book in listed] == [
        ("残卷", True),
        (whole.name, False),
    ]
    await store.close()


async def test_thousands_of_cards_are_listed_in_constant_memory(tmp_path: Path) -> None:
    """Paging through the whole library takes no more memory than its first pages, and one broken
    card does not end it (SillyTavern#3061)."""
    store = open_store(tmp_path / "data", clock=ManualClock())
    cards = [a_card(content={"data": {"description": "雨" * 1000}}) for _ in range(CARDS)]
    for start in range(0, CARDS, 500):
        await store.commit(Commit(rows=tuple(cards[start : start + 500])))
    torn = cards[CARDS // 2]
    spoil(tmp_path / "data", "UPDATE card SET content = 'x' WHERE id = :id", id=torn.id)
    await store.cards("local", Page(None, PAGE))
    tracemalloc.start()
    await store.cards("local", Page(None, PAGE))
    _, of_one = tracemalloc.get_traced_memory()
    tracemalloc.reset_peak()
    listed = await all_pages(store, PAGE)
    _, of_all = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert listed == [card.id for card in reversed(cards)]
    assert of_all < of_one + 1_000_000
    await store.close()
