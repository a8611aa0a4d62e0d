"""The amendments of a story as they stand, and a cast with them laid over; apart from proposing and deciding
because every turn reads them.

What befell them is a list of effects of the project, numbered from 0: who adds the next number first is
right, the other looks again.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final, cast

from huaben.domain.amendment import Amendment, Proposal, State, in_force, proposal_data, proposal_of
from huaben.domain.jsonvalue import JsonObject
from huaben.domain.lore.values import Book, Entry, Place
from huaben.ports import Effect
from huaben.services.house import House

PLACE: Final = "amended/"
"""Begins the place of the book that holds a story's amendments: then the project, a slash, and how many
changes it is made of."""
TITLES: Final = "huaben/amendments"


def key(project_id: str, number: int) -> str:
    return f"{project_id}/amended/{number:06d}"


async def count(house: House, project_id: str) -> int:
    """How many changes of amendments a story has seen."""
    return await house.store.count_effects(f"{project_id}/amended/")


async def amendments_of(
    house: House, project_id: str, changes: int | None = None
) -> tuple[Amendment, ...]:
    """All amendments of a story, the earliest order first; as they stood after that many changes."""
    found: dict[str, Amendment] = {}
    for number in range(await count(house, project_id) if changes is None else changes):
        effect = await house.store.effect(key(project_id, number))
        if effect is not None:
            one = _read(effect.result, number, found)
            found[one.turn] = one
    return tuple(found.values())


def written(project_id: str, amendment: Amendment) -> Effect:
    """The record of what an amendment has become, as the change of its `order`."""
    data: JsonObject = {
        "turn": amendment.turn,
        "request": amendment.request,
        "state": amendment.state,
        "code": amendment.code,
        "message": amendment.message,
        "proposal": proposal_data(amendment.proposal),
    }
    return Effect(key(project_id, amendment.order), data)


def _read(data: Mapping[str, object], number: int, known: Mapping[str, Amendment]) -> Amendment:
    turn = str(data["turn"])
    proposal = data.get("proposal")
    before = known.get(turn)
    return Amendment(
        turn,
        str(data["request"]),
        cast("State", data["state"]),  # as `written` writes it
        number,
        proposal_of(cast("Mapping[str, object]", proposal))  # as `written` writes it
        if isinstance(proposal, Mapping)
        else (before.proposal if before else Proposal()),
        str(data["code"]),
        str(data["message"]),
    )


# ---- what a turn reads ---------------------------------------------------------------------------


def place_of(project_id: str, changes: int) -> str:
    return f"{PLACE}{project_id}/{changes}"


async def book_of(house: House, place: str) -> Book:
    """The book of a story's amendments at a place that `place_of` made."""
    project_id, _, changes = place.removeprefix(PLACE).rpartition("/")
    return as_book(await amendments_of(house, project_id, int(changes)))


def as_book(amendments: Sequence[Amendment]) -> Book:
    """The entries that amendments have added."""
    entries = [entry for one in in_force(amendments) for entry in one.proposal.lore]
    return Book(
        TITLES,
        tuple(
            Entry(n, entry.keys, title=entry.title, content=entry.content, constant=not entry.keys)
            for n, entry in enumerate(entries)
        ),
        place=Place.CHAT,
        id=TITLES,
    )


def rules_of(amendments: Sequence[Amendment]) -> str:
    """The style rules that amendments have added."""
    return "\n".join(f"- {rule}" for one in in_force(amendments) for rule in one.proposal.style)


def with_rules(rules: str, amendments: Sequence[Amendment]) -> str:
    return "\n\n".join(part for part in (rules.strip(), rules_of(amendments)) if part)
