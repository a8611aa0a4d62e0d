"""`huaben guidance`: the user's own texts from files of their names, and back to them."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import click

from huaben.cli.failing import FINE, Told
from huaben.cli.helping import Invocation, SpokenGroup, command, shared_options
from huaben.cli.options import data_option, existing_files
from huaben.cli.speaking import one_line, put, voice

if TYPE_CHECKING:
    from huaben.services.house import House

_say = voice().say
_card_option = click.option("--card", metavar=_say("play.card_name"), help=_say("guidance.card"))


@click.group(
    "guidance",
    cls=SpokenGroup,
    help=_say("guidance.help"),
    short_help=_say("guidance.short"),
    options_metavar=_say("help.options"),
    subcommand_metavar=_say("help.command"),
    add_help_option=False,
    params=shared_options(),
)
def guidance() -> None:
    pass


@command("guidance import")
@click.argument(
    "files",
    nargs=-1,
    required=True,
    type=click.Path(path_type=Path),
    metavar=_say("import.files_name"),
    callback=existing_files,
)
@_card_option
@data_option
@click.pass_obj
def import_texts(
    invocation: Invocation, files: tuple[Path, ...], card: str | None, data: Path | None
) -> int:
    from huaben.cli.running import run

    return run(lambda _: _import(files, card, data), debug=invocation.debug)


@command("guidance export")
@click.argument("folder", default=".", type=click.Path(path_type=Path), metavar=_say("help.dir"))
@click.option("--force", is_flag=True, help=_say("export.force"))
@_card_option
@data_option
@click.pass_obj
def export_texts(
    invocation: Invocation, folder: Path, force: bool, card: str | None, data: Path | None
) -> int:
    from huaben.cli.running import run

    return run(lambda _: _export(folder, force, card, data), debug=invocation.debug)


guidance.add_command(import_texts)
guidance.add_command(export_texts)


async def _import(files: tuple[Path, ...], card: str | None, data: Path | None) -> int:
    from huaben.config import load_settings
    from huaben.services.guiding import read_guidance, write_guidance
    from huaben.studio import Studio

    texts = [(_name(path), await asyncio.to_thread(_read, path)) for path in files]
    settings = load_settings(data=data)
    async with Studio.open(settings=settings) as studio:
        card_id = await _card_id(studio.house, card)
        for name, text in texts:
            before = await read_guidance(studio.house, name, card_id)
            await write_guidance(studio.house, replace(before, text=text))
            put(voice().count("guidance.taken", len(text), name=name))
    return FINE


async def _export(folder: Path, force: bool, card: str | None, data: Path | None) -> int:
    from huaben.cli.exporting import write_new
    from huaben.config import load_settings
    from huaben.services.guiding import list_guidance
    from huaben.studio import Studio

    settings = load_settings(data=data)
    async with Studio.open(settings=settings, read_only=True) as studio:
        card_id = await _card_id(studio.house, card)
        rows = await list_guidance(studio.house, card_id)
    found = [row for row in rows if row.text and row.card_id == card_id]
    for row in found:
        path = folder / row.name
        await asyncio.to_thread(write_new, path, row.text.encode(), force)
        put(voice().count("guidance.taken", len(row.text), name=one_line(str(path))))
    if not found:
        put(_say("guidance.none"))
    return FINE


def _name(path: Path) -> str:
    from huaben.services.guiding import NAMES

    if path.name not in NAMES:
        message = _say("guidance.wrong_name", path=one_line(str(path)), names=", ".join(NAMES))
        raise Told("wrong_name", message)
    return path.name


def _read(path: Path) -> str:
    """The text without a byte order mark; blank is empty."""
    try:
        text = path.read_bytes().decode("utf-8-sig")
    except UnicodeDecodeError:
        raise Told("not_text", _say("guidance.not_text", path=one_line(str(path)))) from None
    return text if text.strip() else ""


async def _card_id(house: House, named: str | None) -> str:
    if named is None:
        return ""
    from huaben.cli.shelves import find_card

    return (await find_card(house, named)).id
