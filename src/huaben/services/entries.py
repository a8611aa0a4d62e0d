"""The entries of a lorebook as people read them: of one in the library, or of a card's own; apart from lore,
which chooses among them."""

from __future__ import annotations

from dataclasses import dataclass

from huaben.domain.jsonvalue import JsonObject
from huaben.domain.lore.values import Book, Entry
from huaben.errors import NotFound
from huaben.services.house import House


@dataclass(frozen=True, slots=True)
class Leaf:
    """A page of a book's entries in its own order; `following` is the number that the next begins at."""

    book: Book
    entries: tuple[Entry, ...]
    following: int | None


async def of_lorebook(house: House, book_id: str, after: int, limit: int) -> Leaf:
    """Raises `NotFound`, and `StorageFailed` for a book that cannot be read."""
    return _leaf(await house.shelf.book(book_id, house.user_id), after, limit)


async def of_card(house: House, card_id: str, after: int, limit: int) -> Leaf:
    """The card's own book, an empty one where it has none. Raises as `of_lorebook`."""
    return _leaf(await house.shelf.own_book(card_id, house.user_id), after, limit)


async def raw_of_lorebook(house: House, book_id: str, uid: int) -> JsonObject:
    """An entry as its file has it. Raises `NotFound`, also for an entry that is not there."""
    return _raw(await house.shelf.book(book_id, house.user_id), uid)


async def raw_of_card(house: House, card_id: str, uid: int) -> JsonObject:
    """The same of the card's own book."""
    return _raw(await house.shelf.own_book(card_id, house.user_id), uid)


def _raw(book: Book, uid: int) -> JsonObject:
    for entry in book.entries:
        if entry.uid == uid:
            return entry.raw
    raise NotFound("no_such_entry", f"The lorebook has no entry {uid}.")


def _leaf(book: Book, after: int, limit: int) -> Leaf:
    found = book.entries[after : after + limit]
    end = after + len(found)
    return Leaf(book, found, end if end < len(book.entries) else None)
