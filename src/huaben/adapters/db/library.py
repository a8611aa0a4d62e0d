"""Reads of the library: cards, lorebooks and the texts that guide the model; one file per port."""

from __future__ import annotations

from typing import Literal

from sqlalchemy import ColumnElement, Connection, Select, Table, select

from huaben.adapters.db import rows, schema
from huaben.adapters.db.rows import AnyRow
from huaben.domain.project import Guidance, StoredBook, StoredCard
from huaben.ports import Page


def card(connection: Connection, card_id: str) -> StoredCard | None:
    row = connection.execute(_one(schema.card, card_id)).one_or_none()
    return None if row is None else rows.card_of(row)


def lorebook(connection: Connection, book_id: str) -> StoredBook | None:
    row = connection.execute(_one(schema.lorebook, book_id)).one_or_none()
    return None if row is None else rows.book_of(row)


def cards(connection: Connection, user_id: str, page: Page) -> tuple[list[StoredCard], str | None]:
    found, following = page_of(connection, schema.card, user_id, page)
    return [rows.listed(row, rows.card_of, StoredCard) for row in found], following


def lorebooks(
    connection: Connection, user_id: str, page: Page
) -> tuple[list[StoredBook], str | None]:
    found, following = page_of(connection, schema.lorebook, user_id, page)
    return [rows.listed(row, rows.book_of, StoredBook) for row in found], following


def find_card(connection: Connection, user_id: str, object_hash: str) -> StoredCard | None:
    row = connection.execute(_same_bytes(schema.card, user_id, object_hash)).one_or_none()
    return None if row is None else rows.card_of(row)


def find_lorebook(connection: Connection, user_id: str, object_hash: str) -> StoredBook | None:
    row = connection.execute(_same_bytes(schema.lorebook, user_id, object_hash)).one_or_none()
    return None if row is None else rows.book_of(row)


def successor(
    connection: Connection, kind: Literal["card", "lorebook"], item_id: str
) -> str | None:
    table = schema.card if kind == "card" else schema.lorebook
    return connection.execute(
        select(table.c.id).where(table.c.follows == item_id).order_by(table.c.id.desc()).limit(1)
    ).scalar_one_or_none()


def guidance(connection: Connection, user_id: str, card_id: str) -> list[Guidance]:
    table = schema.guidance
    found = connection.execute(
        select(table)
        .where(table.c.user_id == user_id, table.c.card_id.in_(("", card_id)))
        .order_by(table.c.card_id, table.c.name)
    )
    return [rows.guidance_of(row) for row in found]


def page_of(
    connection: Connection,
    table: Table,
    user_id: str,
    page: Page,
    *only: ColumnElement[bool],
) -> tuple[list[AnyRow], str | None]:
    """One page of a user's rows that were not deleted, newest first, and where the next begins."""
    limit = min(max(page.limit, 1), 200)
    chosen = select(table).where(table.c.user_id == user_id, table.c.deleted.is_(False), *only)
    if page.after is not None:
        chosen = chosen.where(table.c.id < page.after)
    found = connection.execute(chosen.order_by(table.c.id.desc()).limit(limit + 1)).all()
    following = str(found[limit - 1].id) if len(found) > limit else None
    return list(found[:limit]), following


def _one(table: Table, row_id: str) -> Select[tuple[object, ...]]:
    return select(table).where(table.c.id == row_id)


def _same_bytes(table: Table, user_id: str, object_hash: str) -> Select[tuple[object, ...]]:
    return (
        select(table)
        .where(
            table.c.user_id == user_id,
            table.c.object_hash == object_hash,
            table.c.deleted.is_(False),
        )
        .order_by(table.c.id.desc())
        .limit(1)
    )
