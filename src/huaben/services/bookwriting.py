"""Writing lorebooks: each change is a version with an id of its own, as with cards, because stories pin the
version that they read. Apart from the library, which keeps what came in as it came."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final, cast

from huaben.domain.jsonvalue import Json, JsonObject
from huaben.domain.lore.values import Book
from huaben.domain.project import StoredBook, StoredCard
from huaben.errors import BadInput, Conflict, NotFound
from huaben.formats.lorebook.editing import BookEdit, NoSuchEntry, edited
from huaben.formats.lorebook.file import BookFile
from huaben.formats.lorebook.read import read_value
from huaben.ports import Commit, Key, Stale
from huaben.services import cardwriting
from huaben.services.house import House
from huaben.services.stories import stale

MAX_VERSIONS: Final = 200


@dataclass(frozen=True, slots=True)
class Seen:
    """A lorebook and the revision of it that the user saw."""

    id: str
    revision: int


async def write(
    house: House, seen: Seen, edit: BookEdit, content: Mapping[str, object] | None = None
) -> StoredBook:
    """Put a new version in the place of the one that was seen: of its JSON, or of `content`, with the
    edit laid over it. The former stays, for the stories that read it and to be taken back.

    Raises `NotFound`, `Conflict` when the book has moved on, `BadInput` for what is no book or has no
    such entry."""
    current = await load_current(house, seen.id)
    base = current if content is None else replace(current, content=content)
    written = await asyncio.to_thread(_written, base, edit)
    return (await _store(house, (seen, current, written)))[0]


async def write_own(house: House, seen: Seen, edit: BookEdit) -> StoredCard:
    """The same for the book inside a card: a new version of the card. Raises as `write`."""
    book = await house.shelf.own_book(seen.id, house.user_id)
    content = await asyncio.to_thread(_edited, book, edit)
    writing = cardwriting.Writing(None, {"book": content})
    return await cardwriting.write(house, seen.id, seen.revision, writing)


async def move(
    house: House, source: Seen, target: Seen, uids: Sequence[int]
) -> tuple[StoredBook, StoredBook]:
    """Take entries out of one lorebook and put them behind those of another, with all that is known
    of them; a version of each, both or neither. Raises as `write`."""
    if source.id == target.id:
        raise BadInput("same_lorebook", "The entries are in that lorebook already.")
    left, joined = await load_current(house, source.id), await load_current(house, target.id)
    book = await asyncio.to_thread(_read, left)
    wanted = frozenset(uids)
    brought = [entry for entry in book.entries if entry.uid in wanted]
    without = await asyncio.to_thread(_written, left, BookEdit(removed=wanted))
    within = await asyncio.to_thread(_written, joined, BookEdit(brought=brought))
    first, second = await _store(house, (source, left, without), (target, joined, within))
    return first, second


async def versions(house: House, book_id: str) -> list[StoredBook]:
    """The book and what it was before, newest first, the latest `MAX_VERSIONS`. Raises `NotFound`."""
    found = [await load(house, book_id)]
    while found[-1].follows and len(found) < MAX_VERSIONS:
        before = await house.store.lorebook(found[-1].follows)
        if before is None or before.user_id != house.user_id:
            break
        found.append(before)
    return found


async def load(house: House, book_id: str) -> StoredBook:
    """Raises `NotFound`."""
    stored = await house.store.lorebook(book_id)
    if stored is None or stored.user_id != house.user_id:
        raise NotFound.of("lorebook", book_id)
    return stored


async def load_current(house: House, book_id: str) -> StoredBook:
    """One that can be written. Raises `NotFound`, and `Conflict` for a version that another took the
    place of and for one in the trash."""
    stored = await load(house, book_id)
    if stored.deleted:
        raise Conflict(
            "lorebook_is_past",
            f"{stored.name} has been changed or deleted meanwhile.",
            "Open the lorebook again from the library.",
        )
    return stored


async def _store(
    house: House, *changes: tuple[Seen, StoredBook, StoredBook]
) -> tuple[StoredBook, ...]:
    """Put each written book in the place of the one that was seen, in one commit."""
    expected: dict[Key, int] = {}
    rows: list[StoredBook] = []
    new: list[StoredBook] = []
    for seen, current, written in changes:
        following = replace(
            written,
            id=house.ids.new(),
            created_at=house.now(),
            follows=current.id,
            revision=0,
        )
        expected |= {("lorebook", current.id): seen.revision, ("lorebook", following.id): 0}
        rows += [replace(current, deleted=True), following]
        new.append(replace(following, revision=1))
    done = await house.store.commit(Commit(expected, rows=tuple(rows)))
    if isinstance(done, Stale):
        raise stale(done)
    return tuple(new)


def _written(current: StoredBook, edit: BookEdit) -> StoredBook:
    content = cast("Json", _edited(_read(current), edit))  # JSON objects are JSON
    found = _found(content, current)
    report = cast("Mapping[str, object]", found.report.to_json())  # JSON is less than any object
    kept = cast("Mapping[str, object]", content)  # as above
    return replace(current, name=found.book.name or current.name, content=kept, report=report)


def _edited(book: Book, edit: BookEdit) -> JsonObject:
    written = edited(book, edit)
    if isinstance(written, NoSuchEntry):
        raise BadInput("no_such_entry", f"The lorebook has no entry {written.uid}.")
    return written.content


def _read(stored: StoredBook) -> Book:
    return _found(cast("Json", dict(stored.content)), stored).book  # JSON that was stored or sent


def _found(content: Json, stored: StoredBook) -> BookFile:
    found = read_value(content, stored.name)
    if not isinstance(found, BookFile):
        raise BadInput(found.code, f"{stored.name} would no longer be a lorebook: {found.detail}")
    return found
