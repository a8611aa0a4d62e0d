"""Named saves: a name for a node of the story; apart from the tree, which a save never changes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal, TypeAlias

from huaben.domain.text import is_blank, scrub

MAX_NAME_CHARS: Final = 100

SaveAuthor: TypeAlias = Literal["user", "model"]


@dataclass(frozen=True, slots=True)
class Save:
    """A name that the user or the model gave to a node. `deleted_at` says since when it is in the
    trash. Two saves may bear one name or stand at one node. Times are ISO-8601 UTC."""

    id: str
    user_id: str
    project_id: str
    node: str
    name: str
    author: SaveAuthor
    created_at: str
    deleted_at: str = ""
    revision: int = 0


@dataclass(frozen=True, slots=True)
class NameBlank:
    """Nothing of the name can be seen."""


@dataclass(frozen=True, slots=True)
class NameTooLong:
    """Over the limit, in characters."""

    chars: int
    limit: int


NameRefusal: TypeAlias = NameBlank | NameTooLong


def named(name: str) -> str | NameRefusal:
    """The name as it is kept, on one line and without what surrounds it; or why it is none."""
    line = " ".join(scrub(name).split())
    if is_blank(line):
        return NameBlank()
    if len(line) > MAX_NAME_CHARS:
        return NameTooLong(len(line), MAX_NAME_CHARS)
    return line


@dataclass(frozen=True, slots=True)
class SaveSeen:
    """A save as a turn sees it from its node. `turn` counts the sealed turns up to it; `here`: it
    lies on the way to that node."""

    name: str
    turn: int
    here: bool
    author: SaveAuthor
