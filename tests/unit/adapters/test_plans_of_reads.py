"""Reads that everything waits for, as SQLite plans them: none grows with what is over and done."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from sqlalchemy import Connection, event

from huaben.adapters.db import engines, jobs
from tests.unit.adapters.test_audit import opened


async def planned(root: Path, read: Callable[[Connection], object]) -> list[str]:
    """How SQLite goes about each statement of a read, in a database without statistics."""
    async with opened(root):
        engine = engines.sqlite_reader(root / "huaben.db", alone=False)
        told: list[tuple[str, tuple[str, ...]]] = []

        def hear(
            _: object, __: object, statement: str, values: tuple[str, ...], *___: object
        ) -> None:
            told.append((statement, values))

        with engine.connect() as connection:
            event.listen(connection, "before_cursor_execute", hear)
            read(connection)
            event.remove(connection, "before_cursor_execute", hear)
            found = [
                str(row.detail)
                for statement, values in told
                if statement.startswith("SELECT")
                for row in connection.exec_driver_sql(f"EXPLAIN QUERY PLAN {statement}", values)
            ]
        engine.dispose()
    return found


@pytest.mark.parametrize(
    ("lane", "plan"),
    [
        (None, "SCAN due USING INDEX ix_due_open"),
        ("p/post", "SEARCH due USING INDEX ix_due_waiting (lane=?)"),
    ],
)
async def test_jobs_that_are_done_are_passed_over(
    tmp_path: Path, lane: str | None, plan: str
) -> None:
    """However many there were: what is due lies in an index of its own, in the order in which it is read."""
    assert await planned(tmp_path, lambda connection: jobs.due(connection, lane)) == [plan]
