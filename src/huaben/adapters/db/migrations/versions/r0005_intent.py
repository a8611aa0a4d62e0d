"""What a turn was meant as: to run at once, and in the place of which other one."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"
branch_labels = None
depends_on = None


def upgrade() -> None:
    recreate = "always" if op.get_bind().dialect.name == "sqlite" else "auto"
    with op.batch_alter_table("turn", recreate=recreate) as batch:
        batch.add_column(
            sa.Column("at_once", sa.Boolean, nullable=False, server_default=sa.false())
        )
        batch.add_column(sa.Column("rerolls", sa.Text))
    with op.batch_alter_table("turn") as batch:
        batch.alter_column("at_once", server_default=None)
