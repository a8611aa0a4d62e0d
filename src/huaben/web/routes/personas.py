"""Personas of the library: who the user can be in a story."""

from __future__ import annotations

from dataclasses import asdict
from typing import Annotated

from fastapi import APIRouter, Header, Query, Request
from starlette.responses import JSONResponse, Response

from huaben.domain.libraryitem import StoredItem
from huaben.domain.persona import Link, SavedPersona
from huaben.services import items, persona_pictures, personas, trash
from huaben.services.thumbnails import WIDTHS, Thumbnails
from huaben.web import schemas, schemas_items, shapes
from huaben.web.downloads import download, picture
from huaben.web.given import HouseGiven, Id, NamedPageGiven, SettingsGiven
from huaben.web.routes.presets import FILE, KNOWN, Upload, import_item, item_row, versions
from huaben.web.uploads import read_upload

router = APIRouter(prefix="/api/personas", tags=["library"])

Seen = Annotated[int, Query(ge=0, description="The revision that was seen.")]


@router.post("", status_code=201, response_model=schemas_items.PersonaItem)
async def make_persona(house: HouseGiven, given: schemas_items.PersonaKept) -> JSONResponse:
    """Make a persona."""
    item = await personas.make_persona(house, _persona(given))
    return JSONResponse(_told(item), 201, headers={"location": f"/api/personas/{item.id}"})


@router.post("/import", status_code=201, response_model=schemas.Imported, responses=KNOWN)
async def import_personas(house: HouseGiven, settings: SettingsGiven, form: Upload) -> JSONResponse:
    """Import a backup of personas, an archive of one with their pictures, or those of an installation's
    settings, of which nothing else is kept. `also` names those beyond the first."""
    return await import_item(house, settings, form, "persona")


@router.get("", response_model=schemas.PageOf[schemas_items.PersonaItem])
async def list_personas(house: HouseGiven, page: NamedPageGiven) -> JSONResponse:
    """The personas of the library, newest first."""
    found, following = await items.list_items(house, "persona", page)
    return JSONResponse(shapes.page(found, following, _told))


@router.get("/export", response_class=Response, responses=FILE)
async def export_personas(house: HouseGiven) -> Response:
    """All personas as one backup; where any has a picture, an archive of the backup and the pictures."""
    return download(await items.export_personas(house))


@router.get("/{item_id}", response_model=schemas_items.PersonaItem)
async def show_persona(house: HouseGiven, item_id: Id) -> JSONResponse:
    """One persona."""
    return JSONResponse(_told(await items.load_item(house, "persona", item_id)))


@router.put("/{item_id}", response_model=schemas_items.PersonaItem)
async def change_persona(
    house: HouseGiven, item_id: Id, given: schemas_items.PersonaReplaced
) -> JSONResponse:
    """Put a persona in the place of the one with that revision; the former stays as a version.
    Stories that wear it go on with it as it is now."""
    item = await personas.change_persona(house, item_id, _persona(given), given.revision)
    return JSONResponse(_told(item))


@router.get("/{item_id}/export", response_class=Response, responses=FILE)
async def export_persona(house: HouseGiven, item_id: Id) -> Response:
    """A persona as a backup of one; with a picture, an archive of both."""
    return download(await items.export_item(house, "persona", item_id))


@router.get("/{item_id}/versions", response_model=schemas.PageOf[schemas_items.ItemVersionTold])
async def list_versions(house: HouseGiven, item_id: Id) -> JSONResponse:
    """What each change made of the persona, oldest first."""
    return await versions(house, "persona", item_id)


@router.get(
    "/{item_id}/picture",
    response_class=Response,
    responses={
        200: {"description": "The picture.", "content": {"image/*": {}}},
        304: {"description": "It is as the client has it."},
    },
)
async def show_picture(
    request: Request,
    house: HouseGiven,
    item_id: Id,
    w: Annotated[int, Query(ge=1, le=WIDTHS[-1])] = WIDTHS[-1],
    v: Annotated[str, Query(max_length=64)] = "",
    if_none_match: Annotated[str | None, Header(max_length=500)] = None,
) -> Response:
    """The persona's picture made small: at most 20 kB, about `w` pixels wide. With the `v` of its address
    it may be kept, for another picture has another address."""
    name = await persona_pictures.picture_name(house, item_id)
    tag = f'"{name}-{w}"'
    if if_none_match is not None and tag in if_none_match:
        return Response(status_code=304, headers={"etag": tag})
    thumbnails: Thumbnails = request.app.state.thumbnails
    shown = picture(await thumbnails.of_object(house, name, w), tag)
    if not name.startswith(v) or not v:
        shown.headers["cache-control"] = "private, no-cache"
    return shown


@router.post("/{item_id}/picture", response_model=schemas_items.PersonaItem)
async def put_picture(
    house: HouseGiven, settings: SettingsGiven, item_id: Id, form: Upload, revision: Seen
) -> JSONResponse:
    """Give a persona a picture, PNG, JPEG, GIF or WebP of at most 10 MB, kept as it comes."""
    content, _ = await read_upload(settings, form.file)
    return JSONResponse(
        _told(await persona_pictures.put_picture(house, item_id, content, revision))
    )


@router.delete("/{item_id}/picture", response_model=schemas_items.PersonaItem)
async def remove_picture(house: HouseGiven, item_id: Id, revision: Seen) -> JSONResponse:
    """Take a persona's picture away; its earlier versions keep it."""
    return JSONResponse(_told(await persona_pictures.remove_picture(house, item_id, revision)))


@router.delete("/{item_id}", status_code=204)
async def delete_persona(house: HouseGiven, item_id: Id) -> Response:
    """Put a persona into the trash. Stories that wear it keep it."""
    await trash.discard(house, "persona", item_id)
    return Response(status_code=204)


def _persona(given: schemas_items.PersonaKept) -> SavedPersona:
    return SavedPersona(
        name=given.name,
        description=given.description,
        title=given.title,
        place=given.place,
        depth=given.depth,
        role=given.role,
        lorebook=given.lorebook,
        links=tuple(Link(link.kind, link.id) for link in given.links),
        avatar=given.avatar,
        default=given.default,
    )


def _told(item: StoredItem) -> dict[str, object]:
    fields = asdict(personas.persona_of(item))
    name = persona_pictures.name_in(item)
    address = f"/api/personas/{item.id}/picture?v={name[:12]}" if name else None
    return {**fields, **item_row(item), "picture": address, "revision": item.revision}
