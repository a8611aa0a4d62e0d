"""`huaben search`: where a story holds some words, on all its branches."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

import click

from huaben.cli.failing import FINE
from huaben.cli.helping import Invocation, command
from huaben.cli.options import data_option, json_option
from huaben.cli.speaking import one_line, put, put_json, tell, voice

if TYPE_CHECKING:
    from huaben.domain.finding import StoryPart
    from huaben.services.searching import Found

_PARTS: Mapping[StoryPart, str] = {
    "words": "search.words",
    "asked": "search.asked",
    "text": "search.told",
}
_say = voice().say


@command("search")
@click.argument("project", metavar=_say("inspect.project_name"))
@click.argument("text", nargs=-1, required=True, metavar=_say("search.text"))
@click.option(
    "--limit", type=click.IntRange(1, 200), default=20, metavar="N", help=_say("search.limit")
)
@json_option
@data_option
@click.pass_obj
def search(
    invocation: Invocation,
    project: str,
    text: tuple[str, ...],
    limit: int,
    as_json: bool,
    data: Path | None,
) -> int:
    from huaben.cli.running import run

    async def work() -> int:
        found, more = await _search(project, " ".join(text), limit, data)
        for one in found:
            _print_json(one) if as_json else _print(one)
        if not found:
            tell(_say("search.none"))
        if more:
            tell(_say("search.more"))
        return FINE

    return run(lambda _: work(), debug=invocation.debug)


async def _search(
    project: str, text: str, limit: int, data: Path | None
) -> tuple[list[Found], bool]:
    from huaben.cli.finding import find_project
    from huaben.config import load_settings
    from huaben.ports import Page
    from huaben.services.searching import search_story
    from huaben.studio import Studio

    settings = load_settings(data=data)
    async with Studio.open(settings=settings, read_only=True) as studio:
        meant = await find_project(studio.house, project)
        page = Page(limit=limit)
        _, found, following = await search_story(studio.house, meant.id, text, page)
        return found, following is not None


def _print_json(found: Found) -> None:
    from huaben.services.searching import found_json

    put_json({"kind": "found", "found": found_json(found)})


def _print(found: Found) -> None:
    number = str(found.number) if found.turn.outcome == "sealed" else "–"
    facts = [_say(_PARTS[found.part])]
    if found.count > 1:
        facts.append(_say("search.places", n=found.count))
    if not found.on_branch:
        facts.append(_say("search.aside"))
    put(f"{number:>4}  {found.turn.id}  {' · '.join(facts)}", "dim")
    shown = found.excerpt
    cut = "…" if shown.start else ""
    put(f"      {cut}{one_line(shown.text)}")
