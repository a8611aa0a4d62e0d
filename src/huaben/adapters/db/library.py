"""Reads of the library: cards, lorebooks and the texts that guide the model; one file per port."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from sqlalchemy import ColumnElement, Connection, Select, Table, select

from huaben.adapters.db import rows, schema
from huaben.adapters.db.rows import AnyRow
from huaben.domain.cardface import named
from huaben.domain.project import Guidance, StoredBook, StoredCard
from huaben.ports import Page

AT_ONCE = 200


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
    wanted = [table.c.user_id == user_id, table.c.deleted.is_(False), *only]
    if page.after is not None:
        wanted.append(table.c.id < page.after)
    if page.words.strip():
        wanted = [table.c.id.in_(_named(connection, table, wanted, page.words, limit + 1))]
    chosen = select(table).where(*wanted).order_by(table.c.id.desc()).limit(limit + 1)
    found = connection.execute(chosen).all()
    following = str(found[limit - 1].id) if len(found) > limit else None
    return list(found[:limit]), following


def _named(
    connection: Connection,
    table: Table,
    wanted: Sequence[ColumnElement[bool]],
    words: str,
    most: int,
) -> list[str]:
    """The first ids whose names have the words. The names alone are read, for what a row holds beside
    may be large, and are folded here, for no database folds as the shelf does."""
    names = [table.c[name] for name in ("name", "title", "filename") if name in table.c]
    chosen = select(table.c.id, *names).where(*wanted).order_by(table.c.id.desc())
    found: list[str] = []
    with connection.execute(chosen.execution_options(yield_per=AT_ONCE)) as rows_of_names:
        for row in rows_of_names:
            if named(words, *(str(name) for name in row[1:])):
                found.append(str(row.id))
            if len(found) == most:
                break
    return found


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
