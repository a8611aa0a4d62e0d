"""Cards in and out of the library."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Form
from starlette.responses import JSONResponse

from huaben.errors import NotFound
from huaben.services import library
from huaben.web import bodies, schemas, shapes
from huaben.web.given import HouseGiven, Id, PageGiven, SettingsGiven
from huaben.web.uploads import imported, read_upload

router = APIRouter(prefix="/api/cards", tags=["library"])


@router.post(
    "",
    status_code=201,
    response_model=schemas.Imported,
    responses={200: {"model": schemas.Imported, "description": "These bytes were here before."}},
)
async def import_card(
    house: HouseGiven,
    settings: SettingsGiven,
    form: Annotated[bodies.Upload, Form(media_type="multipart/form-data")],
) -> JSONResponse:
    """Import a card from a PNG, JSON, CharX, WebP … file; the report says what became of it."""
    data, name = await read_upload(settings, form.file)
    return imported(await library.import_card(house, data, name))


@router.get("", response_model=schemas.PageOf[schemas.LibraryItem])
async def list_cards(house: HouseGiven, page: PageGiven) -> JSONResponse:
    """The cards of the library, newest first; a broken one says so and hides no other."""
    found, following = await library.list_cards(house, page)
    return JSONResponse(shapes.page(found, following, shapes.library_item))


@router.get("/{card_id}", response_model=schemas.LibraryEntry)
async def show_card(house: HouseGiven, card_id: Id) -> JSONResponse:
    """One card with its import report and its JSON as it was read."""
    card = await house.store.card(card_id)
    if card is None or card.user_id != house.user_id:
        raise NotFound.of("card", card_id)
    return JSONResponse(shapes.library_entry(card))
