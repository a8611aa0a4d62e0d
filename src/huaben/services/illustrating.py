"""The pictures that texts have marks of, read for a file that leaves the house; apart from drawing them."""

from __future__ import annotations

import asyncio
import io
from collections.abc import Iterable, Sequence
from typing import Literal

from huaben.domain.image import PICTURE_TYPES, markers
from huaben.errors import NotFound, StorageFailed
from huaben.formats.illustrations import Illustration, Illustrations, as_markdown, as_words
from huaben.formats.report import Findings
from huaben.services import images
from huaben.services.house import House


async def illustrations_of(house: House, texts: Iterable[str], findings: Findings) -> Illustrations:
    """The pictures that are ready, by id; the report names the others, whose captions stay."""
    found: dict[str, Illustration] = {}
    for image in dict.fromkeys(mark.id for text in texts for mark in markers(text)):
        try:
            shown = (await images.show_image(house, image)).image
            content = await images.picture_of(house, shown)
        except (NotFound, StorageFailed) as fault:
            findings.dropped("picture_missing", image, fault.message, fault=fault.message)
            continue
        size = await asyncio.to_thread(_size_of, content)
        if size is None or shown.media_type not in PICTURE_TYPES.values():
            findings.dropped("picture_missing", image, "its bytes are no picture")
            continue
        found[image] = Illustration(content, shown.media_type, *size)
    return found


async def illustrated(
    house: House,
    form: Literal["jsonl", "txt", "md", "json"],
    content: bytes,
    texts: Sequence[str],
    findings: Findings,
) -> bytes:
    """A story's file with its pictures, where its form can hold any; else the report counts them.
    `texts` are the story's own."""
    if form == "md":
        told = content.decode()
        found = await illustrations_of(house, texts, findings)
        return (await asyncio.to_thread(as_markdown, told, found)).encode()
    note_left_out(texts, findings)
    return as_words(content.decode()).encode() if form == "txt" else content


def note_left_out(texts: Iterable[str], findings: Findings) -> None:
    """Say how many pictures a file has only the marks of."""
    count = len({mark.id for text in texts for mark in markers(text)})
    if count:
        detail = f"{count} picture{'' if count == 1 else 's'}"
        findings.dropped("pictures_left_out", "", detail, n=count)


def _size_of(content: bytes) -> tuple[int, int] | None:
    from PIL import Image  # here because it is large, and few runs make books

    try:
        with Image.open(io.BytesIO(content), formats=("PNG", "JPEG", "WEBP", "GIF")) as picture:
            return picture.size
    # Decoders answer damage with errors of many kinds (also of the parsers of metadata).
    except Exception:  # noqa: BLE001
        return None
