"""A book as it leaves the house: title, chapters and cover as values; apart because every format is made of
the same ones."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final, Literal, TypeAlias

from huaben.domain.project import Language
from huaben.formats.illustrations import Illustration
from huaben.formats.prose import Block, Heading, plain_text, read_prose

PictureType: TypeAlias = Literal["image/png", "image/jpeg", "image/gif", "image/webp"]

_NO_XML: Final = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")


@dataclass(frozen=True, slots=True)
class Cover:
    content: bytes
    media_type: PictureType


@dataclass(frozen=True, slots=True)
class BookChapter:
    """`title` heads the chapter and stands in the contents; `text` is Markdown. A heading of the first
    two levels at the beginning of the text takes the title's place."""

    title: str
    text: str


@dataclass(frozen=True, slots=True)
class BookFile:
    """`id` is a URI that stays the same for the same book; `changed_at` is ISO-8601 UTC to the second,
    with `Z`. `pictures` are those that the text has marks of, by id; a mark without one leaves its
    caption."""

    id: str
    title: str
    language: Language
    chapters: tuple[BookChapter, ...]
    changed_at: str
    author: str = ""
    cover: Cover | None = None
    pictures: Mapping[str, Illustration] = field(default_factory=dict[str, Illustration])


@dataclass(frozen=True, slots=True)
class ReadChapter:
    """A chapter in blocks, its heading apart."""

    title: str
    blocks: tuple[Block, ...]


def read_chapter(chapter: BookChapter) -> ReadChapter:
    """A chapter as it is set: under its own heading where it has one, else under its title."""
    blocks = read_prose(chapter.text)
    first = blocks[0] if blocks else None
    if isinstance(first, Heading) and first.level <= 2 and plain_text(first.runs).strip():
        return ReadChapter(clean(plain_text(first.runs).strip()), blocks[1:])
    return ReadChapter(clean(chapter.title), blocks)


def clean(text: str) -> str:
    """Text that XML can hold: what it cannot becomes U+FFFD."""
    return _NO_XML.sub("\ufffd", text)
