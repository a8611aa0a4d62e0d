"""Pictures that a turn asks for: the wish, the line that holds its place in the text, and reading it back.
Apart from the events because the text alone says where a picture stands.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Final, Literal, TypeAlias

from huaben.domain.events import ImageChange
from huaben.domain.text import is_blank, scrub, shorten

MAX_PROMPT_CHARS: Final = 4000
MAX_CAPTION_CHARS: Final = 200
MAX_IMAGES_A_TURN: Final = 8

ImageState: TypeAlias = Literal["pending", "ready", "failed"]
PICTURE_TYPES: Final = {
    "png": "image/png",
    "jpg": "image/jpeg",
    "gif": "image/gif",
    "webp": "image/webp",
}
"""The types that are kept and shown, by the ending of a file's name. Never SVG: it is a program."""

# The id is what `image_id` makes; a caption holds no bracket and no line break (`captioned`).
_MARKER: Final = re.compile(
    r"^[ \t]*!\[(?P<caption>[^\[\]\r\n]*)\]\(image:(?P<id>[0-9A-Za-z-]{1,80})\)[ \t]*$",
    re.MULTILINE,
)
_BRACKETS: Final = str.maketrans("[]", "()")


@dataclass(frozen=True, slots=True)
class ImageWish:
    """A picture that is wanted in a turn. `place` counts the pictures of the turn from 0; where in the
    text it stands, the marker alone says. `caption` is also what is read where it cannot be seen."""

    id: str
    prompt: str
    caption: str
    place: int


@dataclass(frozen=True, slots=True)
class Marker:
    """A placeholder in a text: the picture it stands for, and its place in code points (`end`
    exclusive)."""

    id: str
    caption: str
    start: int
    end: int


def image_id(turn_id: str, place: int) -> str:
    """The id of a turn's picture: the same however often the turn is replayed."""
    return f"{turn_id}-{place}"


def wished(turn_id: str, place: int, prompt: str, caption: str = "") -> ImageWish | None:
    """The wish for a picture, with what is too long cut; None for a prompt that says nothing or a
    turn that has its `MAX_IMAGES_A_TURN`."""
    if place >= MAX_IMAGES_A_TURN or is_blank(prompt):
        return None
    words = shorten(scrub(prompt).strip(), MAX_PROMPT_CHARS)
    return ImageWish(image_id(turn_id, place), words, captioned(caption or prompt), place)


def asked(wish: ImageWish) -> ImageChange:
    """What a turn's log holds of a wish, so that its seal can order the picture."""
    return ImageChange(wish.id, "wished", wish.prompt, wish.caption, wish.place)


def captioned(text: str) -> str:
    """A caption as a marker holds it: one line, round brackets for square ones, not too long."""
    return shorten(" ".join(scrub(text).split()).translate(_BRACKETS), MAX_CAPTION_CHARS)


def picture_type(content: bytes) -> str | None:
    """The media type of a picture that may be kept and shown, by how its bytes begin; None for any
    others, whatever they are called."""
    if content.startswith(b"\x89PNG\r\n\x1a\n"):
        return PICTURE_TYPES["png"]
    if content.startswith(b"\xff\xd8\xff"):
        return PICTURE_TYPES["jpg"]
    if content.startswith((b"GIF87a", b"GIF89a")):
        return PICTURE_TYPES["gif"]
    webp = content[:4] == b"RIFF" and content[8:12] == b"WEBP"
    return PICTURE_TYPES["webp"] if webp else None


def marker(image: str, caption: str = "") -> str:
    """The line that stands in the text for a picture, whatever becomes of it. It wants a blank line on
    either side. Markdown, so that a reader without the picture still reads its caption."""
    return f"![{captioned(caption)}](image:{image})"


def markers(text: str) -> Iterator[Marker]:
    """The placeholders of a text, in order. A line that holds anything else is prose."""
    for found in _MARKER.finditer(text):
        yield Marker(found["id"], found["caption"], *found.span())


def with_markers(text: str, shown: Callable[[Marker], str]) -> str:
    """The text with something else in the place of each placeholder."""
    parts: list[str] = []
    at = 0
    for found in markers(text):
        parts += [text[at : found.start], shown(found)]
        at = found.end
    return "".join((*parts, text[at:])) if parts else text


def without_markers(text: str) -> str:
    """The text alone, as a model reads it: without the placeholders and the blank lines about them."""
    if "](image:" not in text:
        return text
    bare = with_markers(text, lambda _: "")
    return re.sub(r"\n{3,}", "\n\n", bare).strip("\n")
