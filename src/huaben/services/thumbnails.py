"""Pictures of cards and personas made small, so that a shelf of hundreds loads at once; apart from exporting,
which hands out pictures as they are."""

from __future__ import annotations

import asyncio
import io
from collections import OrderedDict
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, Final, TypeAlias

from huaben.domain.image import picture_type
from huaben.errors import StorageFailed
from huaben.services import exporting
from huaben.services.exporting import Picture
from huaben.services.house import House

if TYPE_CHECKING:
    from PIL.Image import Image

WIDTHS: Final = (160, 320)
"""In pixels; a wanted width is rounded up to one of them."""
MAX_BYTES: Final = 20_000
MAX_PIXELS: Final = 40_000_000
"""Of the picture to be made small: more are not decoded, whatever the file says they pack into."""
KEPT: Final = 512
_DECODERS: Final = ("PNG", "JPEG", "WEBP", "GIF")
_QUALITIES: Final = (76, 60, 45, 30, 15)
NOTHING: Final = Picture(
    bytes.fromhex(
        "89504e470d0a1a0a0000000d4948445200000001000000010806000000"
        "1f15c4890000000d49444154789c63000100000500010d0a2db40000000049454e44ae426082"
    ),
    "image/png",
)
"""One clear pixel."""
_ALOUD: Final = 2
"""Pictures decoded at once."""


Load: TypeAlias = Callable[[], Awaitable[Picture | None]]


class Thumbnails:
    """Small pictures by their bytes' names, the last used of them kept in memory."""

    def __init__(self) -> None:
        self._made: OrderedDict[tuple[str, int], Picture] = OrderedDict()
        self._turns = asyncio.Semaphore(_ALOUD)

    async def of_card(self, house: House, card_id: str, width: int) -> Picture:
        """A card's picture, at most `width` wide and `MAX_BYTES` heavy. Raises `NotFound`."""
        name = await exporting.picture_tag(house, card_id)
        return await self._small(name, width, lambda: exporting.card_image(house, card_id))

    async def of_object(self, house: House, name: str, width: int) -> Picture:
        """The same of a picture that is an object by itself; one clear pixel where its bytes are gone
        or damaged."""
        return await self._small(name, width, lambda: _object(house, name))

    async def _small(self, name: str, width: int, load: Load) -> Picture:
        edge = next((one for one in WIDTHS if one >= width), WIDTHS[-1])
        key = (name, edge)
        if key not in self._made:
            async with self._turns:
                whole = await load()
                if whole is None:
                    return NOTHING
                self._made[key] = await asyncio.to_thread(small, whole, edge)
        self._made.move_to_end(key)
        while len(self._made) > KEPT:
            self._made.popitem(last=False)
        return self._made[key]


async def _object(house: House, name: str) -> Picture | None:
    try:
        content = await house.objects.get(name)
    except StorageFailed:
        return None  # the audit names it; its place on the page stays whole
    return None if content is None else Picture(content, picture_type(content) or "")


def has_too_many_pixels(content: bytes) -> bool:
    """Whether a picture says that it has more than `MAX_PIXELS`; what cannot be read says nothing."""
    from PIL import Image  # as in `_decoded`

    Image.MAX_IMAGE_PIXELS = None
    try:
        with Image.open(io.BytesIO(content), formats=_DECODERS) as image:
            return image.width * image.height > MAX_PIXELS
    # As in `small`.
    except Exception:  # noqa: BLE001
        return False


def small(picture: Picture, width: int) -> Picture:
    """The picture in one frame, at most `width` wide and three times as high; of what cannot be
    decoded, and of the plain picture that stands for none, one clear pixel, behind which a page shows
    what it likes."""
    if picture == exporting.plain_picture():
        return NOTHING
    try:
        image = _decoded(picture.content, width)
    # Decoders answer damage with errors of many kinds (also of the parsers of metadata).
    except Exception:  # noqa: BLE001
        return NOTHING
    for edge in (width, width // 2, width // 4):
        image.thumbnail((edge, edge * 3))
        for quality in _QUALITIES:
            content = io.BytesIO()
            image.save(content, "WEBP", quality=quality, method=4)
            if content.tell() <= MAX_BYTES:
                return Picture(content.getvalue(), "image/webp")
    return NOTHING


def _decoded(content: bytes, width: int) -> Image:
    from PIL import Image  # here because it is large, and not every run shows pictures

    # The limit is ours, checked before a pixel is decoded; the library's own would only warn.
    Image.MAX_IMAGE_PIXELS = None
    with Image.open(io.BytesIO(content), formats=_DECODERS) as image:
        if image.width * image.height > MAX_PIXELS:
            raise ValueError("more pixels than are decoded")
        image.draft("RGB", (width * 2, width * 6))  # a large photograph is decoded at a fraction
        opaque = image.convert("RGBA" if image.has_transparency_data else "RGB")
    opaque.thumbnail((width, width * 3), Image.Resampling.LANCZOS)
    return opaque
