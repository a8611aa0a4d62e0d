"""`huaben chapters` and `huaben checkpoints`: a manuscript and its history, looked at and changed by hand."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

import click

from huaben.cli.failing import FINE, Told
from huaben.cli.helping import Invocation, command
from huaben.cli.options import data_option, existing_files, json_option
from huaben.cli.speaking import one_line, put, put_json, tell, voice

if TYPE_CHECKING:
    from huaben.domain.checkpoint import Changed, Snapshot
    from huaben.services.house import House
    from huaben.services.writing.recording import Standing

ID_PREFIX = 6
ALL = 200
_say = voice().say


@command("chapters")
@click.argument("project", metavar=_say("inspect.project_name"))
@click.option("--show", metavar=_say("chapters.name"), help=_say("chapters.show"))
@click.option(
    "--import",
    "files",
    type=click.Path(path_type=Path),
    multiple=True,
    metavar=_say("help.file"),
    callback=existing_files,
    help=_say("chapters.import"),
)
@click.option("--apart", is_flag=True, help=_say("chapters.apart"))
@json_option
@data_option
@click.pass_obj
def chapters(
    invocation: Invocation,
    project: str,
    show: str | None,
    files: tuple[Path, ...],
    apart: bool,
    as_json: bool,
    data: Path | None,
) -> int:
    from huaben.cli.running import run

    async def work() -> int:
        from huaben.cli.finding import find_project
        from huaben.config import load_settings
        from huaben.studio import Studio

        async with Studio.open(settings=load_settings(data=data)) as studio:
            found = (await find_project(studio.house, project)).id
            if show is not None:
                await _show(studio.house, found, show, as_json)
            elif files:
                await _import(studio.house, found, files, apart, as_json)
            else:
                await _list(studio.house, found, as_json)
        return FINE

    return run(lambda _: work(), debug=invocation.debug)


async def _show(house: House, project: str, name: str, as_json: bool) -> None:
    from huaben.services.writing.chapters import read_chapter

    chapter = await read_chapter(house, project, name)
    if as_json:
        told = {"name": chapter.name, "text": chapter.text, "hash": chapter.hash}
        put_json({"kind": "chapter", **told})
    else:
        put(chapter.text.rstrip("\n"))


async def _import(
    house: House, project: str, files: tuple[Path, ...], apart: bool, as_json: bool
) -> None:
    from huaben.services.writing.importing import Arriving, import_chapters

    read = [Arriving(file.name, await asyncio.to_thread(file.read_bytes)) for file in files]
    brought = await import_chapters(house, project, read, apart=apart)
    if as_json:
        put_json({"kind": "chapters", "names": list(brought.names), "report": brought.report})
        return
    for name in brought.names:
        put(one_line(_say("chapters.imported", name=name)))
    for note in _notes(brought.report):
        tell(note)


def _notes(report: Mapping[str, object]) -> list[str]:
    """What an import did to the files, in a sentence each."""
    from huaben.cli.importing import LISTS
    from huaben.cli.notes import gathered_notes, notes_of, rendered

    return [
        voice().join(_say(f"report.{name}"), rendered(note))
        for name in LISTS
        for note in gathered_notes(notes_of(report, name))
    ]


async def _list(house: House, project: str, as_json: bool) -> None:
    from huaben.services.writing.chapters import chapters_json, list_chapters

    standing = await list_chapters(house, project)
    if as_json:
        put_json({"kind": "chapters", **chapters_json(standing)})
        return
    _put_chapters(standing)


def _put_chapters(standing: Standing) -> None:
    found = standing.found
    for one in found.chapters:
        shown = _say("chapters.bytes") if one.chars is None else f"{one.chars:,}"
        changed = one.changed_at[:16].replace("T", " ")
        put(one_line(_say("chapters.row", name=one.name, chars=shown, changed=changed)))
    for one in found.left_out:
        tell(one_line(_say("chapters.left_out", name=one.name, reason=one.reason)), "yellow")
    if not found.chapters:
        put(_say("chapters.none"))


# ---- the history -------------------------------------------------------------------------------


@command("checkpoints")
@click.argument("project", metavar=_say("inspect.project_name"))
@click.option("--make", metavar=_say("saves.name"), help=_say("checkpoints.make"))
@click.option(
    "--rename", nargs=2, metavar=_say("checkpoints.rename_names"), help=_say("checkpoints.rename")
)
@click.option("--restore", metavar=_say("checkpoints.id"), help=_say("checkpoints.restore"))
@click.option("--undo-turn", metavar=_say("checkpoints.id"), help=_say("checkpoints.undo_turn"))
@click.option("--force", is_flag=True, help=_say("checkpoints.force"))
@json_option
@data_option
@click.pass_obj
def checkpoints(
    invocation: Invocation,
    project: str,
    make: str | None,
    rename: tuple[str, str] | None,
    restore: str | None,
    undo_turn: str | None,
    force: bool,
    as_json: bool,
    data: Path | None,
) -> int:
    from huaben.cli.running import run

    async def work() -> int:
        from huaben.cli.finding import find_project
        from huaben.config import load_settings
        from huaben.services.writing import history
        from huaben.studio import Studio

        async with Studio.open(settings=load_settings(data=data)) as studio:
            house = studio.house
            found = (await find_project(house, project)).id
            if make is not None:
                _put(await history.make_checkpoint(house, found, make), as_json)
            elif rename is not None:
                one = await find_checkpoint(house, found, rename[0])
                named = await history.name_checkpoint(house, found, one, rename[1])
                _put(named, as_json)
            elif restore is not None:
                await _restore(house, found, restore, as_json)
            elif undo_turn is not None:
                await _undo_turn(house, found, undo_turn, force)
            else:
                await _timeline(house, found, as_json)
        return FINE

    return run(lambda _: work(), debug=invocation.debug)


async def _restore(house: House, project: str, named: str, as_json: bool) -> None:
    from huaben.services.writing.restoring import restore_files

    made = await restore_files(house, project, await find_checkpoint(house, project, named))
    if made is None:
        put(_say("checkpoints.same"))
    else:
        _put(made, as_json)


async def _undo_turn(house: House, project: str, named: str, force: bool) -> None:
    from huaben.services import branching
    from huaben.services.writing.history import load_checkpoint

    found = await load_checkpoint(house, project, await find_checkpoint(house, project, named))
    turn = found.checkpoint.turn
    if turn is None:
        raise Told("not_a_turn", _say("checkpoints.no_turn"))
    moved = await branching.undo_from(house, project, turn, force=force)
    put(one_line(_say("checkpoints.undone", words=moved.words)))


async def _timeline(house: House, project: str, as_json: bool) -> None:
    from huaben.services.writing.history import list_checkpoints

    after: str | None = None
    none = True
    while True:
        found, after = await list_checkpoints(house, project, after, ALL)
        for one in found:
            none = False
            _put(one, as_json)
        if after is None:
            break
    if none and not as_json:
        put(_say("checkpoints.none"))


async def find_checkpoint(house: House, project: str, named: str) -> str:
    """A checkpoint by its id, the beginning of it, its number or its name. Raises `Told`
    (`checkpoint_not_found`, `ambiguous_checkpoint`)."""
    every = await house.store.checkpoints(project)
    wanted = " ".join(named.split()).casefold()
    found = [one for one in every if one.id == named or str(one.number) == named] or [
        one
        for one in every
        if (one.name and one.name.casefold() == wanted)
        or (len(named) >= ID_PREFIX and one.id.startswith(named.lower()))
    ]
    if not found:
        raise Told("checkpoint_not_found", _say("checkpoints.missing", name=one_line(named)))
    if len(found) > 1:
        ids = ", ".join(one.id for one in found[:8])
        message = _say("checkpoints.ambiguous", name=one_line(named), ids=ids)
        raise Told("ambiguous_checkpoint", message)
    return found[0].id


def _put(snapshot: Snapshot, as_json: bool) -> None:
    from huaben.services.writing.history import checkpoint_json

    if as_json:
        put_json({"kind": "checkpoint", "checkpoint": checkpoint_json(snapshot)})
        return
    one = snapshot.checkpoint
    facts = [one.name, one.message.splitlines()[0] if one.message else ""]
    if one.aborted:
        facts.append(_say("checkpoints.aborted"))
    if one.restored_from:
        facts.append(_say("checkpoints.restored"))
    row = _say(
        "checkpoints.row",
        number=one.number,
        at=one.at[:16].replace("T", " "),
        author=_say("checkpoints.by_user" if one.author == "user" else "checkpoints.by_agent"),
        changed=_changed(one.changed),
        id=one.id,
    )
    put(one_line("  ".join([row, *(fact for fact in facts if fact)])))


def _changed(changed: Changed) -> str:
    """The names that a checkpoint touched, each with a sign."""
    listed = [
        *(f"+{name}" for name in changed.added),
        *(f"~{name}" for name in changed.modified),
        *(f"{old}→{new}" for old, new in changed.renamed),
        *(f"-{name}" for name in changed.removed),
    ]
    shown = ", ".join(listed[:6])
    return shown if len(listed) <= 6 else _say("checkpoints.more", shown=shown, n=len(listed) - 6)
