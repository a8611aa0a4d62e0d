"""Lists a page at a time, as every store gives them; apart because the memory store's file is full."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

from huaben.domain.cardface import named
from huaben.domain.libraryitem import StoredItem
from huaben.domain.project import Project, StoredBook, StoredCard
from huaben.ports import Page

Kept = TypeVar("Kept", StoredCard, StoredBook, StoredItem, Project)


def page_of(kept: Sequence[Kept], page: Page) -> tuple[list[Kept], str | None]:
    """One page of what is kept, newest first, and where the next begins."""
    chosen = [row for row in kept if _fits(row, page)]
    limit = min(max(page.limit, 1), 200)
    return chosen[:limit], chosen[limit - 1].id if len(chosen) > limit else None


def _fits(row: StoredCard | StoredBook | StoredItem | Project, page: Page) -> bool:
    if page.after is not None and row.id >= page.after:
        return False
    names = (row.title,) if isinstance(row, Project) else (row.name, row.filename)
    return named(page.words, *names)
