"""Bringing cards and lorebooks into the library. The bytes are kept as they came; the same bytes
twice are one card."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal, cast

from huaben.domain.project import StoredBook, StoredCard
from huaben.errors import BadInput, HuabenError, TooLarge
from huaben.formats import card as cards
from huaben.formats.lorebook.file import BookFile
from huaben.formats.lorebook.read import read_book
from huaben.ports import Commit, Stale
from huaben.services.house import House
from huaben.services.stories import stale


@dataclass(frozen=True, slots=True)
class Imported:
    """What an import came to. `already` tells that the very bytes were in the library before."""

    kind: Literal["card", "lorebook"]
    id: str
    name: str
    report: Mapping[str, object]
    already: bool = False


async def import_card(house: House, data: bytes, filename: str) -> Imported:
    """Raises `BadInput` with the reason's own code when the file is no card."""
    found = cards.read_card(data, filename)
    if isinstance(found, cards.Refused):
        raise _refused("card", filename, found.code, found.detail)
    object_hash = await house.objects.put(data)
    earlier = await house.store.find_card(house.user_id, object_hash)
    if earlier is not None:
        return Imported("card", earlier.id, earlier.name, earlier.report, already=True)
    card = StoredCard(
        id=house.ids.new(),
        user_id=house.user_id,
        name=found.card.name,
        object_hash=object_hash,
        filename=filename,
        content=found.card.raw,
        report=cast("Mapping[str, object]", found.report.to_json()),
        created_at=house.now(),
    )
    await _store(house, card)
    return Imported("card", card.id, card.name, card.report)


async def import_lorebook(house: House, data: bytes, filename: str) -> Imported:
    """Raises `BadInput` with the reason's own code when the file is no lorebook."""
    found = read_book(data, filename)
    if not isinstance(found, BookFile):
        raise _refused("lorebook", filename, found.code, found.detail)
    object_hash = await house.objects.put(data)
    earlier = await house.store.find_lorebook(house.user_id, object_hash)
    if earlier is not None:
        return Imported("lorebook", earlier.id, earlier.name, earlier.report, already=True)
    book = StoredBook(
        id=house.ids.new(),
        user_id=house.user_id,
        name=found.book.name or filename,
        object_hash=object_hash,
        filename=filename,
        content=cast("Mapping[str, object]", found.book.raw),
        report=cast("Mapping[str, object]", found.report.to_json()),
        created_at=house.now(),
    )
    await _store(house, book)
    return Imported("lorebook", book.id, book.name, book.report)


async def import_any(house: House, data: bytes, filename: str) -> Imported:
    """A file of either kind, told by its content: what is a lorebook goes to the lorebooks."""
    try:
        return await import_card(house, data, filename)
    except BadInput as refused:
        if refused.code not in ("lorebook_file", "not_a_card"):
            raise
        try:
            return await import_lorebook(house, data, filename)
        except BadInput:
            raise refused from None


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
