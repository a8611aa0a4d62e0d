"""`huaben wear`: a preset or a persona for a story; apart from the author's note, which has words of its own."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path
from typing import TYPE_CHECKING

import click

from huaben.cli.failing import FINE, Told
from huaben.cli.helping import Invocation, command
from huaben.cli.options import data_option, json_option
from huaben.cli.speaking import one_line, put, put_json, voice

if TYPE_CHECKING:
    from huaben.domain.dressing import Dressing
    from huaben.domain.libraryitem import ItemKind, StoredItem
    from huaben.services.house import House

ID_PREFIX = 6
NONE = "none"
_say = voice().say


@command("wear")
@click.argument("project", metavar=_say("inspect.project_name"))
@click.option("--preset", metavar=_say("wear.preset_name"), help=_say("wear.preset"))
@click.option("--persona", metavar=_say("wear.persona_name"), help=_say("wear.persona"))
@json_option
@data_option
@click.pass_obj
def wear(
    invocation: Invocation,
    project: str,
    preset: str | None,
    persona: str | None,
    as_json: bool,
    data: Path | None,
) -> int:
    from huaben.cli.running import run

    return run(
        lambda _: _carry_out(project, preset, persona, as_json, data), debug=invocation.debug
    )


async def _carry_out(
    named: str, preset: str | None, persona: str | None, as_json: bool, data: Path | None
) -> int:
    from huaben.cli.finding import find_project
    from huaben.config import load_settings
    from huaben.services.notes_author import read_note
    from huaben.services.presets import choose_preset
    from huaben.studio import Studio

    looking = preset is None and persona is None
    settings = load_settings(data=data)
    async with Studio.open(settings=settings, read_only=looking) as studio:
        house = studio.house
        project = (await find_project(house, named)).id
        if preset is not None:
            await choose_preset(house, project, await _id_of(house, "preset", preset))
        if persona is not None:
            await _put_on(house, project, await _id_of(house, "persona", persona), as_json)
        await _tell(house, await read_note(house, project), as_json)
    return FINE


async def _put_on(house: House, project: str, persona_id: str | None, as_json: bool) -> None:
    from huaben.services.personas import put_on_persona

    done = await put_on_persona(house, project, persona_id)
    if as_json:
        return
    if done.lorebook:
        put(_say("wear.lorebook", id=done.lorebook))
    if done.missing:
        put(_say("wear.no_lorebook", name=one_line(done.missing)), "yellow")


async def _id_of(house: House, kind: ItemKind, named: str) -> str | None:
    """Raises `Told` (`item_not_found`, `ambiguous_name`)."""
    if named == NONE:
        return None
    wanted = named.strip().casefold()
    found = [
        item
        async for item in all_items(house, kind)
        if item.name.casefold() == wanted
        or (len(wanted) >= ID_PREFIX and item.id.startswith(wanted))
    ]
    exact = [item for item in found if item.id == named] or found
    if len(exact) == 1:
        return exact[0].id
    if not exact:
        message = _say("wear.missing", kind=_say(f"trash.{kind}"), name=one_line(named))
        raise Told("item_not_found", message)
    ids = ", ".join(item.id for item in exact[:8])
    raise Told("ambiguous_name", _say("wear.ambiguous", name=one_line(named), ids=ids))


async def all_items(house: House, kind: ItemKind) -> AsyncIterator[StoredItem]:
    """Every item of a kind, newest first."""
    from huaben.ports import Page

    after: str | None = None
    while True:
        found, after = await house.store.items(house.user_id, kind, Page(after, 200))
        for item in found:
            yield item
        if after is None:
            return


async def _tell(house: House, worn: Dressing, as_json: bool) -> None:
    if as_json:
        ids = {"preset_id": worn.preset_id, "persona_id": worn.persona_id}
        put_json({"kind": "dressing", **ids})
        return
    for key, item_id in (
        ("wear.preset_row", worn.preset_id),
        ("wear.persona_row", worn.persona_id),
    ):
        if item_id is not None:
            item = await house.store.item(item_id)
            put(_say(key, name=one_line(item.name) if item else "—", id=item_id))
    if worn.preset_id is None and worn.persona_id is None:
        put(_say("wear.nothing"))
