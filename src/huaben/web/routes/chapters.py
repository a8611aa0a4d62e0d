"""The chapters of a manuscript: listed, read, saved, deleted, renamed."""

from __future__ import annotations

import re
from typing import Annotated, TypeAlias

from fastapi import APIRouter, Form, Header, Path
from starlette.responses import JSONResponse, Response

from huaben.domain.manuscript_replace import Replacement
from huaben.errors import PreconditionFailed
from huaben.services.writing import authorship, chapters, importing, replacing
from huaben.services.writing.chapters import ChapterText, Expected
from huaben.services.writing.importing import Arriving
from huaben.services.writing.replacing import Chosen
from huaben.web import schemas_writing as schemas
from huaben.web.bodies_writing import (
    ChapterGiven,
    ChapterNamed,
    ChaptersUpload,
    ReplaceWanted,
)
from huaben.web.given import HouseGiven, Id, SettingsGiven
from huaben.web.uploads import read_upload

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


@router.post("/replace", response_model=schemas.Replacing)
async def replace(house: HouseGiven, project_id: Id, wanted: ReplaceWanted) -> JSONResponse:
    """Find words in all chapters and replace them: first the places are shown, then, with the hashes that were
    shown, they are replaced as one checkpoint."""
    words = Replacement(
        wanted.find,
        wanted.replace,
        wanted.ignore_case,
        tuple(wanted.names),
        wanted.whole_words,
        wanted.pattern,
    )
    if wanted.files is None:
        shown = await replacing.preview(house, project_id, words)
        count = sum(one.replaced.count for one in shown)
        files = replacing.previews_json(shown)
        return JSONResponse({"files": files, "count": count, "checkpoint": None})
    chosen = Chosen(wanted.files, wanted.left_out)
    done = await replacing.replace_all(house, project_id, words, chosen)
    made = done.snapshot.checkpoint.id if done.snapshot else None
    return JSONResponse({"files": [], "count": done.count, "checkpoint": made})


@router.post("/import", status_code=201, response_model=schemas.ChaptersImported)
async def import_chapters(
    house: HouseGiven,
    settings: SettingsGiven,
    project_id: Id,
    form: Annotated[ChaptersUpload, Form(media_type="multipart/form-data")],
    apart: bool = False,
) -> JSONResponse:
    """Bring Markdown and text files in as chapters, behind those that are there; with `apart` each file is
    taken apart at its headings. One import is one checkpoint."""
    files = [
        Arriving(name, data)
        for data, name in [await read_upload(settings, file) for file in form.files]
    ]
    brought = await importing.import_chapters(house, project_id, files, apart=apart)
    return JSONResponse(
        {
            "names": list(brought.names),
            "checkpoint": brought.snapshot.checkpoint.id,
            "report": dict(brought.report),
        },
        201,
    )


@router.get("/{name}", response_model=schemas.ChapterTold)
async def show_chapter(house: HouseGiven, project_id: Id, name: Name) -> JSONResponse:
    """A chapter as it is now."""
    return _told(await chapters.read_chapter(house, project_id, name))


@router.get("/{name}/hands", response_model=schemas.HandsTold)
async def show_hands(house: HouseGiven, project_id: Id, name: Name) -> JSONResponse:
    """Who wrote what of a chapter as it is now, read off its history."""
    told = await authorship.authorship(house, project_id, name)
    stretches = [
        {"start": one.start, "end": one.end, "author": one.author} for one in told.stretches
    ]
    return JSONResponse({"hash": told.hash, "stretches": stretches})


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
