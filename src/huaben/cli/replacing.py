"""`huaben replace`: words in all chapters of a manuscript, shown and then replaced; apart from `chapters`,
which changes one file at a time."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from huaben.cli.failing import FINE
from huaben.cli.helping import Invocation, command
from huaben.cli.options import data_option, json_option
from huaben.cli.speaking import one_line, put, put_json, tell, voice

if TYPE_CHECKING:
    from huaben.domain.manuscript_replace import Replacement
    from huaben.services.house import House
    from huaben.services.writing.replacing import FilePreview

_say = voice().say


@command("replace")
@click.argument("project", metavar=_say("inspect.project_name"))
@click.argument("old", metavar=_say("replace.old"))
@click.argument("new", metavar=_say("replace.new"))
@click.option(
    "--in", "names", multiple=True, metavar=_say("chapters.name"), help=_say("replace.in")
)
@click.option("--pattern", is_flag=True, help=_say("replace.pattern"))
@click.option("--whole-words", is_flag=True, help=_say("replace.whole_words"))
@click.option("--ignore-case", is_flag=True, help=_say("replace.ignore_case"))
@click.option("--yes", is_flag=True, help=_say("replace.yes"))
@json_option
@data_option
@click.pass_obj
def replace(
    invocation: Invocation,
    project: str,
    old: str,
    new: str,
    names: tuple[str, ...],
    pattern: bool,
    whole_words: bool,
    ignore_case: bool,
    yes: bool,
    as_json: bool,
    data: Path | None,
) -> int:
    from huaben.cli.running import run
    from huaben.domain.manuscript_replace import Replacement

    wanted = Replacement(old, new, ignore_case, names, whole_words, pattern)

    async def work() -> int:
        from huaben.cli.finding import find_project
        from huaben.config import load_settings
        from huaben.studio import Studio

        async with Studio.open(settings=load_settings(data=data)) as studio:
            found = (await find_project(studio.house, project)).id
            await _replace(studio.house, found, wanted, yes=yes, as_json=as_json)
        return FINE

    return run(lambda _: work(), debug=invocation.debug)


async def _replace(
    house: House, project: str, wanted: Replacement, *, yes: bool, as_json: bool
) -> None:
    from huaben.services.writing.replacing import Chosen, preview, previews_json, replace_all

    shown = await preview(house, project, wanted)
    count = sum(one.replaced.count for one in shown)
    checkpoint = None
    if yes and shown:
        chosen = Chosen({one.name: one.hash for one in shown})
        done = await replace_all(house, project, wanted, chosen)
        checkpoint = done.snapshot.checkpoint if done.snapshot else None
    if as_json:
        told = {"count": count, "checkpoint": checkpoint.id if checkpoint else None}
        put_json({"kind": "replaced", "files": previews_json(shown), **told})
        return
    _put(shown)
    if not shown:
        tell(_say("replace.none"))
    elif checkpoint is not None:
        tell(_say("replace.done", n=count, checkpoint=checkpoint.number))
    else:
        tell(_say("replace.shown", n=count))


def _put(shown: Sequence[FilePreview]) -> None:
    """Each place with its chapter and line, as it was and as it becomes."""
    for one in shown:
        for place in one.replaced.places:
            put(one_line(f"{one.name}:{place.line}  {place.before}  →  {place.after}"))
        left = one.replaced.count - len(one.replaced.places)
        if left:
            put(one_line(_say("replace.more", name=one.name, n=left)))
