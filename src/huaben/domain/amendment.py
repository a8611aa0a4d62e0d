"""Lasting changes that a reader asked for: what is proposed, what became of it, and a card with them laid over.
Apart from cards and lorebooks because neither is written: an amendment belongs to one story and can be undone.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Final, Literal, TypeAlias, assert_never, cast, get_args

from huaben.domain.card import Card
from huaben.domain.jsonvalue import Json, JsonFault, JsonObject, dump_json, parse_json
from huaben.domain.text import is_blank, scrub, shorten

CardField: TypeAlias = Literal[
    "description", "personality", "scenario", "mes_example", "system_prompt"
]
State: TypeAlias = Literal["working", "proposed", "applied", "refused", "undone", "failed"]
"""`working` while its proposal is being worked out: that is told and never kept."""
Verb: TypeAlias = Literal["accept", "refuse", "undo"]

CARD_FIELDS: Final[tuple[CardField, ...]] = get_args(CardField)
MAX_TEXT_CHARS: Final = 20_000
MAX_RULE_CHARS: Final = 500
MAX_ITEMS: Final = 8
"""Lore entries, and style rules, of one amendment."""
_OBJECTS: Final = 20
_DECODER: Final = json.JSONDecoder()


@dataclass(frozen=True, slots=True)
class FieldChange:
    """A field of the card as it read and as it is to read."""

    field: CardField
    old: str
    new: str


@dataclass(frozen=True, slots=True)
class NewEntry:
    """A lore entry to be added; without keys it is always in force."""

    title: str
    content: str
    keys: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Proposal:
    """What is to change, and one sentence about it."""

    summary: str = ""
    card: tuple[FieldChange, ...] = ()
    lore: tuple[NewEntry, ...] = ()
    style: tuple[str, ...] = ()

    @property
    def empty(self) -> bool:
        return not (self.card or self.lore or self.style)


@dataclass(frozen=True, slots=True)
class Amendment:
    """The amendment that the turn `turn` ordered. `order` is that of its latest change among all of the
    project's; `code` and `message` say why it failed."""

    turn: str
    request: str
    state: State
    order: int = 0
    proposal: Proposal = field(default_factory=Proposal)
    code: str = ""
    message: str = ""


@dataclass(frozen=True, slots=True)
class Refused:
    """A verb that this amendment does not take now."""

    code: str
    message: str
    hint: str = ""


def changed(
    verb: Verb, meant: Amendment, others: Sequence[Amendment], card: Card | None
) -> State | Refused:
    """The state that a verb leads to, or why it may not. `card` is the card with what is applied."""
    match verb:
        case "accept":
            return _accepted(meant, card)
        case "refuse":
            if meant.state != "proposed":
                return _not_in(meant, "proposed")
            return "refused"
        case "undo":
            return _undone(meant, others)
        case _:
            assert_never(verb)


def _accepted(meant: Amendment, card: Card | None) -> State | Refused:
    if meant.state not in ("proposed", "undone", "refused"):
        return _not_in(meant, "proposed")
    for change in meant.proposal.card:
        if card is None or text_of(card, change.field) != change.old:
            return Refused(
                "card_changed_since",
                f"The card's {change.field} reads otherwise than when this was proposed.",
                "Refuse it, and ask for the change again.",
            )
    return "applied"


def _undone(meant: Amendment, others: Sequence[Amendment]) -> State | Refused:
    if meant.state != "applied":
        return _not_in(meant, "applied")
    mine = {change.field for change in meant.proposal.card}
    for other in others:
        later = other.state == "applied" and other.order > meant.order
        if later and mine & {change.field for change in other.proposal.card}:
            return Refused(
                "amended_since",
                "A later amendment changed the same field of the card.",
                "Undo the later one first.",
            )
    return "undone"


def _not_in(meant: Amendment, wanted: State) -> Refused:
    return Refused(f"amendment_not_{wanted}", f"The amendment is {meant.state}.")


# ---- what is in force ----------------------------------------------------------------------------


def in_force(amendments: Sequence[Amendment]) -> tuple[Amendment, ...]:
    """What is applied, in the order in which it was."""
    applied = [one for one in amendments if one.state == "applied"]
    return tuple(sorted(applied, key=lambda one: one.order))


def overlaid(card: Card, amendments: Sequence[Amendment]) -> Card:
    """The card as the story reads it."""
    for amendment in in_force(amendments):
        for change in amendment.proposal.card:
            card = _with(card, change.field, change.new)
    return card


