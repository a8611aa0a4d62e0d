"""The user's own texts that shape the system text, for every card and for one."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Query
from starlette.responses import JSONResponse

from huaben.domain.project import Guidance
from huaben.services.guiding import list_guidance, read_guidance, write_guidance
from huaben.web import bodies, schemas, shapes
from huaben.web.given import HouseGiven, Id
from huaben.web.schemas_lore import GuidanceTold

router = APIRouter(prefix="/api/guidance", tags=["guidance"])

CardNamed = Annotated[
    str, Query(max_length=100, description="A card's id; without it, every card.")
]


@router.get("", response_model=schemas.PageOf[GuidanceTold])
async def list_texts(house: HouseGiven, card: CardNamed = "") -> JSONResponse:
    """The texts that hold for every card, then those of one card; empty ones included."""
    return JSONResponse(shapes.page(await list_guidance(house, card), None, _told))


@router.get("/{name}", response_model=GuidanceTold)
async def show_text(house: HouseGiven, name: Id, card: CardNamed = "") -> JSONResponse:
    """`SYSTEM.md`, `APPEND_SYSTEM.md` or `AGENTS.md`, with the revision to change it by."""
    return JSONResponse(_told(await read_guidance(house, name, card)))


@router.put("/{name}", response_model=GuidanceTold)
async def change_text(
    house: HouseGiven, name: Id, given: bodies.GuidanceGiven, card: CardNamed = ""
) -> JSONResponse:
    """Put a text in the place of the one with that revision; an empty one takes it out of force.
    The next turn of every story that it holds for names it as the cause of its new prefix."""
    text = Guidance(house.user_id, card, name, given.text, given.revision)
    return JSONResponse(_told(await write_guidance(house, text)))


def _told(row: Guidance) -> dict[str, object]:
    return {
        "name": row.name,
        "card_id": row.card_id or None,
        "text": row.text,
        "revision": row.revision,
    }
