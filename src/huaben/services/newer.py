"""What a story could go over to: newer versions of its card and its lorebooks. Apart from changing, which does
it, because a story goes on with what it has until it is told otherwise."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Literal, TypeAlias

from huaben.domain.project import Project
from huaben.services.house import House

Kind: TypeAlias = Literal["card", "lorebook"]
MAX_STEPS: Final = 10_000
"""Versions that are walked through; a chain of more would be a circle."""


@dataclass(frozen=True, slots=True)
class Newer:
    """A newer version than the one that a story has (`pinned`), the latest that is not deleted."""

    kind: Kind
    pinned: str
    id: str
    name: str


async def newer_versions(house: House, project: Project) -> list[Newer]:
    """Of the card first, then of the lorebooks in their order; empty when all are the latest."""
    wanted: Sequence[tuple[Kind, str]] = [
        *((("card", project.card_id),) if project.card_id else ()),
        *(("lorebook", book_id) for book_id in project.lorebook_ids),
    ]
    found = [await _newer(house, kind, pinned) for kind, pinned in wanted]
    return [one for one in found if one is not None]


async def latest_of(house: House, kind: Kind, item_id: str) -> str:
    """The id of the newest version of a card or lorebook: its own, when none took its place."""
    latest = item_id
    for _ in range(MAX_STEPS):
        following = await house.store.successor(kind, latest)
        if following is None:
            break
        latest = following
    return latest


async def _newer(house: House, kind: Kind, pinned: str) -> Newer | None:
    latest = await latest_of(house, kind, pinned)
    if latest == pinned:
        return None
    thing = await house.store.thing(kind, latest)
    if thing is None or thing.user_id != house.user_id or thing.deleted_at:
        return None
    return Newer(kind, pinned, latest, thing.name)
