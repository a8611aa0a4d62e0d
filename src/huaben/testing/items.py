"""The memory store's reads of presets, personas, scripts and quick replies; apart because its file is full."""

from __future__ import annotations

from huaben.domain.dressing import Dressing
from huaben.domain.libraryitem import Consent, ItemKind, ItemVersion, StoredItem
from huaben.ports import Page
from huaben.testing.paging import page_of
from huaben.testing.state import State


class ItemShelf:
    """Implements `ItemReads` over the state of a `MemoryStore`."""

    _state: State

    async def item(self, item_id: str) -> StoredItem | None:
        return next((one for one in self._items() if one.id == item_id), None)

    async def items(
        self, user_id: str, kind: ItemKind, page: Page
    ) -> tuple[list[StoredItem], str | None]:
        return page_of(self._listed(user_id, kind), page)

    async def find_item(self, user_id: str, kind: ItemKind, object_hash: str) -> StoredItem | None:
        kept = self._listed(user_id, kind)
        return next((one for one in kept if one.object_hash == object_hash), None)

    async def item_versions(self, item_id: str) -> list[ItemVersion]:
        return [version for of, version in self._state.item_versions if of == item_id]

    async def consents(self, user_id: str) -> list[Consent]:
        given = [one for one in self._state.counted.values() if isinstance(one, Consent)]
        own = [one for one in given if one.user_id == user_id]
        return sorted(own, key=lambda one: one.owner)

    async def dressing(self, project_id: str) -> Dressing | None:
        found = self._state.counted.get(("dressing", project_id))
        return found if isinstance(found, Dressing) else None

    def _items(self) -> list[StoredItem]:
        return [one for one in self._state.counted.values() if isinstance(one, StoredItem)]

    def _listed(self, user_id: str, kind: ItemKind) -> list[StoredItem]:
        kept = [
            one
            for one in self._items()
            if (one.user_id, one.kind) == (user_id, kind) and not one.deleted
        ]
        return sorted(kept, key=lambda one: one.id, reverse=True)
