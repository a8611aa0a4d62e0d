"""Runs the migrations; apart because the migration tool is slow to import and rarely needed."""

from __future__ import annotations

from sqlalchemy import Connection


def upgrade(connection: Connection, version: str) -> None:
    raise NotImplementedError(f"{connection} {version}")
