"""The tables of plans and of the jobs that made them; apart because the schema fills its file."""

from __future__ import annotations

from sqlalchemy import BigInteger, Column, ForeignKey, Index, Integer, LargeBinary, Table, Text

from huaben.adapters.db.schema import NAME, Words, metadata

plan = Table(
    "plan",
    metadata,
    # Its revision counts the revisions of the project's plans, on whatever branch.
    Column("project_id", NAME, ForeignKey("project.id"), primary_key=True),
    Column("revision", Integer, nullable=False),
)

plan_revision = Table(
    "plan_revision",
    metadata,
    Column("project_id", NAME, ForeignKey("project.id"), primary_key=True),
    Column("serial", Integer, primary_key=True, autoincrement=False),
    Column("beat", NAME, nullable=False),
    Column("node", NAME, ForeignKey("turn.id"), nullable=False),
    Column("number", Integer, nullable=False),
    Column("base", Integer, nullable=False),
    Column("author", Text, nullable=False),
    Column("at", Text, nullable=False),
    # Compressed JSON: a whole plan is some ten thousand characters.
    Column("content", LargeBinary, nullable=False),
    Index(None, "node"),
)

plan_trace = Table(
    "plan_trace",
    metadata,
    Column("project_id", NAME, ForeignKey("project.id"), primary_key=True),
    Column("seq", Integer, primary_key=True, autoincrement=False),
    Column("turn_id", NAME, ForeignKey("turn.id"), nullable=False),
    Column("beat", NAME, nullable=False),
    Column("began_at", Text, nullable=False),
    Column("ended_at", Text, nullable=False),
    Column("outcome", Text, nullable=False),
    Column("detail", Words, nullable=False),
    Column("base", Integer, nullable=False),
    Column("revision", Integer, nullable=False),
    Column("turn", Integer, nullable=False),
    Column("tokens", BigInteger, nullable=False),
    Column("nodes", LargeBinary, nullable=False),
    Index(None, "turn_id"),
    Index(None, "project_id", "began_at"),
)
