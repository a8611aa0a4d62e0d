"""Named saves, as rows and back; one file per port."""

from __future__ import annotations

from typing import cast

from sqlalchemy import Connection, delete, select

from huaben.adapters.db.codec import a_number, a_text, maybe_text
from huaben.adapters.db.rows import AnyRow, Values
from huaben.adapters.db.saves_schema import save as table
from huaben.domain.saves import Save, SaveAuthor
from huaben.ports import Page


def save_values(save: Save) -> Values:
    return {
        "id": save.id,
        "user_id": save.user_id,
        "project_id": save.project_id,
        "node": save.node,
        "name": save.name,
        "author": save.author,
        "created_at": save.created_at,
        "deleted": bool(save.deleted_at),
        "deleted_at": save.deleted_at or None,
    }


def save(connection: Connection, save_id: str) -> Save | None:
    row = connection.execute(select(table).where(table.c.id == save_id)).one_or_none()
    return None if row is None else _save_of(row)


def saves(connection: Connection, project_id: str, page: Page) -> tuple[list[Save], str | None]:
    limit = min(max(page.limit, 1), 200)
    chosen = select(table).where(table.c.project_id == project_id, table.c.deleted_at.is_(None))
    if page.after is not None:
        chosen = chosen.where(table.c.id < page.after)
    rows = connection.execute(chosen.order_by(table.c.id.desc()).limit(limit + 1)).all()
    found = [_save_of(row) for row in rows]
    return found[:limit], found[limit - 1].id if len(found) > limit else None


def forget(connection: Connection, project_id: str) -> None:
    """Delete the saves of a project."""
    connection.execute(delete(table).where(table.c.project_id == project_id))


def _save_of(row: AnyRow) -> Save:
    return Save(
        id=a_text(row.id),
        user_id=a_text(row.user_id),
        project_id=a_text(row.project_id),
        node=a_text(row.node),
        name=a_text(row.name),
        author=cast("SaveAuthor", a_text(row.author)),  # written from the same type
        created_at=a_text(row.created_at),
        deleted_at=maybe_text(row.deleted_at) or "",
        revision=a_number(row.revision),
    )
