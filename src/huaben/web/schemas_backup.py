"""What backups and restores look like in answers; apart from `schemas` by its size."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from huaben.web.schemas import Told


class BackupContents(Told):
    """What an archive holds, in things that are not in the trash. `left_out` names files that could
    not be taken along. Keys of connections are in no backup."""

    at: str
    version: str
    schema_: str = Field(alias="schema")
    projects: int
    turns: int
    cards: int
    lorebooks: int
    objects: int
    files: int
    left_out: list[str]


class BackupMade(BackupContents):
    """A backup that was written and read back; `GET /api/backup/{name}` is its file."""

    name: str
    bytes: int


class LastBackup(Told):
    at: str
    file: str
    bytes: int


class BackupKept(Told):
    """`before_restore`: made by a restore, of what it replaced."""

    name: str
    kind: Literal["made", "before_restore"]
    at: str
    bytes: int


class BackupState(Told):
    """`days` and `turns` since the last backup (all turns, when there was none); `due` when it is time
    to remind: after 7 days and 50 turns."""

    last: LastBackup | None
    days: int | None
    turns: int
    due: bool
    items: list[BackupKept]


class ProjectAside(Told):
    id: str
    title: str
    turns: int


class NewerTold(Told):
    """What is here and not in the backup: whole projects, turns of projects that it holds, and the
    numbers of cards and lorebooks."""

    projects: list[ProjectAside]
    turns: list[ProjectAside]
    cards: int
    lorebooks: int


class RestoreOffered(Told):
    """What a restore would do. `POST /api/restore/{token}` does it."""

    token: str
    contents: BackupContents
    newer: NewerTold


class RestoreDone(Told):
    """`before` names the backup of what was replaced."""

    contents: BackupContents
    before: str
