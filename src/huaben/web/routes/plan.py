"""Plans: the one in force, how it came about, the jobs that make it, and what the user does with it."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Path, Query
from starlette.responses import JSONResponse

from huaben.errors import NotFound
from huaben.services.planning import editing, showing
from huaben.services.planning.editing import Mark, PlanChange
from huaben.web import schemas_plan as schemas
from huaben.web.given import MAX_NUMBER, HouseGiven, Id

router = APIRouter(prefix="/api/projects/{project_id}/plan", tags=["plan"])

Before = Annotated[int | None, Query(ge=1, le=MAX_NUMBER, description="Those before this number.")]
Limit = Annotated[int, Query(ge=1, le=100)]
Number = Annotated[int, Path(ge=1, le=MAX_NUMBER)]


@router.get("", response_model=schemas.PlanTold)
async def show_plan(
    house: HouseGiven,
    project_id: Id,
    at: Annotated[
        str | None, Query(max_length=100, description="A turn; the head if left out.")
    ] = None,
) -> JSONResponse:
    """The plan in force at a node of the story. Reading it may tell what is to come."""
    return JSONResponse(await showing.show_plan(house, project_id, at))


@router.patch("", response_model=schemas.PlanTold)
async def change_plan(
    house: HouseGiven, project_id: Id, wanted: schemas.PlanChanged
) -> JSONResponse:
    """Edit the plan, lock lines, pin and drop notes: a revision of your own, from the head on."""
    change = PlanChange(
        wanted.revision,
        wanted.state,
        None if wanted.locks is None else tuple(wanted.locks),
        tuple(Mark(mark.number, mark.pinned, mark.dropped) for mark in wanted.notes),
    )
    await editing.change_plan(house, project_id, change)
    return JSONResponse(await showing.show_plan(house, project_id))


@router.put("/enabled", response_model=schemas.PlanTold)
async def switch(house: HouseGiven, project_id: Id, wanted: schemas.SwitchGiven) -> JSONResponse:
    """Switch the planner of this project on or off; what is planned stays."""
    await editing.switch(house, project_id, on=wanted.enabled)
    return JSONResponse(await showing.show_plan(house, project_id))


@router.get("/revisions", response_model=schemas.PlanRevisions)
async def show_revisions(
    house: HouseGiven, project_id: Id, before: Before = None, limit: Limit = 50
) -> JSONResponse:
    """The revisions on the way to the head, newest first, each with what it changed."""
    items, following = await showing.show_revisions(house, project_id, before, limit)
    return JSONResponse({"items": items, "next": following})


# ---- jobs --------------------------------------------------------------------------------------


@router.get("/jobs", response_model=schemas.PlanJobs)
async def show_jobs(
    house: HouseGiven, project_id: Id, before: Before = None, limit: Limit = 50
) -> JSONResponse:
    """The planning jobs, newest first, each with its trace as far as it has come."""
    items, following = await showing.show_jobs(house, project_id, before, limit)
    return JSONResponse({"items": items, "next": following})


@router.post("/jobs", status_code=202, response_model=schemas.PlanJobTold)
async def plan_again(
    house: HouseGiven, project_id: Id, wanted: schemas.PlanningWanted
) -> JSONResponse:
    """Plan for a turn once more."""
    job = await editing.plan_again(house, project_id, wanted.turn)
    return await _shown(house, project_id, job.seq, 202)


@router.get("/jobs/{number}", response_model=schemas.PlanJobTold)
async def show_job(house: HouseGiven, project_id: Id, number: Number) -> JSONResponse:
    """One planning job with its trace."""
    return await _shown(house, project_id, number)


@router.post("/jobs/{number}/cancel", status_code=202, response_model=schemas.PlanJobTold)
async def cancel_job(house: HouseGiven, project_id: Id, number: Number) -> JSONResponse:
    """Ask a planning job to end; the plan stays as it is."""
    await editing.cancel_job(house, project_id, number)
    return await _shown(house, project_id, number, 202)


@router.get("/jobs/{number}/calls", response_model=schemas.PlanCalls)
async def show_calls(house: HouseGiven, project_id: Id, number: Number) -> JSONResponse:
    """The model calls of the turn's planning, each with its request exactly as it was sent."""
    calls = await showing.show_calls(house, project_id, number)
    return JSONResponse({"items": calls, "next": None})


async def _shown(
    house: HouseGiven, project_id: str, number: int, status: int = 200
) -> JSONResponse:
    shown = await showing.show_job(house, project_id, number)
    if shown is None:
        raise NotFound.of("plan_job", f"{number}")
    return JSONResponse(shown, status)
