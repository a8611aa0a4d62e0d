"""Connections to the database with the settings that durability rests on; apart from their use.

SQLite: write-ahead log, every commit synced to disk, a write transaction locks at its beginning (so
that no read before it is stale), reads see one moment and cannot write. PostgreSQL gets the same
promises from its isolation levels.
"""

from __future__ import annotations

import os
import sqlite3
from pathlib import Path

from sqlalchemy import URL, Connection, Engine, create_engine, event, make_url

BUSY_TIMEOUT_S = 10.0
READERS = 4


def sqlite_maker(database: Path) -> Engine:
    """The connection that creates and migrates; makes the file (mode 0600) if there is none."""
    os.close(os.open(database, os.O_CREAT | os.O_RDWR, 0o600))
    engine = _sqlite(database, "rw", pool_size=1)
    _on_connect(engine, "journal_mode=WAL", "synchronous=FULL", "foreign_keys=OFF")
    _on_begin(engine, "BEGIN IMMEDIATE")
    return engine


def sqlite_writer(database: Path) -> Engine:
    """The one connection that writes."""
    engine = _sqlite(database, "rw", pool_size=1)
    _on_connect(engine, "synchronous=FULL", "foreign_keys=ON")
    _on_begin(engine, "BEGIN IMMEDIATE")
    return engine


def sqlite_reader(database: Path, *, alone: bool) -> Engine:
    """Connections that only read. `alone`: this process does not write the file, nor may it."""
    engine = _sqlite(database, "ro" if alone else "rw", pool_size=READERS)
    _on_connect(engine, "query_only=ON")
    _on_begin(engine, "BEGIN")
    return engine


def postgresql_writer(url: str) -> Engine:
    return create_engine(
        _psycopg(url), pool_size=1, max_overflow=0, pool_pre_ping=True, hide_parameters=True
    )


def postgresql_reader(url: str) -> Engine:
    return create_engine(
        _psycopg(url),
        pool_size=READERS,
        max_overflow=0,
        pool_pre_ping=True,
        isolation_level="REPEATABLE READ",
        execution_options={"postgresql_readonly": True},
    )


def _psycopg(url: str) -> URL:
    return make_url(url).set(drivername="postgresql+psycopg")


def _sqlite(database: Path, mode: str, pool_size: int) -> Engine:
    # The mode never creates: a database that has vanished must not come back empty.
    place = database.absolute().as_uri()
    url = URL.create("sqlite+pysqlite", database=place, query={"mode": mode, "uri": "true"})
    # Threads take turns on a connection, each in a transaction of its own.
    settings = {"check_same_thread": False, "isolation_level": None, "timeout": BUSY_TIMEOUT_S}
    return create_engine(
        url, pool_size=pool_size, max_overflow=0, connect_args=settings, hide_parameters=True
    )


def _on_connect(engine: Engine, *pragmas: str) -> None:
    def set_up(connection: sqlite3.Connection, _: object) -> None:
        for pragma in pragmas:
            connection.execute(f"PRAGMA {pragma}").close()

    event.listen(engine, "connect", set_up)


def _on_begin(engine: Engine, statement: str) -> None:
    def begin(connection: Connection) -> None:
        connection.exec_driver_sql(statement)

    event.listen(engine, "begin", begin)
