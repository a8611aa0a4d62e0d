"""Regex scripts: the global ones of the library, those that cards and presets brought along, and the user's
word for them."""

from __future__ import annotations

from fastapi import APIRouter
from starlette.responses import JSONResponse, Response

from huaben.domain.scripts import Script
from huaben.services import items, scripts, trash
from huaben.services.scripts_tried import try_scripts
from huaben.services.stories import load_project
from huaben.web import schemas, schemas_items
from huaben.web.downloads import download
from huaben.web.given import HouseGiven, Id, SettingsGiven
from huaben.web.routes.presets import FILE, KNOWN, Upload, import_item, item_entry

router = APIRouter(prefix="/api", tags=["scripts"])


@router.post("/scripts", status_code=201, response_model=schemas.Imported, responses=KNOWN)
async def import_scripts(house: HouseGiven, settings: SettingsGiven, form: Upload) -> JSONResponse:
    """Import regex scripts, one or many in a file. They run in every story."""
    return await import_item(house, settings, form, "scripts")


@router.get("/scripts", response_model=schemas_items.ScriptSets)
async def list_scripts(house: HouseGiven) -> JSONResponse:
    """The files of global scripts, in the order in which they run."""
    return _sets(await scripts.global_sets(house))


@router.get("/scripts/{item_id}", response_model=schemas_items.ItemEntry)
async def show_scripts(house: HouseGiven, item_id: Id) -> JSONResponse:
    """One file of scripts as it was imported."""
    return JSONResponse(item_entry(await items.load_item(house, "scripts", item_id)))


@router.put("/scripts/{item_id}/switch", response_model=schemas_items.ScriptSets)
async def switch_scripts(
    house: HouseGiven, item_id: Id, given: schemas_items.SwitchGiven
) -> JSONResponse:
    """Switch a file of global scripts on or off."""
    await scripts.switch(house, item_id, on=given.on, revision=given.revision)
    return _sets(await scripts.global_sets(house))


@router.get("/scripts/{item_id}/export", response_class=Response, responses=FILE)
async def export_scripts(house: HouseGiven, item_id: Id) -> Response:
    """The scripts as a file, in the shape in which they came."""
    return download(await items.export_item(house, "scripts", item_id))


@router.delete("/scripts/{item_id}", status_code=204)
async def delete_scripts(house: HouseGiven, item_id: Id) -> Response:
    """Put a file of scripts into the trash; it runs no more."""
    await trash.discard(house, "scripts", item_id)
    return Response(status_code=204)


@router.get("/projects/{project_id}/scripts", response_model=schemas_items.ScriptSets)
async def list_project_scripts(house: HouseGiven, project_id: Id) -> JSONResponse:
    """All scripts that a story meets, in the order in which they run; those that wait for consent among
    them."""
    project = await load_project(house, project_id)
    card = await house.shelf.card(project.card_id, house.user_id) if project.card_id else None
    return _sets(await scripts.sets_in(house, project, card))


@router.post("/projects/{project_id}/scripts/try", response_model=schemas_items.SampleTold)
async def try_on(house: HouseGiven, project_id: Id, given: schemas_items.Sample) -> JSONResponse:
    """What the scripts of a story would make of a text, those that wait included."""
    done = await try_scripts(house, project_id, given.text, given.placement, given.moment)
    one = done.passages[0]
    off = [{"name": name, "reason": why} for name, why in done.off]
    return JSONResponse({"text": one.text, "changed": list(one.changed), "off": off})


@router.get("/scripts/consent/{owner}", response_model=schemas_items.ScriptSetTold)
async def show_brought(house: HouseGiven, owner: Id) -> JSONResponse:
    """The scripts that a card or preset brought along, to be seen before they are consented to."""
    return JSONResponse(_set(await scripts.set_of(house, owner)))


@router.put("/scripts/consent/{owner}", response_model=schemas_items.ScriptSetTold)
async def give_consent(
    house: HouseGiven, owner: Id, given: schemas_items.ConsentGiven
) -> JSONResponse:
    """Let the scripts of a card or preset run, as they were seen, or take the word back."""
    return JSONResponse(_set(await scripts.consent(house, owner, given.digest)))


def _sets(found: list[scripts.ScriptSet]) -> JSONResponse:
    return JSONResponse({"items": [_set(one) for one in found]})


def _set(one: scripts.ScriptSet) -> dict[str, object]:
    return {
        "scope": one.scope,
        "owner": one.owner,
        "name": one.name,
        "state": one.state,
        "digest": one.digest,
        "revision": one.revision,
        "scripts": [_script(script) for script in one.scripts],
    }


def _script(script: Script) -> dict[str, object]:
    return {
        "name": script.name,
        "pattern": script.pattern,
        "flags": script.flags,
        "replacement": script.replacement,
        "placements": sorted(script.placements),
        "display": script.display,
        "prompt": script.prompt,
        "disabled": script.disabled,
        "run_on_edit": script.run_on_edit,
        "min_depth": script.min_depth,
        "max_depth": script.max_depth,
        "unsupported": scripts.why_unsupported(script),
    }
