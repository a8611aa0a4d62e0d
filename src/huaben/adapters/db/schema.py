"""The tables, once for SQLite and PostgreSQL; apart because migrations, rows and reads all name them.

Words of people and models are `Words`: any Python string goes in and comes out. Everything that is
a structure is JSON text; what is large and repeats (requests, outlines, resolved configurations) is
a `segment`, stored once under its hash.
"""

from __future__ import annotations

import json

from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    Dialect,
    ForeignKey,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    Table,
    Text,
    TypeDecorator,
    UniqueConstraint,
    text,
)

HEAD = "0016"
"""The newest migration; a store at this version opens without the migration tool."""

MARK = "\x1bjson:"
"""Begins the escaped spelling of a string that a database cannot hold as it is."""


class Words(TypeDecorator[str]):
    """Text that may hold anything, also U+0000 (which PostgreSQL refuses) and lone surrogates
    (which no database can encode): such strings are kept as marked JSON."""

    impl = Text
    cache_ok = True

    def process_bind_param(self, value: str | None, dialect: Dialect) -> str | None:
        if value is None or (value.isascii() and "\0" not in value and value[:1] != "\x1b"):
            return value
        return escaped(value)

    def process_result_value(self, value: str | None, dialect: Dialect) -> str | None:
        if value is None or not value.startswith(MARK):
            return value
        return str(json.loads(value.removeprefix(MARK)))


def escaped(value: str) -> str:
    """The string as a database can hold it; the same string where it can."""
    try:
        value.encode()
    except UnicodeEncodeError:
        return MARK + json.dumps(value)
    return MARK + json.dumps(value) if "\0" in value or value.startswith(MARK) else value


metadata = MetaData(
    naming_convention={
        "ix": "ix_%(table_name)s_%(column_0_N_name)s",
        "uq": "uq_%(table_name)s_%(column_0_N_name)s",
        "ck": "ck_%(table_name)s_%(constraint_name)s",
        "fk": "fk_%(table_name)s_%(column_0_N_name)s_%(referred_table_name)s",
        "pk": "pk_%(table_name)s",
    }
)


def _text(name: str) -> Column[str]:
    return Column(name, Text, nullable=False)


def _words(name: str) -> Column[str]:
    return Column(name, Words, nullable=False)


def _number(name: str) -> Column[int]:
    return Column(name, Integer, nullable=False)


def _claim(name: str) -> Column[bool]:
    return Column(name, Boolean, nullable=False)


NAME = Text().with_variant(Text(collation="C"), "postgresql")
"""Ids and keys: sorted and compared by their bytes, as SQLite and Python do."""


def _id(name: str = "id") -> Column[str]:
    return Column(name, NAME, primary_key=True)


def _of(table: str, name: str, *, key: bool = False, column: str = "id") -> Column[str]:
    """A reference to a row of another table."""
    return Column(name, NAME, ForeignKey(f"{table}.{column}"), primary_key=key, nullable=False)


def _deleted_at() -> Column[str | None]:
    """When it went to the trash; null for what is not there."""
    return Column("deleted_at", NAME)


def _in_trash(table: str) -> Index:
    there = text("deleted_at IS NOT NULL")
    columns = ("user_id", "deleted_at", "id")
    return Index(f"ix_{table}_trash", *columns, sqlite_where=there, postgresql_where=there)


project = Table(
    "project",
    metadata,
    _id(),
    _text("user_id"),
    _words("title"),
    _text("mode"),
    _text("language"),
    _text("created_at"),
    Column("card_id", Text),
    _text("lorebook_ids"),
    _text("persona"),
    Column("config", LargeBinary, nullable=False),
    _claim("deleted"),
    _number("revision"),
    _number("next_seq"),
    _number("next_call"),
    _deleted_at(),
    Index(None, "user_id", "id"),
    _in_trash("project"),
)


def _library_table(name: str) -> Table:
    return Table(
        name,
        metadata,
        _id(),
        _text("user_id"),
        _words("name"),
        _text("object_hash"),
        _words("filename"),
        _text("created_at"),
        _claim("deleted"),
        _number("revision"),
        _text("report"),
        _text("content"),
        _deleted_at(),
        Column("follows", Text, index=True),
        Index(None, "user_id", "id"),
        Index(None, "user_id", "object_hash"),
        _in_trash(name),
    )


card = _library_table("card")
lorebook = _library_table("lorebook")

guidance = Table(
    "guidance",
    metadata,
    _id("user_id"),
    _id("card_id"),
    _id("name"),
    _words("text"),
    _number("revision"),
)

