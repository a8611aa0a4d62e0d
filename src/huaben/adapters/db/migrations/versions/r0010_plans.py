"""Plans: a row per revision and the count of them, and the traces of the jobs that make them."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0010"
down_revision = "0009"
branch_labels = None
depends_on = None

_NAME = sa.Text().with_variant(sa.Text(collation="C"), "postgresql")


def upgrade() -> None:
    op.create_table(
        "plan",
        sa.Column("project_id", _NAME, nullable=False),
        sa.Column("revision", sa.Integer, nullable=False),
        sa.PrimaryKeyConstraint("project_id", name=op.f("pk_plan")),
        sa.ForeignKeyConstraint(
            ["project_id"], ["project.id"], name=op.f("fk_plan_project_id_project")
        ),
    )
    op.create_table(
        "plan_revision",
        sa.Column("project_id", _NAME, nullable=False),
        sa.Column("serial", sa.Integer, autoincrement=False, nullable=False),
        sa.Column("beat", _NAME, nullable=False),
        sa.Column("node", _NAME, nullable=False),
        sa.Column("number", sa.Integer, nullable=False),
        sa.Column("base", sa.Integer, nullable=False),
        sa.Column("author", sa.Text, nullable=False),
        sa.Column("at", sa.Text, nullable=False),
        sa.Column("content", sa.LargeBinary, nullable=False),
        sa.PrimaryKeyConstraint("project_id", "serial", name=op.f("pk_plan_revision")),
        sa.ForeignKeyConstraint(
            ["project_id"], ["project.id"], name=op.f("fk_plan_revision_project_id_project")
        ),
        sa.ForeignKeyConstraint(["node"], ["turn.id"], name=op.f("fk_plan_revision_node_turn")),
    )
    op.create_index(op.f("ix_plan_revision_node"), "plan_revision", ["node"])
    _traces()


def _traces() -> None:
    op.create_table(
        "plan_trace",
        sa.Column("project_id", _NAME, nullable=False),
        sa.Column("seq", sa.Integer, autoincrement=False, nullable=False),
        sa.Column("turn_id", _NAME, nullable=False),
        sa.Column("beat", _NAME, nullable=False),
        sa.Column("began_at", sa.Text, nullable=False),
        sa.Column("ended_at", sa.Text, nullable=False),
        sa.Column("outcome", sa.Text, nullable=False),
        sa.Column("detail", sa.Text, nullable=False),
        sa.Column("base", sa.Integer, nullable=False),
        sa.Column("revision", sa.Integer, nullable=False),
        sa.Column("turn", sa.Integer, nullable=False),
        sa.Column("tokens", sa.BigInteger, nullable=False),
        sa.Column("nodes", sa.LargeBinary, nullable=False),
        sa.PrimaryKeyConstraint("project_id", "seq", name=op.f("pk_plan_trace")),
        sa.ForeignKeyConstraint(
            ["project_id"], ["project.id"], name=op.f("fk_plan_trace_project_id_project")
        ),
        sa.ForeignKeyConstraint(["turn_id"], ["turn.id"], name=op.f("fk_plan_trace_turn_id_turn")),
    )
    op.create_index(op.f("ix_plan_trace_turn_id"), "plan_trace", ["turn_id"])
    op.create_index(
        op.f("ix_plan_trace_project_id_began_at"), "plan_trace", ["project_id", "began_at"]
    )
