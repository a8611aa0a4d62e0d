"""The chapters of a manuscript: listed, read, saved, deleted, renamed."""

from __future__ import annotations

import re
from typing import Annotated, TypeAlias

from fastapi import APIRouter, Header, Path
from starlette.responses import JSONResponse, Response

from huaben.errors import PreconditionFailed
from huaben.services.writing import chapters
from huaben.services.writing.chapters import ChapterText, Expected
from huaben.web import schemas_writing as schemas
from huaben.web.bodies_writing import ChapterGiven, ChapterNamed
from huaben.web.given import HouseGiven, Id

router = APIRouter(prefix="/api/projects/{project_id}/chapters", tags=["writing"])

_TAG = re.compile(r'(?:W/)?"?([0-9a-f]{64})"?')
Name: TypeAlias = Annotated[str, Path(max_length=300, description="The file name.")]
IfMatch: TypeAlias = Annotated[
    str | None, Header(max_length=200, description="The hash that was seen.")
]
IfNoneMatch: TypeAlias = Annotated[
    str | None, Header(max_length=200, description="`*` for a chapter that is new.")
]


@router.get("", response_model=schemas.ChapterList)
async def list_chapters(house: HouseGiven, project_id: Id) -> JSONResponse:
    """All chapters in order. What was edited by hand is noticed, and gets a checkpoint of its own."""
    standing = await chapters.list_chapters(house, project_id)
    return JSONResponse(chapters.chapters_json(standing))


@router.get("/{name}", response_model=schemas.ChapterTold)
async def show_chapter(house: HouseGiven, project_id: Id, name: Name) -> JSONResponse:
    """A chapter as it is now."""
    return _told(await chapters.read_chapter(house, project_id, name))


@router.put(
    "/{name}",
    response_model=schemas.ChapterTold,
    responses={201: {"model": schemas.ChapterTold, "description": "The chapter is new."}},
)
async def save_chapter(
    house: HouseGiven,
    project_id: Id,
    name: Name,
    given: ChapterGiven,
    if_match: IfMatch = None,
    if_none_match: IfNoneMatch = None,
) -> JSONResponse:
    """Save a chapter, exactly as sent. `If-Match` names the hash that was changed, `If-None-Match: *` makes
    a new chapter. A checkpoint is made before this answers."""
    expected = _expected(if_match, if_none_match)
    saved = await chapters.save_chapter(house, project_id, name, given.text, expected)
    return _told(saved, 201 if expected == "new" else 200)


@router.delete("/{name}", status_code=204, response_class=Response)
async def delete_chapter(
    house: HouseGiven, project_id: Id, name: Name, if_match: IfMatch = None
) -> Response:
    """Take a chapter out of the manuscript; its history keeps it."""
    await chapters.delete_chapter(house, project_id, name, _expected(if_match, None))
    return Response(status_code=204)


@router.post("/{name}/rename", response_model=schemas.ChapterTold)
async def rename_chapter(
    house: HouseGiven,
    project_id: Id,
    name: Name,
    given: ChapterNamed,
    if_match: IfMatch = None,
) -> JSONResponse:
    """Give a chapter another file name, and with it another title or another place."""
    expected = _expected(if_match, None)
    return _told(await chapters.rename_chapter(house, project_id, name, given.to, expected))


def _told(chapter: ChapterText, status: int = 200) -> JSONResponse:
    body = {"name": chapter.name, "text": chapter.text, "hash": chapter.hash}
    return JSONResponse(body, status, headers={"etag": f'"{chapter.hash}"'})


def _expected(if_match: str | None, if_none_match: str | None) -> Expected:
    """What the client has seen. `If-Match: *` says that it has looked at nothing."""
    if (if_none_match or "").strip() == "*":
        return "new"
    tag = (if_match or "").strip()
    if tag in ("", "*"):
        return None
    found = _TAG.fullmatch(tag)
    if found is None:
        raise PreconditionFailed(
            "chapter_changed", f"{tag} is no hash of a chapter.", "Look at the present text first."
        )
    return found[1]
