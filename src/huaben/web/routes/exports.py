"""Cards and lorebooks out of the library as files, and what a card looks like."""

from __future__ import annotations

from typing import Annotated, Literal

from fastapi import APIRouter, Header, Query
from starlette.responses import JSONResponse, Response

from huaben.formats.lorebook.write import FileDialect
from huaben.services import exporting
from huaben.services.exporting import CardForm, File
from huaben.services.house import House
from huaben.web import schemas
from huaben.web.downloads import download, picture
from huaben.web.given import HouseGiven, Id

router = APIRouter(prefix="/api", tags=["library"])

Form = Annotated[
    CardForm | Literal["lorebook"] | None,
    Query(description="Without one the form it came in; `lorebook` is the card's own book."),
]
Dialect = Annotated[
    FileDialect | None, Query(description="Without one the dialect it came in, if we write it.")
]
_FILE: dict[int | str, dict[str, object]] = {
    200: {"description": "The file.", "content": {"application/octet-stream": {}}}
}
_IMAGE: dict[int | str, dict[str, object]] = {
    200: {"description": "The picture.", "content": {"image/*": {}}},
    304: {"description": "It is as the client has it."},
}


@router.get("/cards/{card_id}/export", response_class=Response, responses=_FILE)
async def export_card(house: HouseGiven, card_id: Id, form: Form = None) -> Response:
    """A card as PNG, JSON or CharX, whole as it was imported; `/export/report` says what the form
    cannot hold."""
    return download(await _card_file(house, card_id, form))


@router.get("/cards/{card_id}/export/report", response_model=schemas.ImportReport)
async def report_card(house: HouseGiven, card_id: Id, form: Form = None) -> JSONResponse:
    """What an export of the card in that form would keep, change and drop."""
    return JSONResponse(dict((await _card_file(house, card_id, form)).report))


@router.get("/lorebooks/{book_id}/export", response_class=Response, responses=_FILE)
async def export_lorebook(house: HouseGiven, book_id: Id, dialect: Dialect = None) -> Response:
    """A lorebook as a file that other programs read; nothing that was not understood is missing."""
    return download(await exporting.export_lorebook(house, book_id, dialect))


@router.get("/lorebooks/{book_id}/export/report", response_model=schemas.ImportReport)
async def report_lorebook(house: HouseGiven, book_id: Id, dialect: Dialect = None) -> JSONResponse:
    """What an export of the lorebook in that dialect would change."""
    return JSONResponse(dict((await exporting.export_lorebook(house, book_id, dialect)).report))


@router.get("/cards/{card_id}/image", response_class=Response, responses=_IMAGE)
async def show_image(
    house: HouseGiven,
    card_id: Id,
    if_none_match: Annotated[str | None, Header(max_length=500)] = None,
) -> Response:
    """The picture of a card without the card in it; a plain one for a card that has none, or none
    that can be shown."""
    tag = f'"{await exporting.picture_tag(house, card_id)}"'
    if if_none_match is not None and tag in if_none_match:
        return Response(status_code=304, headers={"etag": tag})
    return picture(await exporting.card_image(house, card_id), tag)


async def _card_file(
    house: House, card_id: str, form: CardForm | Literal["lorebook"] | None
) -> File:
    if form == "lorebook":
        return await exporting.export_own_book(house, card_id, "sillytavern")
    return await exporting.export_card(house, card_id, form)
