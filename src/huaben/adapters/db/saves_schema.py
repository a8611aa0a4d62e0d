"""The table of named saves; apart because the schema fills its file."""

from __future__ import annotations

from sqlalchemy import Boolean, Column, ForeignKey, Index, Integer, Table, Text, text

from huaben.adapters.db.schema import NAME, Words, metadata

_THERE = text("deleted_at IS NOT NULL")

save = Table(
    "save",
    metadata,
    Column("id", NAME, primary_key=True),
    Column("user_id", Text, nullable=False),
    Column("project_id", NAME, ForeignKey("project.id"), nullable=False),
    Column("node", NAME, ForeignKey("turn.id"), nullable=False),
    Column("name", Words, nullable=False),
    Column("author", Text, nullable=False),
    Column("created_at", Text, nullable=False),
    Column("deleted", Boolean, nullable=False),
    Column("revision", Integer, nullable=False),
    Column("deleted_at", NAME),
    Index(None, "project_id", "id"),
    Index(None, "node"),
    Index(
        "ix_save_trash",
        "user_id",
        "deleted_at",
        "id",
        sqlite_where=_THERE,
        postgresql_where=_THERE,
    ),
)
