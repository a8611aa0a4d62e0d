"""The tables of presets, personas, scripts and quick replies, of what a story is dressed with and of what
the user lets run; apart because the schema fills its file."""

from __future__ import annotations

from sqlalchemy import Boolean, Column, ForeignKey, Index, Integer, Table, Text, text

from huaben.adapters.db.schema import NAME, Words, metadata

library_item = Table(
    "library_item",
    metadata,
    Column("id", NAME, primary_key=True),
    Column("user_id", Text, nullable=False),
    Column("kind", NAME, nullable=False),
    Column("name", Words, nullable=False),
    Column("object_hash", Text, nullable=False),
    Column("filename", Words, nullable=False),
    Column("created_at", Text, nullable=False),
    Column("deleted", Boolean, nullable=False),
    Column("revision", Integer, nullable=False),
    Column("report", Text, nullable=False),
    Column("content", Text, nullable=False),
    Column("deleted_at", NAME),
    Index(None, "user_id", "kind", "id"),
    Index(None, "user_id", "object_hash"),
    Index(
        "ix_library_item_trash",
        "user_id",
        "deleted_at",
        "id",
        sqlite_where=text("deleted_at IS NOT NULL"),
        postgresql_where=text("deleted_at IS NOT NULL"),
    ),
)

library_version = Table(
    "library_version",
    metadata,
    Column("item_id", NAME, ForeignKey("library_item.id"), primary_key=True),
    Column("version", Integer, primary_key=True, autoincrement=False),
    Column("name", Words, nullable=False),
    Column("content", Text, nullable=False),
)

dressing = Table(
    "dressing",
    metadata,
    Column("project_id", NAME, ForeignKey("project.id"), primary_key=True),
    Column("preset_id", NAME),
    Column("persona_id", NAME),
    Column("note", Text, nullable=False),
    Column("revision", Integer, nullable=False),
    Index(None, "preset_id"),
    Index(None, "persona_id"),
)

consent = Table(
    "consent",
    metadata,
    Column("user_id", NAME, primary_key=True),
    Column("owner", NAME, primary_key=True),
    Column("digest", Text, nullable=False),
    Column("given_at", Text, nullable=False),
    Column("revision", Integer, nullable=False),
)
