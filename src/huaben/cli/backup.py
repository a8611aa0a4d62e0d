"""`huaben backup`: the whole library as one archive, also beside a running program."""

from __future__ import annotations

import time
from pathlib import Path
from typing import TYPE_CHECKING

import click

from huaben.cli.failing import FINE
from huaben.cli.helping import Invocation, command
from huaben.cli.options import data_option, json_option
from huaben.cli.speaking import err, one_line, put, put_json, tell, voice

if TYPE_CHECKING:
    from huaben.ports.vault import Contents, Made
    from huaben.services.backup import BackupState
    from huaben.services.house import House

MAX_SHOWN = 10
_say = voice().say


@command("backup")
@click.argument("file", required=False, type=click.Path(path_type=Path), metavar=_say("help.file"))
@click.option("--force", is_flag=True, help=_say("backup.force"))
@click.option("--list", "listing", is_flag=True, help=_say("backup.list"))
@json_option
@data_option
@click.pass_obj
def backup(
    invocation: Invocation,
    file: Path | None,
    force: bool,
    listing: bool,
    as_json: bool,
    data: Path | None,
) -> int:
    from huaben.cli.running import run

    async def work() -> int:
        from huaben.config import load_settings
        from huaben.studio import Studio

        settings = load_settings(data=data)
        async with Studio.open(settings=settings, read_only=True) as studio:
            if listing:
                await _list(studio.house, as_json)
            else:
                await _make(studio.house, file, force, as_json)
        return FINE

    return run(lambda _: work(), debug=invocation.debug)


async def _make(house: House, file: Path | None, force: bool, as_json: bool) -> None:
    from huaben.cli.activity import Activity
    from huaben.services.backup import back_up, made_json

    activity = Activity(err(), time.monotonic)
    activity.start(_say("backup.doing"))
    try:
        made = await back_up(house, file, replace=force)
    finally:
        activity.stop()
    if as_json:
        put_json({"kind": "backup", "file": str(made.path), "backup": made_json(made)})
        return
    _tell(made)


def _tell(made: Made) -> None:
    put(_say("backup.done", path=one_line(str(made.path)), size=megabytes(made.bytes)))
    put(f"  {counted(made.contents)}")
    tell(_say("backup.no_keys"))
    for name in made.contents.left_out[:MAX_SHOWN]:
        tell(_say("backup.left_out", name=one_line(name)), "yellow")
    more = len(made.contents.left_out) - MAX_SHOWN
    if more > 0:
        tell(_say("backup.more_left_out", n=more), "yellow")


def counted(contents: Contents) -> str:
    """What an archive holds, on one line."""
    say = voice().count
    facts = (
        say("backup.stories", contents.projects),
        say("backup.turns", contents.turns),
        say("backup.cards", contents.cards),
        say("backup.lorebooks", contents.lorebooks),
    )
    return " · ".join(facts)


def megabytes(size: int) -> str:
    return f"{max(size, 50_000) / 1_000_000:.1f} MB"


async def _list(house: House, as_json: bool) -> None:
    from dataclasses import asdict

    from huaben.services.backup import backup_state

    state = await backup_state(house)
    for archive in state.archives:
        if as_json:
            put_json({"kind": "archive", "archive": asdict(archive)})
            continue
        at = archive.at[:19].replace("T", " ")
        note = _say("backup.before_restore") if archive.kind == "before_restore" else ""
        put(f"{at}  {megabytes(archive.bytes):>10}  {archive.name}  {note}".rstrip())
    if not as_json:
        tell(_since(state))


def _since(state: BackupState) -> str:
    if state.last is None or state.days is None:
        return voice().join(_say("backup.never"), voice().count("backup.turns_in_all", state.turns))
    path = one_line(state.last.file)
    ago = (
        voice().count("backup.days_ago", state.days, path=path)
        if state.days > 0
        else _say("backup.today", path=path)
    )
    return voice().join(ago, voice().count("backup.turns_since", state.turns))
