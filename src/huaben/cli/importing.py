"""`huaben import`: cards and lorebooks into the library, with what was kept, changed and dropped."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, cast

import click

from huaben.cli.failing import FAILED, FINE, Told, line_of, sentences, system_reason
from huaben.cli.helping import Invocation, command
from huaben.cli.notes import Noted, gathered_notes, notes_of, rendered
from huaben.cli.options import data_option, json_option
from huaben.cli.speaking import err, one_line, put, put_json, tell, voice
from huaben.errors import HuabenError

if TYPE_CHECKING:
    from huaben.cli.chats import Target
    from huaben.services.library import Imported
    from huaben.studio import Studio

SUFFIXES = frozenset(
    {".png", ".apng", ".json", ".charx", ".jpg", ".jpeg", ".webp", ".yaml", ".yml", ".byaf"}
    | {".zip", ".lorebook", ".lorecard", ".wcards"}
    | {".jsonl", ".story", ".scenario", ".kaistory"}
)
"""The files that are taken out of a folder; one that is named itself is tried whatever its name."""
LISTS = ("kept", "changed", "dropped", "warnings")
STYLES = {"kept": "dim", "changed": "", "dropped": "yellow", "warnings": "yellow"}
FEW = 100
"""Files up to which each is told as it comes; more become one background job."""
MAX_SHOWN = 12
"""Notes of one list that are printed; `--json` has them all."""
"""Places that one printed note names."""
UNUSED = frozenset(
    {"unknown_field", "extension", "not_honoured", "automation_not_run", "not_lore"}
    | {"folder_kept", "entry_not_an_object", "packed_file", "template_not_used", "not_applied"}
    | {"quick_replies_not_run", "placement_idle"}
)
"""Notes about something that is kept and has no effect here."""
_say = voice().say


@dataclass(frozen=True, slots=True)
class Result:
    """What became of one file: it is in the library, its chats are in stories, or why not."""

    path: Path
    imported: Imported | None = None
    error: HuabenError | None = None
    chats: Sequence[Mapping[str, object]] = ()


@command("import")
@click.argument(
    "paths",
    nargs=-1,
    required=True,
    type=click.Path(path_type=Path),
    metavar=_say("import.files_name"),
)
@click.option("--project", metavar=_say("import.project_name"), help=_say("import.project"))
@click.option("--card", metavar=_say("import.card_name"), help=_say("import.card_option"))
@click.option("--bare", is_flag=True, help=_say("import.bare"))
@json_option
@data_option
@click.pass_obj
def import_files(
    invocation: Invocation,
    paths: tuple[Path, ...],
    project: str | None,
    card: str | None,
    bare: bool,
    as_json: bool,
    data: Path | None,
) -> int:
    from huaben.cli.chats import Target
    from huaben.cli.running import run

    if project and card:
        raise click.UsageError(_say("import.one_target"))
    target = Target(project, card, bare)
    return run(lambda _: _import(paths, target, as_json, data), debug=invocation.debug)


async def _import(paths: Sequence[Path], target: Target, as_json: bool, data: Path | None) -> int:
    from huaben.config import load_settings
    from huaben.studio import Studio

    settings = load_settings(data=data)
    results: list[Result] = []
    files, skipped = gathered(paths)
    many = len(files) > FEW and not target.is_said
    async with Studio.open(settings=settings) as studio:
        took = (
            _import_many(studio, files, settings.max_upload_mb)
            if many
            else _import_few(studio, files, target, settings.max_upload_mb)
        )
        async for result in took:
            results.append(result)
            put_json(_as_json(result)) if as_json else _show(result)
    if as_json:
        put_json({"kind": "summary", **_totals(results), "skipped": skipped})
    elif len(files) != 1:
        _show_totals(results, skipped)
    bad = any(result.error for result in results) or not files
    return FAILED if bad else FINE


def gathered(paths: Sequence[Path]) -> tuple[list[Path], int]:
    """The files to import in the order given, those of a folder by name and with its subfolders;
    and how many files of other kinds a folder held."""
    files: list[Path] = []
    skipped = 0
    for path in paths:
        if not path.is_dir():
            files.append(path)
            continue
        for found in _inside(path):
            if found.suffix.lower() in SUFFIXES:
                files.append(found)
            else:
                skipped += 1
    return files, skipped


def _inside(folder: Path) -> Iterator[Path]:
    for path in sorted(folder.rglob("*")):
        hidden = any(part.startswith(".") for part in path.relative_to(folder).parts)
        if path.is_file() and not hidden:
            yield path


async def _import_few(
    studio: Studio, files: Sequence[Path], target: Target, max_mb: int
) -> AsyncIterator[Result]:
    """One after the other, each told at once; chats last, for their cards may be among the files."""
    from huaben.cli.activity import Activity

    activity = Activity(err(), time.monotonic)
    activity.start("")
    waiting: list[Path] = []
    for number, path in enumerate(files, 1):
        activity.show(_say("import.doing", n=number, of=len(files)))
        result = await _import_one(studio, path, target, max_mb)
        activity.hide()
        if result is None:
            waiting.append(path)
        else:
            yield result
    activity.stop()
    for path in waiting:
        yield await _import_chats(studio, path, target, max_mb)


async def _import_many(studio: Studio, files: Sequence[Path], max_mb: int) -> AsyncIterator[Result]:
    """As one job, which goes on at the next start if this one is interrupted."""
    from huaben.cli.bulk import import_many

    async for fate in import_many(studio.house, files, max_mb):
        yield Result(fate.path, fate.imported, fate.error, fate.chats)


async def _import_one(studio: Studio, path: Path, target: Target, max_mb: int) -> Result | None:
    """A file that cannot be taken is a result like others: it stops nothing. None for one that holds
    chats, which wait."""
    from huaben.cli.opening import read_file
    from huaben.services.chats import holds_chats, may_hold_chats
    from huaben.services.library import import_any

    is_chat = may_hold_chats if target.is_said else holds_chats
    try:
        data = await read_file(path, max_mb)
        if await asyncio.to_thread(is_chat, data, path.name):
            return None
        return Result(path, await import_any(studio.house, data, path.name))
    except HuabenError as error:
        # Who says where chats go is told why a file is none.
        return None if target.is_said else Result(path, error=error)
    except OSError as error:
        message = _say("import.unreadable", what=system_reason(error))
        return Result(path, error=Told("unreadable_file", message))


async def _import_chats(studio: Studio, path: Path, target: Target, max_mb: int) -> Result:
    from huaben.cli.chats import bring
    from huaben.cli.opening import read_file

    try:
        data = await read_file(path, max_mb)
        return Result(path, chats=await bring(studio.house, data, path.name, target))
    except HuabenError as error:
        return Result(path, error=error)
    except OSError as error:
        message = _say("import.unreadable", what=system_reason(error))
        return Result(path, error=Told("unreadable_file", message))


# ---- JSON --------------------------------------------------------------------------------------


def _as_json(result: Result) -> dict[str, object]:
    found, error = result.imported, result.error
    about: dict[str, object] = {"kind": "import", "file": str(result.path), "ok": error is None}
    if found is not None:
        about |= {
            "type": found.kind,
            "id": found.id,
            "name": found.name,
            "already": found.already,
            "report": dict(found.report),
        }
        if found.also:
            also = [{"type": one.kind, "id": one.id, "name": one.name} for one in found.also]
            about["also"] = also
    if result.chats:
        about |= {"type": "chat", "chats": [dict(one) for one in result.chats]}
    if error is not None:
        message, hint = sentences(error)
        about |= {"code": error.code, "message": message, "hint": hint}
    return about


def _totals(results: Sequence[Result]) -> dict[str, int]:
    taken = [result for result in results if result.error is None]
    reserved = sum(1 for one in taken if _has_unused(one) and not _is_loss(one))
    lossy = sum(1 for one in taken if _is_loss(one))
    return {
        "files": len(results),
        "whole": len(taken) - reserved - lossy,
        "with_unused": reserved,
        "with_losses": lossy,
        "failed": len(results) - len(taken),
    }


def _has_unused(result: Result) -> bool:
    return any(note.code in UNUSED for note in _all_notes(result, "kept"))


def _is_loss(result: Result) -> bool:
    return bool(_all_notes(result, "dropped") or _all_notes(result, "warnings"))


def _all_notes(result: Result, name: str) -> list[Noted]:
    """The notes of a list on all that a file held."""
    reports = [one.get("report") for one in result.chats]
    if result.imported is not None:
        reports.append(result.imported.report)
    return [note for report in reports for note in notes_of(_as_report(report), name)]


def _as_report(value: object) -> Mapping[str, object]:
    return cast("Mapping[str, object]", value) if isinstance(value, dict) else {}


# ---- text --------------------------------------------------------------------------------------


def remark(imported: Imported) -> str:
    """One line about a card that was brought in on the way to playing it; nothing for one that
    came in whole."""
    if not any(notes_of(imported.report, name) for name in LISTS if name != "kept"):
        return ""
    return f"{_headline(imported)} {_counts(imported.report)}"


def _show(result: Result) -> None:
    if result.error is not None:
        tell(f"{result.path}: {line_of(result.error)}", "red")
        return
    for line in _headlines(result):
        put(f"{result.path}: {line}")
    for name in LISTS:
        notes = gathered_notes(_all_notes(result, name))
        said = [rendered(note) for note in notes[:MAX_SHOWN]]
        if len(notes) > MAX_SHOWN:
            said.append(_say("report.more", n=len(notes) - MAX_SHOWN))
        for line in said:
            put(f"  {voice().join(_say(f'report.{name}'), line)}", STYLES[name])


def _show_totals(results: Sequence[Result], skipped: int) -> None:
    totals = _totals(results)
    parts = [voice().count("total.files", totals["files"])]
    parts += [
        voice().count(f"total.{name}", totals[name])
        for name in ("whole", "with_unused", "with_losses", "failed")
        if totals[name]
    ]
    if skipped:
        parts.append(voice().count("total.skipped", skipped))
    put(_say("total.line", first=parts[0], rest=_say("total.joint").join(parts[1:])))


def _headlines(result: Result) -> list[str]:
    from huaben.cli.chats import headline

    told = [headline(one) for one in result.chats]
    if result.imported is None:
        return told
    return [*map(_headline, (result.imported, *result.imported.also)), *told]


def _headline(imported: Imported) -> str:
    name = one_line(imported.name) or "—"
    key = f"import.{imported.kind}" if not imported.already else f"import.{imported.kind}_already"
    return _say(key, name=name, id=imported.id)


def _counts(report: Mapping[str, object]) -> str:
    counts = [
        f"{_say(f'report.{name}')} {number}"
        for name in LISTS
        if (number := len(notes_of(report, name)))
    ]
    return f"({', '.join(counts)})" if counts else ""
