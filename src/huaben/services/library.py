"""Bringing cards and lorebooks into the library. The bytes are kept as they came; the same bytes
twice are one card."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Literal, TypeAlias, TypeVar, cast

from huaben.domain.project import StoredBook, StoredCard
from huaben.errors import BadInput, HuabenError, TooLarge
from huaben.formats import card as cards
from huaben.formats.lorebook.file import BookFile
from huaben.formats.lorebook.read import read_book
from huaben.ports import Commit, Page, Stale
from huaben.services.house import House
from huaben.services.stories import stale

Row = TypeVar("Row", StoredCard, StoredBook)
LibraryKind: TypeAlias = Literal["card", "lorebook"]

LIBRARY = "library"
"""The lock under which bytes are looked for and then brought in."""


@dataclass(frozen=True, slots=True)
class Imported:
    """What an import came to. `already` tells that the very bytes were in the library before."""

    kind: LibraryKind
    id: str
    name: str
    report: Mapping[str, object]
    already: bool = False


@dataclass(frozen=True, slots=True)
class Found:
    """What a file holds, before it is in the library."""

    kind: LibraryKind
    name: str
    content: Mapping[str, object]
    report: Mapping[str, object]


async def import_card(house: House, data: bytes, filename: str) -> Imported:
    """Raises `BadInput` with the reason's own code when the file is no card."""
    return await _import(house, read_card(data, filename), data, filename)


async def import_lorebook(house: House, data: bytes, filename: str) -> Imported:
    """Raises `BadInput` with the reason's own code when the file is no lorebook."""
    return await _import(house, read_lorebook(data, filename), data, filename)


async def import_any(house: House, data: bytes, filename: str) -> Imported:
    """A file of either kind, told by its content: what is a lorebook goes to the lorebooks."""
    return await _import(house, read_any(data, filename), data, filename)


def read_card(data: bytes, filename: str) -> Found:
    found = cards.read_card(data, filename)
    if isinstance(found, cards.Refused):
        raise _refused("card", filename, found.code, found.detail)
    report = cast("Mapping[str, object]", found.report.to_json())  # JSON is less than any object
    return Found("card", found.card.name, found.card.raw, report)


def read_lorebook(data: bytes, filename: str) -> Found:
    found = read_book(data, filename)
    if not isinstance(found, BookFile):
        raise _refused("lorebook", filename, found.code, found.detail)
    content = cast("Mapping[str, object]", found.book.raw)  # as above
    report = cast("Mapping[str, object]", found.report.to_json())  # as above
    return Found("lorebook", found.book.name or filename, content, report)


def read_any(data: bytes, filename: str) -> Found:
    """Raises the card's refusal when it is neither."""
    try:
        return read_card(data, filename)
    except BadInput as refused:
        if refused.code not in ("lorebook_file", "not_a_card"):
            raise
        try:
            return read_lorebook(data, filename)
        except BadInput:
            raise refused from None


async def find(
    house: House, object_hash: str, kinds: tuple[LibraryKind, ...] = ("card", "lorebook")
) -> Imported | None:
    """What was made of the very bytes before."""
    store = house.store
    for kind in kinds:
        look = store.find_card if kind == "card" else store.find_lorebook
        row = await look(house.user_id, object_hash)
        if row is not None:
            return Imported(kind, row.id, row.name, row.report, already=True)
    return None


async def list_cards(house: House, page: Page) -> tuple[list[StoredCard], str | None]:
    """The user's cards, newest first; one that is damaged or lacks its bytes is marked `broken`."""
    cards, following = await house.store.cards(house.user_id, page)
    return [await _looked_over(house, card) for card in cards], following


async def list_lorebooks(house: House, page: Page) -> tuple[list[StoredBook], str | None]:
    """The user's lorebooks, likewise."""
    books, following = await house.store.lorebooks(house.user_id, page)
    return [await _looked_over(house, book) for book in books], following


async def _looked_over(house: House, row: Row) -> Row:
    if row.broken or not row.object_hash or await house.objects.has(row.object_hash):
        return row
    return replace(
        row, broken=f"the file that it was imported from, object {row.object_hash}, is gone"
    )


def row_of(house: House, found: Found, object_hash: str, filename: str) -> StoredCard | StoredBook:
    """The row that puts it into the library."""
    make = StoredCard if found.kind == "card" else StoredBook
    return make(
        id=house.ids.new(),
        user_id=house.user_id,
        name=found.name,
        object_hash=object_hash,
        filename=filename,
        content=found.content,
        report=found.report,
        created_at=house.now(),
    )


async def _import(house: House, found: Found, data: bytes, filename: str) -> Imported:
    object_hash = await house.objects.put(data)
    async with house.lock(LIBRARY):
        earlier = await find(house, object_hash, (found.kind,))
        if earlier is not None:
            return earlier
        row = row_of(house, found, object_hash, filename)
        await _store(house, row)
    return Imported(found.kind, row.id, row.name, row.report)


async def _store(house: House, row: StoredCard | StoredBook) -> None:
    kind = "card" if isinstance(row, StoredCard) else "lorebook"
    done = await house.store.commit(Commit(expected={(kind, row.id): 0}, rows=(row,)))
    if isinstance(done, Stale):
        raise stale(done)


def _refused(kind: str, filename: str, code: str, detail: str) -> HuabenError:
    name = filename or "the file"
    if code == "too_large":
        return TooLarge(code, f"{name} is too large: {detail}")
    return BadInput(code, f"{name} is not taken as a {kind}: {detail}")
