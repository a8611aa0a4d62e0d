"""Cards in and out of the library."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Form, Header, Query, Request
from starlette.responses import JSONResponse, Response

from huaben.domain.cardface import Looking, Shelved
from huaben.domain.project import StoredCard
from huaben.services import cardshelf, cardwriting, exporting, library
from huaben.services.thumbnails import WIDTHS, Thumbnails
from huaben.web import bodies, schemas, schemas_cards, shapes
from huaben.web.downloads import picture
from huaben.web.given import HouseGiven, Id, PageGiven, SettingsGiven
from huaben.web.uploads import imported, read_upload

router = APIRouter(prefix="/api/cards", tags=["library"])

Words = Annotated[str, Query(max_length=schemas_cards.MAX_WORDS)]


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


@router.get("", response_model=schemas.PageOf[schemas_cards.CardItem])
async def list_cards(
    house: HouseGiven,
    page: PageGiven,
    q: Words = "",
    tag: Words = "",
    favourite: Annotated[bool, Query()] = False,
    sort: Annotated[schemas_cards.Sort, Query()] = "newest",
) -> JSONResponse:
    """The cards of the library, newest first or by name; `q` looks for all its words in name,
    creator, tags and file name. A broken one says so and hides no other."""
    looking = Looking(q, tag, favourite, sort)
    found, following = await cardshelf.look_for(house, looking, page)
    return JSONResponse(shapes.page(found, following, _item))


@router.get("/tags", response_model=schemas_cards.TagsTold)
async def list_tags(house: HouseGiven) -> JSONResponse:
    """All tags with the number of their cards, the most frequent first."""
    found = await cardshelf.tags(house)
    return JSONResponse({"items": [{"tag": tag, "cards": cards} for tag, cards in found]})


@router.get("/{card_id}", response_model=schemas_cards.CardEntry)
async def show_card(house: HouseGiven, card_id: Id) -> JSONResponse:
    """One card with its import report, its JSON as it was read, and what it says."""
    return JSONResponse(_entry(await cardshelf.show(house, card_id)))


@router.put("/{card_id}", response_model=schemas_cards.CardEntry)
async def write_card(
    house: HouseGiven, card_id: Id, given: schemas_cards.CardWritten
) -> JSONResponse:
    """Write a new version of a card, with an id of its own; fields that nobody understands stay.
    Stories go on with the version that they were begun with until they are told to take another."""
    fields = given.model_dump(exclude={"revision", "content"}, exclude_none=True)
    writing = cardwriting.Writing(given.content, fields)
    written = await cardwriting.write(house, card_id, given.revision, writing)
    return JSONResponse(_entry(await cardshelf.show(house, written.id)))


@router.get("/{card_id}/versions", response_model=schemas.PageOf[schemas_cards.CardVersion])
async def list_versions(house: HouseGiven, card_id: Id) -> JSONResponse:
    """The card and the versions before it, newest first."""
    found = await cardwriting.versions(house, card_id)
    return JSONResponse(shapes.page(found, None, _version))


@router.put("/{card_id}/favourite", status_code=204)
async def choose_favourite(
    house: HouseGiven, card_id: Id, given: schemas_cards.FavouriteGiven
) -> Response:
    """Make a card a favourite, or no longer."""
    await cardshelf.choose(house, card_id, chosen=given.on)
    return Response(status_code=204)


@router.get(
    "/{card_id}/picture",
    response_class=Response,
    responses={
        200: {"description": "The picture.", "content": {"image/*": {}}},
        304: {"description": "It is as the client has it."},
    },
)
async def show_thumbnail(
    request: Request,
    house: HouseGiven,
    card_id: Id,
    w: Annotated[int, Query(ge=1, le=WIDTHS[-1])] = WIDTHS[-1],
    if_none_match: Annotated[str | None, Header(max_length=500)] = None,
) -> Response:
    """The card's picture made small: at most 20 kB, about `w` pixels wide."""
    tag = f'"{await exporting.picture_tag(house, card_id)}-{w}"'
    if if_none_match is not None and tag in if_none_match:
        return Response(status_code=304, headers={"etag": tag})
    thumbnails: Thumbnails = request.app.state.thumbnails
    return picture(await thumbnails.of_card(house, card_id, w), tag)


def _item(shelved: Shelved) -> dict[str, object]:
    more = {"tags": list(shelved.tags), "favourite": shelved.favourite}
    return {**shapes.library_item(shelved.card), **more}


def _version(card: StoredCard) -> dict[str, object]:
    about = {"created_at": card.created_at, "revision": card.revision}
    return {"id": card.id, "name": card.name, **about}


def _entry(shown: cardshelf.Shown) -> dict[str, object]:
    card = shown.card
    fields = card and {
        "name": card.name,
        "nickname": card.nickname,
        "description": card.description,
        "personality": card.personality,
        "scenario": card.scenario,
        "example": card.mes_example,
        "creator": card.creator,
        "creator_notes": card.creator_notes,
        "version": card.character_version,
        "system_prompt": card.system_prompt,
        "post_history": card.post_history_instructions,
        "greetings": list(card.greetings),
        "own_entries": shown.own_entries,
    }
    tags = list(card.tags) if card else []
    stored = shown.stored
    about = {"tags": tags, "favourite": shown.favourite, "fields": fields}
    place = {"revision": stored.revision, "past": stored.deleted and not stored.deleted_at}
    return {**shapes.library_entry(stored), **about, **place}
