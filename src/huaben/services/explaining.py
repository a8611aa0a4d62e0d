"""Why each lore entry is in or out: of a turn that was played, and of a text that is only tried.

Apart from `lore`, which chooses: here the record of a choice is told to people, most relevant first,
down to the entries that the record itself only counts.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import cast

from huaben.domain import lore
from huaben.domain.budget import estimate_tokens
from huaben.domain.project import Project
from huaben.errors import NotFound
from huaben.formats.scenario import scenario_of
from huaben.services.casting import Cast, book_at, load_cast
from huaben.services.expanding import Expander, seed_of
from huaben.services.house import House
from huaben.services.lore import (
    IN_PLACE,
    OVERFLOW,
    UNREMARKABLE,
    Record,
    recorded,
    rows_of,
    rules,
    to_record,
)
from huaben.services.stories import load_project, load_turn

Row = Mapping[str, object]
_NEARNESS = {str(reason): number for number, reason in enumerate(lore.OutBy)}
"""How far an entry came before it fell out: reasons stand in the order of their obstacles."""


@dataclass(frozen=True, slots=True)
class Explained:
    """Every entry once, in or out. `chosen` in the order of choosing; `left_out` begins with those
    that came nearest and ends with those that nothing named. `uncounted` entries are of books that
    are no longer in the library, `made` is False where nothing was chosen yet."""

    chosen: tuple[Row, ...]
    left_out: tuple[Row, ...]
    warnings: tuple[Row, ...]
    uncounted: int = 0
    made: bool = True


@dataclass(frozen=True, slots=True)
class Trial:
    """A text to be tried on books, as if somebody said it: `card_id` adds a card's own book and its
    name, `scenario` the rules of a scenario. `seed` decides what chance decides."""

    text: str
    book_ids: tuple[str, ...] = ()
    card_id: str | None = None
    scenario: str = "stage"
    seed: int = 0


async def explain_turn(house: House, turn_id: str) -> Explained:
    """The lore of a turn as it was chosen. Raises `NotFound`."""
    turn = await load_turn(house, turn_id)
    record = await recorded(house, turn.id)
    if record is None:
        return Explained((), (), (), made=False)
    project = await load_project(house, turn.project_id)
    delivery = record.get("delivery") or scenario_of(turn.config or project.config).lore.delivery
    return _explained(record, await _books(house, record, project), str(delivery))


async def try_text(house: House, trial: Trial) -> Explained:
    """What a text would bring from books, by the very rules of a turn; nothing is kept and no
    timed effect is read or made. Raises `NotFound` for a book, card or scenario."""
    section = house.scenarios.named(trial.scenario).lore
    project = Project(
        id=f"trial {trial.seed}",
        user_id=house.user_id,
        title="",
        mode="roleplay",
        language="en",
        created_at=house.now(),
        card_id=trial.card_id,
        lorebook_ids=trial.book_ids,
    )
    company = await load_cast(house, project)
    scan = _scan(house, trial, Expander(project, company.card))
    selection = await asyncio.to_thread(
        lore.select,
        company.books,
        scan,
        rules(section),
        seed_of(project.id),
        lore.TimedState(),
        estimate_tokens,
        lambda: house.clock.monotonic() * 1000,
    )
    record = to_record(selection, company.shelved, scan.expand)
    return _explained(record, _numbered(company), section.delivery)


def explained_json(explained: Explained, after: int, limit: int) -> dict[str, object]:
    """One page: all that was chosen, and `limit` of what was left out from number `after` on."""
    shown = explained.left_out[after : after + limit]
    more = after + len(shown) < len(explained.left_out)
    return {
        "made": explained.made,
        "chosen": list(explained.chosen),
        "left_out": list(shown),
        "left_out_total": len(explained.left_out),
        "next": after + len(shown) if more else None,
        "uncounted": explained.uncounted,
        "warnings": list(explained.warnings),
    }


# ---- the books ---------------------------------------------------------------------------------


def _numbered(company: Cast) -> Mapping[int, lore.Book]:
    return dict(enumerate(company.books))


async def _books(house: House, record: Record, project: Project) -> Mapping[int, lore.Book]:
    """The books that a record speaks of, by number, as far as they are still there. Stored books
    never change under their id."""
    if "books" not in record:  # written by an earlier program
        return _numbered(await load_cast(house, project))
    found: dict[int, lore.Book] = {}
    for number, place in enumerate(cast("Sequence[str]", record["books"])):  # by `to_record`
        try:
            found[number] = await book_at(house, place, house.user_id)
        except NotFound:
            continue
    return found


def _scan(house: House, trial: Trial, expander: Expander) -> lore.Scan:
    card = expander.card
    return lore.Scan(
        words=trial.text,
        user=expander.user,
        speaker=card.called if card else "",
        avatar=card.name if card else "",
        tags=card.tags if card else (),
        sources=expander.sources(),
        dry_run=True,
        expand=expander.apart(trial.seed, house.clock.now()),
    )


# ---- the rows ----------------------------------------------------------------------------------


def _explained(record: Record, books: Mapping[int, lore.Book], delivery: str) -> Explained:
    chosen = sorted(rows_of(record, "chosen"), key=lambda row: _number(row.get("order", 0)))
    near = [_out(row, books, delivery) for row in rows_of(record, "left_out")]
    named = {str(row["ref"]) for row in (*chosen, *near)}
    silent = list(_silent(books, named))
    counted = record.get("unnamed")
    unnamed = counted if isinstance(counted, int) else 0
    return Explained(
        tuple(_in(row, books, delivery) for row in chosen),
        (*sorted(near, key=_distance), *silent),
        tuple(rows_of(record, "warnings")),
        max(0, unnamed - len(silent)),
    )


def _in(row: Record, books: Mapping[int, lore.Book], delivery: str) -> Row:
    """`place` says where it stands: in the system text (`prefix`), in the block of this turn's lore
    (`block`), or there by its title alone (`title`). `unplaced` is the position that its author
    wished for, where a prompt of ours has no such place."""
    told = "title" if delivery == "titles" else "block"
    place = "prefix" if row.get("resident") else told
    position = str(row.get("position", ""))
    shown = {name: row[name] for name in _SHOWN if name in row}
    unplaced = "" if position in IN_PLACE else position
    return {**shown, "book": _book_name(row, books), "place": place, "unplaced": unplaced}


_SHOWN = ("ref", "title", "reason", "key", "where", "tokens", "score", "position", "text")


def _out(row: Record, books: Mapping[int, lore.Book], delivery: str) -> Row:
    titled = row["reason"] in OVERFLOW and delivery == "auto"
    shown = {name: row.get(name, "") for name in ("ref", "title", "reason", "detail")}
    return {
        **shown,
        "score": row.get("score", 0.0),
        "book": _book_name(row, books),
        "place": "title" if titled else "",
    }


def _silent(books: Mapping[int, lore.Book], named: set[str]) -> Iterator[Row]:
    """The entries that the record only counts: nothing in the text spoke of them."""
    for number, book in books.items():
        for entry in book.entries:
            ref = f"{number}/{entry.uid}"
            if ref in named:
                continue
            reason = lore.OutBy.NO_MATCH if any(map(str.strip, entry.keys)) else lore.OutBy.NO_KEYS
            yield {
                "ref": ref,
                "title": lore.entry_title(entry),
                "reason": str(reason),
                "detail": "",
                "score": 0.0,
                "book": book.name,
                "place": "",
            }


def _distance(row: Row) -> tuple[bool, int, float]:
    """Nearest first: who met the last obstacle, then who found most."""
    reason = str(row["reason"])
    return reason in UNREMARKABLE, -_NEARNESS.get(reason, 0), -_number(row["score"])


def _book_name(row: Record, books: Mapping[int, lore.Book]) -> str:
    number = str(row["ref"]).partition("/")[0]
    book = books.get(int(number)) if number.isdecimal() else None
    return book.name if book else ""


def _number(value: object) -> float:
    return float(value) if isinstance(value, int | float) else 0.0
