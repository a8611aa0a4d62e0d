"""Why lore entries are in or out: of a turn, and of a text that is only tried."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Query
from starlette.responses import JSONResponse

from huaben.services.explaining import Trial, explain_turn, explained_json, try_text
from huaben.web import bodies
from huaben.web.given import HouseGiven, Id
from huaben.web.schemas_lore import LoreTold

router = APIRouter(prefix="/api", tags=["lore"])

ROWS = 1000
"""Entries left out on one page; each takes about 150 bytes."""


@router.get("/turns/{turn_id}/lore", response_model=LoreTold)
async def show_lore(
    house: HouseGiven,
    turn_id: Id,
    after: Annotated[int, Query(ge=0)] = 0,
    limit: Annotated[int, Query(ge=1, le=ROWS)] = 200,
) -> JSONResponse:
    """The lore of a turn: each entry of its books, in or out, with the reason."""
    return JSONResponse(explained_json(await explain_turn(house, turn_id), after, limit))


@router.post("/lorebooks/test", response_model=LoreTold)
async def try_lorebooks(house: HouseGiven, wanted: bodies.LoreTrial) -> JSONResponse:
    """What a text would bring from lorebooks, and why not the others. Nothing is kept."""
    trial = Trial(
        wanted.text,
        tuple(wanted.book_ids),
        wanted.card_id,
        wanted.scenario,
        wanted.seed,
        wanted.project_id,
    )
    explained = await try_text(house, trial)
    return JSONResponse(explained_json(explained, wanted.after, wanted.limit))
