"""The tables of what stands at the nodes of a story; apart because the schema fills its file."""

from __future__ import annotations

from sqlalchemy import Column, ForeignKey, Index, Integer, LargeBinary, Table, Text

from huaben.adapters.db.schema import NAME, metadata

node_state = Table(
    "node_state",
    metadata,
    Column("kind", NAME, primary_key=True),
    Column("node", NAME, ForeignKey("turn.id"), primary_key=True),
    Column("project_id", NAME, ForeignKey("project.id"), nullable=False),
    Column("revision", Integer, nullable=False),
    Index(None, "project_id"),
    Index(None, "node"),
)

# Compressed JSON: a ledger is a few thousand characters, and each turn of a long story has one.
node_state_version = Table(
    "node_state_version",
    metadata,
    Column("kind", NAME, primary_key=True),
    Column("node", NAME, ForeignKey("turn.id"), primary_key=True),
    Column("version", Integer, primary_key=True, autoincrement=False),
    Column("author", Text, nullable=False),
    Column("at", Text, nullable=False),
    Column("data", LargeBinary, nullable=False),
    Index(None, "node"),
)
