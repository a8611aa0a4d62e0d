"""`huaben trash`: what was deleted in the last thirty days, taken back or put there; apart from the
listing of the library, in which none of it stands."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

import click

from huaben.cli.failing import FINE, Told
from huaben.cli.helping import Invocation, command
from huaben.cli.options import data_option, json_option
from huaben.cli.speaking import one_line, put, put_json, voice

if TYPE_CHECKING:
    from huaben.ports import Thing, TrashKind
    from huaben.studio import Studio

SHOWN = 200
KINDS: Mapping[TrashKind, str] = {
    "card": "trash.card",
    "lorebook": "trash.lorebook",
    "project": "trash.project",
    "preset": "trash.preset",
    "persona": "trash.persona",
    "scripts": "trash.scripts",
    "quick_replies": "trash.quick_replies",
    "save": "trash.save",
}
"""What can be deleted, and the key of its word."""
_say = voice().say


@command("trash")
@click.option("--restore", "back", metavar="ID", help=_say("trash.restore"))
@click.option("--discard", "away", metavar="ID", help=_say("trash.discard"))
@json_option
@data_option
@click.pass_obj
def trash(
    invocation: Invocation, back: str | None, away: str | None, as_json: bool, data: Path | None
) -> int:
    from huaben.cli.running import run

    return run(lambda _: _carry_out(back, away, as_json, data), debug=invocation.debug)


async def _carry_out(back: str | None, away: str | None, as_json: bool, data: Path | None) -> int:
    from huaben.config import load_settings
    from huaben.ports import Page
    from huaben.services.trash import list_trash
    from huaben.studio import Studio

    looking = back is None and away is None
    async with Studio.open(settings=load_settings(data=data), read_only=looking) as studio:
        if away is not None:
            _tell("trash.discarded", await _discard(studio, away), as_json)
        if back is not None:
            _tell("trash.restored", await _restore(studio, back), as_json)
        if not looking:
            return FINE
        found, _ = await list_trash(studio.house, Page(limit=SHOWN))
    for thing in found:
        _tell("trash.row", thing, as_json)
    if not (found or as_json):
        put(_say("trash.none"))
    return FINE


async def _discard(studio: Studio, thing_id: str) -> Thing:
    from huaben.services import trash as service

    thing = await _named(studio, thing_id, lying=False)
    if thing.kind == "project":
        await service.discard_project(studio.house, studio.company, thing.id)
    else:
        await service.discard(studio.house, thing.kind, thing.id)
    return thing


async def _restore(studio: Studio, thing_id: str) -> Thing:
    from huaben.services import trash as service

    thing = await _named(studio, thing_id, lying=True)
    return await service.restore(studio.house, thing.kind, thing.id)


async def _named(studio: Studio, thing_id: str, *, lying: bool) -> Thing:
    """The user's thing of that id, in the trash or outside it."""
    for kind in KINDS:
        thing = await studio.house.store.thing(kind, thing_id)
        ours = thing is not None and thing.user_id == studio.house.user_id
        if thing is not None and ours and bool(thing.deleted_at) == lying:
            return thing
    key = "trash.not_there" if lying else "trash.unknown"
    raise Told("not_in_trash" if lying else "thing_not_found", _say(key, id=one_line(thing_id)), "")


def _tell(key: str, thing: Thing, as_json: bool) -> None:
    if as_json:
        put_json({"kind": "trash", "done": key.removeprefix("trash."), "thing": asdict(thing)})
        return
    at = thing.deleted_at[:19].replace("T", " ")
    what = _say(KINDS[thing.kind])
    put(one_line(_say(key, at=at, what=what, name=thing.name, id=thing.id)))
