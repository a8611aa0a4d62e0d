"""A manuscript out of the house as one file, and a story made into a manuscript."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Query
from starlette.responses import JSONResponse, Response

from huaben.services.retelling import Retelling, retell
from huaben.services.writing.exporting import BookForm, export_manuscript
from huaben.web import schemas
from huaben.web.bodies_writing import RetellingWanted
from huaben.web.downloads import download
from huaben.web.given import HouseGiven, Id

router = APIRouter(prefix="/api/projects/{project_id}/manuscript", tags=["writing"])

To = Annotated[
    BookForm,
    Query(
        description="`md` holds the chapters to the letter; `txt`, `epub` and `docx` are to be read."
    ),
]
At = Annotated[
    str | None, Query(max_length=100, description="A checkpoint; without one as it is now.")
]
_FILE: dict[int | str, dict[str, object]] = {
    200: {"description": "The file.", "content": {"application/octet-stream": {}}}
}


@router.get("", response_class=Response, responses=_FILE)
async def export(house: HouseGiven, project_id: Id, to: To = "md", at: At = None) -> Response:
    """The whole manuscript as one file; an EPUB has the card's picture as its cover."""
    return download(await export_manuscript(house, project_id, to, at))


@router.get("/report", response_model=schemas.ImportReport)
async def report(house: HouseGiven, project_id: Id, to: To = "md", at: At = None) -> JSONResponse:
    """What an export in that form would leave out."""
    return JSONResponse(dict((await export_manuscript(house, project_id, to, at)).report))


@router.post("", status_code=201, response_model=schemas.ProjectFounded)
async def make_manuscript(
    house: HouseGiven, project_id: Id, wanted: RetellingWanted | None = None
) -> JSONResponse:
    """Make a writing project of a roleplay story: a chapter for each turn of its branch, or one of all. The
    story stays as it is."""
    wish = wanted or RetellingWanted()
    retelling = Retelling(wish.title, wish.form, wish.at, wish.words)
    project, head = await retell(house, project_id, retelling)
    place = {"location": f"/api/projects/{project.id}"}
    return JSONResponse({"id": project.id, "head": head.turn_id}, 201, headers=place)
