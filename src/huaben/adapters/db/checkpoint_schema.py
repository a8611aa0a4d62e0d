"""The tables of the manuscripts' history; apart because the schema fills its file."""

from __future__ import annotations

from sqlalchemy import Boolean, Column, ForeignKey, Index, Integer, LargeBinary, Table, Text

from huaben.adapters.db.schema import NAME, Words, metadata

# Counts the checkpoints of a project: whoever adds one says which was the last that he saw.
manuscript = Table(
    "manuscript",
    metadata,
    Column("project_id", NAME, ForeignKey("project.id"), primary_key=True),
    Column("revision", Integer, nullable=False),
)

# What changed is stored with each; all files only now and then, so that the cost of a checkpoint
# grows neither with the history nor with the manuscript.
checkpoint = Table(
    "checkpoint",
    metadata,
    Column("project_id", NAME, ForeignKey("project.id"), primary_key=True),
    Column("number", Integer, primary_key=True, autoincrement=False),
    Column("id", NAME, nullable=False),
    Column("user_id", Text, nullable=False),
    Column("at", Text, nullable=False),
    Column("author", Text, nullable=False),
    Column("turn", NAME, ForeignKey("turn.id")),
    Column("aborted", Boolean, nullable=False),
    Column("restored_from", NAME),
    Column("name", Words, nullable=False),
    Column("message", Words, nullable=False),
    Column("delta", LargeBinary, nullable=False),
    Column("files", LargeBinary),
    Column("cause", Text),
    Index(None, "id", unique=True),
    Index(None, "turn"),
)
