"""Lorebooks in and out of the library."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Form
from starlette.responses import JSONResponse

from huaben.services import bookwriting, library
from huaben.web import bodies, schemas, schemas_books, shapes
from huaben.web.given import HouseGiven, Id, NamedPageGiven, SettingsGiven
from huaben.web.routes.entries import is_past
from huaben.web.uploads import imported, read_upload

router = APIRouter(prefix="/api/lorebooks", tags=["library"])


@router.post(
    "",
    status_code=201,
    response_model=schemas.Imported,
    responses={200: {"model": schemas.Imported, "description": "These bytes were here before."}},
)
async def import_lorebook(
    house: HouseGiven,
    settings: SettingsGiven,
    form: Annotated[bodies.Upload, Form(media_type="multipart/form-data")],
) -> JSONResponse:
    """Import a lorebook as any of the known programs write it; the report says what became of it."""
    data, name = await read_upload(settings, form.file)
    return imported(await library.import_lorebook(house, data, name))


@router.get("", response_model=schemas.PageOf[schemas.LibraryItem])
async def list_lorebooks(house: HouseGiven, page: NamedPageGiven) -> JSONResponse:
    """The lorebooks of the library, newest first."""
    found, following = await library.list_lorebooks(house, page)
    return JSONResponse(shapes.page(found, following, shapes.library_item))


@router.get("/{book_id}", response_model=schemas_books.BookEntry)
async def show_lorebook(house: HouseGiven, book_id: Id) -> JSONResponse:
    """One lorebook with its import report and its JSON as it was read."""
    book = await bookwriting.load(house, book_id)
    place = {"revision": book.revision, "past": is_past(book)}
    return JSONResponse({**shapes.library_entry(book), **place})
