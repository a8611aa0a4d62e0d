"""Which lore speaks in a turn. The selection is made once, recorded with the turn as an effect, and
read back by every later run of the same turn; what lasts (sticky, cooldown) goes from turn to turn
along the branch with that record."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TypeAlias, TypedDict, cast

from huaben.domain import lore
from huaben.domain.budget import Estimator
from huaben.domain.continuing import continues
from huaben.domain.events import Notice
from huaben.domain.jsonvalue import Json
from huaben.domain.scenario import LoreSection
from huaben.domain.story import Turn
from huaben.ports import Commit, Effect, Fence, Stale
from huaben.prompt.blocks import ActiveEntry
from huaben.prompt.segments import LeftOut
from huaben.prompt.stage import Constant
from huaben.services.expanding import Expander, seed_of
from huaben.services.house import House

Record = Mapping[str, object]
Expand: TypeAlias = Callable[[str], str]
OVERFLOW = ("budget", "book_budget")
IN_PLACE = ("before_char", "after_char")
"""The positions whose place the block of this turn's lore takes; others have none in a prompt."""


@dataclass(frozen=True, slots=True)
class Moment:
    """What a selection looks at, besides the books: the story's messages with their speakers,
    oldest first, and where in the story the turn stands."""

    messages: tuple[lore.Message, ...]
    length: int
    replies: int
    greeting: int
    before: str | None
    """The turn whose timed effects are in force, if there is one."""
    estimator: Estimator


@dataclass(frozen=True, slots=True)
class TurnLore:
    """The lore of one turn: always in force, active now, what else can be looked up, what was
    considered and left out."""

    constants: tuple[Constant, ...]
    active: tuple[ActiveEntry, ...]
    index: tuple[str, ...]
    left_out: tuple[LeftOut, ...]


class _Known(TypedDict):
    """What a scan knows besides texts, as a record keeps it."""

    speaker: str
    avatar: str
    tags: list[str]
    trigger: str
    length: int
    replies: int
    greeting: int | None


async def prepared_books(
    house: House, shelved: Sequence[str], books: Sequence[lore.Book], section: LoreSection
) -> lore.Prepared:
    """Books under the scenario's rules, made ready once for all turns; `shelved` says where each is
    found again (`Cast`)."""
    return await house.shelf.prepared(shelved, books, rules(section))


async def turn_lore(
    house: House,
    turn: Turn,
    books: lore.Prepared,
    shelved: Sequence[str],
    section: LoreSection,
    moment: Moment,
    expander: Expander,
) -> TurnLore:
    """The lore of a turn, from its record or chosen now and recorded."""
    constants = resident(books, expander) if section.constants == "resident" else ()
    record = await recorded(house, turn.id)
    if record is None:
        scan = _scan(turn, moment, expander)
        timed = _timed(await recorded(house, moment.before) if moment.before else None)
        seed = seed_of(turn.id)  # chance is rolled anew for each turn and each of its variants
        selection = await chosen(house, books, scan, timed, moment.estimator.tokens, seed)
        record = {**to_record(selection, shelved, scan), "delivery": section.delivery}
        record = await _keep(house, turn, selection, record)
    index = _index(books, expander.for_turn(turn))
    return replace(from_record(record, section, constants), index=index)


async def recorded(house: House, turn_id: str) -> Record | None:
    """The selection of a turn as it was recorded."""
    effect = await house.store.effect(_key(turn_id))
    return effect.result if effect else None


def resident(books: lore.Prepared, expander: Expander) -> tuple[Constant, ...]:
    """The entries that live in the prefix: always on, on nothing else, the same for the session."""
    return tuple(
        Constant(
            ref,
            titled(entry, expander.text),
            expander.text(entry.content),
            entry.position.name.lower(),
        )
        for ref, entry in books.residents
    )


def from_record(record: Record, section: LoreSection, constants: tuple[Constant, ...]) -> TurnLore:
    """What the prompt needs of a recorded selection; pure."""
    settled = {constant.ref for constant in constants}
    # Records of an earlier program do not say which entries live in the prefix.
    chosen = [
        row for row in rows_of(record, "chosen") if not row.get("resident", row["ref"] in settled)
    ]
    active = [_active(row, with_text=section.delivery != "titles") for row in chosen]
    left_out: list[LeftOut] = []
    for row in rows_of(record, "left_out"):
        overflowed = row["reason"] in OVERFLOW
        if overflowed and section.delivery == "auto":
            active.append(_active(row, with_text=False))
        left_out.append(LeftOut(f"lore:{row['ref']} {row['title']}", _why(row)))
    return TurnLore(constants, tuple(active), (), tuple(left_out))


def _index(books: lore.Prepared, expand: Expand) -> tuple[str, ...]:
    """The titles of what can be looked up. Few hold macros, and an index is long."""
    if not books.titles_with_macros:
        return books.titles
    titles = list(books.titles)
    for at in books.titles_with_macros:
        titles[at] = expand(titles[at])
    return tuple(titles)


def titled(entry: lore.Entry, expand: Expand) -> str:
    """What an entry is called in a prompt."""
    title = lore.entry_title(entry)
    return expand(title) if lore.may_hold_macros(title) else title


