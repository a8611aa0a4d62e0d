"""Pictures of a story in the files that leave the house; apart from the text, whose marks only say where each
stands. Pure: whoever exports brings the bytes.
"""

from __future__ import annotations

import base64
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, TypeAlias

from huaben.domain.image import PICTURE_TYPES, Marker, with_markers

ENDINGS: Final[Mapping[str, str]] = {kind: ending for ending, kind in PICTURE_TYPES.items()}


@dataclass(frozen=True, slots=True)
class Illustration:
    """A picture whose bytes are of that media type; its size in pixels."""

    content: bytes
    media_type: str
    width: int
    height: int


Illustrations: TypeAlias = Mapping[str, Illustration]
"""Pictures by the ids that marks in the text have."""


def file_name(image: str, illustration: Illustration) -> str:
    """What a picture is called inside of a book."""
    return f"picture-{image}.{ENDINGS[illustration.media_type]}"


def as_markdown(text: str, illustrations: Illustrations) -> str:
    """Markdown that holds its pictures: the text refers to them, their bytes stand at its end. A mark
    without a picture leaves its caption."""
    used: dict[str, Illustration] = {}

    def shown(mark: Marker) -> str:
        found = illustrations.get(mark.id)
        if found is None:
            return f"*{mark.caption}*" if mark.caption else ""
        used[mark.id] = found
        return f"![{mark.caption}][picture-{mark.id}]"

    told = with_markers(text, shown)
    if not used:
        return told
    held = "\n".join(f"[picture-{image}]: <{_address(one)}>" for image, one in used.items())
    return f"{told.rstrip()}\n\n{held}\n"


def as_words(text: str) -> str:
    """Plain text has the captions alone."""
    return with_markers(text, lambda mark: f"[{mark.caption}]" if mark.caption else "")


def _address(illustration: Illustration) -> str:
    packed = base64.b64encode(illustration.content).decode()
    return f"data:{illustration.media_type};base64,{packed}"
