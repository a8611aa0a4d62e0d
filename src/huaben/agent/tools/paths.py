"""Where a path that a model gives leads: to a chapter of the manuscript, or nowhere. Apart from the tools,
so that one rule confines all of them (`writing.md` §2)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, TypeAlias
from unicodedata import normalize

from huaben.domain.manuscript import is_chapter

FOLDER: Final = "manuscript"


@dataclass(frozen=True, slots=True)
class ManuscriptFolder:
    """The manuscript's folder itself."""


@dataclass(frozen=True, slots=True)
class ChapterPath:
    """The file name of a chapter, which need not be there."""

    name: str


@dataclass(frozen=True, slots=True)
class Outside:
    """Anything else: outside of the project, a history folder, a database, a folder in the folder."""

    path: str


Place: TypeAlias = ManuscriptFolder | ChapterPath | Outside


def place_of(path: str) -> Place:
    """Where a path leads. It is relative to the project; a bare file name is taken for a chapter's."""
    wanted = path.strip()
    if "\\" in wanted or "\0" in wanted or wanted.startswith(("/", "~")) or wanted[1:2] == ":":
        return Outside(path)
    parts = [part for part in wanted.split("/") if part not in ("", ".")]
    if ".." in parts:
        return Outside(path)
    if parts in ([], [FOLDER]):
        return ManuscriptFolder()
    if parts[0] == FOLDER:
        parts = parts[1:]
    if len(parts) != 1 or not is_chapter(parts[0]):
        return Outside(path)
    return ChapterPath(normalize("NFC", parts[0]))


def path_of(name: str) -> str:
    """The path of a chapter as tools tell it."""
    return f"{FOLDER}/{name}"
