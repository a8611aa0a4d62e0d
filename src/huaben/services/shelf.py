"""Parsed cards and books: a stored one never changes under its id, so it is read from JSON once."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Mapping
from dataclasses import replace
from typing import TypeVar, cast

from huaben.domain.card import Card
from huaben.domain.jsonvalue import Json
from huaben.domain.lore.values import Book
from huaben.errors import NotFound, StorageFailed
from huaben.formats import card as cards
from huaben.formats.lorebook.file import BookFile
from huaben.formats.lorebook.read import read_value
from huaben.ports import LibraryReads

KEPT = 64
_T = TypeVar("_T")


class Shelf:
    """Parsed cards and books by id, the most recently used of them."""

    def __init__(self, store: LibraryReads) -> None:
        self._store = store
        self._cards: OrderedDict[str, Card] = OrderedDict()
        self._books: OrderedDict[str, Book] = OrderedDict()

    async def card(self, card_id: str, user_id: str) -> Card:
        if card_id not in self._cards:
            stored = await self._store.card(card_id)
            if stored is None or stored.user_id != user_id:
                raise NotFound.of("card", card_id)
            found = cards.card_of_json(_json(stored.content), stored.filename)
            if isinstance(found, cards.Refused):
                raise StorageFailed(
                    "broken_card", f"The stored card {stored.name} cannot be read: {found.detail}"
                )
            self._cards[card_id] = found[0]
        return _touch(self._cards, card_id)

    async def book(self, book_id: str, user_id: str) -> Book:
        if book_id not in self._books:
            stored = await self._store.lorebook(book_id)
            if stored is None or stored.user_id != user_id:
                raise NotFound.of("lorebook", book_id)
            found = read_value(_json(stored.content), stored.name)
            if not isinstance(found, BookFile):
                raise StorageFailed(
                    "broken_lorebook",
                    f"The stored lorebook {stored.name} cannot be read: {found.detail}",
                )
            self._books[book_id] = replace(found.book, id=book_id)
        return _touch(self._books, book_id)


def _json(content: Mapping[str, object]) -> Json:
    # What the store gives back is the JSON that was put in, so this only names its type.
    return cast("Json", content)


def _touch(kept: OrderedDict[str, _T], key: str) -> _T:
    kept.move_to_end(key)
    while len(kept) > KEPT:
        kept.popitem(last=False)
    return kept[key]