async def chosen(
    house: House,
    books: lore.Prepared,
    scan: lore.Scan,
    timed: lore.TimedState,
    count_tokens: Callable[[str], int],
    seed: int,
) -> lore.Selection:
    """A selection, made in a thread: an author's patterns may take a quarter of a second."""
    return await asyncio.to_thread(
        lore.select,
        books,
        scan,
        seed,
        timed,
        count_tokens,
        lambda: house.clock.monotonic() * 1000,
    )


async def _keep(house: House, turn: Turn, selection: lore.Selection, record: Record) -> Record:
    """Records the lore of a turn; gives back what is on record afterwards."""
    notices = tuple(
        (turn.id, Notice("lore", f"{warning.code}: {warning.detail}", call=0))
        for warning in selection.warnings
    )
    done = await house.store.commit(
        Commit(
            fence=Fence(turn.id, turn.epoch),
            rows=(Effect(_key(turn.id), record),),
            events=notices,
        )
    )
    if isinstance(done, Stale):  # another run of the same turn was faster: its choice stands
        return await recorded(house, turn.id) or record
    return record


def rules(section: LoreSection) -> lore.LoreSettings:
    """The scenario's section as the selection reads it."""
    return lore.LoreSettings(
        exact=section.matching == "sillytavern",
        scan_depth=section.scan_depth,
        case_sensitive=section.case_sensitive,
        whole_words=section.whole_words,
        recursive=section.recursive,
        max_recursion_steps=section.max_recursion_steps,
        min_activations=section.min_activations,
        min_activations_depth=section.min_activations_depth,
        group_scoring=section.group_scoring,
        strategy=section.strategy,
        budget=section.budget,
        max_entries=section.max_entries,
        constants=section.constants,
        overflow=section.overflow,
        selection=section.selection,
        hybrid_limit=section.hybrid_limit,
    )


def to_record(selection: lore.Selection, shelved: Sequence[str], scan: lore.Scan) -> Record:
    """A selection as it is kept: every entry in, and of those out all that something spoke of; how
    many others there are is a count, so that 10,000 silent entries cost one number a turn. `shelved`
    and what the scan knew besides texts are kept so that even those can be told (`scan_of`)."""
    return {
        "chosen": [
            {
                "ref": one.ref,
                "title": titled(one.entry, scan.expand),
                "text": one.text,
                "reason": str(one.reason),
                "key": one.key,
                "where": one.where,
                "tokens": one.tokens,
                "score": one.score,
                "position": one.entry.position.name.lower(),
                "order": one.order,
                "resident": one.resident,
            }
            for one in lore.in_prompt_order(selection.chosen)
        ],
        "left_out": [
            {
                "ref": out.ref,
                "title": titled(out.entry, scan.expand),
                "reason": str(out.reason),
                "detail": out.detail,
                "score": out.score,
            }
            for out in selection.left_out
        ],
        "unnamed": selection.unnamed,
        "books": list(shelved),
        "known": _Known(
            speaker=scan.speaker,
            avatar=scan.avatar,
            tags=list(scan.tags),
            trigger=str(scan.trigger),
            length=scan.chat_length,
            replies=scan.reply_count,
            greeting=scan.greeting,
        ),
        "timed": selection.timed.to_json(),
        "warnings": [
            {"code": one.code, "ref": one.ref, "detail": one.detail} for one in selection.warnings
        ],
    }


def scan_of(record: Record) -> lore.Scan:
    """What a recorded selection knew besides texts."""
    # Written by `to_record` alone, or by an earlier program that kept none of it.
    known = cast("_Known | None", record.get("known"))
    if known is None:
        return lore.Scan()
    return lore.Scan(
        speaker=known["speaker"],
        avatar=known["avatar"],
        tags=tuple(known["tags"]),
        trigger=known["trigger"],
        length=known["length"],
        replies=known["replies"],
        greeting=known["greeting"],
    )


def _scan(turn: Turn, moment: Moment, expander: Expander) -> lore.Scan:
    card = expander.card
    trigger = lore.Trigger.SWIPE if turn.rerolls else lore.Trigger.NORMAL
    if continues(turn):
        trigger = lore.Trigger.CONTINUE
    return lore.Scan(
        messages=moment.messages,
        words=turn.user_text,
        user=expander.user,
        speaker=card.called if card else "",
        avatar=card.name if card else "",
        tags=card.tags if card else (),
        trigger=trigger,
        sources=expander.sources(),
        length=moment.length,
        replies=moment.replies,
        greeting=moment.greeting,
        expand=expander.for_turn(turn),
    )


def _timed(before: Record | None) -> lore.TimedState:
    # What cannot be read as a state is none.
    return lore.timed_from_json(cast("Json", before.get("timed")) if before else None)


def _active(row: Record, *, with_text: bool) -> ActiveEntry:
    text = str(row.get("text", "")) if with_text else ""
    position = str(row.get("position", ""))
    return ActiveEntry(str(row["ref"]), str(row["title"]), text, _why(row), position)


def _why(row: Record) -> str:
    facts = [str(row["reason"])]
    if row.get("key"):
        facts.append(f"{row['key']} in {row['where']}")
    if row.get("detail"):
        facts.append(str(row["detail"]))
    if row.get("position") not in (None, *IN_PLACE):
        facts.append(f"position {row['position']} stands in this block")
    return ", ".join(facts)


def rows_of(record: Record, name: str) -> list[Record]:
    """The rows of one list of a record."""
    # Written by `to_record` alone.
    return cast("list[Record]", record.get(name, []))


def _key(turn_id: str) -> str:
    return f"lore/{turn_id}"
