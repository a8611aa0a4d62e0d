"""`huaben recompute`: reading the ledger again from a turn whose text was changed."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, cast

import click

from huaben.cli.failing import FINE, Told
from huaben.cli.helping import Invocation, command
from huaben.cli.ledger import change_line
from huaben.cli.options import data_option, json_option
from huaben.cli.speaking import put, put_json, tell, voice

if TYPE_CHECKING:
    from huaben.domain.jsonvalue import Json
    from huaben.services.aftermath.recomputing import Proposal
    from huaben.services.house import House

_say = voice().say


@command("recompute")
@click.argument("project", metavar=_say("inspect.project_name"))
@click.argument("turn", metavar=_say("ledger.turn_name"))
@click.option("--yes", is_flag=True, help=_say("recompute.yes"))
@json_option
@data_option
@click.pass_obj
def recompute(
    invocation: Invocation,
    project: str,
    turn: str,
    yes: bool,
    as_json: bool,
    data: Path | None,
) -> int:
    from huaben.cli.finding import find_project, find_turn
    from huaben.cli.running import run
    from huaben.config import load_settings
    from huaben.services.stories import load_story
    from huaben.studio import Studio

    async def work() -> int:
        async with Studio.open(settings=load_settings(data=data)) as studio:
            house = studio.house
            meant = (await find_project(house, project)).id
            node = find_turn(await load_story(house, meant), turn).id
            found = await _read(house, meant, node)
            await _settle(house, meant, found, yes=yes, as_json=as_json)
        return FINE

    return run(lambda _: work(), debug=invocation.debug)


async def _read(house: House, project: str, node: str) -> Proposal:
    from huaben.services.aftermath import recomputing
    from huaben.services.aftermath.chain import lane_of

    await recomputing.recompute(house, node)
    await house.jobs.idle(lane_of(project))
    found = await recomputing.proposal(house, project)
    if found is None or found.state != "ready":
        why = "" if found is None else found.message
        raise Told("recompute_failed", _say("recompute.failed", why=why))
    return found


async def _settle(house: House, project: str, found: Proposal, *, yes: bool, as_json: bool) -> None:
    from huaben.services.aftermath.recomputing import settle_proposal

    changes = [cast("Mapping[str, Json]", one) for one in found.changes]  # as a proposal has them
    for change in changes:
        path = ".".join(cast("list[str]", change["path"]))
        if as_json:
            put_json({"kind": "change", "change": change})
        else:
            put(change_line(path, change.get("before"), change.get("after")))
    await settle_proposal(house, project, apply=yes)
    if not changes:
        tell(_say("recompute.nothing"))
    tell(_say("recompute.applied" if yes else "recompute.kept"))
