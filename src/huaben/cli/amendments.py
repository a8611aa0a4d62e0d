"""`huaben amendments`: lasting changes that were proposed in a story, and the reader's word on them."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from huaben.cli.failing import FINE, Told
from huaben.cli.helping import Invocation, command
from huaben.cli.options import data_option, json_option
from huaben.cli.speaking import one_line, put, put_json, voice

if TYPE_CHECKING:
    from huaben.domain.amendment import Amendment, Verb
    from huaben.services.house import House

ID_PREFIX = 6
_say = voice().say


@command("amendments")
@click.argument("project", metavar=_say("inspect.project_name"))
@click.option("--accept", metavar=_say("amendments.turn_name"), help=_say("amendments.accept"))
@click.option("--refuse", metavar=_say("amendments.turn_name"), help=_say("amendments.refuse"))
@click.option("--undo", metavar=_say("amendments.turn_name"), help=_say("amendments.undo"))
@json_option
@data_option
@click.pass_obj
def amendments(
    invocation: Invocation,
    project: str,
    accept: str | None,
    refuse: str | None,
    undo: str | None,
    as_json: bool,
    data: Path | None,
) -> int:
    from huaben.cli.running import run

    wishes: list[tuple[Verb, str | None]] = [
        ("accept", accept),
        ("refuse", refuse),
        ("undo", undo),
    ]
    wished: list[tuple[Verb, str]] = [(verb, turn) for verb, turn in wishes if turn is not None]
    return run(lambda _: _carry_out(project, wished, as_json, data), debug=invocation.debug)


async def _carry_out(
    project: str, wished: list[tuple[Verb, str]], as_json: bool, data: Path | None
) -> int:
    from huaben.cli.finding import find_project
    from huaben.config import load_settings
    from huaben.services.amending import amendment_json, decide, list_amendments
    from huaben.studio import Studio

    async with Studio.open(settings=load_settings(data=data), read_only=not wished) as studio:
        meant = (await find_project(studio.house, project)).id
        for verb, turn in wished:
            await decide(studio.house, meant, await _turn(studio.house, meant, turn), verb)
        found = await list_amendments(studio.house, meant)
    if as_json:
        put_json({"kind": "amendments", "items": [amendment_json(one) for one in found]})
    elif not found:
        put(_say("amendments.none"), "dim")
    for one in () if as_json else found:
        _show(one)
    return FINE


async def _turn(house: House, project_id: str, meant: str) -> str:
    """The id that begins or ends with what was typed, as lists show it."""
    from huaben.services.amending import list_amendments

    turns = [one.turn for one in await list_amendments(house, project_id)]
    found = [turn for turn in turns if meant == turn or turn.endswith(meant)]
    if len(found) == 1:
        return found[0]
    raise Told("not_found", _say("amendments.unknown", turn=one_line(meant)))


def _show(one: Amendment) -> None:
    state = _say(f"amendments.{one.state}")
    request = one_line(one.request)
    put(_say("amendments.row", turn=one.turn[-ID_PREFIX:], state=state, request=request))
    for change in one.proposal.card:
        put(f"  {change.field}", "dim")
        put(f"  - {one_line(change.old)}")
        put(f"  + {one_line(change.new)}")
    for entry in one.proposal.lore:
        put(f"  + {one_line(entry.title)}: {one_line(entry.content)}")
    for rule in one.proposal.style:
        put(f"  + {one_line(rule)}")
    if one.code:
        put(f"  {one_line(one.message)} ({one.code})", "dim")
