"""Reading the ledger again after an earlier text was changed: a difference first, then the user's word."""

from __future__ import annotations

from dataclasses import asdict

from fastapi import APIRouter
from starlette.responses import JSONResponse

from huaben.errors import NotFound
from huaben.services import bookkeeping
from huaben.services.aftermath.recomputing import proposal, recompute, settle_proposal
from huaben.services.stories import load_project
from huaben.web.given import HouseGiven, Id
from huaben.web.schemas_ledger import LedgerResource, RecomputeBegun, RecomputeTold

router = APIRouter(prefix="/api", tags=["story"])


@router.post("/turns/{turn_id}/recompute", status_code=202, response_model=RecomputeBegun)
async def begin(house: HouseGiven, turn_id: Id) -> JSONResponse:
    """Let the scribe read again from a turn to the head. Nothing changes until it is applied."""
    job = await recompute(house, turn_id)
    return JSONResponse({"job": job.id, "total": job.payload["turns"]}, 202)


@router.get("/projects/{project_id}/recompute", response_model=RecomputeTold)
async def show(house: HouseGiven, project_id: Id) -> JSONResponse:
    """The newest reading: its progress, or what it would change at the head."""
    await load_project(house, project_id)
    found = await proposal(house, project_id)
    if found is None:
        raise NotFound("no_proposal", "The ledger of this project was not read again.")
    return JSONResponse(asdict(found))


@router.post("/projects/{project_id}/recompute/apply", response_model=LedgerResource)
async def apply(house: HouseGiven, project_id: Id) -> JSONResponse:
    """Let what was read stand at the head, as a version."""
    await load_project(house, project_id)
    made = await settle_proposal(house, project_id, apply=True)
    return JSONResponse(bookkeeping.ledger_json(made))


@router.post("/projects/{project_id}/recompute/dismiss", response_model=LedgerResource)
async def dismiss(house: HouseGiven, project_id: Id) -> JSONResponse:
    """Drop what was read."""
    await load_project(house, project_id)
    kept = await settle_proposal(house, project_id, apply=False)
    return JSONResponse(bookkeeping.ledger_json(kept))
