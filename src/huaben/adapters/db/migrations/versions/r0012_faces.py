"""What cards show on the shelf, and favourites. The faces are filled as all derived data is."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0012"
down_revision = "0011"
branch_labels = None
depends_on = None

_NAME = sa.Text().with_variant(sa.Text(collation="C"), "postgresql")


def upgrade() -> None:
    op.create_table(
        "card_face",
        sa.Column("card_id", _NAME, nullable=False),
        sa.Column("user_id", sa.Text, nullable=False),
        sa.Column("name_key", _NAME, nullable=False),
        sa.Column("sought", sa.Text, nullable=False),
        sa.Column("tag_keys", sa.Text, nullable=False),
        sa.Column("tags", sa.Text, nullable=False),
        sa.PrimaryKeyConstraint("card_id", name=op.f("pk_card_face")),
        sa.ForeignKeyConstraint(["card_id"], ["card.id"], name=op.f("fk_card_face_card_id_card")),
    )
    op.create_index(op.f("ix_card_face_user_id_card_id"), "card_face", ["user_id", "card_id"])
    op.create_index(
        op.f("ix_card_face_user_id_name_key_card_id"),
        "card_face",
        ["user_id", "name_key", "card_id"],
    )
    op.create_table(
        "favourite",
        sa.Column("card_id", _NAME, nullable=False),
        sa.Column("user_id", sa.Text, nullable=False),
        sa.Column("chosen", sa.Boolean, nullable=False),
        sa.Column("revision", sa.Integer, nullable=False),
        sa.PrimaryKeyConstraint("card_id", name=op.f("pk_favourite")),
        sa.ForeignKeyConstraint(["card_id"], ["card.id"], name=op.f("fk_favourite_card_id_card")),
    )
