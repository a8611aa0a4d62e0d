"""`huaben export`: a thing of the library or a story as a file, with what the file cannot hold."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from pathlib import Path
from shutil import copymode
from typing import TYPE_CHECKING, Literal, TypeAlias

import click

from huaben.cli.failing import FINE, Told
from huaben.cli.helping import Invocation, command
from huaben.cli.options import data_option, json_option
from huaben.cli.speaking import one_line, put, put_bytes, put_json, tell, voice

if TYPE_CHECKING:
    from huaben.domain.project import StoredBook, StoredCard
    from huaben.formats.lorebook.write import FileDialect
    from huaben.services.exporting import CardForm, File
    from huaben.services.house import House

Form: TypeAlias = Literal["card", "png", "json", "charx", "lorebook", "lorebook-v3"]
FORMS: tuple[Form, ...] = ("card", "png", "json", "charx", "lorebook", "lorebook-v3")
STORY_FORMS = ("jsonl", "txt", "md", "tree")
BOOK_FORMS = ("epub", "docx")
ITEM_FORMS = ("preset", "persona", "scripts", "quick-replies")
STANDARD_OUTPUT = "-"
_say = voice().say


@command("export")
@click.argument("thing", metavar=_say("export.thing_name"))
@click.option(
    "--to",
    "form",
    type=click.Choice((*FORMS, *STORY_FORMS, *BOOK_FORMS, *ITEM_FORMS)),
    help=_say("export.to"),
)
@click.option("--at", metavar=_say("inspect.turn_name"), help=_say("export.at"))
@click.option("-o", "--output", metavar=_say("help.file"), help=_say("export.output"))
@click.option("--force", is_flag=True, help=_say("export.force"))
@json_option
@data_option
@click.pass_obj
def export(
    invocation: Invocation,
    thing: str,
    form: str | None,
    at: str | None,
    output: str | None,
    force: bool,
    as_json: bool,
    data: Path | None,
) -> int:
    from huaben.cli.running import run

    async def work() -> int:
        file = await _exported(thing, form, at, data)
        if output == STANDARD_OUTPUT:
            put_bytes(file.content)
            _tell_report(file.report)
            return FINE
        path = Path(output or file.name)
        await asyncio.to_thread(write_new, path, file.content, force)
        if as_json:
            about = {"kind": "export", "file": str(path), "bytes": len(file.content)}
            put_json({**about, "report": dict(file.report)})
        else:
            put(_say("export.done", path=one_line(str(path)), n=len(file.content)))
            _tell_report(file.report)
        return FINE

    return run(lambda _: work(), debug=invocation.debug)


async def _exported(thing: str, form: str | None, at: str | None, data: Path | None) -> File:
    from huaben.cli.books import manuscript_file
    from huaben.cli.chats import story_file, story_to
    from huaben.cli.items import item_file, thing_or_item
    from huaben.cli.shelves import find_thing
    from huaben.config import load_settings
    from huaben.services import exporting
    from huaben.studio import Studio

    settings = load_settings(data=data)
    async with Studio.open(settings=settings, read_only=True) as studio:
        book = await manuscript_file(studio.house, thing, form, at)
        if book is not None:
            return book
        to = story_to(form)
        if to is not None:
            return await story_file(studio.house, thing, to, at)
        if form in ITEM_FORMS:
            return await item_file(studio.house, thing, form)
        finding = find_thing if form else thing_or_item
        found = await finding(studio.house, thing)
        if isinstance(found, exporting.File):
            return found
        return await _file_of(studio.house, found, _library_form(form))


def _library_form(form: str | None) -> Form | None:
    return next((one for one in FORMS if one == form), None)


async def _file_of(house: House, found: StoredCard | StoredBook, form: Form | None) -> File:
    from huaben.domain.project import StoredCard
    from huaben.services import exporting

    if isinstance(found, StoredCard):
        if form in ("lorebook", "lorebook-v3"):
            return await exporting.export_own_book(house, found.id, _dialect(form) or "sillytavern")
        return await exporting.export_card(house, found.id, _card_form(form))
    if form in ("card", "png", "charx"):
        message = _say("export.wrong_form", name=one_line(found.name), form=form)
        raise Told("wrong_form", message, _say("export.wrong_form_hint"))
    return await exporting.export_lorebook(house, found.id, _dialect(form))


def _card_form(form: Form | None) -> CardForm | None:
    """The form a card came in where none is named."""
    match form:
        case "png" | "json" | "charx":
            return form
        case _:
            return None


def _dialect(form: Form | None) -> FileDialect | None:
    match form:
        case "lorebook":
            return "sillytavern"
        case "lorebook-v3":
            return "lorebook_v3"
        case _:
            return None


def write_new(path: Path, content: bytes, force: bool) -> None:
    """Writes a new file; over one that is there only when told to, and then that one is lost only once the
    new one is whole. Nothing is left of a file that could not be written. Raises `OSError`."""
    if force and path.is_file() and not path.is_symlink():
        path.open("r+b").close()  # one that may not be written stays as it is
        half = path.with_name(f".{path.name[:80]}.part")
        _write_whole(half, content, "wb")
        copymode(path, half)
        half.replace(path)
        return
    try:
        _write_whole(path, content, "wb" if force else "xb")
    except FileExistsError:
        message = _say("export.exists", path=one_line(str(path)))
        raise Told("file_exists", message, _say("export.exists_hint")) from None


def _write_whole(path: Path, content: bytes, mode: Literal["wb", "xb"]) -> None:
    """A device or a pipe that the user names is written to, and never taken away."""
    try:
        with path.open(mode) as file:
            file.write(content)
    except FileExistsError:
        raise
    except OSError:
        if path.is_file() and not path.is_symlink():
            path.unlink()
        raise


def _tell_report(report: Mapping[str, object]) -> None:
    """What the file does not hold, beside the output."""
    from huaben.cli.importing import LISTS, MAX_SHOWN, STYLES
    from huaben.cli.notes import gathered_notes, notes_of, rendered

    for name in LISTS:
        notes = gathered_notes(notes_of(report, name))
        for note in notes[:MAX_SHOWN]:
            tell(voice().join(_say(f"report.{name}"), rendered(note)), STYLES[name])
        if len(notes) > MAX_SHOWN:
            tell(_say("report.more", n=len(notes) - MAX_SHOWN))
