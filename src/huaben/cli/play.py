"""`huaben play`: a card, played in the terminal or by a script. What it loads, it loads when it runs."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import click

from huaben.cli.helping import Invocation, command
from huaben.cli.options import data_option, existing_file, existing_files, json_option
from huaben.cli.sitting import Sitting
from huaben.cli.speaking import voice

if TYPE_CHECKING:
    from huaben.cli.opening import Opened
    from huaben.cli.running import Signals

_say = voice().say


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayOptions:
    """The command line of `play` as it was given."""

    card: str
    lorebooks: tuple[Path, ...]
    persona: Path | None
    scenario: str | None
    new: bool
    sitting: Sitting
    data: Path | None


@command("play")
@click.argument("card", metavar=_say("play.card_name"))
@click.option(
    "--lorebook",
    "lorebooks",
    type=click.Path(path_type=Path),
    multiple=True,
    metavar=_say("help.file"),
    callback=existing_files,
    help=_say("play.lorebook"),
)
@click.option(
    "--persona",
    type=click.Path(path_type=Path),
    metavar=_say("help.file"),
    callback=existing_file,
    help=_say("play.persona"),
)
@click.option("--scenario", metavar=_say("play.scenario_name"), help=_say("play.scenario"))
@click.option("--say", "says", multiple=True, metavar=_say("help.text"), help=_say("play.say"))
@click.option(
    "--answer", "answers", multiple=True, metavar=_say("help.text"), help=_say("play.answer")
)
@click.option("--new", is_flag=True, help=_say("play.new"))
@json_option
@data_option
@click.pass_obj
def play(
    invocation: Invocation,
    card: str,
    lorebooks: tuple[Path, ...],
    persona: Path | None,
    scenario: str | None,
    says: tuple[str, ...],
    answers: tuple[str, ...],
    new: bool,
    as_json: bool,
    data: Path | None,
) -> int:
    from huaben.cli.running import run

    options = PlayOptions(
        card=card,
        lorebooks=lorebooks,
        persona=persona,
        scenario=scenario,
        new=new,
        sitting=Sitting(says, answers, as_json),
        data=data,
    )
    return run(lambda signals: _play(options, signals), debug=invocation.debug)


async def _play(options: PlayOptions, signals: Signals) -> int:
    from huaben.cli.opening import Wish, open_project
    from huaben.cli.personas import read_persona
    from huaben.config import load_settings
    from huaben.studio import Studio

    settings = load_settings(data=options.data)
    persona = read_persona(options.persona) if options.persona else None
    wish = Wish(options.card, options.lorebooks, persona, options.scenario, options.new)
    async with Studio.open(settings=settings) as studio:
        opened = await open_project(studio, wish, settings.max_upload_mb)
        _remark(opened)
        await options.sitting.hold(studio, opened, signals)
    return 0


def _remark(opened: Opened) -> None:
    """Say that it is a rehearsal, what was asked for and does not hold, and what the card's import
    was not silent about."""
    from huaben.cli.importing import remark
    from huaben.cli.speaking import tell
    from huaben.services.rehearsing import is_rehearsal

    if is_rehearsal(opened.project):
        tell(_say("play.rehearsal"), "dim")
    for option in opened.ignored:
        tell(_say("play.ignored", option=option, title=opened.project.title), "yellow")
    if opened.imported is not None and (said := remark(opened.imported)):
        tell(said, "dim")
