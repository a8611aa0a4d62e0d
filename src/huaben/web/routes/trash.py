"""Deleting, and taking back: the same for cards, lorebooks and projects, so in one place."""

from __future__ import annotations

from datetime import datetime, timedelta

from fastapi import APIRouter
from starlette.responses import JSONResponse, Response

from huaben.domain.times import stamp
from huaben.ports import Thing, TrashKind
from huaben.services import trash
from huaben.web import schemas, schemas_jobs, shapes
from huaben.web.given import CompanyGiven, HouseGiven, Id, PageGiven

router = APIRouter(prefix="/api", tags=["trash"])


@router.delete("/cards/{card_id}", status_code=204)
async def delete_card(house: HouseGiven, card_id: Id) -> Response:
    """Put a card into the trash. Stories that were begun with it keep it."""
    await trash.discard(house, "card", card_id)
    return Response(status_code=204)


@router.delete("/lorebooks/{book_id}", status_code=204)
async def delete_lorebook(house: HouseGiven, book_id: Id) -> Response:
    """Put a lorebook into the trash. Stories that use it keep it."""
    await trash.discard(house, "lorebook", book_id)
    return Response(status_code=204)


@router.delete("/projects/{project_id}", status_code=204)
async def delete_project(house: HouseGiven, company: CompanyGiven, project_id: Id) -> Response:
    """Put a project into the trash. A turn that runs is stopped; what it wrote is kept."""
    await trash.discard_project(house, company, project_id)
    return Response(status_code=204)


@router.get("/trash", response_model=schemas.PageOf[schemas_jobs.TrashItem])
async def list_trash(house: HouseGiven, page: PageGiven) -> JSONResponse:
    """What was deleted in the last thirty days, latest first."""
    things, following = await trash.list_trash(house, page)
    return JSONResponse(shapes.page(things, following, _told))


@router.post("/trash/{kind}/{thing_id}/restore", response_model=schemas_jobs.Restored)
async def restore(house: HouseGiven, kind: TrashKind, thing_id: Id) -> JSONResponse:
    """Take a thing back from the trash, as it was."""
    thing = await trash.restore(house, kind, thing_id)
    return JSONResponse({"kind": thing.kind, "id": thing.id, "name": thing.name})


@router.get("/trash/project/{project_id}", response_model=schemas_jobs.TrashContents)
async def show_contents(house: HouseGiven, project_id: Id) -> JSONResponse:
    """What would go with a project of the trash."""
    turns, saves = await trash.contents(house, project_id)
    return JSONResponse({"turns": turns, "saves": saves})


@router.post("/trash/empty", response_model=schemas_jobs.Emptied)
async def empty_trash(house: HouseGiven, wanted: schemas_jobs.EmptyWanted) -> JSONResponse:
    """Let everything go for good that had been deleted by the moment that was seen."""
    return JSONResponse({"gone": await trash.empty(house, wanted.seen)})


def _told(thing: Thing) -> dict[str, object]:
    until = datetime.fromisoformat(thing.deleted_at) + timedelta(days=trash.KEPT_DAYS)
    return {
        "kind": thing.kind,
        "id": thing.id,
        "name": thing.name,
        "deleted_at": thing.deleted_at,
        "until": stamp(until),
    }
