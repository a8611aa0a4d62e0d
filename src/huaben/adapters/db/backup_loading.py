"""The library of an archive, made whole beside the present one: a database of its own, brought up to date,
and the files that go with it. Apart from putting it in place, which is one moment; this may take minutes.
"""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Callable, Generator, Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from sqlalchemy import URL, Connection, Engine, insert, make_url, text
from sqlalchemy.exc import OperationalError, SQLAlchemyError

from huaben.adapters.db import engines, faults, schema, versions
from huaben.adapters.db.backup_archive import Unpacking, damaged, opened
from huaben.adapters.db.backup_reading import table_of
from huaben.adapters.db.backup_rows import load, reflected, rows
from huaben.adapters.db.backup_writing import Place, sync_folder
from huaben.adapters.objects import FolderObjects
from huaben.ports.vault import Contents

PLAN: Final = "plan.json"
NEW: Final = "new"
OLD: Final = "old"
PARTS: Final = ("projects", "scenarios", "prices.toml")
"""What of a data folder is exchanged as a whole. Objects are only added: their names say what they hold."""


@dataclass(frozen=True, slots=True)
class Staged:
    """A library that waits beside the present one. `key` is the effect that only it has recorded: by
    it a later start knows whether it was put in place. `database` is its file, or its schema on the
    server."""

    key: str
    contents: Contents
    database: str


def stage(
    place: Place, archive: Path, contents: Contents, restore_id: str, going_on: Callable[[], None]
) -> Staged:
    """Make it ready in the folder `restoring`. Raises `BadInput` and `StorageFailed`."""
    folder = place.folder.restoring
    clear(folder)
    folder.mkdir(mode=0o700)
    (folder / NEW).mkdir(mode=0o700)
    key = f"restored/{restore_id}"
    with opened(archive, going_on) as unpacking:
        _unpack_files(place, unpacking)
        with _empty_database(place) as (engine, database), _told_apart():
            _fill(engine, unpacking, contents, key)
    _write_plan(folder, key)
    return Staged(key, contents, database)


def clear(folder: Path) -> None:
    """Remove what a restore had prepared or put aside."""
    if folder.exists():
        shutil.rmtree(folder)


def discard(place: Place) -> None:
    """Remove what a restore had prepared and did not put in place, also on the server. Raises
    `OSError` and `SQLAlchemyError`."""
    if place.url and place.folder.restoring.exists():
        engine = engines.postgresql_writer(place.url)
        try:
            with engine.begin() as connection:
                connection.exec_driver_sql(f"DROP SCHEMA IF EXISTS {_scratch(connection)} CASCADE")
        finally:
            engine.dispose()
    clear(place.folder.restoring)


# ---- files -------------------------------------------------------------------------------------


def _unpack_files(place: Place, unpacking: Unpacking) -> None:
    objects = FolderObjects(place.folder.objects)
    for name in unpacking.entries:
        top = name.partition("/")[0]
        if top == "objects":
            objects.put_pieces(name.rpartition("/")[2], unpacking.pieces(name))
        elif top in PARTS:
            _write_file(place.folder.restoring / NEW, name, unpacking.pieces(name))


def _write_file(root: Path, name: str, pieces: Iterator[bytes]) -> None:
    path = root / name
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    # Exclusively: on a system that does not tell cases apart, two names may be one file.
    with path.open("xb") as file:
        for piece in pieces:
            file.write(piece)
        file.flush()
        os.fsync(file.fileno())


def _write_plan(folder: Path, key: str) -> None:
    """The last thing to be written: without it nothing of the rest counts."""
    for parent, _, _ in os.walk(folder):
        sync_folder(Path(parent))
    unfinished = folder / f"{PLAN}.part"
    with unfinished.open("w") as file:
        json.dump(
            {"key": key, "parts": [part for part in PARTS if (folder / NEW / part).exists()]}, file
        )
        file.flush()
        os.fsync(file.fileno())
    unfinished.replace(folder / PLAN)
    sync_folder(folder)


# ---- rows --------------------------------------------------------------------------------------


@contextmanager
def _empty_database(place: Place) -> Generator[tuple[Engine, str]]:
    if place.url:
        name = _make_schema(place.url)
        engine, database = engines.postgresql_writer(within(place.url, name)), name
    else:
        path = place.folder.restoring / "huaben.db"
        engine, database = engines.sqlite_maker(path), str(path)
    try:
        yield engine, database
    finally:
        engine.dispose()


def within(url: str, name: str) -> str:
    """The address of a schema on the same server."""
    there: URL = make_url(url).update_query_dict({"options": f"-csearch_path={name}"})
    return there.render_as_string(hide_password=False)


def _make_schema(url: str) -> str:
    engine = engines.postgresql_writer(url)
    try:
        with engine.begin() as connection:
            quoted = _scratch(connection)
            connection.exec_driver_sql(f"DROP SCHEMA IF EXISTS {quoted} CASCADE")
            connection.exec_driver_sql(f"CREATE SCHEMA {quoted}")
            return quoted[1:-1].replace('""', '"')
    finally:
        engine.dispose()


def _scratch(connection: Connection) -> str:
    """The quoted name of the schema beside the present one."""
    present = str(connection.execute(text("SELECT current_schema()")).scalar_one())
    name = f"{present[:50]}_restoring"
    return str(connection.dialect.identifier_preparer.quote_identifier(name))


@contextmanager
def _told_apart() -> Generator[None]:
    """What the database refuses is a fault of the archive, unless it is the database's own."""
    try:
        yield
    except OperationalError as error:
        raise faults.refused(error) from error
    except SQLAlchemyError as error:
        raise damaged(f"its rows do not go together: {getattr(error, 'orig', error)}") from error


def _fill(engine: Engine, unpacking: Unpacking, contents: Contents, key: str) -> None:
    """The rows under the schema that they were written with, then migrated forward."""
    is_present = contents.schema == schema.HEAD
    if is_present:
        versions.bring_up_to_date(engine)
    else:
        from huaben.adapters.db import migrating  # here because it imports slowly and rarely

        with engine.begin() as connection:
            migrating.upgrade(connection, contents.schema)
    with engine.begin() as connection:
        _load_tables(connection, unpacking)
    if not is_present:
        versions.bring_up_to_date(engine)
    with engine.begin() as connection:
        if is_present:
            versions.derive(connection)
        connection.execute(insert(schema.effect).values(key=key, result="{}"))
        _check_references(connection)


def _load_tables(connection: Connection, unpacking: Unpacking) -> None:
    names = [table for name in unpacking.entries if (table := table_of(name)) is not None]
    for table in reflected(connection, names):
        member = f"tables/{table.name}.jsonl"
        with closing(unpacking.pieces(member)) as pieces:
            load(connection, table, rows(table.name, pieces))


def _check_references(connection: Connection) -> None:
    if connection.dialect.name != "sqlite":
        return  # the server has refused what refers to nothing
    for table, row_id, of, _ in connection.exec_driver_sql("PRAGMA foreign_key_check"):
        raise damaged(f"row {row_id} of {table} belongs to a row of {of} that is not there")
