"""Backing up the library, and how long ago that was; apart from restoring, which exchanges everything."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Final

from huaben.errors import Conflict
from huaben.ports.vault import Archive, BackedUp, Contents, Made, Vault
from huaben.services.house import House

DUE_DAYS: Final = 7
DUE_TURNS: Final = 50
"""After so many days *and* so many turns the reader is reminded (`ui.md`, Comfort)."""


@dataclass(frozen=True, slots=True)
class BackupState:
    """The last backup, how many days it is ago and how many turns came since (all of them when there
    was none), whether it is time for another, and the archives in the library's own folder."""

    last: BackedUp | None
    days: int | None
    turns: int
    due: bool
    archives: tuple[Archive, ...]


def vault_of(house: House) -> Vault:
    """Raises `Conflict("no_vault")` for a house that keeps nothing on disk."""
    if house.vault is None:
        raise Conflict("no_vault", "This library is not kept anywhere that could be backed up.")
    return house.vault


async def back_up(house: House, target: Path | None = None, *, replace: bool = False) -> Made:
    """Write a backup, by default into the library's own folder. Raises as `Vault.back_up`."""
    return await vault_of(house).back_up(target, replace=replace)


async def backup_state(house: House) -> BackupState:
    vault = vault_of(house)
    last = await vault.last()
    turns = await house.store.turns_after("" if last is None else last.last_turn)
    days = None if last is None else (house.clock.now() - datetime.fromisoformat(last.at)).days
    due = turns >= DUE_TURNS and (days is None or days >= DUE_DAYS)
    return BackupState(last, days, turns, due, tuple(await vault.archives()))


def contents_json(contents: Contents) -> dict[str, object]:
    """What an archive holds, for clients."""
    return {
        "at": contents.at,
        "version": contents.version,
        "schema": contents.schema,
        "projects": contents.projects,
        "turns": contents.turns,
        "cards": contents.cards,
        "lorebooks": contents.lorebooks,
        "objects": contents.objects,
        "files": contents.files,
        "left_out": list(contents.left_out),
    }


def made_json(made: Made) -> dict[str, object]:
    return {"name": made.path.name, "bytes": made.bytes, **contents_json(made.contents)}
