"""Versions of cards and lorebooks: each names the one whose place it took, and can be found by it."""

from __future__ import annotations

from huaben.ports import Commit, Committed, Store
from tests.contract.samples import a_book, a_card


async def test_a_version_is_found_by_what_it_took_the_place_of(store: Store) -> None:
    """Of a card as of a lorebook; what nothing followed has no successor."""
    card, book = a_card(), a_book()
    next_card, next_book = a_card(follows=card.id), a_book(follows=book.id)
    done = await store.commit(Commit(rows=(card, book, next_card, next_book)))
    assert isinstance(done, Committed)
    assert await store.successor("card", card.id) == next_card.id
    assert await store.successor("lorebook", book.id) == next_book.id
    assert await store.successor("card", book.id) is None
    assert await store.successor("lorebook", next_book.id) is None
    kept = await store.lorebook(next_book.id)
    assert kept is not None
    assert kept.follows == book.id
