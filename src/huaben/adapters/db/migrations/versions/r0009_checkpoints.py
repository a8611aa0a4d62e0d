"""The history of manuscripts: a row per checkpoint, and the count of them."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0009"
down_revision = "0008"
branch_labels = None
depends_on = None

_NAME = sa.Text().with_variant(sa.Text(collation="C"), "postgresql")


def upgrade() -> None:
    op.create_table(
        "manuscript",
        sa.Column("project_id", _NAME, nullable=False),
        sa.Column("revision", sa.Integer, nullable=False),
        sa.PrimaryKeyConstraint("project_id", name=op.f("pk_manuscript")),
        sa.ForeignKeyConstraint(
            ["project_id"], ["project.id"], name=op.f("fk_manuscript_project_id_project")
        ),
    )
    op.create_table(
        "checkpoint",
        sa.Column("project_id", _NAME, nullable=False),
        sa.Column("number", sa.Integer, autoincrement=False, nullable=False),
        sa.Column("id", _NAME, nullable=False),
        sa.Column("user_id", sa.Text, nullable=False),
        sa.Column("at", sa.Text, nullable=False),
        sa.Column("author", sa.Text, nullable=False),
        sa.Column("turn", _NAME),
        sa.Column("aborted", sa.Boolean, nullable=False),
        sa.Column("restored_from", _NAME),
        sa.Column("name", sa.Text, nullable=False),
        sa.Column("message", sa.Text, nullable=False),
        sa.Column("delta", sa.LargeBinary, nullable=False),
        sa.Column("files", sa.LargeBinary),
        sa.PrimaryKeyConstraint("project_id", "number", name=op.f("pk_checkpoint")),
        sa.ForeignKeyConstraint(
            ["project_id"], ["project.id"], name=op.f("fk_checkpoint_project_id_project")
        ),
        sa.ForeignKeyConstraint(["turn"], ["turn.id"], name=op.f("fk_checkpoint_turn_turn")),
    )
    op.create_index(op.f("ix_checkpoint_id"), "checkpoint", ["id"], unique=True)
    op.create_index(op.f("ix_checkpoint_turn"), "checkpoint", ["turn"])
