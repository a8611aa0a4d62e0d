"""Versions of notes that a model proposes and the user has yet to agree to."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0011"
down_revision = "0010"
branch_labels = None
depends_on = None


def upgrade() -> None:
    recreate = "always" if op.get_bind().dialect.name == "sqlite" else "auto"
    with op.batch_alter_table("note_version", recreate=recreate) as batch:
        batch.add_column(
            sa.Column("proposed", sa.Boolean, nullable=False, server_default=sa.false())
        )
    with op.batch_alter_table("note_version") as batch:
        batch.alter_column("proposed", server_default=None)
