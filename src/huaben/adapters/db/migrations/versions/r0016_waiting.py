"""What is due is found without what was carried out, whose number grows for ever."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0016"
down_revision = "0015"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.drop_index("ix_due_open", "due")
    still_due = sa.text("outcome = ''")
    for name, columns in (
        ("ix_due_open", ["made_at", "lane", "seq"]),
        ("ix_due_waiting", ["lane", "made_at", "seq"]),
    ):
        op.create_index(name, "due", columns, sqlite_where=still_due, postgresql_where=still_due)
