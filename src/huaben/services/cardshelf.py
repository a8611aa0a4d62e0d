"""The shelf of cards: finding them among thousands, choosing favourites, and what one is to people; apart
from the library, which takes them in."""

from __future__ import annotations

from dataclasses import dataclass, replace

from huaben.domain.card import Card
from huaben.domain.cardface import Looking, Shelved
from huaben.domain.libraryitem import Favourite
from huaben.domain.project import StoredCard
from huaben.errors import NotFound, StorageFailed
from huaben.ports import Commit, Page
from huaben.services import library
from huaben.services.house import House


@dataclass(frozen=True, slots=True)
class Shown:
    """A card with what it says, read; None where it cannot be read."""

    stored: StoredCard
    card: Card | None
    own_entries: int
    favourite: bool


async def look_for(house: House, looking: Looking, page: Page) -> tuple[list[Shelved], str | None]:
    """The user's cards that fit; one that is damaged or lacks its bytes is marked `broken`."""
    found, following = await house.store.look_for_cards(house.user_id, looking, page)
    shown = [replace(one, card=await library.looked_over(house, one.card)) for one in found]
    return shown, following


async def tags(house: House) -> list[tuple[str, int]]:
    """All tags with the number of their cards, the most frequent first."""
    return await house.store.card_tags(house.user_id)


async def choose(house: House, card_id: str, *, chosen: bool) -> None:
    """Make a card a favourite, or no longer. Raises `NotFound`."""
    thing = await house.store.thing("card", card_id)
    if thing is None or thing.user_id != house.user_id:
        raise NotFound.of("card", card_id)
    await house.store.commit(Commit(rows=(Favourite(house.user_id, card_id, chosen),)))


async def show(house: House, card_id: str) -> Shown:
    """One card. Raises `NotFound`, and `StorageFailed` for one whose row is damaged."""
    stored = await house.store.card(card_id)
    if stored is None or stored.user_id != house.user_id:
        raise NotFound.of("card", card_id)
    favourite = await house.store.is_favourite(card_id)
    try:
        card = await house.shelf.card(card_id, house.user_id)
        own = await house.shelf.own_book(card_id, house.user_id)
    except StorageFailed as broken:
        return Shown(replace(stored, broken=broken.message), None, 0, favourite)
    return Shown(await library.looked_over(house, stored), card, len(own.entries), favourite)
