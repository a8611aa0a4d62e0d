"""The summary that stands for old turns."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Query
from starlette.responses import JSONResponse

from huaben.services.summarising import rewrite_summary, show_summary, summary_json
from huaben.web.given import HouseGiven, Id
from huaben.web.schemas_summary import SummaryTold, SummaryWritten

router = APIRouter(prefix="/api/projects/{project_id}/summary", tags=["story"])


@router.get("", response_model=SummaryTold)
async def summary(
    house: HouseGiven,
    project_id: Id,
    at: Annotated[str | None, Query(description="A turn; the head if left out.")] = None,
) -> JSONResponse:
    """The summary in force at a node of the story."""
    return JSONResponse(summary_json(await show_summary(house, project_id, at)))


@router.put("", response_model=SummaryTold)
async def write_summary(house: HouseGiven, project_id: Id, written: SummaryWritten) -> JSONResponse:
    """Put your own words in its place, from the head on."""
    made = await rewrite_summary(house, project_id, written.text, written.node, written.revision)
    return JSONResponse(summary_json(made))
