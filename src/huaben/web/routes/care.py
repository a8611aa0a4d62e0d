"""What follows an edit of a manuscript: what is to be checked in ledger and memory, and the continuity check."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Path
from starlette.responses import JSONResponse

from huaben.services.writing import doubting, reporting
from huaben.web import schemas_care as schemas
from huaben.web.given import MAX_NUMBER, HouseGiven, Id

router = APIRouter(prefix="/api/projects/{project_id}", tags=["writing"])


@router.get("/care", response_model=schemas.CareTold)
async def show_care(house: HouseGiven, project_id: Id) -> JSONResponse:
    """What is to be checked, and which chapters the ledger lacks. Edits by hand are noticed on the way."""
    return JSONResponse(doubting.care_json(await doubting.care_of(house, project_id)))


@router.post("/care", status_code=202, response_model=schemas.JobBegun)
async def read_now(house: HouseGiven, project_id: Id, wanted: schemas.CareWanted) -> JSONResponse:
    """Let the scribe read chapters into the ledger, whole."""
    job = await doubting.read_now(house, project_id, wanted.chapters)
    return JSONResponse({"job": job.id}, 202)


@router.post("/care/hold", response_model=schemas.CareTold)
async def hold(house: HouseGiven, project_id: Id, wanted: schemas.HoldWanted) -> JSONResponse:
    """Say that facts and notes hold; they rest on the user's word from now on."""
    held = await doubting.hold(house, project_id, wanted.facts, wanted.notes)
    return JSONResponse(doubting.care_json(held))


@router.get("/continuity", response_model=schemas.ContinuityTold)
async def show_check(house: HouseGiven, project_id: Id) -> JSONResponse:
    """The newest check: how far it is, and what it found."""
    return JSONResponse(reporting.check_json(await reporting.show(house, project_id)))


@router.post("/continuity", status_code=202, response_model=schemas.JobBegun)
async def check(house: HouseGiven, project_id: Id, wanted: schemas.CheckWanted) -> JSONResponse:
    """Let the planner's experts read what changed against the ledger and the later chapters. Nothing changes."""
    job = await reporting.check(house, project_id, wanted.chapters, wanted.since)
    return JSONResponse({"job": job.id}, 202)


@router.post("/continuity/findings/{number}", response_model=schemas.ContinuityTold)
async def settle(
    house: HouseGiven,
    project_id: Id,
    number: Annotated[int, Path(ge=1, le=MAX_NUMBER)],
    wanted: schemas.FindingSettled,
) -> JSONResponse:
    """Accept or dismiss a finding, or open it again."""
    shown = await reporting.settle(house, project_id, number, wanted.state)
    return JSONResponse(reporting.check_json(shown))
