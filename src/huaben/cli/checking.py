"""`huaben check`: what follows an edit of a manuscript: facts to be checked, chapters to be read, and the experts'
continuity check."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import click

from huaben.cli.failing import FINE, Told
from huaben.cli.helping import Invocation, command
from huaben.cli.options import data_option, json_option
from huaben.cli.speaking import one_line, put, put_json, tell, voice

if TYPE_CHECKING:
    from huaben.domain.continuity import Finding
    from huaben.services.house import House
    from huaben.services.writing.doubting import Care
    from huaben.services.writing.reporting import Shown

_say = voice().say
_STATES = {"accepted": "check.accepted", "dismissed": "check.dismissed"}


@dataclass(frozen=True, slots=True)
class _Wish:
    """What is to be done; `show` alone asks no model."""

    project: str
    chapters: tuple[str, ...]
    since: str | None
    show: bool
    read: bool
    accept: tuple[int, ...]
    dismiss: tuple[int, ...]
    hold: tuple[str, ...]

    @property
    def asks(self) -> bool:
        """Whether the experts are to be asked."""
        return not (self.show or self.read or self.accept or self.dismiss or self.hold)


@command("check")
@click.argument("project", metavar=_say("inspect.project_name"))
@click.argument("chapters", metavar=_say("check.chapters_name"), nargs=-1)
@click.option("--since", metavar=_say("checkpoints.id"), help=_say("check.since"))
@click.option("--show", is_flag=True, help=_say("check.show"))
@click.option("--read", is_flag=True, help=_say("check.read"))
@click.option(
    "--accept", type=click.IntRange(1), metavar="N", multiple=True, help=_say("check.accept")
)
@click.option(
    "--dismiss", type=click.IntRange(1), metavar="N", multiple=True, help=_say("check.dismiss")
)
@click.option("--hold", metavar=_say("ledger.path"), multiple=True, help=_say("check.hold"))
@json_option
@data_option
@click.pass_obj
def check(
    invocation: Invocation,
    project: str,
    chapters: tuple[str, ...],
    since: str | None,
    show: bool,
    read: bool,
    accept: tuple[int, ...],
    dismiss: tuple[int, ...],
    hold: tuple[str, ...],
    as_json: bool,
    data: Path | None,
) -> int:
    from huaben.cli.running import run

    wish = _Wish(project, chapters, since, show, read, accept, dismiss, hold)
    return run(lambda _: _carry_out(wish, as_json, data), debug=invocation.debug)


async def _carry_out(wish: _Wish, as_json: bool, data: Path | None) -> int:
    from huaben.cli.chapters import find_checkpoint
    from huaben.cli.finding import find_project
    from huaben.config import load_settings
    from huaben.services.writing import doubting, reporting
    from huaben.studio import Studio

    async with Studio.open(settings=load_settings(data=data)) as studio:
        house = studio.house
        project = (await find_project(house, wish.project)).id
        if wish.asks:
            since = await find_checkpoint(house, project, wish.since) if wish.since else None
            await _ask(house, project, wish.chapters, since)
        if wish.read:
            await doubting.read_now(house, project, wish.chapters)
            await house.jobs.idle(f"{project}/post")
        if wish.hold:
            await _hold(house, project, wish.hold)
        for number in wish.accept:
            await reporting.settle(house, project, number, "accepted")
        for number in wish.dismiss:
            await reporting.settle(house, project, number, "dismissed")
        _put(await doubting.care_of(house, project), await reporting.show(house, project), as_json)
    return FINE


async def _ask(house: House, project: str, chapters: tuple[str, ...], since: str | None) -> None:
    """Start a check and wait for its end. Raises `Told("check_failed")`."""
    from huaben.services.writing import reporting

    await reporting.check(house, project, chapters, since)
    await house.jobs.idle(f"{project}/plan")
    shown = await reporting.show(house, project)
    if shown.state == "failed":
        raise Told("check_failed", _say("check.failed", why=shown.message))


async def _hold(house: House, project: str, marked: tuple[str, ...]) -> None:
    """Say that facts, by their paths, and notes, by their ids, hold."""
    from huaben.services.writing import doubting

    notes = {one.id for one in (await doubting.care_of(house, project)).notes}
    facts = [one for one in marked if one not in notes]
    await doubting.hold(house, project, facts, [one for one in marked if one in notes])


# ---- telling -------------------------------------------------------------------------------------


def _put(care: Care, shown: Shown, as_json: bool) -> None:
    if as_json:
        from huaben.services.writing.doubting import care_json
        from huaben.services.writing.reporting import check_json

        put_json({"kind": "care", "care": care_json(care)})
        put_json({"kind": "continuity", "continuity": check_json(shown)})
        return
    for fact in care.facts:
        said = one_line(fact.quotation)
        put(_say("check.fact", path=fact.path, chapter=fact.chapter, quotation=said))
    for note in care.notes:
        put(_say("check.note", id=note.id, title=one_line(note.title), chapter=note.chapter))
    if care.restored and care.changed:
        tell(_say("check.may_differ", names=", ".join(care.changed)), "yellow")
    if care.unread:
        tell(_say("check.unread", names=", ".join(care.unread)), "dim")
    report = shown.report
    for finding in report.findings if report is not None else ():
        _put_finding(finding)
    if report is not None and report.left_out:
        tell(_say("check.left_out", names=", ".join(report.left_out)), "yellow")
    if report is not None and report.failed:
        tell(_say("check.experts_failed", names=", ".join(report.failed)), "yellow")
    if report is not None and not report.findings and not care.facts:
        put(_say("check.nothing"))


def _put_finding(one: Finding) -> None:
    state = _say(_STATES[one.state]) if one.state in _STATES else ""
    mark = _say("check.advisory") if one.advisory else ""
    put(one_line("  ".join(part for part in (f"{one.number}.", state, mark, one.text) if part)))
    if one.quote:
        put(_say("check.quote", chapter=one.chapter, quote=one_line(one.quote)))
    if one.against:
        where = one.against_chapter or _say("check.in_ledger")
        put(_say("check.quote", chapter=where, quote=one_line(one.against)))
