"""The entries of lorebooks, and of the lorebooks inside cards."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Query
from starlette.responses import JSONResponse

from huaben.domain.lore.values import Entry
from huaben.services import entries
from huaben.web.given import HouseGiven, Id
from huaben.web.schemas_cards import EntriesTold

router = APIRouter(prefix="/api", tags=["library"])

After = Annotated[int, Query(ge=0, le=2**31)]
Limit = Annotated[int, Query(ge=1, le=1000)]


@router.get("/lorebooks/{book_id}/entries", response_model=EntriesTold)
async def list_entries(
    house: HouseGiven, book_id: Id, after: After = 0, limit: Limit = 200
) -> JSONResponse:
    """The entries of a lorebook in its own order."""
    return JSONResponse(_told(await entries.of_lorebook(house, book_id, after, limit)))


@router.get("/cards/{card_id}/entries", response_model=EntriesTold)
async def list_own_entries(
    house: HouseGiven, card_id: Id, after: After = 0, limit: Limit = 200
) -> JSONResponse:
    """The entries of the lorebook inside a card; none where it has no lorebook."""
    return JSONResponse(_told(await entries.of_card(house, card_id, after, limit)))


def _told(leaf: entries.Leaf) -> dict[str, object]:
    book = leaf.book
    return {
        "name": book.name,
        "dialect": book.dialect,
        "scan_depth": book.scan_depth,
        "token_budget": book.token_budget,
        "recursive": book.recursive,
        "total": len(book.entries),
        "items": [_entry(entry) for entry in leaf.entries],
        "next": leaf.following,
    }


def _entry(entry: Entry) -> dict[str, object]:
    return {
        "uid": entry.uid,
        "title": entry.title,
        "keys": list(entry.keys),
        "secondary": list(entry.secondary),
        "logic": int(entry.logic),
        "content": entry.content,
        "enabled": entry.enabled,
        "constant": entry.constant,
        "order": entry.order,
        "position": int(entry.position),
        "depth": entry.depth,
        "probability": entry.probability if entry.use_probability else 100,
        "scan_depth": entry.scan_depth,
        "case_sensitive": entry.case_sensitive,
        "whole_words": entry.whole_words,
        "group": list(entry.group.names),
        "sticky": entry.timing.sticky,
        "cooldown": entry.timing.cooldown,
        "delay": entry.timing.delay,
        "resident": entry.resident,
    }
