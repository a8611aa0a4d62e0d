"""Parsed cards and books, and books made ready for lore: a stored one never changes under its id, so
it is read from JSON once. What takes long is done in a thread, so that other turns go on meanwhile."""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import TypeAlias, TypeVar, cast

from huaben.domain.card import Card
from huaben.domain.jsonvalue import Json
from huaben.domain.lore import LoreSettings, Prepared, prepare
from huaben.domain.lore.values import Book, Place
from huaben.errors import NotFound, StorageFailed
from huaben.formats import card as cards
from huaben.formats.lorebook.file import BookFile
from huaben.formats.lorebook.read import read_embedded, read_value
from huaben.ports import LibraryReads

KEPT = 64
READY_ENTRIES = 50_000
"""Entries that are kept ready, of the books used last; the very last ones whatever their number."""
_K = TypeVar("_K", bound=Hashable)
_T = TypeVar("_T")

_Owned: TypeAlias = tuple[str, str]
"""A user and what is theirs by id: nobody is given another's."""


class Shelf:
    """Parsed cards and books by id, the most recently used of them."""

    def __init__(self, store: LibraryReads, *, ready_entries: int = READY_ENTRIES) -> None:
        self._store = store
        self._ready_entries = ready_entries
        self._cards: OrderedDict[_Owned, Card] = OrderedDict()
        self._books: OrderedDict[_Owned, Book] = OrderedDict()
        self._own_books: OrderedDict[_Owned, Book] = OrderedDict()
        self._ready: OrderedDict[Hashable, Prepared] = OrderedDict()
        self._preparing = asyncio.Lock()

    async def card(self, card_id: str, user_id: str) -> Card:
        """Raises `NotFound`, and `StorageFailed` for a card that cannot be read."""
        key = (user_id, card_id)
        if key not in self._cards:
            stored = await self._store.card(card_id)
            if stored is None or stored.user_id != user_id:
                raise NotFound.of("card", card_id)
            found = await asyncio.to_thread(
                cards.card_of_json, _json(stored.content), stored.filename
            )
            if isinstance(found, cards.Refused):
                raise StorageFailed(
                    "broken_card", f"The stored card {stored.name} cannot be read: {found.detail}"
                )
            self._cards[key] = found[0]
        return _touch(self._cards, key)

    async def book(self, book_id: str, user_id: str) -> Book:
        """Raises `NotFound`, and `StorageFailed` for a book that cannot be read."""
        key = (user_id, book_id)
        if key not in self._books:
            stored = await self._store.lorebook(book_id)
            if stored is None or stored.user_id != user_id:
                raise NotFound.of("lorebook", book_id)
            found = await asyncio.to_thread(read_value, _json(stored.content), stored.name)
            if not isinstance(found, BookFile):
                raise StorageFailed(
                    "broken_lorebook",
                    f"The stored lorebook {stored.name} cannot be read: {found.detail}",
                )
            self._books[key] = replace(found.book, id=book_id)
        return _touch(self._books, key)

    async def own_book(self, card_id: str, user_id: str) -> Book:
        """The book inside a card, which belongs to whoever the card is called; an empty one where it
        has none. Raises as `card` does."""
        key = (user_id, card_id)
        if key not in self._own_books:
            card = await self.card(card_id, user_id)
            found = await asyncio.to_thread(read_embedded, card.book or {}, card.called)
            self._own_books[key] = replace(found.book, place=Place.CHARACTER, owner=card.called)
        return _touch(self._own_books, key)

    def forget(self) -> None:
        """All that is stored was exchanged."""
        for kept in (self._cards, self._books, self._own_books, self._ready):
            kept.clear()

    async def prepared(
        self, shelved: Sequence[str], books: Sequence[Book], settings: LoreSettings
    ) -> Prepared:
        """Books made ready for choosing under these settings; `shelved` names each, as `Cast` does."""
        key = (tuple(shelved), tuple(book.place for book in books), settings)
        if key not in self._ready:
            # One at a time: two turns that begin together with the same books prepare them once.
            async with self._preparing:
                if key not in self._ready:
                    self._ready[key] = await asyncio.to_thread(prepare, books, settings)
        found = self._ready[key]
        self._ready.move_to_end(key)
        while len(self._ready) > 1 and _entries(self._ready.values()) > self._ready_entries:
            self._ready.popitem(last=False)
        return found


def _entries(ready: Iterable[Prepared]) -> int:
    return sum(len(each.readies) for each in ready)


def _json(content: Mapping[str, object]) -> Json:
    # What the store gives back is the JSON that was put in, so this only names its type.
    return cast("Json", content)


def _touch(kept: OrderedDict[_K, _T], key: _K) -> _T:
    kept.move_to_end(key)
    while len(kept) > KEPT:
        kept.popitem(last=False)
    return kept[key]
