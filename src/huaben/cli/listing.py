"""`huaben list`: what is in the library, with the ids that other commands take."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, cast

import click

from huaben.cli.failing import FINE
from huaben.cli.helping import Invocation, command
from huaben.cli.options import data_option, json_option
from huaben.cli.speaking import one_line, put, put_json, voice

if TYPE_CHECKING:
    from huaben.domain.jsonvalue import JsonObject
    from huaben.domain.libraryitem import ItemKind, StoredItem
    from huaben.services.house import House

ITEMS: Mapping[str, ItemKind] = {
    "presets": "preset",
    "personas": "persona",
    "scripts": "scripts",
    "quick-replies": "quick_replies",
}
KINDS = ("cards", "lorebooks", "projects", *ITEMS)
_say = voice().say


@command("list")
@click.argument("kind", type=click.Choice(KINDS))
@json_option
@data_option
@click.pass_obj
def list_things(invocation: Invocation, kind: str, as_json: bool, data: Path | None) -> int:
    from huaben.cli.running import run

    return run(lambda _: _list(kind, as_json, data), debug=invocation.debug)


async def _list(kind: str, as_json: bool, data: Path | None) -> int:
    from huaben.config import load_settings
    from huaben.studio import Studio

    settings = load_settings(data=data)
    count = 0
    async with Studio.open(settings=settings, read_only=True) as studio:
        async for row in _rows(studio.house, kind):
            put_json(row) if as_json else _show(row)
            count += 1
    if not (count or as_json):
        put(_say("list.none"))
    return FINE


async def _rows(house: House, kind: str) -> AsyncIterator[Mapping[str, str]]:
    """The newest first."""
    from huaben.cli.finding import all_projects
    from huaben.cli.opening import all_cards
    from huaben.cli.presets import all_items
    from huaben.cli.shelves import all_books

    if kind in ITEMS:
        async for item in all_items(house, ITEMS[kind]):
            about = {"kind": ITEMS[kind], "id": item.id, "name": item.name}
            about |= {"file": item.filename, "created_at": item.created_at}
            yield about | _unused(item) | ({"broken": item.broken} if item.broken else {})
        return
    if kind == "projects":
        async for project in all_projects(house):
            about = {"kind": "project", "id": project.id, "name": project.title}
            yield {**about, "created_at": project.created_at}
        return
    async for thing in all_cards(house) if kind == "cards" else all_books(house):
        about = {"kind": kind.removesuffix("s"), "id": thing.id, "name": thing.name}
        about |= {"file": thing.filename, "created_at": thing.created_at}
        yield about | ({"broken": thing.broken} if thing.broken else {})


def _unused(item: StoredItem) -> dict[str, str]:
    """The form of a template for text completion, which is kept and cannot be played with."""
    from huaben.formats.presets.file import PLAYED
    from huaben.formats.presets.sniff import form_of

    # What the store gives back is the JSON that was put in.
    form = form_of(cast("JsonObject", item.content)) if item.kind == "preset" else None
    return {"unused": form} if form is not None and form not in PLAYED else {}


def _show(row: Mapping[str, str]) -> None:
    broken = row.get("broken", "")
    parts = [row["id"], row["created_at"][:10], row["name"] or "—", row.get("file", "")]
    if row.get("unused"):
        parts.append(_say("list.unused", form=row["unused"]))
    if broken:
        parts.append(_say("list.broken", what=broken))
    put("  ".join(one_line(part) for part in parts if part), "red" if broken else "")
