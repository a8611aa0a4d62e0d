"""Presets, personas, scripts and quick replies; what a story is dressed with; what the user lets run."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"
branch_labels = None
depends_on = None

_NAME = sa.Text().with_variant(sa.Text(collation="C"), "postgresql")


def upgrade() -> None:
    _items()
    op.create_table(
        "library_version",
        sa.Column("item_id", _NAME, nullable=False),
        sa.Column("version", sa.Integer, nullable=False),
        sa.Column("name", sa.Text, nullable=False),
        sa.Column("content", sa.Text, nullable=False),
        sa.PrimaryKeyConstraint("item_id", "version", name=op.f("pk_library_version")),
        sa.ForeignKeyConstraint(
            ["item_id"], ["library_item.id"], name=op.f("fk_library_version_item_id_library_item")
        ),
    )
    op.create_table(
        "dressing",
        sa.Column("project_id", _NAME, nullable=False),
        sa.Column("preset_id", _NAME),
        sa.Column("persona_id", _NAME),
        sa.Column("note", sa.Text, nullable=False),
        sa.Column("revision", sa.Integer, nullable=False),
        sa.PrimaryKeyConstraint("project_id", name=op.f("pk_dressing")),
        sa.ForeignKeyConstraint(
            ["project_id"], ["project.id"], name=op.f("fk_dressing_project_id_project")
        ),
    )
    for name in ("preset_id", "persona_id"):
        op.create_index(op.f(f"ix_dressing_{name}"), "dressing", [name])
    op.create_table(
        "consent",
        sa.Column("user_id", _NAME, nullable=False),
        sa.Column("owner", _NAME, nullable=False),
        sa.Column("digest", sa.Text, nullable=False),
        sa.Column("given_at", sa.Text, nullable=False),
        sa.Column("revision", sa.Integer, nullable=False),
        sa.PrimaryKeyConstraint("user_id", "owner", name=op.f("pk_consent")),
    )


def _items() -> None:
    op.create_table(
        "library_item",
        sa.Column("id", _NAME, nullable=False),
        sa.Column("user_id", sa.Text, nullable=False),
        sa.Column("kind", _NAME, nullable=False),
        sa.Column("name", sa.Text, nullable=False),
        sa.Column("object_hash", sa.Text, nullable=False),
        sa.Column("filename", sa.Text, nullable=False),
        sa.Column("created_at", sa.Text, nullable=False),
        sa.Column("deleted", sa.Boolean, nullable=False),
        sa.Column("revision", sa.Integer, nullable=False),
        sa.Column("report", sa.Text, nullable=False),
        sa.Column("content", sa.Text, nullable=False),
        sa.Column("deleted_at", _NAME),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_library_item")),
    )
    name = op.f("ix_library_item_user_id_kind_id")
    op.create_index(name, "library_item", ["user_id", "kind", "id"])
    name = op.f("ix_library_item_user_id_object_hash")
    op.create_index(name, "library_item", ["user_id", "object_hash"])
    op.create_index(
        op.f("ix_library_item_trash"),
        "library_item",
        ["user_id", "deleted_at", "id"],
        sqlite_where=sa.text("deleted_at IS NOT NULL"),
        postgresql_where=sa.text("deleted_at IS NOT NULL"),
    )
