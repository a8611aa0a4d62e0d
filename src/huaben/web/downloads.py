"""Files and pictures as answers; apart so that no route decides for itself what a browser may make of
bytes that came from somewhere else."""

from __future__ import annotations

from urllib.parse import quote

from starlette.responses import Response

from huaben.services.exporting import File, Picture
from huaben.services.filenames import ascii_name

PICTURE_AGE_S = 86_400


def download(file: File) -> Response:
    """A file to be saved, never to be shown; its name in both ways that browsers read (RFC 6266)."""
    encoded = quote(file.name, safe="")
    named = f"attachment; filename=\"{ascii_name(file.name)}\"; filename*=UTF-8''{encoded}"
    headers = {"content-disposition": named, "cache-control": "no-store"}
    return Response(file.content, media_type=file.media_type, headers=headers)


def picture(shown: Picture, tag: str) -> Response:
    """A picture with the type that its own bytes have. What is stored under an id never changes, so
    the browser may keep it; only the reader's own."""
    headers = {
        "etag": tag,
        "cache-control": f"private, max-age={PICTURE_AGE_S}, immutable",
        "content-disposition": "inline",
        "x-content-type-options": "nosniff",
    }
    return Response(shown.content, media_type=shown.media_type, headers=headers)
