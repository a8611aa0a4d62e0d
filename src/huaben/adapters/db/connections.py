"""What is kept of connections, as rows and back; a file of its own because no story needs it."""

from __future__ import annotations

from sqlalchemy import Connection, select

from huaben.adapters.db import codec, schema
from huaben.adapters.db.codec import a_number, a_text
from huaben.adapters.db.rows import AnyRow, Values
from huaben.domain.connection import StoredConnection


def connections(connection: Connection, user_id: str) -> list[StoredConnection]:
    table = schema.connection
    found = connection.execute(
        select(table).where(table.c.user_id == user_id).order_by(table.c.name)
    )
    return [_stored(row) for row in found]


def connection_values(stored: StoredConnection) -> Values:
    return {
        "user_id": stored.user_id,
        "name": stored.name,
        "kept": stored.kept,
        "settings": codec.to_json(stored.settings),
        "capabilities": codec.to_json(stored.capabilities),
        "created_at": stored.created_at,
    }


def _stored(row: AnyRow) -> StoredConnection:
    return StoredConnection(
        user_id=a_text(row.user_id),
        name=a_text(row.name),
        kept=bool(row.kept),
        settings=codec.object_from(a_text(row.settings)),
        capabilities=codec.object_from(a_text(row.capabilities)),
        created_at=a_text(row.created_at),
        revision=a_number(row.revision),
    )
