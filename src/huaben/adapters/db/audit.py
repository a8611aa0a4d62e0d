"""Finds what is not whole in the stored data; apart because nothing else looks at everything."""

from __future__ import annotations

from collections.abc import Iterator

from sqlalchemy import Connection


def faults(connection: Connection) -> list[str]:
    """Every fault in one sentence each."""
    return [*_integrity(connection)]


def _integrity(connection: Connection) -> Iterator[str]:
    if connection.dialect.name == "sqlite":
        for (answer,) in connection.exec_driver_sql("PRAGMA integrity_check"):
            if answer != "ok":
                yield f"the database file is damaged: {answer}"
