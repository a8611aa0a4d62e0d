"""`huaben write`: the discussion about a manuscript, in the terminal or by a script. What it loads, it loads when
it runs."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import click

from huaben.cli.helping import Invocation, command
from huaben.cli.options import data_option, json_option
from huaben.cli.sitting import Sitting
from huaben.cli.speaking import voice

if TYPE_CHECKING:
    from huaben.cli.opening import Opened
    from huaben.cli.running import Signals
    from huaben.studio import Studio

_say = voice().say


@dataclass(frozen=True, slots=True, kw_only=True)
class _Wish:
    """The command line as it was given."""

    project: str
    new: bool
    card: str | None
    greeting: bool
    story: str | None
    sitting: Sitting
    data: Path | None


@command("write")
@click.argument("project", metavar=_say("inspect.project_name"))
@click.option("--new", is_flag=True, help=_say("write.new"))
@click.option("--card", metavar=_say("play.card_name"), help=_say("write.card"))
@click.option("--greeting", is_flag=True, help=_say("write.greeting"))
@click.option("--from", "story", metavar=_say("inspect.project_name"), help=_say("write.from"))
@click.option("--say", "says", multiple=True, metavar=_say("help.text"), help=_say("write.say"))
@click.option(
    "--answer", "answers", multiple=True, metavar=_say("help.text"), help=_say("play.answer")
)
@json_option
@data_option
@click.pass_obj
def write(
    invocation: Invocation,
    project: str,
    new: bool,
    card: str | None,
    greeting: bool,
    story: str | None,
    says: tuple[str, ...],
    answers: tuple[str, ...],
    as_json: bool,
    data: Path | None,
) -> int:
    from huaben.cli.running import run

    if (card or greeting or story) and not new:
        raise click.UsageError(_say("write.only_new"))
    wish = _Wish(
        project=project,
        new=new,
        card=card,
        greeting=greeting,
        story=story,
        sitting=Sitting(says, answers, as_json),
        data=data,
    )
    return run(lambda signals: _write(wish, signals), debug=invocation.debug)


async def _write(wish: _Wish, signals: Signals) -> int:
    from huaben.config import load_settings
    from huaben.studio import Studio

    async with Studio.open(settings=load_settings(data=wish.data)) as studio:
        opened = await _opened(studio, wish)
        await wish.sitting.hold(studio, opened, signals)
    return 0


async def _opened(studio: Studio, wish: _Wish) -> Opened:
    """The project that is meant, or a new one of that title."""
    from huaben.cli.finding import find_project
    from huaben.cli.opening import Opened, rehearsal_named
    from huaben.cli.shelves import find_card
    from huaben.services.founding import Founding, create_project
    from huaben.services.rehearsing import found_rehearsal
    from huaben.services.writing.room import load_manuscript

    house = studio.house
    if not wish.new:
        found = await find_project(house, wish.project)
        return Opened(await load_manuscript(house, found.id), fresh=False)
    if wish.story is not None:
        from huaben.services.retelling import Retelling, retell

        story = await find_project(house, wish.story)
        made, _ = await retell(house, story.id, Retelling(wish.project))
        return Opened(made, fresh=True)
    shipped = rehearsal_named(wish.card) if wish.card else None
    if shipped is not None:
        made, _ = await found_rehearsal(house, shipped, mode="writing", title=wish.project)
        return Opened(made, fresh=True)
    card = (await find_card(house, wish.card)).id if wish.card else None
    founding = Founding(
        title=wish.project, mode="writing", card_id=card, greeting_chapter=wish.greeting
    )
    project, _ = await create_project(house, founding)
    return Opened(project, fresh=True)
