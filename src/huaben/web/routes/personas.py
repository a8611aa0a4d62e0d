"""Personas of the library: who the user can be in a story."""

from __future__ import annotations

from dataclasses import asdict

from fastapi import APIRouter
from starlette.responses import JSONResponse, Response

from huaben.domain.libraryitem import StoredItem
from huaben.domain.persona import Link, SavedPersona
from huaben.services import items, personas, trash
from huaben.web import schemas, schemas_items, shapes
from huaben.web.downloads import download
from huaben.web.given import HouseGiven, Id, NamedPageGiven, SettingsGiven
from huaben.web.routes.presets import FILE, KNOWN, Upload, import_item, item_row, versions

router = APIRouter(prefix="/api/personas", tags=["library"])


@router.post("", status_code=201, response_model=schemas_items.PersonaItem)
async def make_persona(house: HouseGiven, given: schemas_items.PersonaKept) -> JSONResponse:
    """Make a persona."""
    item = await personas.make_persona(house, _persona(given))
    return JSONResponse(_told(item), 201, headers={"location": f"/api/personas/{item.id}"})


@router.post("/import", status_code=201, response_model=schemas.Imported, responses=KNOWN)
async def import_personas(house: HouseGiven, settings: SettingsGiven, form: Upload) -> JSONResponse:
    """Import a backup of personas, or those of an installation's settings, of which nothing else is
    kept. `also` names those beyond the first."""
    return await import_item(house, settings, form, "persona")


@router.get("", response_model=schemas.PageOf[schemas_items.PersonaItem])
async def list_personas(house: HouseGiven, page: NamedPageGiven) -> JSONResponse:
    """The personas of the library, newest first."""
    found, following = await items.list_items(house, "persona", page)
    return JSONResponse(shapes.page(found, following, _told))


@router.get("/export", response_class=Response, responses=FILE)
async def export_personas(house: HouseGiven) -> Response:
    """All personas as one backup."""
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
    """A persona as a backup of one."""
    return download(await items.export_item(house, "persona", item_id))


@router.get("/{item_id}/versions", response_model=schemas.PageOf[schemas_items.ItemVersionTold])
async def list_versions(house: HouseGiven, item_id: Id) -> JSONResponse:
    """What each change made of the persona, oldest first."""
    return await versions(house, "persona", item_id)


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
    return {**fields, **item_row(item), "revision": item.revision}
