"""The tables of memory and of search, beside the others; apart because they were added to a schema that
fills its file.

The full-text indexes are no tables that the metadata knows: see `fulltext`. They name their texts by
the numbers (`serial`) that are given out here.
"""

from __future__ import annotations

from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    ForeignKey,
    Index,
    Integer,
    Table,
    Text,
    UniqueConstraint,
)

from huaben.adapters.db.schema import NAME, Words, metadata

_SERIAL = BigInteger().with_variant(Integer, "sqlite")

note = Table(
    "note",
    metadata,
    Column("id", NAME, primary_key=True),
    Column("user_id", Text, nullable=False),
    Column("kind", Text, nullable=False),
    Column("source", Text, nullable=False),
    Column("project_id", NAME, ForeignKey("project.id")),
    # Not a reference: a card may be deleted while a story goes on with what is remembered of it.
    Column("card_id", NAME),
    Column("revision", Integer, nullable=False),
    Index(None, "project_id", "id"),
    Index(None, "card_id", "id"),
)

note_version = Table(
    "note_version",
    metadata,
    Column("serial", _SERIAL, primary_key=True),
    Column("note_id", NAME, ForeignKey("note.id"), nullable=False),
    Column("version", Integer, nullable=False),
    Column("node", NAME, ForeignKey("turn.id")),
    Column("base", Integer, nullable=False),
    Column("author", Text, nullable=False),
    Column("at", Text, nullable=False),
    Column("locked", Boolean, nullable=False),
    Column("removed", Boolean, nullable=False),
    Column("title", Words, nullable=False),
    Column("text", Words, nullable=False),
    Column("proposed", Boolean, nullable=False),
    UniqueConstraint("note_id", "version"),
)

# A piece of a part of a turn, as long as an index takes at once.
passage = Table(
    "passage",
    metadata,
    Column("serial", _SERIAL, primary_key=True),
    Column("turn_id", NAME, ForeignKey("turn.id"), nullable=False),
    Column("part", Integer, nullable=False),
    Index(None, "turn_id"),
)
