"""Connections that the user keeps, what a test of them found, and what each call cost."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None

_NAME = sa.Text().with_variant(sa.Text(collation="C"), "postgresql")


def upgrade() -> None:
    op.create_table(
        "connection",
        sa.Column("user_id", _NAME, nullable=False),
        sa.Column("name", _NAME, nullable=False),
        sa.Column("kept", sa.Boolean, nullable=False),
        sa.Column("settings", sa.Text, nullable=False),
        sa.Column("capabilities", sa.Text, nullable=False),
        sa.Column("created_at", sa.Text, nullable=False),
        sa.Column("revision", sa.Integer, nullable=False),
        sa.PrimaryKeyConstraint("user_id", "name", name=op.f("pk_connection")),
    )
    # Made anew on SQLite, so that the table reads like a new one.
    recreate = "always" if op.get_bind().dialect.name == "sqlite" else "auto"
    with op.batch_alter_table("call", recreate=recreate) as batch:
        batch.add_column(sa.Column("cost_micros", sa.BigInteger))
        batch.add_column(sa.Column("cost_currency", sa.Text))
