"""The data folder of another program, as moving in sees it; apart because it is no folder of ours and is
only ever read."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol


@dataclass(frozen=True, slots=True)
class FoundFile:
    """A file by its place below the folder, parts joined by `/`, and its size in bytes."""

    place: str
    size: int


@dataclass(frozen=True, slots=True)
class Listing:
    """All files by name, and the links that are not followed: those that leave the folder, and those
    to folders, which could lead in circles."""

    files: tuple[FoundFile, ...]
    links: tuple[str, ...] = ()


class Installation(Protocol):
    """A folder of one user of another program."""

    @property
    def root(self) -> str: ...

    async def listing(self) -> Listing:
        """Names and sizes; nothing is opened. Raises `BadInput` for a folder that cannot be listed."""
        ...

    async def read(self, place: str, max_bytes: int) -> bytes:
        """The bytes of a file. Raises `TooLarge`, `BadInput("unreadable_file")`, and
        `BadInput("outside")` for one that lies elsewhere by now."""
        ...
