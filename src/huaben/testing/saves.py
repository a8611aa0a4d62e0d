"""The named saves of the in-memory store; apart because the store's own file is full."""

from __future__ import annotations

from huaben.domain.saves import Save
from huaben.ports import Page
from huaben.testing.state import State


def save(state: State, save_id: str) -> Save | None:
    found = state.counted.get(("save", save_id))
    return found if isinstance(found, Save) else None


def saves(state: State, project_id: str, page: Page) -> tuple[list[Save], str | None]:
    """As the port says."""
    every = [one for one in state.counted.values() if isinstance(one, Save)]
    own = [one for one in every if one.project_id == project_id and not one.deleted_at]
    own.sort(key=lambda one: one.id, reverse=True)
    chosen = [one for one in own if page.after is None or one.id < page.after]
    limit = min(max(page.limit, 1), 200)
    return chosen[:limit], chosen[limit - 1].id if len(chosen) > limit else None
