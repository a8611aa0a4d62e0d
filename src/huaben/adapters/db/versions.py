"""Brings a database to the schema that the program knows, or refuses; apart because it happens once.

A new database is made at once from the tables; the migration tool is slow to import and is called
only where the stored version differs. A test holds both ways to the same schema.
"""

from __future__ import annotations

from sqlalchemy import (
    Column,
    Connection,
    Engine,
    MetaData,
    PrimaryKeyConstraint,
    String,
    Table,
    insert,
    inspect,
    select,
    text,
)

from huaben.adapters.db import faces, fulltext, memory_schema, notes, schema, wording
from huaben.errors import NotFound, StorageFailed

_LOCK = 0x4855_4142_454E
"""Number of PostgreSQL's advisory lock under which one process at a time migrates."""


# The migration tool's own table, as it makes it.
_STAMP = Table(
    "alembic_version",
    MetaData(),
    Column("version_num", String(32), nullable=False),
    PrimaryKeyConstraint("version_num", name="alembic_version_pkc"),
)


def bring_up_to_date(engine: Engine) -> None:
    """Create or migrate. Raises `StorageFailed` for a schema that is newer than the program.

    On SQLite the engine must not enforce foreign keys: making a table anew would trip over them."""
    with engine.begin() as connection:
        if connection.dialect.name == "postgresql":
            connection.execute(text("SELECT pg_advisory_xact_lock(:lock)"), {"lock": _LOCK})
        version = stored_version(connection)
        if version is None:
            _create(connection)
        elif version != schema.HEAD:
            _migrate(connection, version)


def check_up_to_date(engine: Engine) -> None:
    """The same for a store that may not write: refuses what would have to be changed first."""
    with engine.connect() as connection:
        version = stored_version(connection)
    if version is None:
        raise NotFound("no_library", "there is no library in the data folder yet")
    if version != schema.HEAD:
        raise StorageFailed(
            "schema_differs",
            f"the library has schema {version}, this program reads {schema.HEAD}",
            "Start the program once without read-only, or use the version that wrote it.",
        )


def stored_version(connection: Connection) -> str | None:
    """The migration that the database stands at; None for one without tables."""
    if not inspect(connection).has_table(_STAMP.name):
        return None
    found = connection.execute(select(_STAMP.c.version_num)).scalar_one_or_none()
    return None if found is None else str(found)


def _create(connection: Connection) -> None:
    memory_schema.metadata.create_all(connection)
    fulltext.make(connection)
    _STAMP.create(connection)
    connection.execute(insert(_STAMP).values(version_num=schema.HEAD))


def _migrate(connection: Connection, version: str) -> None:
    from huaben.adapters.db import migrating  # here because it imports slowly and rarely

    if not migrating.is_known(version):
        raise StorageFailed(
            "schema_newer",
            f"the library has schema {version}, which this version of the program does not know",
            "Start the version that wrote it, or a newer one. Nothing was changed.",
        )
    migrating.upgrade(connection)
    derive(connection)


def derive(connection: Connection) -> None:
    """Make derived data anew, by the rules of this version of the program."""
    notes.index_all(connection)
    wording.index_all(connection)
    faces.index_all(connection)
