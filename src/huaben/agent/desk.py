"""What a performance holds at one moment of a turn: the draft, the previous reply, what was read.

A value: a tool returns the next desk, and the loop takes it only after the store has it. So a
failed store leaves everything as it was.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Literal, TypeAlias, cast

from huaben.agent.memorydesk import MemoryDesk
from huaben.domain.card import Card
from huaben.domain.draft import EMPTY, Applied, Draft
from huaben.domain.ledgerversion import Standing
from huaben.domain.lore.scan import as_typed
from huaben.domain.lore.values import Book
from huaben.domain.project import Language
from huaben.domain.saves import SaveSeen
from huaben.domain.story import Exchange
from huaben.ports import Row

Refusal: TypeAlias = Literal["no_previous", "previous_unsealed"]


@dataclass(frozen=True, slots=True)
class Previous:
    """The latest reply of this branch as it was when the turn started, at its own version."""

    turn_id: str
    draft: Draft
    asked: tuple[Exchange, ...] = ()


@dataclass(frozen=True, slots=True)
class Sources:
    """What the reading tools may look at; fixed for the turn. `expand` expands the macros of a card's
    or lorebook's text: what a tool answers is a prompt too. `standing` is the ledger as the turn found
    it."""

    language: Language
    card: Card | None
    books: tuple[Book, ...]
    previous: Previous | Refusal
    expand: Callable[[str], str] = as_typed
    saves: tuple[SaveSeen, ...] = ()
    memory: MemoryDesk | None = None
    standing: Standing = field(default_factory=Standing)


@dataclass(frozen=True, slots=True)
class Desk:
    """The state of a running turn. `previous_read` is the version of the previous reply that was
    read in this turn; `revised` its text after a successful change; `explicit` tells whether the
    model itself wrote on the sheet, so that what it says at the end is not taken for prose."""

    draft: Draft = EMPTY
    mode: Literal["explore", "write"] = "write"
    explicit: bool = False
    sealed: bool = False
    previous_read: int | None = None
    revised: Draft | None = None

    @property
    def over(self) -> bool:
        """Nothing more may be written in this turn."""
        return self.sealed or self.revised is not None

    def remembering(self, effect: Mapping[str, object]) -> Desk:
        """The desk after a recorded call with this effect; the draft itself is the log's."""
        desk = self
        if effect.get("mode") in ("explore", "write"):
            desk = replace(desk, mode="explore" if effect["mode"] == "explore" else "write")
        if effect.get("explicit") is True:
            desk = replace(desk, explicit=True)
        if effect.get("sealed") is True:
            desk = replace(desk, sealed=True)
        if isinstance(read := effect.get("previous_read"), int):
            desk = replace(desk, previous_read=read)
        if isinstance(revised := effect.get("revised"), Mapping):
            made = cast("Mapping[str, object]", revised)
            version, text = made.get("version"), made.get("text")
            if isinstance(version, int) and isinstance(text, str):
                desk = replace(desk, revised=Draft(version, text))
        return desk


@dataclass(frozen=True, slots=True)
class Question:
    """An ask card to be put before the user."""

    question: str
    options: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a tool did. `result` goes to the model. `desk` is the desk afterwards, `applied` the
    change of the draft to record, `effect` what a replay must remember, `question` an ask card
    that holds the turn, `rows` what is written in the commit that records it. A refusal has none of
    them."""

    ok: bool
    result: str
    desk: Desk | None = None
    applied: Applied | None = None
    effect: Mapping[str, object] | None = None
    question: Question | None = None
    rows: tuple[Row, ...] = ()
