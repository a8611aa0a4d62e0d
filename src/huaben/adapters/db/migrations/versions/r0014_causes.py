"""What made a checkpoint: a save on the page, an edit found on the disk, a restore."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0014"
down_revision = "0013"
branch_labels = None
depends_on = None


def upgrade() -> None:
    recreate = "always" if op.get_bind().dialect.name == "sqlite" else "auto"
    with op.batch_alter_table("checkpoint", recreate=recreate) as batch:
        # Of those made before nobody has written it down.
        batch.add_column(sa.Column("cause", sa.Text, nullable=True))
