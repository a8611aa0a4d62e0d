"""Notes with their versions, and full-text search over notes and stories."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None

_NAME = sa.Text().with_variant(sa.Text(collation="C"), "postgresql")
_SERIAL = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    op.create_table(
        "note",
        sa.Column("id", _NAME, nullable=False),
        sa.Column("user_id", sa.Text, nullable=False),
        sa.Column("kind", sa.Text, nullable=False),
        sa.Column("source", sa.Text, nullable=False),
        sa.Column("project_id", _NAME),
        sa.Column("card_id", _NAME),
        sa.Column("revision", sa.Integer, nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_note")),
        sa.ForeignKeyConstraint(
            ["project_id"], ["project.id"], name=op.f("fk_note_project_id_project")
        ),
    )
    op.create_index(op.f("ix_note_project_id_id"), "note", ["project_id", "id"])
    op.create_index(op.f("ix_note_card_id_id"), "note", ["card_id", "id"])
    _versions()
    op.create_table(
        "passage",
        sa.Column("serial", _SERIAL, nullable=False),
        sa.Column("turn_id", _NAME, nullable=False),
        sa.Column("part", sa.Integer, nullable=False),
        sa.PrimaryKeyConstraint("serial", name=op.f("pk_passage")),
        sa.ForeignKeyConstraint(["turn_id"], ["turn.id"], name=op.f("fk_passage_turn_id_turn")),
    )
    op.create_index(op.f("ix_passage_turn_id"), "passage", ["turn_id"])
    # The store fills them when the migrations are through.
    for words in ("note_words", "story_words"):
        _index(words)


def _versions() -> None:
    op.create_table(
        "note_version",
        sa.Column("serial", _SERIAL, nullable=False),
        sa.Column("note_id", _NAME, nullable=False),
        sa.Column("version", sa.Integer, nullable=False),
        sa.Column("node", _NAME),
        sa.Column("base", sa.Integer, nullable=False),
        sa.Column("author", sa.Text, nullable=False),
        sa.Column("at", sa.Text, nullable=False),
        sa.Column("locked", sa.Boolean, nullable=False),
        sa.Column("removed", sa.Boolean, nullable=False),
        sa.Column("title", sa.Text, nullable=False),
        sa.Column("text", sa.Text, nullable=False),
        sa.PrimaryKeyConstraint("serial", name=op.f("pk_note_version")),
        sa.ForeignKeyConstraint(
            ["note_id"], ["note.id"], name=op.f("fk_note_version_note_id_note")
        ),
        sa.ForeignKeyConstraint(["node"], ["turn.id"], name=op.f("fk_note_version_node_turn")),
        sa.UniqueConstraint("note_id", "version", name=op.f("uq_note_version_note_id_version")),
    )


def _index(words: str) -> None:
    if op.get_bind().dialect.name == "sqlite":
        op.execute(
            f"CREATE VIRTUAL TABLE {words} USING fts5(terms, content = '', columnsize = 0,"
            " detail = 'none', tokenize = 'unicode61 remove_diacritics 0')"
        )
    else:
        op.execute(f"CREATE TABLE {words} (rowid BIGINT PRIMARY KEY, terms TSVECTOR NOT NULL)")
        op.execute(f"CREATE INDEX ix_{words}_terms ON {words} USING gin (terms)")
