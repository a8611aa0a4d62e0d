"""Presets in and out of the library, and what is in one; quick-reply sets beside them, which are only kept."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Form
from starlette.responses import JSONResponse, Response

from huaben.domain.libraryitem import ItemKind, StoredItem
from huaben.services import items, library, trash
from huaben.services.presets import preset_shown
from huaben.web import bodies, schemas, schemas_items, shapes
from huaben.web.downloads import download
from huaben.web.given import HouseGiven, Id, NamedPageGiven, SettingsGiven
from huaben.web.uploads import imported, read_upload

router = APIRouter(prefix="/api", tags=["library"])
FILE: dict[int | str, dict[str, object]] = {
    200: {"description": "The file.", "content": {"application/octet-stream": {}}}
}
KNOWN: dict[int | str, dict[str, object]] = {
    200: {"model": schemas.Imported, "description": "These bytes were here before."}
}
Upload = Annotated[bodies.Upload, Form(media_type="multipart/form-data")]


@router.post("/presets", status_code=201, response_model=schemas.Imported, responses=KNOWN)
async def import_preset(house: HouseGiven, settings: SettingsGiven, form: Upload) -> JSONResponse:
    """Import a preset of any age. What it says of a connection is told and neither kept nor applied."""
    return await import_item(house, settings, form, "preset")


@router.get("/presets", response_model=schemas.PageOf[schemas.LibraryItem])
async def list_presets(house: HouseGiven, page: NamedPageGiven) -> JSONResponse:
    """The presets of the library, newest first; templates for text completion among them."""
    found, following = await items.list_items(house, "preset", page)
    return JSONResponse(shapes.page(found, following, item_row))


@router.get("/presets/{item_id}", response_model=schemas_items.PresetEntry)
async def show_preset(house: HouseGiven, item_id: Id) -> JSONResponse:
    """One preset: its prompts in order, its samplers, what of it has no counterpart here."""
    item = await items.load_item(house, "preset", item_id)
    return JSONResponse({**item_entry(item), **preset_shown(item)})


@router.put("/presets/{item_id}", response_model=schemas_items.PresetEntry)
async def change_preset(
    house: HouseGiven, item_id: Id, given: schemas_items.PresetChanged
) -> JSONResponse:
    """Put another name or content in the place of the one with that revision; the former stays as a
    version. Stories that wear it name it as the cause of their new prefix."""
    item = await items.load_item(house, "preset", item_id)
    changed = await items.change_preset(house, item, given.revision, given.name, given.content)
    return JSONResponse({**item_entry(changed), **preset_shown(changed)})


@router.get("/presets/{item_id}/export", response_class=Response, responses=FILE)
async def export_preset(house: HouseGiven, item_id: Id) -> Response:
    """The preset as a file, every field as it came but for the connection's."""
    return download(await items.export_item(house, "preset", item_id))


@router.get("/presets/{item_id}/export/report", response_model=schemas.ImportReport)
async def report_preset(house: HouseGiven, item_id: Id) -> JSONResponse:
    """What the file leaves out: whatever the preset says of a connection."""
    return JSONResponse(dict((await items.export_item(house, "preset", item_id)).report))


@router.get(
    "/presets/{item_id}/versions", response_model=schemas.PageOf[schemas_items.ItemVersionTold]
)
async def list_versions(house: HouseGiven, item_id: Id) -> JSONResponse:
    """What each change made of the preset, oldest first."""
    return await versions(house, "preset", item_id)


@router.delete("/presets/{item_id}", status_code=204)
async def delete_preset(house: HouseGiven, item_id: Id) -> Response:
    """Put a preset into the trash. Stories that wear it keep it."""
    await trash.discard(house, "preset", item_id)
    return Response(status_code=204)


# ---- quick replies -----------------------------------------------------------------------------


@router.post("/quick-replies", status_code=201, response_model=schemas.Imported, responses=KNOWN)
async def import_quick_replies(
    house: HouseGiven, settings: SettingsGiven, form: Upload
) -> JSONResponse:
    """Import a set of quick replies. It is kept and listed, and never run."""
    return await import_item(house, settings, form, "quick_replies")


@router.get("/quick-replies", response_model=schemas.PageOf[schemas.LibraryItem])
async def list_quick_replies(house: HouseGiven, page: NamedPageGiven) -> JSONResponse:
    """The sets of quick replies, newest first."""
    found, following = await items.list_items(house, "quick_replies", page)
    return JSONResponse(shapes.page(found, following, item_row))


@router.get("/quick-replies/{item_id}", response_model=schemas_items.ItemEntry)
async def show_quick_replies(house: HouseGiven, item_id: Id) -> JSONResponse:
    """One set as it was imported."""
    return JSONResponse(item_entry(await items.load_item(house, "quick_replies", item_id)))


@router.get("/quick-replies/{item_id}/export", response_class=Response, responses=FILE)
async def export_quick_replies(house: HouseGiven, item_id: Id) -> Response:
    """The set as a file, as it came."""
    return download(await items.export_item(house, "quick_replies", item_id))


@router.delete("/quick-replies/{item_id}", status_code=204)
async def delete_quick_replies(house: HouseGiven, item_id: Id) -> Response:
    """Put a set of quick replies into the trash."""
    await trash.discard(house, "quick_replies", item_id)
    return Response(status_code=204)


# ---- common to all items -----------------------------------------------------------------------


async def import_item(
    house: HouseGiven, settings: SettingsGiven, form: bodies.Upload, kind: ItemKind
) -> JSONResponse:
    data, name = await read_upload(settings, form.file)
    return imported(await library.import_item(house, kind, data, name))


async def versions(house: HouseGiven, kind: ItemKind, item_id: str) -> JSONResponse:
    found = await items.versions(house, kind, item_id)
    told = [{"version": o.version, "name": o.name, "content": dict(o.content)} for o in found]
    return JSONResponse({"items": told, "next": None})


def item_row(item: StoredItem) -> dict[str, object]:
    return {
        "id": item.id,
        "name": item.name,
        "filename": item.filename,
        "created_at": item.created_at,
        "broken": item.broken or None,
    }


def item_entry(item: StoredItem) -> dict[str, object]:
    more = {"revision": item.revision, "report": item.report, "content": item.content}
    return {**item_row(item), **more}
