"""`huaben restore`: an archive in the place of the library; what that would put away is told first."""

from __future__ import annotations

import sys
import time
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import click

from huaben.cli.backup import counted, megabytes
from huaben.cli.failing import FINE, Told
from huaben.cli.helping import Invocation, command
from huaben.cli.options import data_option, json_option
from huaben.cli.speaking import err, one_line, put, put_json, voice

if TYPE_CHECKING:
    from huaben.config import Settings
    from huaben.ports.vault import Preview, ProjectAside, Vault

MAX_SHOWN = 10
_say = voice().say


@command("restore")
@click.argument("file", type=click.Path(path_type=Path), metavar=_say("help.file"))
@click.option("--preview", is_flag=True, help=_say("restore.preview"))
@click.option("--yes", is_flag=True, help=_say("restore.yes"))
@json_option
@data_option
@click.pass_obj
def restore(
    invocation: Invocation, file: Path, preview: bool, yes: bool, as_json: bool, data: Path | None
) -> int:
    from huaben.cli.running import run

    async def work() -> int:
        from huaben.config import load_settings

        settings = load_settings(data=data)
        if preview:
            async with _looking(settings) as vault:
                await _look(vault, _meant(vault, file), as_json)
            return FINE
        from huaben.bootstrap import open_vault

        async with open_vault(settings) as vault:
            archive = _meant(vault, file)
            await _look(vault, archive, as_json)
            if not yes:
                await _confirm()
            await _restore(vault, archive, as_json)
        return FINE

    return run(lambda _: work(), debug=invocation.debug)


@asynccontextmanager
async def _looking(settings: Settings) -> AsyncGenerator[Vault]:
    """Beside a running program where there is a library; else the folder is opened as for a restore."""
    from huaben.bootstrap import open_vault
    from huaben.errors import NotFound
    from huaben.services.backup import vault_of
    from huaben.studio import Studio

    try:
        async with Studio.open(settings=settings, read_only=True) as studio:
            yield vault_of(studio.house)
    except NotFound as nothing:
        if nothing.code != "no_library":
            raise
        async with open_vault(settings) as vault:
            yield vault


def _meant(vault: Vault, file: Path) -> Path:
    """A file, or the name of an archive of the library's own folder."""
    if file.is_file() or file.name != str(file):
        return file
    return vault.place(file.name)


async def _look(vault: Vault, archive: Path, as_json: bool) -> None:
    from huaben.cli.activity import Activity
    from huaben.services.restoring import preview_json

    activity = Activity(err(), time.monotonic)
    activity.start(_say("restore.looking"))
    try:
        preview = await vault.look_into(archive)
    finally:
        activity.stop()
    if as_json:
        put_json({"kind": "preview", "file": str(archive), **preview_json(preview)})
    else:
        _tell(archive, preview)


def _tell(archive: Path, preview: Preview) -> None:
    contents, newer = preview.contents, preview.newer
    at = contents.at[:19].replace("T", " ")
    size = megabytes(archive.stat().st_size)
    put(_say("restore.archive", path=one_line(str(archive)), at=at, size=size))
    put(f"  {counted(contents)}")
    if not (newer.projects or newer.turns or newer.cards or newer.lorebooks):
        put(_say("restore.nothing_newer"))
        return
    put(_say("restore.newer"))
    _tell_aside("restore.project", newer.projects)
    _tell_aside("restore.turns", newer.turns)
    if newer.cards:
        put(f"  {voice().count('restore.cards', newer.cards)}")
    if newer.lorebooks:
        put(f"  {voice().count('restore.lorebooks', newer.lorebooks)}")


def _tell_aside(key: str, projects: tuple[ProjectAside, ...]) -> None:
    for one in projects[:MAX_SHOWN]:
        put(f"  {voice().count(key, one.turns, title=one_line(one.title))}")
    if len(projects) > MAX_SHOWN:
        put(f"  {_say('restore.more', n=len(projects) - MAX_SHOWN)}")


async def _confirm() -> None:
    from huaben.cli.prompting import read_line

    if not sys.stdin.isatty():
        raise Told("not_confirmed", _say("restore.unconfirmed"), _say("restore.unconfirmed_hint"))
    answer = await read_line(_say("restore.confirm"))
    if (answer or "").strip().casefold() not in ("y", "yes", "是", "好"):
        raise Told("not_confirmed", _say("restore.unconfirmed"), "")


async def _restore(vault: Vault, archive: Path, as_json: bool) -> None:
    from huaben.cli.activity import Activity
    from huaben.services.restoring import restored_json

    activity = Activity(err(), time.monotonic)
    activity.start(_say("restore.doing"))
    try:
        restored = await vault.restore(archive)
    finally:
        activity.stop()
    if as_json:
        put_json({"kind": "restored", **restored_json(restored)})
        return
    put(_say("restore.done", path=one_line(str(restored.before))))
