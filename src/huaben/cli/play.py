"""`huaben play`: a card, played in the terminal or by a script. What it loads, it loads when it runs."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import click

from huaben.cli.helping import Invocation, command
from huaben.cli.options import data_option, existing_file, existing_files, json_option
from huaben.cli.speaking import voice

if TYPE_CHECKING:
    from huaben.cli.opening import Opened
    from huaben.cli.running import Signals
    from huaben.cli.screens import Screen
    from huaben.cli.turns import Player
    from huaben.studio import Studio

_say = voice().say


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayOptions:
    """The command line of `play` as it was given."""

    card: str
    lorebooks: tuple[Path, ...]
    persona: Path | None
    scenario: str | None
    says: tuple[str, ...]
    answers: tuple[str, ...]
    new: bool
    as_json: bool
    data: Path | None

    @property
    def scripted(self) -> bool:
        """Nobody is there to talk to, or everything that is to be said stands on the line."""
        terminal = sys.stdin.isatty() and sys.stdout.isatty()
        return bool(self.says or self.answers) or self.as_json or not terminal


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
        says=says,
        answers=answers,
        new=new,
        as_json=as_json,
        data=data,
    )
    return run(lambda signals: _play(options, signals), debug=invocation.debug)


async def _play(options: PlayOptions, signals: Signals) -> int:
    from huaben.cli.opening import Wish, open_project
    from huaben.cli.personas import read_persona
    from huaben.cli.turns import Player
    from huaben.config import load_settings
    from huaben.studio import Studio

    settings = load_settings(data=options.data)
    persona = read_persona(options.persona) if options.persona else None
    wish = Wish(options.card, options.lorebooks, persona, options.scenario, options.new)
    async with Studio.open(settings=settings) as studio:
        opened = await open_project(studio, wish, settings.max_upload_mb)
        _remark(opened)
        screen = _screen(options, studio)
        head = await studio.house.store.head(opened.project.id)
        screen.opened(opened, head.turn_id if head else "")
        player = Player(studio, opened.project, screen, signals)
        if options.scripted:
            from huaben.cli.scripted import perform

            await perform(player, options.says, options.answers)
        else:
            await _converse(player)
    return 0


def _screen(options: PlayOptions, studio: Studio) -> Screen:
    from huaben.cli.screens import JsonScreen, PlainScreen

    if options.as_json:
        return JsonScreen()
    if not sys.stdout.isatty():
        return PlainScreen()
    from huaben.cli.activity import Activity
    from huaben.cli.live import LiveScreen
    from huaben.cli.speaking import out

    console = out()
    return LiveScreen(console, Activity(console, studio.house.clock.monotonic))


async def _converse(player: Player) -> None:
    from huaben.cli.conversing import Conversation
    from huaben.cli.prompting import kept_terminal
    from huaben.cli.speaking import out

    with kept_terminal():
        await Conversation(player, out()).hold()


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
