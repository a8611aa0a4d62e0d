"""The memory store's shelf of cards; apart because its file is full."""

from __future__ import annotations

from collections import Counter

from huaben.domain.cardface import Looking, Shelved, face_of, fits, folded
from huaben.domain.libraryitem import Favourite
from huaben.domain.project import StoredCard
from huaben.ports import Page
from huaben.testing.state import State


class FaceShelf:
    """Implements `FaceReads` over the state of a `MemoryStore`."""

    _state: State

    async def look_for_cards(
        self, user_id: str, looking: Looking, page: Page
    ) -> tuple[list[Shelved], str | None]:
        found = [
            card
            for card in self._shelf(user_id)
            if fits(face_of(card), looking) and (not looking.favourite or self._chosen(card.id))
        ]
        if looking.order == "name":
            found.sort(key=lambda card: (face_of(card).name_key, card.id))
        else:
            found.sort(key=lambda card: card.id, reverse=True)
        places = [card.id for card in found]
        if page.after is not None:
            begin = places.index(page.after) + 1 if page.after in places else len(places)
            found = found[begin:]
        limit = min(max(page.limit, 1), 200)
        shelved = [
            Shelved(card, face_of(card).tags, self._chosen(card.id)) for card in found[:limit]
        ]
        return shelved, found[limit - 1].id if len(found) > limit else None

    async def card_tags(self, user_id: str) -> list[tuple[str, int]]:
        names: dict[str, str] = {}
        counted: Counter[str] = Counter()
        for card in sorted(self._shelf(user_id), key=lambda card: card.id):
            for tag in face_of(card).tags:
                counted[names.setdefault(folded(tag), tag)] += 1
        return sorted(counted.items(), key=lambda one: (-one[1], one[0]))

    def _shelf(self, user_id: str) -> list[StoredCard]:
        every = (one for one in self._state.counted.values() if isinstance(one, StoredCard))
        return [card for card in every if card.user_id == user_id and not card.deleted]

    async def is_favourite(self, card_id: str) -> bool:
        return self._chosen(card_id)

    def _chosen(self, card_id: str) -> bool:
        found = self._state.counted.get(("favourite", card_id))
        return isinstance(found, Favourite) and found.chosen
