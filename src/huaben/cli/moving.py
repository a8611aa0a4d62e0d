"""`huaben move`: a whole old installation, shown first and then brought in."""

from __future__ import annotations

import asyncio
import sys
from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

import click

from huaben.cli.backup import megabytes
from huaben.cli.failing import FAILED, FINE, Told
from huaben.cli.helping import Invocation, command
from huaben.cli.options import data_option, json_option
from huaben.cli.prompting import read_line
from huaben.cli.speaking import err, one_line, put, put_json, tell, voice
from huaben.services.moving_plan import MOVE_KINDS, MoveKind, Survey, kind_of

if TYPE_CHECKING:
    from huaben.ports import DueJob
    from huaben.services.house import House
    from huaben.services.moving import Moved

LOOK_S = 0.2
AT_ONCE = 200
_say = voice().say


@command("move")
@click.argument("folder", type=click.Path(path_type=Path), metavar=_say("move.folder_name"))
@click.option(
    "--only",
    metavar=_say("move.only_name"),
    help=_say("move.only", kinds=", ".join(MOVE_KINDS)),
)
@click.option("--yes", is_flag=True, help=_say("move.yes"))
@json_option
@data_option
@click.pass_obj
def move(
    invocation: Invocation,
    folder: Path,
    only: str | None,
    yes: bool,
    as_json: bool,
    data: Path | None,
) -> int:
    from huaben.cli.running import run

    kinds = _kinds(only)
    return run(lambda _: _move(folder, kinds, yes, as_json, data), debug=invocation.debug)


def _kinds(only: str | None) -> tuple[MoveKind, ...]:
    if only is None:
        return MOVE_KINDS
    asked = [name.strip() for name in only.split(",")]
    known = ", ".join(MOVE_KINDS)
    for name in asked:
        if name not in MOVE_KINDS:
            raise click.UsageError(_say("move.bad_kind", kind=name, kinds=known))
    return tuple(kind for kind in MOVE_KINDS if kind in asked)


async def _move(
    folder: Path, kinds: Sequence[MoveKind], yes: bool, as_json: bool, data: Path | None
) -> int:
    from huaben.bootstrap import old_installation
    from huaben.config import load_settings
    from huaben.services import moving
    from huaben.studio import Studio

    installation = old_installation(folder)
    survey = await moving.look(installation)
    put_json({"kind": "survey", **asdict(survey)}) if as_json else _show(survey, kinds)
    if not yes:
        await _confirm()
    settings = load_settings(data=data)
    async with Studio.open(settings=settings) as studio:
        tell(_say("move.storing"))
        move_id = await moving.begin(studio.house, installation, kinds)
        tell(_say("move.taking"))
        try:
            job = await _wait(studio.house, move_id)
        except asyncio.CancelledError:
            tell(_say("move.goes_on"))
            raise
        moved = await _moved(studio.house, job)
    for one in moved:
        if as_json:
            about = {**asdict(one.item), "type": one.item.kind, "place": one.place}
            put_json({**about, "kind": "moved"})
        elif one.item.fate == "refused":
            place, why = one_line(one.place), one_line(one.item.message)
            tell(_say("move.refused", place=place, message=why), "red")
    _show_totals(moved, as_json)
    failed = job.outcome != "done" or any(one.item.fate == "refused" for one in moved)
    return FAILED if failed else FINE


async def _confirm() -> None:
    if not sys.stdin.isatty():
        raise Told("not_confirmed", _say("move.unconfirmed"), _say("move.unconfirmed_hint"))
    answer = await read_line(_say("move.confirm"))
    if (answer or "").strip().casefold() not in ("y", "yes", "是", "好"):
        raise Told("not_confirmed", _say("move.unconfirmed"), "")


async def _wait(house: House, move_id: str) -> DueJob:
    """The move once it is over, with a bar that tells how far it has come."""
    from rich.progress import BarColumn, MofNCompleteColumn, Progress

    from huaben.services import chores, moving

    with Progress(BarColumn(), MofNCompleteColumn(), console=err(), transient=True) as bar:
        task = bar.add_task("")
        while True:
            job = await moving.load_move(house, move_id)
            shown = await chores.show_job(house, job)
            bar.update(task, total=shown.total, completed=shown.done)
            if job.outcome:
                return job
            await asyncio.sleep(LOOK_S)


async def _moved(house: House, job: DueJob) -> list[Moved]:
    """All results, once the turns of every chat are there."""
    from huaben.ports import Page
    from huaben.services import chats, moving

    found: list[Moved] = []
    after: str | None = None
    while True:
        page, after = await moving.moved(house, job, Page(after, AT_ONCE))
        found += page
        if after is None:
            break
    for one in found:
        if one.item.kind == chats.KIND and one.item.id:
            await house.jobs.idle(chats.lane_of(one.item.id))
    return found


# ---- text --------------------------------------------------------------------------------------


def _show(survey: Survey, kinds: Sequence[MoveKind]) -> None:
    put(_say("move.root", root=one_line(survey.root)))
    for part in survey.parts:
        about = {"files": len(part.files), "size": megabytes(part.size)}
        line = _say("move.part", kind=_say(f"moving.{part.kind}"), **about)
        put(f"  {line}", "" if part.kind in kinds else "dim")
    if survey.left or survey.links:
        put(_say("move.left_heading"))
    for left in survey.left:
        about = {"files": left.files, "size": megabytes(left.size)}
        place, reason = one_line(left.place), _say(f"moving.{left.reason}")
        put(f"  {_say('move.left', place=place, reason=reason, **about)}", "dim")
    for link in survey.links:
        put(f"  {_say('move.link', place=one_line(link))}", "yellow")


def _show_totals(moved: Sequence[Moved], as_json: bool) -> None:
    counts = Counter((kind_of(one.place), one.item.fate) for one in moved)
    for kind in MOVE_KINDS:
        of_kind = {fate: counts[kind, fate] for fate in ("imported", "already", "refused")}
        if not any(of_kind.values()):
            continue
        if as_json:
            put_json({"kind": "summary", "of": kind, **of_kind})
        else:
            put(_say("move.total", kind=_say(f"moving.{kind}"), **of_kind))
