"""A trash that says when a thing was put there, and jobs listed from the newest to the oldest."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None

_MOMENT = sa.Text().with_variant(sa.Text(collation="C"), "postgresql")


def upgrade() -> None:
    there = sa.text("deleted_at IS NOT NULL")
    # Made anew on SQLite, so that the table reads like a new one.
    recreate = "always" if op.get_bind().dialect.name == "sqlite" else "auto"
    for table in ("project", "card", "lorebook"):
        with op.batch_alter_table(table, recreate=recreate) as batch:
            batch.add_column(sa.Column("deleted_at", _MOMENT))
        # What was deleted before has been in the trash since then, as far as anybody can tell.
        op.execute(f"UPDATE {table} SET deleted_at = created_at WHERE deleted")
        op.create_index(
            f"ix_{table}_trash",
            table,
            ["user_id", "deleted_at", "id"],
            sqlite_where=there,
            postgresql_where=there,
        )
    op.create_index(op.f("ix_due_made_at_lane_seq"), "due", ["made_at", "lane", "seq"])
