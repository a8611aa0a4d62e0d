"""Old chats into projects, and stories out again as chats."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Form, Query
from starlette.responses import JSONResponse, Response

from huaben.services import chats
from huaben.services.chats_export import StoryForm, export_story
from huaben.services.chats_shown import show_begun, show_chats
from huaben.web import bodies, schemas, schemas_chats
from huaben.web.downloads import download
from huaben.web.given import HouseGiven, Id, SettingsGiven
from huaben.web.uploads import read_upload

router = APIRouter(prefix="/api", tags=["chats"])

Named = Annotated[str | None, Query(max_length=100, pattern=r"^[0-9A-Za-z_.-]+$")]
To = Annotated[
    StoryForm,
    Query(
        description="`jsonl` is SillyTavern's file; `txt` and `md` are the story to read; `json` is the whole tree."
    ),
]
At = Annotated[
    str | None,
    Query(max_length=100, description="The turn at which the branch ends; without it the head."),
]
_FILE: dict[int | str, dict[str, object]] = {
    200: {"description": "The file.", "content": {"application/octet-stream": {}}}
}


@router.post("/chats", status_code=202, response_model=schemas_chats.ChatsBegun)
async def import_chats(
    house: HouseGiven,
    settings: SettingsGiven,
    form: Annotated[bodies.Upload, Form(media_type="multipart/form-data")],
    project: Named = None,
    card: Named = None,
    bare: bool = False,
) -> JSONResponse:
    """Bring in every chat of a file, of whatever program: as a branch of a project, or as a new project
    of a card, by default of the card that has its character's name. `bare` makes a card of that name
    where there is none. When this answers, the file is durable and its turns come in the background."""
    data, name = await read_upload(settings, form.file)
    begun = await chats.import_chats(house, data, name, chats.Wish(project, card, bare))
    return JSONResponse({"items": [await show_begun(house, one) for one in begun]}, 202)


@router.get("/projects/{project_id}/chats", response_model=schemas_chats.ChatsTold)
async def list_chats(house: HouseGiven, project_id: Id) -> JSONResponse:
    """The chats that were brought into a project, with their reports and how far each has come."""
    return JSONResponse({"items": await show_chats(house, project_id)})


@router.get("/projects/{project_id}/export", response_class=Response, responses=_FILE)
async def export_project(
    house: HouseGiven, project_id: Id, to: To = "jsonl", at: At = None
) -> Response:
    """The story as a file. What was imported leaves as it came, with what was told since;
    `/export/report` says what the file does not hold."""
    return download(await export_story(house, project_id, to, at))


@router.get("/projects/{project_id}/export/report", response_model=schemas.ImportReport)
async def report_export(
    house: HouseGiven, project_id: Id, to: To = "jsonl", at: At = None
) -> JSONResponse:
    """What an export in that form would leave out."""
    return JSONResponse(dict((await export_story(house, project_id, to, at)).report))
