"""`huaben scripts`: which regex scripts run, and the user's word for those that were brought along."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import click

from huaben.cli.failing import FINE
from huaben.cli.helping import Invocation, command
from huaben.cli.options import data_option, json_option
from huaben.cli.speaking import one_line, put, put_json, voice

if TYPE_CHECKING:
    from huaben.domain.scripts import Script
    from huaben.services.house import House
    from huaben.services.scripts import ScriptSet

_say = voice().say


@dataclass(frozen=True, slots=True)
class _Wish:
    """What is to be done; nothing is only looked at."""

    allow: str | None
    forbid: str | None
    on: str | None
    off: str | None

    @property
    def looks_only(self) -> bool:
        return (self.allow, self.forbid, self.on, self.off) == (None, None, None, None)


@command("scripts")
@click.argument("project", required=False, metavar=_say("inspect.project_name"))
@click.option("--allow", metavar=_say("scripts.owner_name"), help=_say("scripts.allow"))
@click.option("--forbid", metavar=_say("scripts.owner_name"), help=_say("scripts.forbid"))
@click.option("--on", metavar="ID", help=_say("scripts.on"))
@click.option("--off", metavar="ID", help=_say("scripts.off"))
@json_option
@data_option
@click.pass_obj
def scripts(
    invocation: Invocation,
    project: str | None,
    allow: str | None,
    forbid: str | None,
    on: str | None,
    off: str | None,
    as_json: bool,
    data: Path | None,
) -> int:
    from huaben.cli.running import run

    wish = _Wish(allow, forbid, on, off)
    return run(lambda _: _carry_out(project, wish, as_json, data), debug=invocation.debug)


async def _carry_out(named: str | None, wish: _Wish, as_json: bool, data: Path | None) -> int:
    from huaben.config import load_settings
    from huaben.studio import Studio

    settings = load_settings(data=data)
    async with Studio.open(settings=settings, read_only=wish.looks_only) as studio:
        await _change(studio.house, wish)
        found = await _sets(studio.house, named)
    for one in found:
        put_json(_as_json(one)) if as_json else _show(one)
    if not (found or as_json):
        put(_say("scripts.none"))
    return FINE


async def _change(house: House, wish: _Wish) -> None:
    from huaben.formats.regex_scripts import digest_of
    from huaben.services import scripts as service
    from huaben.services.items import load_item

    if wish.allow is not None:
        brought = await service.bringer(house, wish.allow)
        await service.consent(house, wish.allow, digest_of(brought.raw))
    if wish.forbid is not None:
        await service.consent(house, wish.forbid, None)
    for item_id, on in ((wish.on, True), (wish.off, False)):
        if item_id is not None:
            item = await load_item(house, "scripts", item_id)
            await service.switch(house, item_id, on=on, revision=item.revision)


async def _sets(house: House, named: str | None) -> list[ScriptSet]:
    from huaben.cli.finding import find_project
    from huaben.services.scripts import global_sets, sets_in

    if named is None:
        return await global_sets(house)
    project = await find_project(house, named)
    card = await house.shelf.card(project.card_id, house.user_id) if project.card_id else None
    return await sets_in(house, project, card)


def _as_json(one: ScriptSet) -> dict[str, object]:
    names = [script.name for script in one.scripts]
    about = {"scope": one.scope, "owner": one.owner, "name": one.name, "state": one.state}
    return {"kind": "scripts", **about, "digest": one.digest, "scripts": names}


def _show(one: ScriptSet) -> None:
    from huaben.services.scripts import why_unsupported

    states = {"running": "scripts.running", "waiting": "scripts.waiting"}
    state = _say(states.get(one.state, "scripts.switched_off"))
    about = {"scope": one.scope, "name": one_line(one.name), "owner": one.owner}
    put(_say("scripts.set", state=state, **about), "yellow" if one.state == "waiting" else "")
    for script in one.scripts:
        why = why_unsupported(script)
        if why is not None:
            put(_say("scripts.unsupported", name=one_line(script.name), why=one_line(why)), "red")
        else:
            where = ", ".join(sorted(script.placements))
            put(_say("scripts.row", name=one_line(script.name), when=_when(script), where=where))


def _when(script: Script) -> str:
    if script.disabled:
        return _say("scripts.disabled")
    marks = (script.display, script.prompt)
    match marks:
        case (True, True):
            return _say("scripts.both")
        case (True, False):
            return _say("scripts.display")
        case (False, True):
            return _say("scripts.prompt")
        case _:
            return _say("scripts.stored")
