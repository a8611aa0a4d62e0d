"""A project's cast: its card, its lorebooks and the user's own texts."""

from __future__ import annotations

from dataclasses import dataclass, replace

from huaben.domain.amendment import overlaid
from huaben.domain.card import Card
from huaben.domain.lore.values import Book, Place
from huaben.domain.project import Project
from huaben.prompt.stage import UserTexts
from huaben.services import amended
from huaben.services.house import House

OWN = "card/"


@dataclass(frozen=True, slots=True)
class Cast:
    """`books` are in their order of precedence, the card's own book last; `shelved` says of each
    where it is found again: its id in the library, or `card/` and the id of its card. `own_rules` is
    the card's rule file."""

    card: Card | None
    books: tuple[Book, ...]
    shelved: tuple[str, ...]
    texts: UserTexts
    own_rules: str


async def load_cast(house: House, project: Project) -> Cast:
    """Raises `NotFound` when the card or a book is gone from the library."""
    user = project.user_id
    card = await house.shelf.card(project.card_id, user) if project.card_id else None
    shelved = list(dict.fromkeys(project.lorebook_ids))
    if card is not None and card.book is not None:
        shelved.append(f"{OWN}{project.card_id}")
    books = [await book_at(house, place, user, card) for place in shelved]
    texts = {
        (row.card_id, row.name): row.text
        for row in await house.store.guidance(house.user_id, project.card_id or "")
    }
    key = project.card_id or ""
    appended = [texts.get(("", "APPEND_SYSTEM.md"), "")]
    if key:
        appended.append(texts.get((key, "APPEND_SYSTEM.md"), ""))
    user_texts = UserTexts(
        system=texts.get(("", "SYSTEM.md"), ""),
        appended="\n\n".join(text.strip() for text in appended if text.strip()),
        rules=texts.get(("", "AGENTS.md"), ""),
    )
    own_rules = texts.get((key, "AGENTS.md"), "") if key else ""
    return await _amended(
        house, project, Cast(card, tuple(books), tuple(shelved), user_texts, own_rules)
    )


async def _amended(house: House, project: Project, cast: Cast) -> Cast:
    """The cast with what was amended in this story alone."""
    changes = await amended.count(house, project.id)
    if not changes:
        return cast
    found = await amended.amendments_of(house, project.id, changes)
    book = amended.as_book(found)
    added = (amended.place_of(project.id, changes),) if book.entries else ()
    return replace(
        cast,
        card=None if cast.card is None else overlaid(cast.card, found),
        books=(*cast.books, book) if added else cast.books,
        shelved=(*cast.shelved, *added),
        texts=replace(cast.texts, rules=amended.with_rules(cast.texts.rules, found)),
    )


async def book_at(house: House, place: str, user: str, card: Card | None = None) -> Book:
    """The book that `Cast.shelved` names; `card` is the card that takes part. Raises `NotFound` when
    it is gone. A book that the card is linked to is read as the character's, as its own book is."""
    if place.startswith(amended.PLACE):
        return await amended.book_of(house, place)
    if place.startswith(OWN):
        return await house.shelf.own_book(place.removeprefix(OWN), user)
    book = await house.shelf.book(place, user)
    linked = card is not None and is_linked(card, book.name)
    return replace(book, place=Place.CHARACTER) if linked else book


def is_linked(card: Card, name: str) -> bool:
    """Whether the card says that it belongs with a lorebook of that name (`extensions.world`)."""
    return bool(card.linked_world.strip()) and _plain(card.linked_world) == _plain(name)


def _plain(name: str) -> str:
    return name.strip().removesuffix(".json").strip().casefold()
