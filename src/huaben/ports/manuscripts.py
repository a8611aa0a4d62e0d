"""Where manuscripts lie: real files that anybody may edit, and the objects that their history is made of.
Apart from the store because files have no transactions: here a change is prepared, made, and settled.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Collection, Iterable
from dataclasses import dataclass
from typing import Literal, Protocol, TypeAlias

from huaben.domain.checkpoint import Delta, Manifest
from huaben.domain.manuscript import Chapter

LeftOutReason: TypeAlias = Literal["symlink", "folder", "special", "too_large"]
MAX_CHAPTER_BYTES = 64 * 1024 * 1024
"""A larger file in the folder is no chapter; it is named as left out."""


@dataclass(frozen=True, slots=True)
class LeftOut:
    """A Markdown file of the folder that is no chapter, and why."""

    name: str
    reason: LeftOutReason


@dataclass(frozen=True, slots=True)
class Found:
    """What lies in a manuscript's folder, chapters in order. `gone`: there is no folder."""

    chapters: tuple[Chapter, ...] = ()
    left_out: tuple[LeftOut, ...] = ()
    gone: bool = False

    @property
    def manifest(self) -> Manifest:
        return {chapter.name: chapter.hash for chapter in self.chapters}

    def chapter(self, name: str) -> Chapter | None:
        """The chapter of exactly that name."""
        return next((one for one in self.chapters if one.name == name), None)


@dataclass(frozen=True, slots=True)
class Rewrite:
    """A change of files that is made as a whole. `id` is what the store will know it by: a checkpoint, or
    with `turn` a tool call of that turn."""

    id: str
    project_id: str
    steps: Delta
    turn: str | None = None


@dataclass(frozen=True, slots=True)
class Moved:
    """Files that are not what the change takes them for; nothing was touched."""

    names: tuple[str, ...]


class Manuscripts(Protocol):
    """Raises `StorageFailed` when files cannot be read or written; then nothing is half done. Its codes
    tell a full disk (`disk_full`), a file that is marked as not to be written (`read_only_file`) and one
    that this user may not touch (`no_permission`) apart. Names are
    confined to the folder: any other is refused with `BadInput`."""

    async def found(self, project_id: str) -> None:
        """Make the empty folder of a new manuscript; one that is there stays as it is."""
        ...

    async def look(self, project_id: str) -> Found:
        """What lies there now. Only files that changed since the last look are read."""
        ...

    async def take(self, project_id: str) -> Found:
        """As `look`, and every chapter's bytes are kept as an object."""
        ...

    async def read(self, project_id: str, name: str) -> bytes | None:
        """The bytes of a chapter as they are now; None where there is no such chapter."""
        ...

    async def keep(self, project_id: str, content: bytes) -> str:
        """Keep bytes as an object and give its name, the SHA-256 in lower-case hex."""
        ...

    async def object(self, project_id: str, sha256: str) -> bytes | None:
        """The bytes of that name; None where there is no such object. Damaged ones raise
        `StorageFailed("object_damaged")`."""
        ...

    async def unsound(self, project_id: str, objects: Iterable[str]) -> list[str]:
        """Those of these objects that are missing or do not hold what they are named for."""
        ...

    async def change(self, rewrite: Rewrite) -> Moved | None:
        """Make every step true, or none. All objects that it needs are verified before anything is
        touched. Until it is settled, a later start can still finish it or take it back."""
        ...

    async def settle(self, rewrite: Rewrite, *, made: bool) -> None:
        """The store has recorded the change (`made`), or has not: then it is taken back. A file that
        somebody changed by hand in between is left as it is."""
        ...

    async def unsettled(self) -> list[Rewrite]:
        """The changes of all projects that an earlier process has not settled."""
        ...

    async def forget(self, project_id: str) -> None:
        """Delete a manuscript for good, its history too."""
        ...

    def audit(self, project_id: str, objects: Collection[str]) -> AsyncIterator[str]:
        """Every fault of a manuscript's files in one sentence each: of these objects those that are
        missing, of all that are there those that are damaged, changes that were not settled."""
        ...
