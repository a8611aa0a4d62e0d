"""`huaben lorebook test`, and lore as the terminal shows it: which entries are in, which are out, why."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

import click

from huaben.cli.failing import FINE
from huaben.cli.helping import Invocation, SpokenGroup, command, shared_options
from huaben.cli.options import data_option, json_option
from huaben.cli.speaking import one_line, put, put_json, shortened, voice

if TYPE_CHECKING:
    from huaben.services.explaining import Explained

SHOWN = 20
"""Entries left out that are printed; `--json` has them all."""
WIDTH = 60
_say = voice().say


@click.group(
    "lorebook",
    cls=SpokenGroup,
    help=_say("lorebook.help"),
    short_help=_say("lorebook.short"),
    options_metavar=_say("help.options"),
    subcommand_metavar=_say("help.command"),
    add_help_option=False,
    params=shared_options(),
)
def lorebook() -> None:
    pass


@command("lorebook test")
@click.argument("books", nargs=-1, metavar=_say("lorebook.books_name"))
@click.option("--text", required=True, metavar=_say("help.text"), help=_say("lorebook.text"))
@click.option("--card", metavar=_say("play.card_name"), help=_say("lorebook.card"))
@click.option(
    "--scenario",
    default="stage",
    metavar=_say("play.scenario_name"),
    help=_say("lorebook.scenario"),
)
@json_option
@data_option
@click.pass_obj
def test_text(
    invocation: Invocation,
    books: tuple[str, ...],
    text: str,
    card: str | None,
    scenario: str,
    as_json: bool,
    data: Path | None,
) -> int:
    from huaben.cli.running import run

    if not books and card is None:
        raise click.UsageError(_say("lorebook.nothing"))

    async def work() -> int:
        from huaben.cli.shelves import find_book, find_card
        from huaben.config import load_settings
        from huaben.services.explaining import Trial, try_text
        from huaben.studio import Studio

        settings = load_settings(data=data)
        async with Studio.open(settings=settings, read_only=True) as studio:
            house = studio.house
            book_ids = tuple([(await find_book(house, name)).id for name in books])
            card_id = (await find_card(house, card)).id if card else None
            show_explained(
                await try_text(house, Trial(text, book_ids, card_id, scenario)), as_json=as_json
            )
        return FINE

    return run(lambda _: work(), debug=invocation.debug)


lorebook.add_command(test_text)


def show_explained(explained: Explained, *, as_json: bool) -> None:
    """Every entry, in or out; for a reader the nearest of those that are out."""
    if as_json:
        from huaben.services.explaining import explained_json

        put_json({"kind": "lore", **explained_json(explained, 0, len(explained.left_out))})
        return
    if not explained.made:
        put(_say("inspect.lore_none"))
        return
    put(_say("inspect.lore_in", n=len(explained.chosen)), "bold")
    for row in explained.chosen:
        put(f"  + {_entry(row)}  {_why_in(row)}".rstrip())
    put(_say("inspect.lore_out", n=len(explained.left_out)), "bold")
    for row in explained.left_out[:SHOWN]:
        put(f"  - {_entry(row)}  {_why_out(row)}".rstrip(), "dim")
    if len(explained.left_out) > SHOWN:
        put(f"  {_say('inspect.lore_more', n=len(explained.left_out) - SHOWN)}", "dim")
    if explained.uncounted:
        put(f"  {_say('inspect.lore_uncounted', n=explained.uncounted)}", "dim")
    for warning in explained.warnings:
        put(one_line(f"  ! {warning['code']} {warning['ref']} {warning['detail']}"), "yellow")


def _entry(row: Mapping[str, object]) -> str:
    return f"{shortened(str(row['title']), WIDTH)} ({row['ref']} {one_line(str(row['book']))})"


def _why_in(row: Mapping[str, object]) -> str:
    facts = [_reason(row["reason"])]
    if row.get("key"):
        where = str(row["where"])
        facts = [_say("inspect.lore_found", named=one_line(str(row["key"])), where=where)]
    facts.append(_say("inspect.lore_tokens", n=str(row["tokens"])))
    if row["place"] != "block":
        facts.append(_say(f"inspect.lore.{row['place']}"))
    if row["unplaced"]:
        facts.append(_say("inspect.lore_unplaced", position=str(row["unplaced"])))
    return " · ".join(facts)


def _why_out(row: Mapping[str, object]) -> str:
    detail = f" ({shortened(str(row['detail']), WIDTH)})" if row["detail"] else ""
    placed = f" · {_say('inspect.lore.title')}" if row["place"] == "title" else ""
    return f"{_reason(row['reason'])}{detail}{placed}"


def _reason(reason: object) -> str:
    key = f"inspect.lore.{reason}"
    return _say(key) if voice().knows(key) else str(reason)
