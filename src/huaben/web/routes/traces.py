"""What the program sent to a model and what came back: nothing is hidden."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Query
from starlette.responses import JSONResponse

from huaben.services.tracing import show_trace, trace_json
from huaben.web import schemas, shapes
from huaben.web.given import HouseGiven, Id

router = APIRouter(prefix="/api/turns/{turn_id}", tags=["turns"])


@router.get("/trace", response_model=schemas.PageOf[schemas.CallItem])
async def trace(
    house: HouseGiven,
    turn_id: Id,
    after: Annotated[str | None, Query(max_length=100)] = None,
    limit: Annotated[int, Query(ge=1, le=100)] = 50,
) -> JSONResponse:
    """Every model call of a turn in order, each with its request exactly as it was sent."""
    traces = await show_trace(house, turn_id, after=after, limit=limit + 1)
    shown = traces[:limit]
    following = shown[-1].record.id if len(traces) > limit else None
    return JSONResponse(shapes.page(shown, following, trace_json))
