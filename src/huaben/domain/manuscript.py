"""What is a chapter and how it may be called; apart from files, so that every store and every tool holds
names to the same rules.

The manuscript is a folder of Markdown files, one chapter each, ordered by file name (`writing.md` §1).
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final, Literal, TypeAlias

from huaben.domain.text import clip

SUFFIX: Final = ".md"
MAX_NAME_BYTES: Final = 240
"""Of a file name in UTF-8: what every file system takes, with room for a temporary ending."""

NameFault: TypeAlias = Literal[
    "not_markdown",
    "no_title",
    "hidden",
    "outside",
    "forbidden_character",
    "reserved",
    "not_normalized",
    "too_long",
]

# What Windows forbids is forbidden everywhere: a manuscript is copied from one system to another.
# So is what has no shape or turns the reading round, and the sign that stands for a character that was lost.
_BAD: Final = r'\x00-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069\ufeff\ufffd<>:"|?*'
_FORBIDDEN: Final = re.compile(f"[{_BAD}]")
_RESERVED: Final = re.compile(
    r"(?:con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³])(?:\..*)?", re.IGNORECASE
)
_NUMBER: Final = re.compile(r"(\d+)[-_. ]*")
_UNFIT: Final = re.compile(rf"[{_BAD}/\\]+")
_TITLE_CHARS: Final = 60


@dataclass(frozen=True, slots=True)
class Chapter:
    """A chapter as it lies on the disk. `hash` is the SHA-256 of its bytes in lower-case hex, `size`
    their number; `chars` counts code points and is None for bytes that are not UTF-8. `changed_at` is
    ISO-8601 UTC."""

    name: str
    hash: str
    size: int
    chars: int | None
    changed_at: str


def is_chapter(name: str) -> bool:
    """Whether a file that was found in the folder belongs to the manuscript: a Markdown file whose name
    is not hidden and is text."""
    if name.startswith(".") or not name.casefold().endswith(SUFFIX):
        return False
    try:
        name.encode()
    except UnicodeEncodeError:
        return False
    return True


def name_fault(name: str) -> NameFault | None:
    """Why a new chapter cannot be called so on every system, or None."""
    if "/" in name or "\\" in name or name in ("..", "."):
        return "outside"
    if name.startswith("."):
        return "hidden"
    if not name.endswith(SUFFIX):
        return "not_markdown"
    stem = name.removesuffix(SUFFIX)
    if not stem.strip() or stem != stem.strip():
        return "no_title"
    if _FORBIDDEN.search(name) or not is_chapter(name):
        return "forbidden_character"
    if _RESERVED.fullmatch(stem):
        return "reserved"
    if unicodedata.normalize("NFC", name) != name:
        return "not_normalized"
    return "too_long" if len(name.encode()) > MAX_NAME_BYTES else None


def name_key(name: str) -> str:
    """What is equal for names that some file system holds to be one: case and normal form apart."""
    return unicodedata.normalize("NFC", unicodedata.normalize("NFC", name).casefold())


def twin_of(name: str, names: Iterable[str]) -> str | None:
    """A name among these that differs from `name` only by case or normal form."""
    key = name_key(name)
    return next((other for other in names if other != name and name_key(other) == key), None)


def in_order(names: Iterable[str]) -> list[str]:
    """The order of the chapters: by file name, code point by code point."""
    return sorted(names)


def title_of(name: str) -> str:
    """The title that a file name carries: without its number and its suffix."""
    stem = name[: -len(SUFFIX)] if name.casefold().endswith(SUFFIX) else name
    numbered = _NUMBER.match(stem)
    return stem[numbered.end() :].strip() or stem if numbered else stem.strip()


def named(title: str, names: Iterable[str]) -> str:
    """A name for a new last chapter, `NNN-title.md`: one number above the highest, fit for every
    system, and not the twin of any of `names`."""
    taken = [match for name in names if (match := _NUMBER.match(name))]
    # A year or a date in front of a name is no number of a chapter.
    number = max((int(match[1]) for match in taken if len(match[1]) <= 3), default=0) + 1
    return numbered(number, title)


def numbered(number: int, title: str) -> str:
    """The name of the chapter with that number, `NNN-title.md`."""
    fit = _UNFIT.sub(" ", unicodedata.normalize("NFC", title)).strip(". ")
    words = clip("-".join(fit.split()), _TITLE_CHARS) if fit else ""
    while len(words.encode()) > MAX_NAME_BYTES - 16:
        words = clip(words, max(1, len(words) - 8))
    stem = f"{number:03d}-{words}" if words else f"{number:03d}"
    return f"{stem}{SUFFIX}"
