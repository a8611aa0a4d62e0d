"""Opens a database with all that must be true before the first commit; apart because it happens once.

The data folder is locked, the schema brought up to date, and the files are remembered, so that the
store notices when they are no longer in their place.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from sqlalchemy import Engine
from sqlalchemy.exc import SQLAlchemyError

from huaben.adapters.db import engines, faults, versions
from huaben.adapters.folder import DataFolder, Hold, Watch, hold
from huaben.errors import NotFound


@dataclass(frozen=True, slots=True)
class Database:
    """An opened database. Without `writer` it is read-only; `hold` is the data folder's lock."""

    reader: Engine
    writer: Engine | None
    watch: Watch
    hold: Hold | None
    shared: bool
    """Whether other processes may write to it while it is open."""


def open_database(where: str | Path, *, read_only: bool) -> Database:
    """Open the library in a data folder or at a `postgresql://` address; errors as `open_store`."""
    try:
        if isinstance(where, str) and where.startswith("postgresql"):
            return _open_server(where, read_only)
        return _open_folder(DataFolder(Path(where)), read_only)
    except SQLAlchemyError as error:
        raise faults.unread(error) from error


def _open_folder(folder: DataFolder, read_only: bool) -> Database:
    if read_only:
        if not folder.database.exists():
            raise NotFound("no_library", f"there is no library in {folder.root}")
        reader = engines.sqlite_reader(folder.database, alone=True)
        versions.check_up_to_date(reader)
        return Database(reader, None, Watch(folder.database), None, shared=True)
    folder.prepare()
    held = hold(folder)
    try:
        writer = engines.sqlite_writer(folder.database)
        versions.bring_up_to_date(writer)
    except BaseException:
        held.release()
        raise
    reader = engines.sqlite_reader(folder.database, alone=False)
    journal = folder.database.with_name(folder.database.name + "-wal")
    return Database(reader, writer, Watch(folder.database, journal), held, shared=False)


def _open_server(url: str, read_only: bool) -> Database:
    reader = engines.postgresql_reader(url)
    if read_only:
        versions.check_up_to_date(reader)
        return Database(reader, None, Watch(), None, shared=True)
    writer = engines.postgresql_writer(url)
    versions.bring_up_to_date(writer)
    return Database(reader, writer, Watch(), None, shared=True)
