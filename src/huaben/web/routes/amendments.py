"""The amendments of a story: what was proposed, and the reader's word on it."""

from __future__ import annotations

from fastapi import APIRouter
from starlette.responses import JSONResponse

from huaben.services.amending import amendment_json, decide, list_amendments
from huaben.web.given import HouseGiven, Id
from huaben.web.schemas_amendments import AmendmentsTold, AmendmentTold

router = APIRouter(prefix="/api/projects/{project_id}/amendments", tags=["story"])


@router.get("", response_model=AmendmentsTold)
async def amendments(house: HouseGiven, project_id: Id) -> JSONResponse:
    """All amendments of a story, in the order in which they came."""
    found = await list_amendments(house, project_id)
    return JSONResponse({"items": [amendment_json(one) for one in found]})


@router.post("/{turn_id}/accept", response_model=AmendmentTold)
async def accept(house: HouseGiven, project_id: Id, turn_id: Id) -> JSONResponse:
    """Let it hold for later turns; also one that was refused or undone before."""
    return JSONResponse(amendment_json(await decide(house, project_id, turn_id, "accept")))


@router.post("/{turn_id}/refuse", response_model=AmendmentTold)
async def refuse(house: HouseGiven, project_id: Id, turn_id: Id) -> JSONResponse:
    """Leave everything as it is."""
    return JSONResponse(amendment_json(await decide(house, project_id, turn_id, "refuse")))


@router.post("/{turn_id}/undo", response_model=AmendmentTold)
async def undo(house: HouseGiven, project_id: Id, turn_id: Id) -> JSONResponse:
    """Take back for later turns what was applied."""
    return JSONResponse(amendment_json(await decide(house, project_id, turn_id, "undo")))
