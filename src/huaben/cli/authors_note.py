"""`huaben note`: the author's note of a story; apart from what else a story wears."""

from __future__ import annotations

import sys
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

import click

from huaben.cli.failing import FINE
from huaben.cli.helping import Invocation, command
from huaben.cli.options import data_option, json_option
from huaben.cli.speaking import one_line, put, put_json, voice

if TYPE_CHECKING:
    from huaben.domain.card import CardRole
    from huaben.domain.dressing import AuthorsNote

_say = voice().say


@dataclass(frozen=True, slots=True)
class _Wish:
    """What is to be written; nothing is only looked at."""

    text: str | None
    interval: int | None
    depth: int | None
    role: CardRole | None

    @property
    def looks_only(self) -> bool:
        return (self.text, self.interval, self.depth, self.role) == (None, None, None, None)


@command("note")
@click.argument("project", metavar=_say("inspect.project_name"))
@click.option("--set", "text", metavar=_say("author.text_name"), help=_say("author.set"))
@click.option("--interval", type=click.IntRange(0), metavar="N", help=_say("author.interval"))
@click.option("--depth", type=click.IntRange(0), metavar="N", help=_say("author.depth"))
@click.option(
    "--role", type=click.Choice(("system", "user", "assistant")), help=_say("author.role")
)
@json_option
@data_option
@click.pass_obj
def note(
    invocation: Invocation,
    project: str,
    text: str | None,
    interval: int | None,
    depth: int | None,
    role: CardRole | None,
    as_json: bool,
    data: Path | None,
) -> int:
    from huaben.cli.running import run

    given = sys.stdin.read() if text == "-" else text
    wish = _Wish(given, interval, depth, role)
    return run(lambda _: _carry_out(project, wish, as_json, data), debug=invocation.debug)


async def _carry_out(named: str, wish: _Wish, as_json: bool, data: Path | None) -> int:
    from huaben.cli.finding import find_project
    from huaben.config import load_settings
    from huaben.services.notes_author import read_note, write_note
    from huaben.studio import Studio

    settings = load_settings(data=data)
    async with Studio.open(settings=settings, read_only=wish.looks_only) as studio:
        project = (await find_project(studio.house, named)).id
        worn = await read_note(studio.house, project)
        if not wish.looks_only:
            changed = _changed(worn.note, wish)
            worn = await write_note(studio.house, project, changed, worn.revision)
    _tell(worn.note, as_json)
    return FINE


def _changed(note: AuthorsNote, wish: _Wish) -> AuthorsNote:
    return replace(
        note,
        text=note.text if wish.text is None else wish.text,
        interval=note.interval if wish.interval is None else wish.interval,
        depth=note.depth if wish.depth is None else wish.depth,
        role=note.role if wish.role is None else wish.role,
    )


def _tell(note: AuthorsNote, as_json: bool) -> None:
    if as_json:
        fields = {"text": note.text, "interval": note.interval, "depth": note.depth}
        put_json({"kind": "note", **fields, "role": note.role, "place": note.place})
    elif not note.text.strip():
        put(_say("author.none"))
    else:
        facts = {"interval": note.interval, "depth": note.depth, "role": note.role}
        put(_say("author.row", text=one_line(note.text), **facts))
