"""The file of a multipart form as bytes and a harmless name; apart because cards and lorebooks come
in alike."""

from __future__ import annotations

import re

from fastapi import UploadFile
from starlette.responses import JSONResponse

from huaben.config import Settings
from huaben.errors import TooLarge
from huaben.services.library import Imported

MAX_NAME = 200
_PLACES = {"scripts": "scripts", "quick_replies": "quick-replies"}
"""Where a thing of the library is found, if not under the plural of its kind."""
_UNSEEN = re.compile(r"[\x00-\x1f\x7f-\x9f\u200e\u200f\u202a-\u202e\u2066-\u2069\ud800-\udfff]")
"""Controls, marks that turn the direction of what follows, and halves of characters."""


async def read_upload(settings: Settings, file: UploadFile) -> tuple[bytes, str]:
    """The bytes and the name. Raises `TooLarge`."""
    limit = settings.max_upload_mb * 1024 * 1024
    if file.size is not None and file.size > limit:
        raise TooLarge(
            "file_too_large",
            f"The file has {file.size:,} bytes, at most {limit:,} are taken.",
            "HUABEN_MAX_UPLOAD_MB sets the limit.",
            size=file.size,
            limit=limit,
        )
    return await file.read(), plain_name(file.filename or "")


def plain_name(name: str) -> str:
    """The last part of a path as some browsers send it, without what could hide or reorder text."""
    return _UNSEEN.sub("", re.split(r"[/\\]", name)[-1]).strip()[:MAX_NAME]


def imported(found: Imported) -> JSONResponse:
    """201 for what is new, 200 for bytes that were in the library before."""
    body: dict[str, object] = {"id": found.id, "name": found.name, "report": dict(found.report)}
    if found.also:
        also = [{"kind": one.kind, "id": one.id, "name": one.name} for one in found.also]
        body["also"] = also
    if found.already:
        return JSONResponse({**body, "already": True}, 200)
    place = f"/api/{_PLACES.get(found.kind, f'{found.kind}s')}/{found.id}"
    return JSONResponse(body, 201, headers={"location": place})
