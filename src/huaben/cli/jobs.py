"""`huaben jobs`: what waits, runs, is done or has failed in the background; reads only, so that it can
look while another process works."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

import click

from huaben.cli.failing import FINE
from huaben.cli.helping import Invocation, command
from huaben.cli.options import data_option, json_option
from huaben.cli.speaking import one_line, put, put_json, voice

if TYPE_CHECKING:
    from huaben.services.chores import JobShown

SHOWN = 50
STYLES = {"waiting": "dim", "running": "", "done": "dim", "failed": "red"}
_say = voice().say


@command("jobs")
@json_option
@data_option
@click.pass_obj
def jobs(invocation: Invocation, as_json: bool, data: Path | None) -> int:
    from huaben.cli.running import run

    return run(lambda _: _list(as_json, data), debug=invocation.debug)


async def _list(as_json: bool, data: Path | None) -> int:
    from huaben.config import load_settings
    from huaben.ports import Page
    from huaben.services.chores import list_jobs
    from huaben.studio import Studio

    settings = load_settings(data=data)
    async with Studio.open(settings=settings, read_only=True) as studio:
        found, more = await list_jobs(studio.house, Page(limit=SHOWN))
    for job in found:
        put_json({"kind": "job", "job": asdict(job)}) if as_json else _show(job)
    if not (as_json or found):
        put(_say("jobs.none"))
    if more and not as_json:
        put(_say("jobs.more", n=SHOWN), "dim")
    return FINE


def _show(job: JobShown) -> None:
    progress = f"{job.done}" if job.total is None else f"{job.done}/{job.total}"
    parts = (job.made_at[:19].replace("T", " "), _kind(job.kind), progress, _state(job))
    put("  ".join(one_line(part) for part in parts), STYLES[job.state])


def _kind(kind: str) -> str:
    """A kind in the user's words; one that has none is shown as it is."""
    key = f"jobs.{kind}"
    return _say(key) if voice().knows(key) else kind


def _state(job: JobShown) -> str:
    match job.state:
        case "waiting":
            return _say("jobs.waiting")
        case "running":
            return _say("jobs.running")
        case "done":
            return _outcome(job.outcome)
        case "failed":
            return _say("jobs.failed", why=job.outcome.removeprefix("failed: "))


def _outcome(outcome: str) -> str:
    """How a job ended well; what a planning came to has words of its own."""
    if outcome == "done":
        return _say("jobs.done")
    key = f"inspect.plan_outcome.{outcome}"
    return _say(key) if voice().knows(key) else outcome
