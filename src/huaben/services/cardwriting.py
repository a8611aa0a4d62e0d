"""Writing cards: each change is a version with an id of its own, because stories pin the version that they
were begun with. Apart from the library, which keeps what came in as it came."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Final, cast

from huaben.domain.card import Card
from huaben.domain.jsonvalue import Json
from huaben.domain.libraryitem import Favourite
from huaben.domain.project import Guidance, StoredCard
from huaben.errors import BadInput, Conflict, NotFound
from huaben.formats import card as cards
from huaben.formats.cards.overlay import own_json
from huaben.formats.report import Findings
from huaben.ports import Commit, Key, Stale
from huaben.services.house import House
from huaben.services.stories import stale

FIELDS: Final[Mapping[str, str]] = {
    "name": "name",
    "nickname": "nickname",
    "description": "description",
    "personality": "personality",
    "scenario": "scenario",
    "example": "mes_example",
    "creator_notes": "creator_notes",
    "system_prompt": "system_prompt",
    "post_history": "post_history_instructions",
    "greetings": "greetings",
    "tags": "tags",
    "book": "book",
}
"""The fields that can be written, and what the card calls them."""
MAX_VERSIONS: Final = 200


@dataclass(frozen=True, slots=True)
class Writing:
    """What a card shall say: its whole JSON, then single fields laid over it; None stays as it is."""

    content: Mapping[str, object] | None
    fields: Mapping[str, object]


async def write(house: House, card_id: str, revision: int, writing: Writing) -> StoredCard:
    """Put a new version in the place of the one with that revision; the former stays, for the stories
    that pin it and to be taken back. What the user keeps for the card goes along: that it is a
    favourite, and texts of their own.

    Raises `NotFound`, `Conflict` when the card has moved on, `BadInput` for what is no card."""
    current = await _load(house, card_id)
    if current.deleted:
        raise Conflict(
            "card_is_past",
            f"{current.name} has been changed or deleted meanwhile.",
            "Open the card again from the library.",
        )
    card, report = await asyncio.to_thread(_written, current, writing)
    following = replace(
        current,
        id=house.ids.new(),
        name=card.name,
        content=dict(card.raw),
        report=report,
        created_at=house.now(),
        follows=current.id,
        revision=0,
    )
    past = replace(current, deleted=True)
    expected: dict[Key, int] = {("card", current.id): revision, ("card", following.id): 0}
    kept = await _kept(house, current.id, following.id)
    done = await house.store.commit(Commit(expected, rows=(past, following, *kept)))
    if isinstance(done, Stale):
        raise stale(done)
    return replace(following, revision=1)


async def versions(house: House, card_id: str) -> list[StoredCard]:
    """The card and what it was before, newest first, the latest `MAX_VERSIONS`. Raises `NotFound`."""
    found = [await _load(house, card_id)]
    while found[-1].follows and len(found) < MAX_VERSIONS:
        before = await house.store.card(found[-1].follows)
        if before is None or before.user_id != house.user_id:
            break
        found.append(before)
    return found


async def _load(house: House, card_id: str) -> StoredCard:
    stored = await house.store.card(card_id)
    if stored is None or stored.user_id != house.user_id:
        raise NotFound.of("card", card_id)
    return stored


async def _kept(house: House, old: str, new: str) -> list[Favourite | Guidance]:
    kept: list[Favourite | Guidance] = [
        replace(text, card_id=new, revision=0)
        for text in await house.store.guidance(house.user_id, old)
        if text.card_id == old
    ]
    if await house.store.is_favourite(old):
        kept += [Favourite(house.user_id, new, True), Favourite(house.user_id, old, False)]
    return kept


def _written(current: StoredCard, writing: Writing) -> tuple[Card, Mapping[str, object]]:
    """The card as it shall be, read from the JSON that will be kept, and what there is to say of it."""
    first, _ = _read(current.content if writing.content is None else writing.content, current)
    changed = _laid_over(first, writing.fields)
    return _read(own_json(changed, Findings()), current)


def _read(content: Mapping[str, object], current: StoredCard) -> tuple[Card, Mapping[str, object]]:
    value = cast("Json", dict(content))  # JSON that was stored, or that a request held
    found = cards.card_of_json(value, current.filename)
    if isinstance(found, cards.Refused):
        raise BadInput(found.code, f"{current.name} would no longer be a card: {found.detail}")
    card, report = found
    return card, cast("Mapping[str, object]", report.to_json())  # JSON is less than any object


def _laid_over(card: Card, fields: Mapping[str, object]) -> Card:
    values: dict[str, object] = {}
    for name, value in fields.items():
        if value is None:
            continue
        if name == "greetings":
            first, *others = cast("list[str]", value)  # by the request's own shape
            values |= {"first_mes": first, "alternate_greetings": tuple(others)}
        elif name == "tags":
            values["tags"] = tuple(cast("list[str]", value))  # likewise
        else:
            values[FIELDS[name]] = value
    return replace(card, **values)
