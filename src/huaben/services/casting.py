"""A project's cast: its card, its lorebooks and the user's own texts."""

from __future__ import annotations

from dataclasses import dataclass, replace

from huaben.domain.card import Card
from huaben.domain.lore.values import Book, Place
from huaben.domain.project import Project
from huaben.formats.lorebook.read import read_embedded
from huaben.prompt.stage import UserTexts
from huaben.services.house import House


@dataclass(frozen=True, slots=True)
class Cast:
    """`books` hold the card's own book last; `own_rules` is the card's rule file."""

    card: Card | None
    books: tuple[Book, ...]
    texts: UserTexts
    own_rules: str


async def load_cast(house: House, project: Project) -> Cast:
    """Raises `NotFound` when the card or a book is gone from the library."""
    user = project.user_id
    card = await house.shelf.card(project.card_id, user) if project.card_id else None
    books = [await house.shelf.book(book_id, user) for book_id in project.lorebook_ids]
    if card is not None and card.book is not None:
        own = read_embedded(card.book, card.called).book
        books.append(replace(own, place=Place.CHARACTER, owner=card.called))
    texts = {
        (row.card_id, row.name): row.text
        for row in await house.store.guidance(house.user_id, project.card_id or "")
    }
    key = project.card_id or ""
    appended = [texts.get(("", "APPEND_SYSTEM.md"), "")]
    if key:
        appended.append(texts.get((key, "APPEND_SYSTEM.md"), ""))
    user = UserTexts(
        system=texts.get(("", "SYSTEM.md"), ""),
        appended="\n\n".join(text.strip() for text in appended if text.strip()),
        rules=texts.get(("", "AGENTS.md"), ""),
    )
    return Cast(card, tuple(books), user, texts.get((key, "AGENTS.md"), "") if key else "")
