"""Backups: the whole library as one archive, and the way back from it. A port of its own, because it
reaches around the store: files belong to it too, and a restore exchanges what the store stands on."""

from __future__ import annotations

from collections.abc import AsyncIterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, Protocol


@dataclass(frozen=True, slots=True)
class BackedUp:
    """What the last backup was: its moment, where it was written, and the newest turn in it."""

    at: str
    file: str
    bytes: int
    last_turn: str


@dataclass(frozen=True, slots=True)
class Contents:
    """What an archive holds, in things that are not in the trash. `tables` counts all rows, `objects`
    and `files` what lies beside them; `left_out` names what could not be taken along: objects that no
    longer hold what they are named for, and files with names that no other system takes."""

    at: str
    version: str
    schema: str
    projects: int
    turns: int
    cards: int
    lorebooks: int
    objects: int
    files: int
    last_turn: str
    left_out: tuple[str, ...]
    tables: Mapping[str, int]


@dataclass(frozen=True, slots=True)
class Made:
    """An archive that was written, synced and read back."""

    path: Path
    bytes: int
    contents: Contents


@dataclass(frozen=True, slots=True)
class Archive:
    """An archive in the vault's own folder. `kind`: `made` on somebody's wish, or `before_restore`
    by a restore, of what it replaced."""

    name: str
    kind: Literal["made", "before_restore"]
    at: str
    bytes: int


@dataclass(frozen=True, slots=True)
class ProjectAside:
    """A project that is here and differs: how many of its turns the archive does not hold."""

    id: str
    title: str
    turns: int


@dataclass(frozen=True, slots=True)
class Newer:
    """What is here and not in the archive: whole projects, turns of projects that it holds, and the
    numbers of cards and lorebooks."""

    projects: tuple[ProjectAside, ...]
    turns: tuple[ProjectAside, ...]
    cards: int
    lorebooks: int


@dataclass(frozen=True, slots=True)
class Preview:
    """What a restore would bring, and what of the present it would put away."""

    contents: Contents
    newer: Newer


@dataclass(frozen=True, slots=True)
class Restored:
    """A library that was put in place; `before` is the archive of what it replaced."""

    contents: Contents
    before: Path


class Vault(Protocol):
    """The backups of one library. One of its long verbs at a time, `Conflict("vault_busy")`
    otherwise. Keys of connections are in no archive."""

    async def back_up(self, target: Path | None = None, *, replace: bool = False) -> Made:
        """Write all that is stored at one moment, while turns go on, and read it back. Without a
        target it lies in the vault's own folder. Raises `Conflict("file_exists")`, `StorageFailed`;
        nothing is left of what did not succeed."""
        ...

    async def last(self) -> BackedUp | None:
        """The last backup that was made, wherever it was written."""
        ...

    async def archives(self) -> list[Archive]:
        """Those in the vault's own folder, newest first."""
        ...

    def place(self, name: str) -> Path:
        """The file of one of them. Raises `NotFound`."""
        ...

    async def receive(self, pieces: AsyncIterable[bytes]) -> Path:
        """Put an archive that arrives into the vault's own folder, until it is let go."""
        ...

    async def let_go(self, received: Path) -> None: ...

    async def look_into(self, archive: Path) -> Preview:
        """Read all of an archive and hold it against its list. Raises `NotFound`, and `BadInput`
        (`not_a_backup`, `backup_damaged`, `backup_newer`, `backup_too_large`) for what cannot be
        restored."""
        ...

    async def restore(self, archive: Path) -> Restored:
        """Put the library of an archive in the place of the present one, which is backed up first:
        all or nothing, whenever the process dies. Nobody else may work with the library meanwhile
        but to read it. Raises as `look_into`, `Conflict("turn_running")`, `StorageFailed`."""
        ...

    async def recover(self) -> None:
        """Finish or clear away what an earlier process left of a restore; at the start."""
        ...
