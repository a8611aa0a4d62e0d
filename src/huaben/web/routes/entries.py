"""The entries of lorebooks, and of the lorebooks inside cards: read, and written."""

from __future__ import annotations

from typing import Annotated, cast

from fastapi import APIRouter, Query
from starlette.responses import JSONResponse

from huaben.domain.jsonvalue import JsonObject
from huaben.domain.lore.values import Entry
from huaben.domain.project import StoredBook, StoredCard
from huaben.errors import NotFound
from huaben.formats.lorebook.editing import BookEdit, fields_of
from huaben.services import bookwriting, entries
from huaben.services.bookwriting import Seen
from huaben.services.newer import latest_of
from huaben.web import schemas, schemas_books, shapes
from huaben.web.given import HouseGiven, Id

router = APIRouter(prefix="/api", tags=["library"])

After = Annotated[int, Query(ge=0, le=2**31)]
Limit = Annotated[int, Query(ge=1, le=1000)]


@router.get("/lorebooks/{book_id}/entries", response_model=schemas_books.EntriesTold)
async def list_entries(
    house: HouseGiven, book_id: Id, after: After = 0, limit: Limit = 200
) -> JSONResponse:
    """The entries of a lorebook in its own order."""
    leaf = await entries.of_lorebook(house, book_id, after, limit)
    latest = await latest_of(house, "lorebook", book_id)
    return JSONResponse(_told(leaf, await bookwriting.load(house, book_id), latest))


@router.get("/cards/{card_id}/entries", response_model=schemas_books.EntriesTold)
async def list_own_entries(
    house: HouseGiven, card_id: Id, after: After = 0, limit: Limit = 200
) -> JSONResponse:
    """The entries of the lorebook inside a card; none where it has no lorebook."""
    leaf = await entries.of_card(house, card_id, after, limit)
    card = await house.store.card(card_id)
    if card is None:
        raise NotFound.of("card", card_id)
    return JSONResponse(_told(leaf, card, await latest_of(house, "card", card_id)))


@router.get("/lorebooks/{book_id}/entries/{uid}/raw", response_model=schemas_books.RawEntry)
async def show_raw_entry(house: HouseGiven, book_id: Id, uid: int) -> JSONResponse:
    """One entry as its file has it."""
    return JSONResponse({"content": await entries.raw_of_lorebook(house, book_id, uid)})


@router.get("/cards/{card_id}/entries/{uid}/raw", response_model=schemas_books.RawEntry)
async def show_raw_own_entry(house: HouseGiven, card_id: Id, uid: int) -> JSONResponse:
    """One entry of a card's own book as the card has it."""
    return JSONResponse({"content": await entries.raw_of_card(house, card_id, uid)})


# ---- writing -----------------------------------------------------------------------------------


@router.put("/lorebooks/{book_id}", response_model=schemas_books.BookPlace)
async def write_lorebook(
    house: HouseGiven, book_id: Id, given: schemas_books.BookWritten
) -> JSONResponse:
    """Write a new version of a lorebook, with an id of its own; what nobody understands stays.
    Stories go on with the version that they read until they are told to take another."""
    seen = Seen(book_id, given.revision)
    written = await bookwriting.write(house, seen, _edit(given, given.name), given.content)
    return JSONResponse(_place(written))


@router.put("/cards/{card_id}/entries", response_model=schemas_books.BookPlace)
async def write_own_entries(
    house: HouseGiven, card_id: Id, given: schemas_books.EntriesWritten
) -> JSONResponse:
    """Change the lorebook inside a card: a new version of the card, with an id of its own."""
    written = await bookwriting.write_own(house, Seen(card_id, given.revision), _edit(given))
    return JSONResponse(_place(written))


@router.post("/lorebooks/{book_id}/move", response_model=schemas_books.MovedTold)
async def move_entries(
    house: HouseGiven, book_id: Id, given: schemas_books.EntriesMoved
) -> JSONResponse:
    """Move entries behind those of another lorebook: a version of each."""
    source, target = Seen(book_id, given.revision), Seen(given.to, given.to_revision)
    left, joined = await bookwriting.move(house, source, target, given.uids)
    return JSONResponse({"source": _place(left), "target": _place(joined)})


@router.get(
    "/lorebooks/{book_id}/versions",
    response_model=schemas.PageOf[schemas_books.BookVersion],
)
async def list_book_versions(house: HouseGiven, book_id: Id) -> JSONResponse:
    """The lorebook and the versions before it, newest first."""
    found = await bookwriting.versions(house, book_id)
    return JSONResponse(shapes.page(found, None, _version))


def _edit(given: schemas_books.EntriesWritten, name: str | None = None) -> BookEdit:
    return BookEdit(
        name=name,
        changed={one.uid: _fields(one) for one in given.changed},
        raw={one.uid: cast("JsonObject", one.content) for one in given.rewritten},  # JSON
        added=[_fields(one) for one in given.added],
        removed=frozenset(given.removed),
    )


def _fields(given: schemas_books.EntryGiven) -> JsonObject:
    # A request is JSON, and what was not named must not be written.
    return cast("JsonObject", given.model_dump(exclude_unset=True, exclude={"uid"}))


# ---- what they look like -----------------------------------------------------------------------


def _told(leaf: entries.Leaf, stored: StoredBook | StoredCard, latest: str) -> dict[str, object]:
    book = leaf.book
    return {
        "name": book.name,
        "dialect": book.dialect,
        "scan_depth": book.scan_depth,
        "token_budget": book.token_budget,
        "recursive": book.recursive,
        "total": len(book.entries),
        "items": [_entry(entry) for entry in leaf.entries],
        "next": leaf.following,
        "revision": stored.revision,
        "past": is_past(stored),
        "latest": latest,
    }


def is_past(stored: StoredBook | StoredCard) -> bool:
    """Whether another version took its place."""
    return stored.deleted and not stored.deleted_at


def _entry(entry: Entry) -> dict[str, object]:
    chosen = entry.filter
    return {
        **fields_of(entry),
        "uid": entry.uid,
        "required": list(entry.required),
        "forbidden": list(entry.forbidden),
        "wildcards": entry.wildcards,
        "sticky": entry.timing.sticky,
        "cooldown": entry.timing.cooldown,
        "delay": entry.timing.delay,
        "filter": {
            "isExclude": chosen.exclude,
            "names": list(chosen.names),
            "tags": list(chosen.tags),
        },
        "resident": entry.resident,
    }


def _place(stored: StoredBook | StoredCard) -> dict[str, object]:
    return {"id": stored.id, "name": stored.name, "revision": stored.revision}


def _version(stored: StoredBook) -> dict[str, object]:
    return {**_place(stored), "created_at": stored.created_at}
