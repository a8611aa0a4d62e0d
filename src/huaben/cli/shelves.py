"""Finds the card or lorebook of the library that a reader means by an id, the beginning of one, or a
name; apart from `opening`, which may bring a file in on the way to a story."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from typing import TypeVar

from huaben.cli.failing import Told
from huaben.cli.opening import ID_PREFIX, all_cards
from huaben.cli.speaking import one_line, voice
from huaben.domain.project import StoredBook, StoredCard
from huaben.ports import Page
from huaben.services.house import House

T = TypeVar("T", bound=StoredCard | StoredBook)


async def find_card(house: House, named: str) -> StoredCard:
    """Raises `Told` (`card_not_found`, `ambiguous_name`)."""
    found = [card async for card in all_cards(house) if is_meant(card, named)]
    if not found:
        say = voice().say
        message = say("card.missing", name=one_line(named))
        raise Told("card_not_found", message, say("card.missing_hint"))
    return _only(found, named)


async def find_book(house: House, named: str) -> StoredBook:
    """Raises `Told` (`lorebook_not_found`, `ambiguous_name`)."""
    found = [book async for book in all_books(house) if is_meant(book, named)]
    if not found:
        say = voice().say
        message = say("lorebook.missing", name=one_line(named))
        raise Told("lorebook_not_found", message, say("lorebook.missing_hint"))
    return _only(found, named)


async def find_thing(house: House, named: str) -> StoredCard | StoredBook:
    """A card or a lorebook. Raises `Told` (`thing_not_found`, `ambiguous_name`)."""
    found: list[StoredCard | StoredBook] = []
    found += [card async for card in all_cards(house) if is_meant(card, named)]
    found += [book async for book in all_books(house) if is_meant(book, named)]
    if not found:
        say = voice().say
        message = say("library.missing", name=one_line(named))
        raise Told("thing_not_found", message, say("library.missing_hint"))
    return _only(found, named)


async def all_books(house: House) -> AsyncIterator[StoredBook]:
    """Every lorebook of the library, from the newest to the oldest."""
    after: str | None = None
    while True:
        books, after = await house.store.lorebooks(house.user_id, Page(after, 200))
        for book in books:
            yield book
        if after is None:
            return


def is_meant(thing: StoredCard | StoredBook, named: str) -> bool:
    """Whether these words mean the thing."""
    by_id = len(named) >= ID_PREFIX and thing.id.startswith(named.lower())
    return by_id or thing.name.casefold() == named.strip().casefold()


def _only(found: Sequence[T], named: str) -> T:
    exact = [thing for thing in found if thing.id == named]
    chosen = exact or found
    if len(chosen) == 1:
        return chosen[0]
    say = voice().say
    listed = "; ".join(f"{thing.id} ({one_line(thing.filename)})" for thing in chosen[:8])
    message = say("library.ambiguous", name=one_line(named), things=listed)
    raise Told("ambiguous_name", message, say("library.ambiguous_hint"))
