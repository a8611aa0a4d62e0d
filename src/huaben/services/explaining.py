"""Why each lore entry is in or out: of a turn that was played, and of a text that is only tried.

Apart from `lore`, which chooses: here the record of a choice is told to people, most relevant first,
down to the entries that the record itself only counts.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import cast

from huaben.domain import lore
from huaben.domain.budget import estimate_tokens
from huaben.domain.project import Project
from huaben.errors import NotFound
from huaben.formats.scenario import scenario_of
from huaben.services.casting import book_at, load_cast
from huaben.services.expanding import Expander, seed_of
from huaben.services.house import House
from huaben.services.lore import (
    IN_PLACE,
    OVERFLOW,
    Record,
    chosen,
    prepared_books,
    recorded,
    rows_of,
    scan_of,
    to_record,
)
from huaben.services.past import load_past
from huaben.services.stories import load_project, load_story, load_turn

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
    name, `project_id` what was said in a story so far, as its next turn would see it (its own books
    are not tried), `scenario` the rules of a scenario. `seed` decides what chance decides."""

    text: str
    book_ids: tuple[str, ...] = ()
    card_id: str | None = None
    scenario: str = "stage"
    seed: int = 0
    project_id: str | None = None


async def explain_turn(house: House, turn_id: str) -> Explained:
    """The lore of a turn as it was chosen. Raises `NotFound`."""
    turn = await load_turn(house, turn_id)
    record = await recorded(house, turn.id)
    if record is None:
        return Explained((), (), (), made=False)
    project = await load_project(house, turn.project_id)
    section = scenario_of(turn.config or project.config).lore
    books = await prepared_books(house, *await _books(house, record, project), section)
    delivery = str(record.get("delivery") or section.delivery)
    return await asyncio.to_thread(_explained, record, scan_of(record), books, delivery)


async def try_text(house: House, trial: Trial) -> Explained:
    """What a text would bring from books, by the very rules of a turn; nothing is kept and no
    timed effect is read or made. Raises `NotFound` for a book, card, story or scenario."""
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
    told = await _story_of(house, trial)
    scan = _scan(house, trial, told or _Told(Expander(project, company.card)))
    books = await prepared_books(house, company.shelved, company.books, section)
    selection = await chosen(
        house, books, scan, lore.TimedState(), estimate_tokens, seed_of(project.id)
    )
    record = to_record(selection, company.shelved, scan)
    return await asyncio.to_thread(_explained, record, scan, books, section.delivery)


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


async def _books(
    house: House, record: Record, project: Project
) -> tuple[tuple[str, ...], tuple[lore.Book, ...]]:
    """The books that a record speaks of, an empty one in place of each that is gone. Stored books
    never change under their id."""
    if "books" not in record:  # written by an earlier program
        company = await load_cast(house, project)
        return company.shelved, company.books
    places = list(cast("Sequence[str]", record["books"]))  # by `to_record`
    books: list[lore.Book] = []
    for number, place in enumerate(places):
        try:
            books.append(await book_at(house, place, house.user_id))
        except NotFound:
            places[number] = ""
            books.append(lore.Book(""))
    return tuple(places), tuple(books)


@dataclass(frozen=True, slots=True)
class _Told:
    """Who speaks with whom, and what has been said so far."""

    expander: Expander
    messages: tuple[lore.Message, ...] = ()
    greeting: int | None = None


async def _story_of(house: House, trial: Trial) -> _Told | None:
    """The story that a text is tried in, up to its head; None without one."""
    if trial.project_id is None:
        return None
    story = await load_story(house, trial.project_id)
    project = story.project
    card = await house.shelf.card(project.card_id, house.user_id) if project.card_id else None
    expander = Expander(project, card)
    past = await load_past(house, project, story.head.turn_id, whole=True)
    speaker, opening = card.called if card else "", past.greeting.final_text
    messages = [lore.Message(speaker, opening)] if opening.strip() else []
    for turn in past.turns:
        messages += [lore.Message(expander.user, turn.user_text)]
        messages += [lore.Message(speaker, turn.final_text)]
    return _Told(expander, tuple(messages), past.greeting_index)


def _scan(house: House, trial: Trial, told: _Told) -> lore.Scan:
    expander, card = told.expander, told.expander.card
    return lore.Scan(
        messages=told.messages,
        greeting=told.greeting,
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


def _explained(record: Record, scan: lore.Scan, books: lore.Prepared, delivery: str) -> Explained:
    chosen = sorted(rows_of(record, "chosen"), key=lambda row: _number(row.get("order", 0)))
    near = [_out(row, books, delivery) for row in rows_of(record, "left_out")]
    named = {str(row["ref"]) for row in (*chosen, *near)}
    silent = [_silent(out) for out in lore.silent(books, scan, named)]
    counted = record.get("unnamed")
    unnamed = counted if isinstance(counted, int) else 0
    return Explained(
        tuple(_in(row, books, delivery) for row in chosen),
        tuple(sorted((*near, *silent), key=_distance)),
        tuple(rows_of(record, "warnings")),
        max(0, unnamed - len(silent)),
    )


def _in(row: Record, books: lore.Prepared, delivery: str) -> Row:
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


def _out(row: Record, books: lore.Prepared, delivery: str) -> Row:
    titled = row["reason"] in OVERFLOW and delivery == "auto"
    shown = {name: row.get(name, "") for name in ("ref", "title", "reason", "detail")}
    return {
        **shown,
        "score": row.get("score", 0.0),
        "book": _book_name(row, books),
        "place": "title" if titled else "",
    }


def _silent(out: lore.LeftOut) -> Row:
    """An entry that the record only counts: nothing in the text spoke of it."""
    return {
        "ref": out.ref,
        "title": lore.entry_title(out.entry),
        "reason": str(out.reason),
        "detail": out.detail,
        "score": out.score,
        "book": out.book.name,
        "place": "",
    }


def _distance(row: Row) -> tuple[bool, int, float]:
    """Nearest first: who met the last obstacle, then who found most."""
    reason = str(row["reason"])
    return reason in lore.UNREMARKABLE, -_NEARNESS.get(reason, 0), -_number(row["score"])


def _book_name(row: Record, books: lore.Prepared) -> str:
    number = str(row["ref"]).partition("/")[0]
    return books.books[int(number)].name if number.isdecimal() else ""


def _number(value: object) -> float:
    return float(value) if isinstance(value, int | float) else 0.0
