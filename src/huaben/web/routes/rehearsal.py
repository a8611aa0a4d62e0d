"""The story that ships with the program: a project on it, and the words that lead on."""

from __future__ import annotations

from fastapi import APIRouter
from starlette.responses import JSONResponse

from huaben.services import rehearsing
from huaben.web import bodies, schemas
from huaben.web.given import HouseGiven, Id

router = APIRouter(prefix="/api", tags=["rehearsal"])


@router.post("/rehearsal", status_code=201, response_model=schemas.ProjectFounded)
async def found_rehearsal(house: HouseGiven, wanted: bodies.RehearsalWanted) -> JSONResponse:
    """Begin the rehearsal in a language: a project of prepared lines, for which no model is
    called and nothing need be connected. Its card is brought into the library once."""
    project, head = await rehearsing.found_rehearsal(house, wanted.language, mode=wanted.mode)
    place = f"/api/projects/{project.id}"
    body = {"id": project.id, "head": head.turn_id}
    return JSONResponse(body, 201, headers={"location": place})


@router.get("/projects/{project_id}/cue", response_model=schemas.CueTold)
async def tell_cue(house: HouseGiven, project_id: Id) -> JSONResponse:
    """The words that lead on in a rehearsal, to stand in the empty box; empty for other projects
    and after the end."""
    return JSONResponse({"cue": await rehearsing.next_cue(house, project_id)})
