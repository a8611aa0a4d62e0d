"""Versions of lorebooks, as cards have them; what took a version's place is found by an index."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0015"
down_revision = "0014"
branch_labels = None
depends_on = None


def upgrade() -> None:
    recreate = "always" if op.get_bind().dialect.name == "sqlite" else "auto"
    with op.batch_alter_table("lorebook", recreate=recreate) as batch:
        batch.add_column(sa.Column("follows", sa.Text, nullable=True))
    for table in ("card", "lorebook"):
        op.create_index(f"ix_{table}_follows", table, ["follows"])
