"""Versions of cards: each names the one whose place it took."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0013"
down_revision = "0012"
branch_labels = None
depends_on = None


def upgrade() -> None:
    recreate = "always" if op.get_bind().dialect.name == "sqlite" else "auto"
    with op.batch_alter_table("card", recreate=recreate) as batch:
        batch.add_column(sa.Column("follows", sa.Text, nullable=True))
