"""Puts a library that was made ready in the place of the present one; apart because all of it happens in
one moment, and because a start must be able to finish it.

The database decides: the exchange of its rows is one transaction, and with them comes the effect that
tells a later start which library it has. The files follow it, by renames that can be taken up anywhere.
"""

from __future__ import annotations

import json
import sqlite3
from dataclasses import dataclass
from typing import cast

from sqlalchemy import Connection, inspect, select, text
from sqlalchemy.exc import SQLAlchemyError

from huaben.adapters.db import engines, faults, schema
from huaben.adapters.db.backup_loading import NEW, OLD, PARTS, PLAN, Staged, clear
from huaben.adapters.db.backup_writing import Order, Place, sync_folder, write
from huaben.adapters.fullness import not_written
from huaben.errors import Conflict, StorageFailed
from huaben.ports.vault import Made


def exchange(place: Place, staged: Staged, before: Order) -> Made:
    """Back up the present library, then put the other in its place. Blocks; nobody else writes
    meanwhile. Raises `Conflict("turn_running")` and `StorageFailed`, and then nothing was changed."""
    try:
        made = _on_server(place, staged, before) if place.url else _in_file(place, staged, before)
    except (SQLAlchemyError, sqlite3.Error) as error:
        raise _refused(error) from error
    try:
        put_files_in_place(place)
    except OSError as fault:
        raise StorageFailed(
            "restore_unfinished",
            f"the stories are restored, but not yet all files: {fault}",
            "Restart the program; it finishes by itself.",
        ) from fault
    return made


def _refused(error: SQLAlchemyError | sqlite3.Error) -> StorageFailed:
    if isinstance(error, SQLAlchemyError):
        return faults.refused(error)
    return nothing_restored(error)


def nothing_restored(fault: OSError | sqlite3.Error) -> StorageFailed:
    """The fault of a restore that changed nothing."""
    if isinstance(fault, OSError):
        return not_written(fault, "restore_failed", "nothing was restored")
    if faults.says_full(fault):
        return StorageFailed(
            "disk_full", "the disk is full; nothing was restored", "Make room, then try again."
        )
    return StorageFailed("restore_failed", f"nothing was restored: {fault}")


def check_still(place: Place, connection: Connection) -> None:
    """Raises `Conflict("turn_running")`. In a data folder only this process can run a turn: whatever
    else says that it runs was left so by one that died."""
    turn = schema.turn
    running = select(turn.c.id).where(turn.c.run == "running", turn.c.deleted.is_(False))
    if not place.url:
        running = running.where(turn.c.owner == place.owner)
    if connection.execute(running.limit(1)).first() is not None:
        raise Conflict(
            "turn_running", "A turn is running.", "Wait for its end or stop it, then restore."
        )


# ---- rows --------------------------------------------------------------------------------------


def _in_file(place: Place, staged: Staged, before: Order) -> Made:
    """Page by page, as one transaction of the present file: who reads keeps the moment he began with,
    and a death before the end leaves the file as it was."""
    with place.reading() as connection:
        check_still(place, connection)
    made = write(place, before)
    there = place.folder.database.absolute().as_uri()
    timeout = engines.BUSY_TIMEOUT_S
    target = sqlite3.connect(f"{there}?mode=rw", uri=True, timeout=timeout, isolation_level=None)
    source = sqlite3.connect(staged.database, isolation_level=None)
    try:
        target.execute("PRAGMA synchronous=FULL").close()
        source.backup(target)
    finally:
        source.close()
        target.close()
    return made


def _on_server(place: Place, staged: Staged, before: Order) -> Made:
    engine = engines.postgresql_writer(place.url)
    try:
        with engine.begin() as connection:
            names = _tables(connection, staged.database)
            quote = connection.dialect.identifier_preparer.quote_identifier
            every = ", ".join(map(quote, names))
            # Others may read on, also the backup; nobody writes.
            connection.exec_driver_sql(f"LOCK TABLE {every} IN SHARE ROW EXCLUSIVE MODE")
            check_still(place, connection)
            made = write(place, before)
            connection.exec_driver_sql(f"TRUNCATE {every}")
            for name in names:
                _copy(connection, staged.database, name)
            _count_on(connection)
            connection.exec_driver_sql(f"DROP SCHEMA {quote(staged.database)} CASCADE")
        return made
    finally:
        engine.dispose()


def _tables(connection: Connection, there: str) -> list[str]:
    """All tables but the migration tool's, each behind those that it refers to."""
    known = [table.name for table in schema.metadata.sorted_tables]
    found = set(inspect(connection).get_table_names(schema=there)) - {"alembic_version"}
    return [*(name for name in known if name in found), *sorted(found - set(known))]


def _copy(connection: Connection, there: str, name: str) -> None:
    quote = connection.dialect.identifier_preparer.quote_identifier
    columns = inspect(connection).get_columns(name, schema=there)
    listed = ", ".join(quote(column["name"]) for column in columns)
    source = f"{quote(there)}.{quote(name)}"
    connection.exec_driver_sql(
        f"INSERT INTO {quote(name)} ({listed}) SELECT {listed} FROM {source}"
    )


def _count_on(connection: Connection) -> None:
    """Numbers that are given out go on behind those that came in."""
    counted = text(
        "SELECT table_name, column_name, pg_get_serial_sequence(quote_ident(table_name), column_name)"
        " FROM information_schema.columns"
        " WHERE table_schema = current_schema() AND column_default LIKE 'nextval(%'"
    )
    quote = connection.dialect.identifier_preparer.quote_identifier
    for table, column, sequence in connection.execute(counted).all():
        highest = f"SELECT max({quote(column)}) FROM {quote(table)}"
        following = text(f"SELECT setval(:sequence, coalesce(({highest}), 0) + 1, false)")
        connection.execute(following, {"sequence": sequence})


# ---- files -------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Plan:
    """A restore that was made ready: the key by which it is known whether the database was
    exchanged, and the parts of the data folder that it brings; the others go."""

    key: str
    parts: frozenset[str]


def planned(place: Place) -> Plan | None:
    """What an earlier process had made ready; None where there is nothing, or it was not finished."""
    try:
        plan: object = json.loads((place.folder.restoring / PLAN).read_bytes())
    except (OSError, ValueError):
        return None
    if not isinstance(plan, dict):
        return None
    told = cast("dict[str, object]", plan)  # the keys of a JSON object are strings
    key, parts = told.get("key"), told.get("parts")
    if not isinstance(key, str) or not isinstance(parts, list):
        return None
    return Plan(key, frozenset(map(str, cast("list[object]", parts))))


def put_files_in_place(place: Place) -> None:
    """Exchange the files of a decided restore; goes on where an earlier attempt ended."""
    plan = planned(place)
    if plan is None:
        return
    root, restoring = place.folder.root, place.folder.restoring
    (restoring / OLD).mkdir(mode=0o700, exist_ok=True)
    for part in PARTS:
        here, new, old = root / part, restoring / NEW / part, restoring / OLD / part
        # One that is brought and no longer waits was put in place by an earlier attempt.
        if here.exists() and (new.exists() or part not in plan.parts):
            here.rename(old)
        if new.exists():
            new.rename(here)
    sync_folder(root)
    (restoring / PLAN).unlink()
    sync_folder(restoring)
    clear(restoring)
