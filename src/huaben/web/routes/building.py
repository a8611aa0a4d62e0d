"""Making a story ready that was not played here: what it costs, and the job that does it."""

from __future__ import annotations

from dataclasses import asdict

from fastapi import APIRouter
from starlette.responses import JSONResponse

from huaben.errors import NotFound
from huaben.services.aftermath import building
from huaben.web.given import HouseGiven, Id
from huaben.web.schemas_ledger import BuildEstimate, BuildTold

router = APIRouter(prefix="/api/projects/{project_id}/build", tags=["story"])


@router.get("/estimate", response_model=BuildEstimate)
async def cost(house: HouseGiven, project_id: Id) -> JSONResponse:
    """What the ledger lacks on this branch, and what reading it would take. Nothing is started."""
    return JSONResponse(building.estimate_json(await building.estimate(house, project_id)))


@router.post("", status_code=202, response_model=BuildTold)
async def start(house: HouseGiven, project_id: Id) -> JSONResponse:
    """Read what the ledger lacks, oldest first, then let a summary take up the old turns."""
    await building.build(house, project_id)
    return JSONResponse(await _shown(house, project_id), 202)


@router.get("", response_model=BuildTold)
async def show(house: HouseGiven, project_id: Id) -> JSONResponse:
    """How far the newest building has come."""
    return JSONResponse(await _shown(house, project_id))


async def _shown(house: HouseGiven, project_id: str) -> dict[str, object]:
    found = await building.building(house, project_id)
    if found is None:
        raise NotFound("not_built", "This story was not built yet.")
    return asdict(found)
