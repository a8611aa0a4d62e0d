"""The lorebook that a card says it belongs with (`extensions.world`, the name of a file where it came
from): found in the library by that name. Apart from casting, which only reads what was attached."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping
from dataclasses import dataclass
from typing import Literal, TypeAlias

from huaben.domain.card import Card
from huaben.domain.lore.values import Book
from huaben.domain.project import Project, StoredBook
from huaben.formats.lorebook.read import read_embedded
from huaben.ports import Page
from huaben.services.casting import is_linked
from huaben.services.house import House

Fate: TypeAlias = Literal[
    "linked_book_attached", "linked_book_same", "linked_book_offered", "linked_book_missing"
]


@dataclass(frozen=True, slots=True)
class Linked:
    """What becomes of a card's link: its book is attached; left alone because the card holds the
    same one; offered, because the card has a book of its own that differs; or not there."""

    fate: Fate
    name: str
    book_id: str = ""

    def note(self) -> Mapping[str, str]:
        """A line for a report."""
        about = f"{self.name} ({self.book_id})" if self.book_id else self.name
        return {"code": self.fate, "path": "extensions.world", "detail": about}


async def link_of(house: House, card: Card, chosen: tuple[str, ...]) -> Linked | None:
    """What the link of a card leads to, with `chosen` already attached; None for a card without
    one. A card's own book and the library's of the same name would tell everything twice, so the
    library's is attached only to a card that has none."""
    name = card.linked_world.strip()
    if not name:
        return None
    found: StoredBook | None = None
    async for stored in _all_books(house):
        if is_linked(card, stored.name) and not stored.broken:
            if stored.id in chosen:
                return Linked("linked_book_attached", stored.name, stored.id)
            found = found or stored
    if found is None:
        return Linked("linked_book_missing", name)
    if card.book is None:
        return Linked("linked_book_attached", found.name, found.id)
    own = read_embedded(card.book, card.called).book
    same = _substance(own) == _substance(await house.shelf.book(found.id, house.user_id))
    return Linked("linked_book_same" if same else "linked_book_offered", found.name, found.id)


async def link_of_project(house: House, project: Project) -> Linked | None:
    """The same for a project as it stands."""
    if project.card_id is None:
        return None
    card = await house.shelf.card(project.card_id, house.user_id)
    return await link_of(house, card, project.lorebook_ids)


def _substance(book: Book) -> list[tuple[str, ...]]:
    return sorted((entry.content, *entry.keys) for entry in book.entries)


async def _all_books(house: House) -> AsyncIterator[StoredBook]:
    """Every lorebook of the library, newest first."""
    after: str | None = None
    while True:
        books, after = await house.store.lorebooks(house.user_id, Page(after, 200))
        for book in books:
            yield book
        if after is None:
            return
