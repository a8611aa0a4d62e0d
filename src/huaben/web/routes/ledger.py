"""The ledger: what holds in the story, who says so, and the user's own hand in it."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Query
from starlette.responses import JSONResponse

from huaben.services import bookkeeping
from huaben.web import shapes
from huaben.web.given import HouseGiven, Id, PageGiven
from huaben.web.schemas_ledger import LedgerEdit, LedgerResource, LedgerRevert, VersionPage

router = APIRouter(prefix="/api/projects/{project_id}/ledger", tags=["story"])

At = Annotated[str | None, Query(description="A turn; the head if left out.")]


@router.get("", response_model=LedgerResource)
async def ledger(house: HouseGiven, project_id: Id, at: At = None) -> JSONResponse:
    """What stands at a node of the story."""
    shown = await bookkeeping.show_ledger(house, project_id, at)
    return JSONResponse(bookkeeping.ledger_json(shown))


@router.patch("", response_model=LedgerResource)
async def edit(house: HouseGiven, project_id: Id, given: LedgerEdit) -> JSONResponse:
    """Write a version of your own at the head. It is done whole or not at all."""
    locked = None if given.locked is None else tuple(given.locked)
    made = await bookkeeping.edit_ledger(
        house, project_id, bookkeeping.Edit(given.revision, given.patch, locked)
    )
    return JSONResponse(bookkeeping.ledger_json(made))


@router.get("/history", response_model=VersionPage)
async def history(
    house: HouseGiven, project_id: Id, page: PageGiven, at: At = None
) -> JSONResponse:
    """The versions on the way to a node, newest first."""
    found, following = await bookkeeping.history(house, project_id, page, at)
    return JSONResponse(shapes.page(found, following, bookkeeping.version_json))


@router.post("/revert", response_model=LedgerResource)
async def revert(house: HouseGiven, project_id: Id, given: LedgerRevert) -> JSONResponse:
    """Take back what one version changed, as far as nothing changed there since."""
    made = await bookkeeping.revert_version(
        house, project_id, given.revision, given.node, given.version
    )
    return JSONResponse(bookkeeping.ledger_json(made))
