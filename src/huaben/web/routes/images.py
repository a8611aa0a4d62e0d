"""The pictures of turns: what has become of each, its bytes, and another try."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Header
from starlette.responses import JSONResponse, Response

from huaben.services import images
from huaben.services.images import Shown
from huaben.web.given import HouseGiven, Id
from huaben.web.schemas_images import ImageTold

router = APIRouter(prefix="/api/images/{image_id}", tags=["story"])

_PICTURE: dict[int | str, dict[str, object]] = {
    200: {"description": "The picture.", "content": {"image/*": {}}},
    304: {"description": "It is as the client has it."},
}
_INERT = {
    # Under an id another picture may come to stand, when the first is lost and drawn again.
    "cache-control": "private, no-cache",
    "content-disposition": "inline",
    "content-security-policy": "default-src 'none'; sandbox",
    "x-content-type-options": "nosniff",
}


@router.get("", response_model=ImageTold)
async def show_image(house: HouseGiven, image_id: Id) -> JSONResponse:
    """What has become of a picture."""
    return JSONResponse(_told(await images.show_image(house, image_id)))


@router.get("/picture", response_class=Response, responses=_PICTURE)
async def show_picture(
    house: HouseGiven,
    image_id: Id,
    if_none_match: Annotated[str | None, Header(max_length=500)] = None,
) -> Response:
    """The bytes of a picture that is ready, of the type that they are by themselves."""
    image = (await images.show_image(house, image_id)).image
    headers = {**_INERT, "etag": f'"{image.object_hash}"'}
    if image.object_hash and if_none_match is not None and headers["etag"] in if_none_match:
        return Response(status_code=304, headers=headers)
    content = await images.picture_of(house, image)
    return Response(content, media_type=image.media_type, headers=headers)


@router.post("/retry", status_code=202, response_model=ImageTold)
async def retry(house: HouseGiven, image_id: Id) -> JSONResponse:
    """Draw a picture again that failed or was lost."""
    return JSONResponse(_told(await images.retry(house, image_id)), 202)


def _told(shown: Shown) -> dict[str, object]:
    image = shown.image
    ready = image.state == "ready"
    return {
        "id": image.image,
        "project": shown.project_id,
        "turn": shown.turn_id,
        "state": image.state,
        "place": image.place,
        "prompt": image.prompt,
        "caption": image.caption,
        "attempt": image.attempt,
        "picture": f"/api/images/{image.image}/picture?v={image.attempt}" if ready else None,
        "media_type": image.media_type or None,
        "code": image.code,
        "message": image.message,
    }
