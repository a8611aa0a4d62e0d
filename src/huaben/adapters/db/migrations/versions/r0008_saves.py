"""Named saves."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0008"
down_revision = "0007"
branch_labels = None
depends_on = None

_NAME = sa.Text().with_variant(sa.Text(collation="C"), "postgresql")


def upgrade() -> None:
    op.create_table(
        "save",
        sa.Column("id", _NAME, nullable=False),
        sa.Column("user_id", sa.Text, nullable=False),
        sa.Column("project_id", _NAME, nullable=False),
        sa.Column("node", _NAME, nullable=False),
        sa.Column("name", sa.Text, nullable=False),
        sa.Column("author", sa.Text, nullable=False),
        sa.Column("created_at", sa.Text, nullable=False),
        sa.Column("deleted", sa.Boolean, nullable=False),
        sa.Column("revision", sa.Integer, nullable=False),
        sa.Column("deleted_at", _NAME),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_save")),
        sa.ForeignKeyConstraint(["node"], ["turn.id"], name=op.f("fk_save_node_turn")),
        sa.ForeignKeyConstraint(
            ["project_id"], ["project.id"], name=op.f("fk_save_project_id_project")
        ),
    )
    op.create_index(op.f("ix_save_project_id_id"), "save", ["project_id", "id"])
    op.create_index(op.f("ix_save_node"), "save", ["node"])
    there = sa.text("deleted_at IS NOT NULL")
    op.create_index(
        "ix_save_trash",
        "save",
        ["user_id", "deleted_at", "id"],
        sqlite_where=there,
        postgresql_where=there,
    )
