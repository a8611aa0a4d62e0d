"""The pictures that came with a card, which its texts show by name."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Header, Path
from starlette.responses import JSONResponse, Response

from huaben.services import cardassets
from huaben.services.cardassets import AssetShown
from huaben.services.exporting import Picture
from huaben.web import schemas
from huaben.web.downloads import picture
from huaben.web.given import HouseGiven, Id
from huaben.web.schemas_images import AssetTold

router = APIRouter(prefix="/api/cards/{card_id}/assets", tags=["library"])


@router.get("", response_model=schemas.PageOf[AssetTold])
async def list_assets(house: HouseGiven, card_id: Id) -> JSONResponse:
    """All pictures in a card's file."""
    found = await cardassets.card_assets(house, card_id)
    items = [_told(card_id, one) for one in found]
    return JSONResponse({"items": items, "next": None})


@router.get(
    "/{number}",
    response_class=Response,
    responses={
        200: {"description": "The picture.", "content": {"image/*": {}}},
        304: {"description": "It is as the client has it."},
    },
)
async def show_asset(
    house: HouseGiven,
    card_id: Id,
    number: Annotated[int, Path(ge=0, lt=cardassets.MAX_ASSETS)],
    if_none_match: Annotated[str | None, Header(max_length=500)] = None,
) -> Response:
    """One of them, of the type that its bytes are by themselves."""
    found = await cardassets.card_asset(house, card_id, number)
    tag = f'"{found.object_hash}"'
    if if_none_match is not None and tag in if_none_match:
        return Response(status_code=304, headers={"etag": tag})
    content = await cardassets.asset_content(house, found)
    shown = picture(Picture(content, found.media_type), tag)
    shown.headers["content-security-policy"] = "default-src 'none'; sandbox"
    return shown


def _told(card_id: str, asset: AssetShown) -> dict[str, object]:
    return {
        "names": list(asset.names),
        "picture": f"/api/cards/{card_id}/assets/{asset.number}",
        "media_type": asset.media_type,
    }
