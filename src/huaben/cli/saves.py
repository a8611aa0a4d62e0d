"""`huaben saves`: the named places of a story; apart from the turns, which they only name."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import click

from huaben.cli.failing import FINE, Told
from huaben.cli.helping import Invocation, command
from huaben.cli.options import data_option, json_option
from huaben.cli.speaking import one_line, put, put_json, voice

if TYPE_CHECKING:
    from huaben.domain.saves import Save
    from huaben.services.house import House
    from huaben.services.saves_shown import SaveShown
    from huaben.studio import Studio

ID_PREFIX = 6
_say = voice().say


@dataclass(frozen=True, slots=True)
class _Wish:
    """What is to be done, in this order; without anything the saves are listed."""

    project: str
    add: str | None
    turn: str | None
    rename: tuple[str, str] | None
    delete: str | None
    go: str | None

    @property
    def looks_only(self) -> bool:
        return not (self.add is not None or self.rename or self.delete or self.go)


@command("saves")
@click.argument("project", metavar=_say("inspect.project_name"))
@click.option("--add", metavar=_say("saves.name"), help=_say("saves.add"))
@click.option("--turn", metavar=_say("saves.turn_name"), help=_say("saves.turn"))
@click.option("--rename", nargs=2, metavar=_say("saves.rename_names"), help=_say("saves.rename"))
@click.option("--delete", metavar=_say("saves.save_name"), help=_say("saves.delete"))
@click.option("--go", metavar=_say("saves.save_name"), help=_say("saves.go"))
@json_option
@data_option
@click.pass_obj
def saves(
    invocation: Invocation,
    project: str,
    add: str | None,
    turn: str | None,
    rename: tuple[str, str] | None,
    delete: str | None,
    go: str | None,
    as_json: bool,
    data: Path | None,
) -> int:
    from huaben.cli.running import run

    wish = _Wish(project, add, turn, rename, delete, go)
    return run(lambda _: _carry_out(wish, as_json, data), debug=invocation.debug)


async def _carry_out(wish: _Wish, as_json: bool, data: Path | None) -> int:
    from huaben.cli.finding import find_project
    from huaben.config import load_settings
    from huaben.studio import Studio

    settings = load_settings(data=data)
    async with Studio.open(settings=settings, read_only=wish.looks_only) as studio:
        project = (await find_project(studio.house, wish.project)).id
        if wish.looks_only:
            await _list(studio.house, project, as_json)
        else:
            await _change(studio, project, wish, as_json)
    return FINE


async def _change(studio: Studio, project: str, wish: _Wish, as_json: bool) -> None:
    from huaben.services import saves as service

    house = studio.house
    if wish.add is not None:
        node = None if wish.turn is None else await _turn(house, project, wish.turn)
        save = await service.make_save(house, project, wish.add, node)
        _tell("saves.added", save, as_json)
    if wish.rename is not None:
        named, name = wish.rename
        found = await _find(house, project, named)
        renamed = await service.rename_save(house, found.id, name, found.revision)
        _tell("saves.renamed", renamed, as_json)
    if wish.delete is not None:
        found = await _find(house, project, wish.delete)
        await service.discard_save(house, found.id)
        _tell("saves.deleted", found, as_json)
    if wish.go is not None:
        found = await _find(house, project, wish.go)
        await service.go_to_save(house, found.id)
        _tell("saves.gone", found, as_json)


async def _turn(house: House, project: str, named: str) -> str:
    from huaben.cli.finding import find_turn
    from huaben.services.stories import load_story

    return find_turn(await load_story(house, project), named).id


async def _find(house: House, project: str, named: str) -> Save:
    """A save by its id, the beginning of it, or its name. Raises `Told` (`save_not_found`,
    `ambiguous_save`)."""
    from huaben.services.saves_shown import all_saves

    every = [save async for save in all_saves(house, project)]
    wanted = " ".join(named.split()).casefold()
    found = [save for save in every if save.id == named]
    found = found or [
        save
        for save in every
        if save.name.casefold() == wanted
        or (len(named) >= ID_PREFIX and save.id.startswith(named.lower()))
    ]
    if not found:
        raise Told("save_not_found", _say("saves.missing", name=one_line(named)))
    if len(found) > 1:
        ids = ", ".join(save.id for save in found[:8])
        message = _say("saves.ambiguous", name=one_line(named), ids=ids)
        raise Told("ambiguous_save", message)
    return found[0]


# ---- showing -----------------------------------------------------------------------------------


async def _list(house: House, project: str, as_json: bool) -> None:
    from huaben.ports import Page
    from huaben.services.saves_shown import list_saves, save_json

    after: str | None = None
    none = True
    while True:
        found, after = await list_saves(house, project, Page(after, 200))
        for shown in found:
            none = False
            if as_json:
                put_json({"kind": "save", "save": dict(save_json(shown))})
            else:
                put(_row(shown))
        if after is None:
            break
    if none and not as_json:
        put(_say("saves.none"))


def _row(shown: SaveShown) -> str:
    save = shown.save
    facts = [] if shown.on_branch else [_say("saves.aside" if shown.standing else "saves.lost")]
    if save.author == "model":
        facts.append(_say("saves.by_model"))
    told = _say("saves.row", number=shown.number, name=one_line(save.name), id=save.id)
    return "  ".join([told, *facts])


def _tell(key: str, save: Save, as_json: bool) -> None:
    if as_json:
        told = {"id": save.id, "name": save.name, "turn": save.node}
        put_json({"kind": "save", "done": key.removeprefix("saves."), "save": told})
    else:
        put(one_line(_say(key, name=save.name, id=save.id)))
