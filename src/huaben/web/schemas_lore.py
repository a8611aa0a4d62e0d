"""What answers about lore and the user's own texts look like; apart from `schemas` because each room of
the interface is read alone."""

from __future__ import annotations

from typing import Literal

from huaben.web.schemas import Told


class EntryIn(Told):
    """An entry that takes part. `key` was found in `where`; `place` is where it stands: in the
    system text (`prefix`), in this turn's block of lore (`block`), there by its title alone
    (`title`). `unplaced` is the position that its author wished for, where a prompt of ours has no
    such place. `ref` is the number of its book and its own in it."""

    ref: str
    title: str
    book: str
    reason: str
    key: str
    where: str
    tokens: int
    score: float
    position: str
    place: Literal["prefix", "block", "title"]
    unplaced: str
    text: str


class EntryOut(Told):
    """An entry that does not take part, and the obstacle that it got furthest to. `place` is
    `title` where its title alone is told."""

    ref: str
    title: str
    book: str
    reason: str
    detail: str
    score: float
    place: Literal["", "title"]


class LoreWarning(Told):
    code: str
    ref: str
    detail: str


class LoreTold(Told):
    """Every entry once: all that are in, in the order of choosing, and a page of those that are
    out, the nearest first; `next` goes on with it (`after`). `made` is false while nothing has been
    chosen; `uncounted` are entries of books that are no longer there."""

    made: bool
    chosen: list[EntryIn]
    left_out: list[EntryOut]
    left_out_total: int
    next: int | None
    uncounted: int
    warnings: list[LoreWarning]


class GuidanceTold(Told):
    """A text of the user's own; `card_id` is null for one that holds for every card. `revision` is
    0 while there is none; send it back to change the text."""

    name: str
    card_id: str | None
    text: str
    revision: int
