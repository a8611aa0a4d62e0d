"""Cards and lorebooks back to files, with a report of what the file cannot hold; and a card's picture.

Apart from the library, which brings them in. What leaves is what came: the card as it is stored, its
picture and its other files out of the very bytes that were imported.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias, cast

from huaben.domain.card import Card
from huaben.domain.jsonvalue import Json
from huaben.domain.lore.values import Book
from huaben.domain.project import StoredCard
from huaben.errors import BadInput, NotFound, StorageFailed
from huaben.formats import card as cards
from huaben.formats.cards.pictures import picture_ext
from huaben.formats.lorebook.read import read_embedded
from huaben.formats.lorebook.write import FileDialect, write_book
from huaben.formats.png import Png, default_picture, walk_png, with_text
from huaben.formats.report import Findings, Report
from huaben.services.filenames import safe_name
from huaben.services.house import House

CardForm: TypeAlias = Literal["png", "json", "charx"]
_MEDIA: Mapping[CardForm, str] = {
    "png": "image/png",
    "json": "application/json",
    "charx": "application/zip",
}
_PICTURES: Mapping[str, str] = {
    "png": "image/png",
    "jpeg": "image/jpeg",
    "gif": "image/gif",
    "webp": "image/webp",
}


@dataclass(frozen=True, slots=True)
class File:
    """A file to be handed out: its bytes, a name that is safe on every system, its media type, and
    the four lists of a report about what it does not hold."""

    content: bytes
    name: str
    media_type: str
    report: Mapping[str, object]


@dataclass(frozen=True, slots=True)
class Picture:
    """The bytes of a picture and what kind they are by their own beginning, never by a name."""

    content: bytes
    media_type: str


@dataclass(frozen=True, slots=True)
class _Parts:
    """A card with what came in its file. `container` names the kind of that file."""

    card: Card
    container: cards.Container
    image: bytes | None
    assets: Sequence[cards.AssetFile]
    report: Report


async def export_card(house: House, card_id: str, form: CardForm | None = None) -> File:
    """A card in a form, by default the one it came in. Raises `NotFound`; where the imported bytes
    are gone, the card leaves without picture and files and the report says so."""
    stored = await _card(house, card_id)
    parts = await _parts(house, stored)
    chosen = form or _own_form(parts.container)
    done = await asyncio.to_thread(
        cards.export_card, parts.card, chosen, image=parts.image, assets=parts.assets
    )
    report = (parts.report + done.report).to_json()
    return File(done.data, safe_name(stored.name, chosen), _MEDIA[chosen], _plain(report))


async def export_own_book(house: House, card_id: str, dialect: FileDialect) -> File:
    """The lorebook inside a card as a file of its own. Raises `NotFound`,
    `BadInput("no_lorebook")`."""
    stored = await _card(house, card_id)
    card = await house.shelf.card(card_id, house.user_id)
    if card.book is None:
        raise BadInput("no_lorebook", f"The card {stored.name} has no lorebook of its own.")
    return await _book_file(read_embedded(card.book, card.name).book, stored.name, dialect)


async def export_lorebook(house: House, book_id: str, dialect: FileDialect | None = None) -> File:
    """A lorebook as a file: by default in the dialect it came in, where that is one we write, else
    in SillyTavern's. Raises `NotFound`."""
    book = await house.shelf.book(book_id, house.user_id)
    stored = await house.store.lorebook(book_id)
    name = stored.name if stored else book.name
    return await _book_file(book, name, dialect or _own_dialect(book))


def plain_picture() -> Picture:
    """What stands for a picture that there is not, or that cannot be shown."""
    return Picture(default_picture(), _PICTURES["png"])


async def picture_tag(house: House, card_id: str) -> str:
    """What stays the same as long as a card's picture does. Raises `NotFound`."""
    try:
        return (await _card(house, card_id)).object_hash
    except StorageFailed:
        return "broken"


async def card_image(house: House, card_id: str) -> Picture:
    """What a card looks like, without the card's own data in it: its picture, or the default one
    where it has none, or none that can be shown. Raises `NotFound`."""
    try:
        stored = await _card(house, card_id)
        parts = await _parts(house, stored)
    except StorageFailed:
        # A damaged card is shown as broken in lists; its place on the page stays whole.
        return plain_picture()
    return await asyncio.to_thread(_picture, parts.image)


async def card_file(house: House, card_id: str) -> tuple[StoredCard, cards.CardFile | None]:
    """A card with the file that it was imported from; None where that is gone or damaged. Raises
    `NotFound`."""
    stored = await _card(house, card_id)
    data = await _original(house, stored)
    found = None if data is None else await asyncio.to_thread(cards.read_card, data, "")
    return stored, found if isinstance(found, cards.CardFile) else None


def _own_form(container: cards.Container) -> CardForm:
    match container:
        case "png" | "apng":
            return "png"
        case "charx" | "byaf":
            return "charx"
        case "json" | "yaml" | "webp":
            return "json"


def _own_dialect(book: Book) -> FileDialect:
    return "lorebook_v3" if book.dialect in ("lorebook_v3", "character_book") else "sillytavern"


async def _card(house: House, card_id: str) -> StoredCard:
    stored = await house.store.card(card_id)
    if stored is None or stored.user_id != house.user_id:
        raise NotFound.of("card", card_id)
    return stored


async def _parts(house: House, stored: StoredCard) -> _Parts:
    card = await house.shelf.card(stored.id, house.user_id)
    _, found = await card_file(house, stored.id)
    if found is None:
        findings = Findings()
        findings.warn("original_missing", "", "the imported bytes are gone or damaged")
        return _Parts(card, "json", None, (), findings.report())
    return _Parts(card, found.container, found.image, found.assets, Report())


async def _original(house: House, stored: StoredCard) -> bytes | None:
    try:
        return await house.objects.get(stored.object_hash)
    except StorageFailed as fault:
        if fault.code != "object_damaged":
            raise
        return None


async def _book_file(book: Book, name: str, dialect: FileDialect) -> File:
    findings = Findings()
    if book.dialect != dialect:
        findings.changed(
            "converted", "", f"{book.dialect} written as {dialect}", was=book.dialect, now=dialect
        )
    content = await asyncio.to_thread(write_book, book, dialect)
    report = findings.report().to_json()
    return File(content, safe_name(name, "json"), _MEDIA["json"], _plain(report))


def _picture(image: bytes | None) -> Picture:
    kind = "unknown" if image is None else picture_ext(image)
    if image is None or kind not in _PICTURES:
        return plain_picture()
    return Picture(_without_texts(image), _PICTURES[kind])


def _without_texts(image: bytes) -> bytes:
    """A PNG without its text chunks, which hold the card and may hold a hundred files."""
    png = walk_png(image)
    if not isinstance(png, Png) or not png.whole:
        return image
    return with_text(png, (), without=lambda _: True)


def _plain(report: Mapping[str, Json]) -> Mapping[str, object]:
    return cast("Mapping[str, object]", report)  # JSON is less than any object
