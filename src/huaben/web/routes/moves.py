"""An old installation of this machine: looked at, and moved in as one resumable job."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path

from fastapi import APIRouter, Request
from starlette.responses import JSONResponse

from huaben.config import Settings
from huaben.errors import Conflict
from huaben.ports import DueJob
from huaben.ports.installation import Installation
from huaben.services import chores, importing, moving
from huaben.services.house import House
from huaben.services.moving import Moved
from huaben.services.moving_plan import MOVE_KINDS, Survey
from huaben.web import schemas, schemas_moving, shapes
from huaben.web.given import HouseGiven, Id, PageGiven
from huaben.web.hosts import is_loopback

router = APIRouter(prefix="/api/moves", tags=["library"])


@router.post("/look", response_model=schemas_moving.MoveSurvey)
async def look(request: Request, asked: schemas_moving.LookAt) -> JSONResponse:
    """What is in a folder of the machine that the program runs on, counted by kind; no file is opened.
    Only where the program can be reached from that machine alone."""
    return JSONResponse(_survey(await moving.look(_folder(request, asked))))


@router.post("", status_code=202, response_model=schemas_moving.MoveTold)
async def begin_move(
    request: Request, house: HouseGiven, asked: schemas_moving.MoveIn
) -> JSONResponse:
    """Store what is in a folder and move it in in the background. When this answers, all of it is durable
    and the folder is not needed any more. Only where `look` is."""
    kinds = MOVE_KINDS if asked.kinds is None else tuple(asked.kinds)
    move_id = await moving.begin(house, _folder(request, asked), kinds)
    job = await moving.load_move(house, move_id)
    place = f"/api/moves/{move_id}"
    return JSONResponse(await _told(house, job), 202, headers={"location": place})


@router.get("", response_model=schemas.PageOf[schemas_moving.MoveTold])
async def list_moves(house: HouseGiven, page: PageGiven) -> JSONResponse:
    """All moves, newest first."""
    jobs, following = await moving.list_moves(house, page)
    told = [await _told(house, job) for job in jobs]
    return JSONResponse({"items": told, "next": following})


@router.get("/{move_id}", response_model=schemas_moving.MoveShown)
async def show_move(house: HouseGiven, move_id: Id, page: PageGiven) -> JSONResponse:
    """How far a move has come, and what became of each file, in the order in which they move."""
    job = await moving.load_move(house, move_id)
    items, following = await moving.moved(house, job, page)
    counts = asdict(await importing.tally(house, job))
    shown = shapes.page(items, following, _item)
    return JSONResponse({**await _told(house, job), **counts, **shown})


def _folder(request: Request, asked: schemas_moving.LookAt) -> Installation:
    """Raises `Conflict("not_this_machine")`: whoever reads folders by their path must sit before the
    machine. Further names that the server answers to mean that others can reach it through a proxy."""
    # It loads the database; by the time a request is here that is long done.
    from huaben.bootstrap import old_installation

    settings: Settings = request.app.state.settings
    if not is_loopback(settings.host.lower()) or settings.allowed_hosts:
        raise Conflict(
            "not_this_machine",
            "Folders are read only where the program can be reached from its own machine alone.",
            "Use huaben move on the machine that the program runs on.",
        )
    return old_installation(Path(asked.path))


def _survey(survey: Survey) -> dict[str, object]:
    return {
        "root": survey.root,
        "parts": [
            {"kind": part.kind, "files": len(part.files), "size": part.size}
            for part in survey.parts
        ],
        "left": [asdict(left) for left in survey.left],
        "links": list(survey.links),
    }


async def _told(house: House, job: DueJob) -> dict[str, object]:
    shown = await chores.show_job(house, job)
    return {
        "id": importing.id_of(job),
        "state": shown.state,
        "outcome": shown.outcome,
        "made_at": shown.made_at,
        "done": shown.done,
        "total": shown.total or 0,
    }


def _item(one: Moved) -> dict[str, object]:
    item = one.item
    return {
        "n": item.n,
        "place": one.place,
        "fate": item.fate,
        "kind": item.kind or None,
        "id": item.id or None,
        "name": item.name or None,
        "code": item.code or None,
        "message": item.message or None,
        "report": item.report,
    }
