"""`huaben summary`: what stands for the old turns of a story."""

from __future__ import annotations

from pathlib import Path

import click

from huaben.cli.failing import FINE
from huaben.cli.helping import Invocation, command
from huaben.cli.options import data_option, json_option
from huaben.cli.speaking import put, put_json, tell, voice

_say = voice().say


@command("summary")
@click.argument("project", metavar=_say("inspect.project_name"))
@click.option("--at", metavar="TURN", help=_say("summary.at"))
@json_option
@data_option
@click.pass_obj
def summary(
    invocation: Invocation, project: str, at: str | None, as_json: bool, data: Path | None
) -> int:
    from huaben.cli.finding import find_project
    from huaben.cli.running import run
    from huaben.config import load_settings
    from huaben.services.summarising import show_summary, summary_json
    from huaben.studio import Studio

    async def work() -> int:
        async with Studio.open(settings=load_settings(data=data), read_only=True) as studio:
            meant = await find_project(studio.house, project)
            shown = await show_summary(studio.house, meant.id, at)
        if as_json:
            put_json({"kind": "summary", "summary": summary_json(shown)})
        elif shown.summary is None:
            tell(_say("summary.none", live=len(shown.live)))
        else:
            told = _say("summary.told", turns=shown.summary.turns, live=len(shown.live))
            put(told, "dim")
            put(shown.summary.text)
        return FINE

    return run(lambda _: work(), debug=invocation.debug)
