"""Where the engine keeps what steps recorded: its own file beside the library, or a schema of its own
in the library's server; apart from the engine, which is slow to import, because choosing is not.
"""

from __future__ import annotations

import hashlib
import os
import socket
import sqlite3
from dataclasses import dataclass
from pathlib import Path
from typing import NoReturn

from sqlalchemy import URL, Engine, create_engine, event, make_url, text

from huaben.errors import Conflict

BUSY_TIMEOUT_MS = 30_000
_SCHEMA = "dbos"
_LONGEST_NAME = 63
"""Bytes of a name that PostgreSQL keeps."""


@dataclass(frozen=True, slots=True)
class Journal:
    """`executor` names this process among those that share the journal and is the same at its next
    start: what it leaves unfinished is its own to take up."""

    url: URL
    executor: str
    shared: bool
    """Whether other processes may work from it at the same time."""


def in_folder(database: Path) -> Journal:
    """A file that belongs to one process at a time, whoever holds the data folder."""
    return Journal(
        URL.create("sqlite+pysqlite", database=str(database.absolute())), "embedded", shared=False
    )


def on_server(url: str, folder: Path) -> Journal:
    """A schema of the library's own on its server; the machine and its data folder tell processes apart."""
    executor = f"{socket.gethostname()}:{folder.absolute()}"
    return Journal(make_url(url).set(drivername="postgresql+psycopg"), executor, shared=True)


def open_engine(journal: Journal) -> Engine:
    """Connections for the execution engine, in the manner that it expects of its own."""
    if journal.shared:
        return create_engine(journal.url, pool_size=4, max_overflow=4, pool_pre_ping=True)
    path = Path(journal.url.database or "")
    os.close(os.open(path, os.O_CREAT | os.O_RDWR, 0o600))
    engine = create_engine(journal.url, pool_size=4, max_overflow=4)
    event.listen(engine, "connect", _set_up)
    return engine


def schema_of(journal: Journal, engine: Engine) -> str:
    """The schema of the journal of the library in the connection's current schema.

    Each library has its own, as their jobs are numbered alike. Two that shared one would take each
    other's records for their own, and one's begun job would hold up the lane of the same name of
    the other."""
    if not journal.shared:
        return _SCHEMA
    with engine.connect() as connection:
        library = str(connection.execute(text("SELECT current_schema()")).scalar() or "public")
    if library == "public":
        return _SCHEMA
    name = f"{_SCHEMA}_{library}"
    if len(name.encode()) <= _LONGEST_NAME:
        return name
    return f"{_SCHEMA}_{hashlib.blake2b(library.encode(), digest_size=16).hexdigest()}"


def shut(engine: Engine) -> None:
    """Let its connections go, and let no thread that was left behind open another: a journal on a
    server that is gone would be tried again for ever, and keep the process from ending."""
    event.listen(engine, "do_connect", _refuse)
    engine.dispose()


def _refuse(*_: object) -> NoReturn:
    raise Conflict("jobs_closed", "Background jobs have been closed.")


def _set_up(connection: sqlite3.Connection, _: object) -> None:
    # Its own migrations begin a transaction by hand, so no listener may begin one for them.
    connection.isolation_level = "IMMEDIATE"
    # Not synced on each commit: after a power failure some steps run again, and their effects, which
    # the library holds, are read back there.
    settings = ("journal_mode=WAL", "synchronous=NORMAL", f"busy_timeout={BUSY_TIMEOUT_MS}")
    for pragma in (*settings, "foreign_keys=ON"):
        connection.execute(f"PRAGMA {pragma}").close()
