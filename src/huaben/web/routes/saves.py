"""Named saves: listing, making, renaming, putting away. Going to one is `POST …/head` with its turn."""

from __future__ import annotations

from fastapi import APIRouter
from starlette.responses import JSONResponse, Response

from huaben.services import saves
from huaben.services.saves_shown import list_saves, save_json, show_save
from huaben.web import bodies_saves, schemas, shapes
from huaben.web.given import HouseGiven, Id, PageGiven
from huaben.web.schemas_saves import SaveTold

router = APIRouter(prefix="/api", tags=["saves"])


@router.get("/projects/{project_id}/saves", response_model=schemas.PageOf[SaveTold])
async def show_saves(house: HouseGiven, project_id: Id, page: PageGiven) -> JSONResponse:
    """The saves of a project, newest first."""
    found, following = await list_saves(house, project_id, page)
    return JSONResponse(shapes.page(found, following, save_json))


@router.post("/projects/{project_id}/saves", status_code=201, response_model=SaveTold)
async def make_save(
    house: HouseGiven, project_id: Id, wanted: bodies_saves.SaveWanted
) -> JSONResponse:
    """Give a turn a name to come back to. Two saves may bear one name."""
    save = await saves.make_save(house, project_id, wanted.name, wanted.turn)
    place = {"location": f"/api/saves/{save.id}"}
    return JSONResponse(save_json(await show_save(house, save)), 201, headers=place)


@router.get("/saves/{save_id}", response_model=SaveTold)
async def show_one(house: HouseGiven, save_id: Id) -> JSONResponse:
    """One save."""
    return JSONResponse(save_json(await show_save(house, await saves.load_save(house, save_id))))


@router.patch("/saves/{save_id}", response_model=SaveTold)
async def rename_save(
    house: HouseGiven, save_id: Id, wanted: bodies_saves.SaveRenamed
) -> JSONResponse:
    """Another name for the save with that revision."""
    save = await saves.rename_save(house, save_id, wanted.name, wanted.revision)
    return JSONResponse(save_json(await show_save(house, save)))


@router.delete("/saves/{save_id}", status_code=204)
async def discard_save(house: HouseGiven, save_id: Id) -> Response:
    """Put a save into the trash; its turn stays where it is."""
    await saves.discard_save(house, save_id)
    return Response(status_code=204)
