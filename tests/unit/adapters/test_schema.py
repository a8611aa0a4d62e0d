"""One schema, whichever way a database comes to it, on SQLite and on PostgreSQL."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Generator
from pathlib import Path

import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from sqlalchemy import Engine, create_engine, inspect, text
from sqlalchemy.engine.interfaces import ReflectedIndex

from huaben.adapters.db import engines, fulltext, memory_schema, migrating, schema, versions
from huaben.adapters.db.store import open_store
from huaben.errors import StorageFailed
from huaben.testing.clock import ManualClock
from tests.contract.postgres import a_schema, a_server


@pytest.fixture(scope="module")
def server() -> Generator[str]:
    with a_server() as address:
        yield address


@pytest.fixture(params=["sqlite", pytest.param("postgresql", marks=pytest.mark.postgres)])
def pair(request: pytest.FixtureRequest, tmp_path: Path) -> Generator[tuple[Engine, Engine]]:
    """Two empty databases of one kind: one to be made at once, one to be migrated."""
    if request.param == "sqlite":
        made, migrated = (engines.sqlite_maker(tmp_path / name) for name in ("made", "migrated"))
    else:
        server = str(request.getfixturevalue("server"))
        made, migrated = (engines.postgresql_writer(a_schema(server)) for _ in range(2))
    yield made, migrated
    made.dispose()
    migrated.dispose()


def described(engine: Engine) -> dict[str, object]:
    """All that the database says about its tables."""
    inspector = inspect(engine)
    found: dict[str, object] = {}
    for table in inspector.get_table_names():
        columns = [
            (column["name"], str(column["type"]), column["nullable"], column["default"])
            for column in inspector.get_columns(table)
        ]
        found[table] = [
            columns,
            inspector.get_pk_constraint(table),
            sorted(inspector.get_foreign_keys(table), key=str),
            sorted(map(index_told, inspector.get_indexes(table))),
            sorted(inspector.get_unique_constraints(table), key=str),
        ]
    if engine.dialect.name == "sqlite":
        with engine.connect() as connection:
            statements = connection.execute(text("SELECT name, sql FROM sqlite_master"))
            found["statements"] = {name: sql and sorted(lines(sql)) for name, sql in statements}
    return found


def index_told(index: ReflectedIndex) -> str:
    options = {name: str(value) for name, value in index.get("dialect_options", {}).items()}
    return f"{index['name']} {index['column_names']} {index['unique']} {options}"


def lines(statement: str) -> list[str]:
    """The order of constraints within a table means nothing, nor that a renamed one is quoted."""
    told = statement.replace('"', "").splitlines()
    return [line.strip().rstrip(",") for line in told if line.strip()]


def test_a_new_database_equals_a_migrated_one(pair: tuple[Engine, Engine]) -> None:
    """Making all tables at once leads to the same schema as the whole history of migrations."""
    made, migrated = pair
    versions.bring_up_to_date(made)
    with migrated.begin() as connection:
        migrating.upgrade(connection)
    assert described(made) == described(migrated)
    with migrated.connect() as connection:
        assert versions.stored_version(connection) == schema.HEAD
        opts = {"compare_type": True, "include_name": is_of_the_metadata}
        context = MigrationContext.configure(connection, opts=opts)
        assert compare_metadata(context, memory_schema.metadata) == []


def is_of_the_metadata(name: str | None, kind: str, _: object) -> bool:
    return not (kind == "table" and name is not None and fulltext.is_known(name))


def test_the_known_head_is_the_head_of_the_history() -> None:
    """The constant that spares the migration tool's import is up to date."""
    assert migrating.newest() == schema.HEAD
    assert migrating.is_known(schema.HEAD)
    assert not migrating.is_known("9999")


def test_opening_twice_changes_nothing(pair: tuple[Engine, Engine]) -> None:
    """A database that is up to date is left alone."""
    made, _ = pair
    versions.bring_up_to_date(made)
    before = described(made)
    versions.bring_up_to_date(made)
    assert described(made) == before


def set_version(root: Path, version: str) -> None:
    engine = create_engine(f"sqlite:///{root / 'huaben.db'}")
    with engine.begin() as connection:
        connection.execute(text("UPDATE alembic_version SET version_num = :v"), {"v": version})
    engine.dispose()


async def test_a_newer_schema_is_refused_clearly(tmp_path: Path) -> None:
    """A library of a newer program is not touched, and can be opened by that program again."""
    clock = ManualClock()
    await open_store(tmp_path, clock=clock).close()
    set_version(tmp_path, "9999")
    for read_only in (False, True):
        with pytest.raises(StorageFailed, match="9999"):
            open_store(tmp_path, clock=clock, read_only=read_only)
    set_version(tmp_path, schema.HEAD)
    await open_store(tmp_path, clock=clock).close()


def test_starting_does_not_import_the_migration_tool(tmp_path: Path) -> None:
    """Neither a new library nor one that is up to date pays for an import of half a second."""
    code = (
        "import asyncio, sys\n"
        "from huaben.adapters.db.store import open_store\n"
        "from huaben.adapters.system import SystemClock\n"
        "for _ in range(2): asyncio.run(open_store(sys.argv[1], clock=SystemClock()).close())\n"
        "print([name for name in ('alembic', 'psycopg', 'mako') if name in sys.modules])\n"
    )
    run = subprocess.run(
        [sys.executable, "-c", code, str(tmp_path / "d")],
        capture_output=True,
        text=True,
        check=True,
    )
    assert run.stdout.strip() == "[]"