turn = Table(
    "turn",
    metadata,
    # What is small comes first, so that reading it does not walk through the words behind it.
    _id(),
    _of("project", "project_id"),
    _text("user_id"),
    Column("parent", Text),
    _text("kind"),
    _text("beat"),
    _number("depth"),
    _text("run"),
    Column("outcome", Text),
    Column("revises_turn", Text),
    Column("revises_version", Integer),
    _claim("deleted"),
    _claim("prose"),
    _number("epoch"),
    _number("revision"),
    _number("next_seq"),
    Column("request_id", Text),
    _text("owner"),
    _text("created_at"),
    _text("ended_at"),
    _text("code"),
    _number("version"),
    Column("config", LargeBinary, nullable=False),
    _words("message"),
    _words("title"),
    _text("asked"),
    _words("user_text"),
    _words("final_text"),
    Column("revises_text", Words),
    _claim("at_once"),
    Column("rerolls", Text),
    # Holds the whole skeleton, so that a tree of ten thousand nodes is read without touching words.
    Index(
        "ix_turn_skeleton",
        "project_id",
        "id",
        "parent",
        "kind",
        "beat",
        "depth",
        "run",
        "outcome",
        "revises_turn",
        "revises_version",
        "deleted",
        "prose",
    ),
    UniqueConstraint("project_id", "request_id"),
)

Index(
    "ix_turn_unended",
    turn.c.id,
    sqlite_where=turn.c.run != "ended",
    postgresql_where=turn.c.run != "ended",
)

head = Table(
    "head",
    metadata,
    _of("project", "project_id", key=True),
    _text("turn_id"),
    _number("revision"),
)

visit = Table(
    "visit",
    metadata,
    _of("turn", "node_id", key=True),
    _text("child_id"),
)

# What is large in it is compressed; not the key but the order of writing is the
# table's, because in a table ordered by its key a large row wastes most of a page.
turn_event = Table(
    "turn_event",
    metadata,
    _of("turn", "turn_id", key=True),
    Column("seq", Integer, primary_key=True, autoincrement=False),
    _number("epoch"),
    _text("at"),
    _text("kind"),
    Column("payload", LargeBinary, nullable=False),
)

project_event = Table(
    "project_event",
    metadata,
    _of("project", "project_id", key=True),
    Column("seq", Integer, primary_key=True, autoincrement=False),
    _text("at"),
    _text("kind"),
    Column("turn", Text),
    Column("detail", Text),
    sqlite_with_rowid=False,
)

segment = Table(
    "segment",
    metadata,
    Column("hash", LargeBinary, primary_key=True),
    Column("content", LargeBinary, nullable=False),
)

call = Table(
    "call",
    metadata,
    _id(),
    _of("turn", "turn_id"),
    _of("project", "project_id"),
    _text("user_id"),
    # Counts the calls of the project in the order in which they were opened.
    _number("ordinal"),
    _number("n"),
    _text("purpose"),
    _text("model"),
    _text("state"),
    # The request: the first `keep` parts of the base's, then the tail. The outline likewise.
    Column("base_call", NAME, ForeignKey("call.id")),
    _number("chain"),
    _number("keep"),
    Column("tail", LargeBinary, nullable=False),
    _number("outline_keep"),
    Column("outline_tail", LargeBinary, nullable=False),
    Column("request_bytes", BigInteger, nullable=False),
    _text("break_cause"),
    _text("opened_at"),
    _text("closed_at"),
    Column("first_token_ms", BigInteger),
    Column("prompt_tokens", BigInteger),
    Column("completion_tokens", BigInteger),
    Column("reasoning_tokens", BigInteger),
    Column("cached_tokens", BigInteger),
    Column("cache_written_tokens", BigInteger),
    _words("error"),
    Column("reply", LargeBinary),
    # In millionths of a unit of the currency; both null where the cost is not known.
    Column("cost_micros", BigInteger),
    Column("cost_currency", Text),
    Index(None, "turn_id", "ordinal"),
    Index(None, "project_id", "purpose", "ordinal", unique=True),
)

connection = Table(
    "connection",
    metadata,
    _id("user_id"),
    _id("name"),
    _claim("kept"),
    _text("settings"),
    _text("capabilities"),
    _text("created_at"),
    _number("revision"),
)

effect = Table("effect", metadata, _id("key"), _text("result"))

lane = Table("lane", metadata, _id("name"), _number("next_seq"))

due = Table(
    "due",
    metadata,
    _of("lane", "lane", key=True, column="name"),
    Column("seq", Integer, primary_key=True, autoincrement=False),
    _text("kind"),
    _text("payload"),
    _text("made_at"),
    _words("outcome"),
    Index(None, "made_at", "lane", "seq"),
)

# What is due, of all lanes and of one; each in the order in which it is read, so that what was carried
# out, which grows for ever, is passed over.
for _name, _columns in (
    ("ix_due_open", (due.c.made_at, due.c.lane, due.c.seq)),
    ("ix_due_waiting", (due.c.lane, due.c.made_at, due.c.seq)),
):
    Index(
        _name,
        *_columns,
        sqlite_where=due.c.outcome == "",
        postgresql_where=due.c.outcome == "",
    )
