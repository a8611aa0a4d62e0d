"""What stands at the nodes of a story: ledgers and summaries, each with its versions."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"
branch_labels = None
depends_on = None

_NAME = sa.Text().with_variant(sa.Text(collation="C"), "postgresql")


def upgrade() -> None:
    op.create_table(
        "node_state",
        sa.Column("kind", _NAME, nullable=False),
        sa.Column("node", _NAME, nullable=False),
        sa.Column("project_id", _NAME, nullable=False),
        sa.Column("revision", sa.Integer, nullable=False),
        sa.PrimaryKeyConstraint("kind", "node", name=op.f("pk_node_state")),
        sa.ForeignKeyConstraint(["node"], ["turn.id"], name=op.f("fk_node_state_node_turn")),
        sa.ForeignKeyConstraint(
            ["project_id"], ["project.id"], name=op.f("fk_node_state_project_id_project")
        ),
    )
    op.create_index(op.f("ix_node_state_project_id"), "node_state", ["project_id"])
    op.create_index(op.f("ix_node_state_node"), "node_state", ["node"])
    op.create_table(
        "node_state_version",
        sa.Column("kind", _NAME, nullable=False),
        sa.Column("node", _NAME, nullable=False),
        sa.Column("version", sa.Integer, nullable=False),
        sa.Column("author", sa.Text, nullable=False),
        sa.Column("at", sa.Text, nullable=False),
        sa.Column("data", sa.LargeBinary, nullable=False),
        sa.PrimaryKeyConstraint("kind", "node", "version", name=op.f("pk_node_state_version")),
        sa.ForeignKeyConstraint(
            ["node"], ["turn.id"], name=op.f("fk_node_state_version_node_turn")
        ),
    )
    op.create_index(op.f("ix_node_state_version_node"), "node_state_version", ["node"])
