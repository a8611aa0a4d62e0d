"""The first schema. Written out, not taken from today's tables, so that it stays what it was."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None


def upgrade() -> None:
    _library()
    _tree()
    _logs()
    _calls()
    _jobs()


def _text(name: str, *, null: bool = False) -> sa.Column[str]:
    return sa.Column(name, sa.Text(), nullable=null)


def _id(name: str = "id", *, null: bool = False) -> sa.Column[str]:
    name_type = sa.Text().with_variant(sa.Text(collation="C"), "postgresql")
    return sa.Column(name, name_type, nullable=null)


def _number(name: str, *, null: bool = False) -> sa.Column[int]:
    return sa.Column(name, sa.Integer(), nullable=null)


def _large(name: str, *, null: bool = False) -> sa.Column[int]:
    return sa.Column(name, sa.BigInteger(), nullable=null)


def _seq() -> sa.Column[int]:
    return sa.Column("seq", sa.Integer(), autoincrement=False, nullable=False)


def _bytes(name: str, *, null: bool = False) -> sa.Column[bytes]:
    return sa.Column(name, sa.LargeBinary(), nullable=null)


def _claim(name: str) -> sa.Column[bool]:
    return sa.Column(name, sa.Boolean(), nullable=False)


def _key(table: str, *columns: str) -> sa.PrimaryKeyConstraint:
    return sa.PrimaryKeyConstraint(*columns, name=op.f(f"pk_{table}"))


def _of(table: str, column: str, other: str, key: str = "id") -> sa.ForeignKeyConstraint:
    name = op.f(f"fk_{table}_{column}_{other}")
    return sa.ForeignKeyConstraint([column], [f"{other}.{key}"], name=name)


def _index(table: str, *columns: str, unique: bool = False) -> None:
    op.create_index(op.f(f"ix_{table}_{'_'.join(columns)}"), table, columns, unique=unique)


def _library() -> None:
    for table in ("card", "lorebook"):
        op.create_table(
            table,
            _id(),
            _text("user_id"),
            _text("name"),
            _text("object_hash"),
            _text("filename"),
            _text("created_at"),
            _claim("deleted"),
            _number("revision"),
            _text("report"),
            _text("content"),
            _key(table, "id"),
        )
        _index(table, "user_id", "id")
        _index(table, "user_id", "object_hash")
    op.create_table(
        "guidance",
        _id("user_id"),
        _id("card_id"),
        _id("name"),
        _text("text"),
        _number("revision"),
        _key("guidance", "user_id", "card_id", "name"),
    )


def _tree() -> None:
    op.create_table(
        "project",
        _id(),
        _text("user_id"),
        _text("title"),
        _text("mode"),
        _text("language"),
        _text("created_at"),
        _text("card_id", null=True),
        _text("lorebook_ids"),
        _text("persona"),
        _bytes("config"),
        _claim("deleted"),
        _number("revision"),
        _number("next_seq"),
        _number("next_call"),
        _key("project", "id"),
    )
    _index("project", "user_id", "id")
    _turns()
    op.create_table(
        "head",
        _id("project_id"),
        _text("turn_id"),
        _number("revision"),
        _of("head", "project_id", "project"),
        _key("head", "project_id"),
    )
    op.create_table(
        "visit",
        _id("node_id"),
        _text("child_id"),
        _of("visit", "node_id", "turn"),
        _key("visit", "node_id"),
    )


def _turns() -> None:
    op.create_table(
        "turn",
        _id(),
        _id("project_id"),
        _text("user_id"),
        _text("parent", null=True),
        _text("kind"),
        _text("beat"),
        _number("depth"),
        _text("run"),
        _text("outcome", null=True),
        _text("revises_turn", null=True),
        _number("revises_version", null=True),
        _claim("deleted"),
        _claim("prose"),
        _number("epoch"),
        _number("revision"),
        _number("next_seq"),
        _text("request_id", null=True),
        _text("owner"),
        _text("created_at"),
        _text("ended_at"),
        _text("code"),
        _number("version"),
        _bytes("config"),
        _text("message"),
        _text("title"),
        _text("asked"),
        _text("user_text"),
        _text("final_text"),
        _text("revises_text", null=True),
        _key("turn", "id"),
        sa.UniqueConstraint("project_id", "request_id", name=op.f("uq_turn_project_id_request_id")),
        _of("turn", "project_id", "project"),
    )
    skeleton = "project_id id parent kind beat depth run outcome revises_turn revises_version"
    op.create_index("ix_turn_skeleton", "turn", [*skeleton.split(), "deleted", "prose"])
    unended = sa.text("run != 'ended'")
    op.create_index(
        "ix_turn_unended", "turn", ["id"], sqlite_where=unended, postgresql_where=unended
    )


def _logs() -> None:
    op.create_table(
        "turn_event",
        _id("turn_id"),
        _seq(),
        _number("epoch"),
        _text("at"),
        _text("kind"),
        _bytes("payload"),
        _of("turn_event", "turn_id", "turn"),
        _key("turn_event", "turn_id", "seq"),
    )
    op.create_table(
        "project_event",
        _id("project_id"),
        _seq(),
        _text("at"),
        _text("kind"),
        _text("turn", null=True),
        _text("detail", null=True),
        _of("project_event", "project_id", "project"),
        _key("project_event", "project_id", "seq"),
        sqlite_with_rowid=False,
    )


def _calls() -> None:
    op.create_table("segment", _bytes("hash"), _bytes("content"), _key("segment", "hash"))
    op.create_table(
        "call",
        _id(),
        _id("turn_id"),
        _id("project_id"),
        _text("user_id"),
        _number("ordinal"),
        _number("n"),
        _text("purpose"),
        _text("model"),
        _text("state"),
        _id("base_call", null=True),
        _number("chain"),
        _number("keep"),
        _bytes("tail"),
        _number("outline_keep"),
        _bytes("outline_tail"),
        _large("request_bytes"),
        _text("break_cause"),
        _text("opened_at"),
        _text("closed_at"),
        _large("first_token_ms", null=True),
        _large("prompt_tokens", null=True),
        _large("completion_tokens", null=True),
        _large("reasoning_tokens", null=True),
        _large("cached_tokens", null=True),
        _large("cache_written_tokens", null=True),
        _text("error"),
        _bytes("reply", null=True),
        _key("call", "id"),
        _of("call", "turn_id", "turn"),
        _of("call", "project_id", "project"),
        _of("call", "base_call", "call"),
    )
    _index("call", "turn_id", "ordinal")
    _index("call", "project_id", "purpose", "ordinal", unique=True)


def _jobs() -> None:
    op.create_table("effect", _id("key"), _text("result"), _key("effect", "key"))
    op.create_table("lane", _id("name"), _number("next_seq"), _key("lane", "name"))
    op.create_table(
        "due",
        _id("lane"),
        _seq(),
        _text("kind"),
        _text("payload"),
        _text("made_at"),
        _text("outcome"),
        _of("due", "lane", "lane", "name"),
        _key("due", "lane", "seq"),
    )
    still_due = sa.text("outcome = ''")
    op.create_index(
        "ix_due_open", "due", ["made_at"], sqlite_where=still_due, postgresql_where=still_due
    )