def text_of(card: Card, name: CardField) -> str:
    """The text of a field that can be amended."""
    match name:
        case "description":
            return card.description
        case "personality":
            return card.personality
        case "scenario":
            return card.scenario
        case "mes_example":
            return card.mes_example
        case "system_prompt":
            return card.system_prompt
        case _:
            assert_never(name)


def _with(card: Card, name: CardField, text: str) -> Card:
    match name:
        case "description":
            return replace(card, description=text)
        case "personality":
            return replace(card, personality=text)
        case "scenario":
            return replace(card, scenario=text)
        case "mes_example":
            return replace(card, mes_example=text)
        case "system_prompt":
            return replace(card, system_prompt=text)
        case _:
            assert_never(name)


# ---- what a model answers ------------------------------------------------------------------------


def read_proposal(text: str, card: Card | None) -> Proposal | None:
    """The first object of a reply that proposes anything, whatever stands around it; what does not fit
    is left out, and None where nothing is left. Without a card its fields cannot change."""
    for found in _objects(text):
        proposal = Proposal(
            summary=_line(found.get("summary"), MAX_RULE_CHARS),
            card=tuple(_fields(found.get("card"), card)),
            lore=tuple(_entries(found.get("lore")))[:MAX_ITEMS],
            style=tuple(_lines(found.get("style")))[:MAX_ITEMS],
        )
        if not proposal.empty:
            return proposal
    return None


def _objects(text: str) -> Iterator[JsonObject]:
    at = 0
    for _ in range(_OBJECTS):
        at = text.find("{", at)
        if at < 0:
            return
        try:
            value, end = cast("tuple[Json, int]", _DECODER.raw_decode(text, at))  # as JSON gives it
            held = parse_json(dump_json(value))
        except (ValueError, RecursionError):
            at += 1
            continue
        at = end
        if isinstance(held, dict) and not isinstance(held, JsonFault):
            yield held


def _fields(value: Json | None, card: Card | None) -> Iterator[FieldChange]:
    if card is None or not isinstance(value, dict):
        return
    for name in CARD_FIELDS:
        new = value.get(name)
        if not isinstance(new, str) or is_blank(new):
            continue
        text, old = scrub(new).strip(), text_of(card, name)
        if text != old and len(text) <= MAX_TEXT_CHARS:
            yield FieldChange(name, old, text)


def _entries(value: Json | None) -> Iterator[NewEntry]:
    for item in value if isinstance(value, list) else ():
        if not isinstance(item, dict):
            continue
        content = item.get("content")
        if not isinstance(content, str) or is_blank(content) or len(content) > MAX_TEXT_CHARS:
            continue
        title = _line(item.get("title"), 100) or shorten(" ".join(content.split()), 30)
        yield NewEntry(title, scrub(content).strip(), tuple(_lines(item.get("keys"))))


def _lines(value: Json | None) -> Iterator[str]:
    for item in value if isinstance(value, list) else (value,):
        if line := _line(item, MAX_RULE_CHARS):
            yield line


def _line(value: Json | None, most: int) -> str:
    return shorten(" ".join(scrub(value).split()), most) if isinstance(value, str) else ""


# ---- as it is kept -------------------------------------------------------------------------------


def proposal_data(proposal: Proposal) -> JsonObject:
    """A proposal as it is kept and told."""
    return {
        "summary": proposal.summary,
        "card": [{"field": c.field, "old": c.old, "new": c.new} for c in proposal.card],
        "lore": [
            {"title": e.title, "content": e.content, "keys": list(e.keys)} for e in proposal.lore
        ],
        "style": list(proposal.style),
    }


def proposal_of(data: Mapping[str, object]) -> Proposal:
    """The proposal of what `proposal_data` made."""
    card = cast("list[dict[str, str]]", data["card"])  # as written above
    lore = cast("list[dict[str, object]]", data["lore"])  # as written above
    return Proposal(
        str(data["summary"]),
        tuple(FieldChange(cast("CardField", c["field"]), c["old"], c["new"]) for c in card),
        tuple(
            NewEntry(
                str(e["title"]), str(e["content"]), tuple(cast("list[str]", e["keys"]))
            )  # as written above
            for e in lore
        ),
        tuple(cast("list[str]", data["style"])),  # as written above
    )
