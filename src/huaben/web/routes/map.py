"""The map of a story: its tree, folded to what matters."""

from __future__ import annotations

from fastapi import APIRouter
from starlette.responses import JSONResponse

from huaben.services.mapping import show_map
from huaben.web.given import HouseGiven, Id
from huaben.web.schemas_saves import MapTold

router = APIRouter(prefix="/api/projects", tags=["story"])


@router.get("/{project_id}/map", response_model=MapTold)
async def show(house: HouseGiven, project_id: Id) -> JSONResponse:
    """Forks, saves, edits and the present as points, straight stretches between them as runs."""
    return JSONResponse(dict(await show_map(house, project_id)))
