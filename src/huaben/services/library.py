"""Bringing cards, lorebooks and all else into the library. The bytes are kept as they came; the same bytes
twice are one card."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Literal, TypeAlias, TypeVar, cast

from huaben.domain.libraryitem import ITEM_KINDS, ItemKind, StoredItem
from huaben.domain.project import StoredBook, StoredCard
from huaben.errors import BadInput, HuabenError, TooLarge
from huaben.formats import card as cards
from huaben.formats.lorebook.file import BookFile
from huaben.formats.lorebook.read import read_book
from huaben.ports import Commit, Key, Page, Stale
from huaben.services import items
from huaben.services.house import House
from huaben.services.stories import stale

Row = TypeVar("Row", StoredCard, StoredBook)
LibraryKind: TypeAlias = Literal["card", "lorebook"] | ItemKind
LibraryRow: TypeAlias = StoredCard | StoredBook | StoredItem

LIBRARY = "library"
"""The lock under which bytes are looked for and then brought in."""


@dataclass(frozen=True, slots=True)
class Imported:
    """What an import came to. `already` tells that the very bytes were in the library before, `also`
    what else the file held."""

    kind: LibraryKind
    id: str
    name: str
    report: Mapping[str, object]
    already: bool = False
    also: tuple[Imported, ...] = ()


@dataclass(frozen=True, slots=True)
class Found:
    """What a file holds, before it is in the library, and what else. `data` takes the place of the
    file where that may not be kept whole; `pictures` are to be stored, for the things name them."""

    kind: LibraryKind
    name: str
    content: Mapping[str, object]
    report: Mapping[str, object]
    also: tuple[Found, ...] = ()
    data: bytes | None = None
    pictures: tuple[bytes, ...] = ()


async def import_card(house: House, data: bytes, filename: str) -> Imported:
    """Raises `BadInput` with the reason's own code when the file is no card."""
    return await _import(house, read_card(data, filename), data, filename)


async def import_lorebook(house: House, data: bytes, filename: str) -> Imported:
    """Raises `BadInput` with the reason's own code when the file is no lorebook."""
    return await _import(house, read_lorebook(data, filename), data, filename)


async def import_any(house: House, data: bytes, filename: str) -> Imported:
    """A file of any kind, told by its content: what is a lorebook goes to the lorebooks."""
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
    """Raises the card's refusal when it is nothing that is known."""
    item = read_item(data, filename)
    if item is not None:
        return item
    try:
        return read_card(data, filename)
    except BadInput as refused:
        if refused.code not in ("lorebook_file", "not_a_card"):
            raise
        try:
            return read_lorebook(data, filename)
        except BadInput:
            raise refused from None


def read_item(data: bytes, filename: str) -> Found | None:
    """A preset, personas, regex scripts or quick replies; None for another file. Asked first: a
    card may be hardly more than a name, and would take them for cards."""
    found = items.read_items(data, filename)
    if found is None:
        return None
    first, *rest = (Found(one.kind, one.name, one.content, one.report) for one in found.items)
    return replace(first, also=tuple(rest), data=found.data, pictures=found.pictures)


async def import_item(house: House, kind: ItemKind, data: bytes, filename: str) -> Imported:
    """Raises `BadInput` for a file that holds none of that kind."""
    found = await asyncio.to_thread(read_item, data, filename)
    if found is None or kind not in (found.kind, *(one.kind for one in found.also)):
        name = filename or "the file"
        raise BadInput(f"not_{kind}", f"{name} holds nothing of that kind ({kind}).")
    return await _import(house, found, data, filename)


async def find(
    house: House, object_hash: str, kinds: tuple[LibraryKind, ...] = ("card", "lorebook")
) -> Imported | None:
    """What was made of the very bytes before."""
    store = house.store
    for kind in kinds:
        row: LibraryRow | None
        if kind == "card":
            row = await store.find_card(house.user_id, object_hash)
        elif kind == "lorebook":
            row = await store.find_lorebook(house.user_id, object_hash)
        else:
            row = await store.find_item(house.user_id, kind, object_hash)
        if row is not None:
            return Imported(kind, row.id, row.name, row.report, already=True)
    return None


async def list_lorebooks(house: House, page: Page) -> tuple[list[StoredBook], str | None]:
    """The user's lorebooks, newest first; one that is damaged or lacks its bytes is marked `broken`."""
    books, following = await house.store.lorebooks(house.user_id, page)
    return [await looked_over(house, book) for book in books], following


async def looked_over(house: House, row: Row) -> Row:
    """The row, marked `broken` where the bytes that it was imported from are gone."""
    if row.broken or not row.object_hash or await house.objects.has(row.object_hash):
        return row
    return replace(
        row, broken=f"the file that it was imported from, object {row.object_hash}, is gone"
    )


def row_of(house: House, found: Found, object_hash: str, filename: str) -> LibraryRow:
    """The row that puts it into the library."""
    if found.kind in ITEM_KINDS:
        item = items.FoundItem(found.kind, found.name, found.content, found.report)
        return items.row_of(house, item, object_hash, filename)
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
    for one in found.pictures:
        await house.objects.put(one)
    object_hash = await house.objects.put(data if found.data is None else found.data)
    async with house.lock(LIBRARY):
        earlier = await find(house, object_hash, (found.kind,))
        if earlier is not None:
            return earlier
        rows = [row_of(house, one, object_hash, filename) for one in (found, *found.also)]
        await _store(house, *rows)
    first, *also = (Imported(kind_of(row), row.id, row.name, row.report) for row in rows)
    return replace(first, also=tuple(also))


def kind_of(row: LibraryRow) -> LibraryKind:
    if isinstance(row, StoredItem):
        return row.kind
    return "card" if isinstance(row, StoredCard) else "lorebook"


async def _store(house: House, *rows: LibraryRow) -> None:
    expected: dict[Key, int] = {(kind_of(row), row.id): 0 for row in rows}
    done = await house.store.commit(Commit(expected=expected, rows=rows))
    if isinstance(done, Stale):
        raise stale(done)


def _refused(kind: str, filename: str, code: str, detail: str) -> HuabenError:
    name = filename or "the file"
    if code == "too_large":
        return TooLarge(code, f"{name} is too large: {detail}")
    return BadInput(code, f"{name} is not taken as a {kind}: {detail}")
