"""Opens a database with all that must be true before the first commit; apart because it happens once.

The data folder is locked, the schema brought up to date, and the files are remembered, so that the
store notices when they are no longer in their place.
"""

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from sqlalchemy import Engine
from sqlalchemy.exc import SQLAlchemyError

from huaben.adapters.db import engines, faults, versions
from huaben.adapters.folder import DataFolder, Hold, Watch, hold
from huaben.adapters.objects import FolderObjects
from huaben.errors import NotFound, StorageFailed


@dataclass(frozen=True, slots=True)
class Database:
    """An opened database. Without `writer` it is read-only. `shared`: other processes may write to
    it while it is open. A data folder brings its lock and its objects."""

    reader: Engine
    writer: Engine | None
    watch: Watch
    shared: bool
    hold: Hold | None = None
    objects: FolderObjects | None = None


def open_database(where: str | Path, *, read_only: bool) -> Database:
    """Open the library in a data folder or at a `postgresql://` address; errors as `open_store`."""
    try:
        if isinstance(where, str) and where.startswith("postgresql"):
            return _open_server(where, read_only)
        folder = DataFolder(Path(where))
        return _read_folder(folder) if read_only else _open_folder(folder)
    except SQLAlchemyError as error:
        raise faults.unread(error) from error
    except OSError as error:
        raise StorageFailed(
            "data_folder_unusable",
            f"the data folder cannot be used: {error}",
            "Give the program a folder that it may write, with --data.",
        ) from error


def _read_folder(folder: DataFolder) -> Database:
    if not folder.database.exists():
        raise NotFound("no_library", f"there is no library in {folder.root}")
    reader = engines.sqlite_reader(folder.database, alone=True)
    with _dispose_on_failure(reader):
        versions.check_up_to_date(reader)
    objects = FolderObjects(folder.objects)
    return Database(reader, None, Watch(folder.database), shared=True, objects=objects)


def _open_folder(folder: DataFolder) -> Database:
    folder.prepare()
    held = hold(folder)
    try:
        maker = engines.sqlite_maker(folder.database)
        try:
            versions.bring_up_to_date(maker)
        finally:
            maker.dispose()
        writer = engines.sqlite_writer(folder.database)
        with _dispose_on_failure(writer), writer.begin() as connection:
            versions.stored_version(connection)  # makes the journal appear, which is watched too
        reader = engines.sqlite_reader(folder.database, alone=False)
        journal = folder.database.with_name(folder.database.name + "-wal")
        watch = Watch(folder.database, journal)
        return Database(reader, writer, watch, False, held, FolderObjects(folder.objects))
    except BaseException:
        held.release()
        raise


def _open_server(url: str, read_only: bool) -> Database:
    reader = engines.postgresql_reader(url)
    with _dispose_on_failure(reader):
        if read_only:
            versions.check_up_to_date(reader)
            return Database(reader, None, Watch(), shared=True)
        writer = engines.postgresql_writer(url)
        with _dispose_on_failure(writer):
            versions.bring_up_to_date(writer)
        return Database(reader, writer, Watch(), shared=True)


@contextmanager
def _dispose_on_failure(engine: Engine) -> Generator[None]:
    try:
        yield
    except BaseException:
        engine.dispose()
        raise
