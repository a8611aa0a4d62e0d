"""Rows as lines of JSON and back, alike for SQLite and PostgreSQL; apart from the archive that they lie in.

Values are as the database holds them: what a string is escaped to stays escaped, bytes are base64. So
a reader needs no types but the database's own, and rows of an older schema are read by its tables.
"""

from __future__ import annotations

import base64
import binascii
import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Final, TypeAlias, cast

from sqlalchemy import (
    Boolean,
    Column,
    ColumnElement,
    Connection,
    Integer,
    LargeBinary,
    MetaData,
    Table,
    Text,
    TypeDecorator,
    func,
    insert,
    select,
    type_coerce,
)

from huaben.adapters.db import schema
from huaben.adapters.db.backup_archive import MAX_FACTS_BYTES, damaged, line, split, values

DERIVED: Final = frozenset({"passage", "card_face"})
"""Tables that are made anew from others, as the full-text indexes are."""
AT_ONCE: Final = 200

_ORDER: Final[Mapping[str, Sequence[str]]] = {"call": ("project_id", "ordinal")}
"""Where a row refers to another of its table, which must come first. Otherwise keys are the order."""

Seen: TypeAlias = Callable[[str, Mapping[str, object]], None]
"""Is told of each row that goes by, by table and column."""


def tables() -> list[Table]:
    """The tables that a backup holds, each behind those that it refers to."""
    return [table for table in schema.metadata.sorted_tables if table.name not in DERIVED]


# ---- out ---------------------------------------------------------------------------------------


def lines(connection: Connection, table: Table) -> Iterator[bytes]:
    """The columns of a table, then its rows, in lines that are gathered into larger pieces."""
    names = [column.name for column in table.columns]
    yield line({"table": table.name, "columns": names})
    chosen = select(*(_raw(column) for column in table.columns)).order_by(*_order(table))
    streamed = connection.execute(chosen.execution_options(yield_per=AT_ONCE))
    for some in streamed.partitions():
        yield b"".join(line([_told(value) for value in row]) for row in some)


def _raw(column: ColumnElement[object]) -> ColumnElement[object]:
    return type_coerce(column, Text) if isinstance(column.type, TypeDecorator) else column


def _order(table: Table) -> list[ColumnElement[object]]:
    named = _ORDER.get(table.name)
    return [table.c[name] for name in named] if named else list(table.primary_key)


def _told(value: object) -> object:
    return base64.b64encode(value).decode("ascii") if isinstance(value, bytes) else value


# ---- in ----------------------------------------------------------------------------------------


def rows(name: str, pieces: Iterable[bytes]) -> Iterator[Mapping[str, object]]:
    """The rows of a table's file by their columns. Raises `BadInput("backup_damaged")`."""
    every = split(pieces)
    columns = _columns(name, next(every, b""))
    for text in every:
        yield dict(zip(columns, values(text, len(columns)), strict=True))


def _columns(name: str, text: bytes) -> list[str]:
    """The columns that the first line of a table's file names."""
    try:
        told: object = json.loads(text) if len(text) <= MAX_FACTS_BYTES else None
    except (ValueError, RecursionError):
        told = None
    if not isinstance(told, dict):
        raise damaged(f"the table {name} does not begin with its columns")
    header = cast("dict[str, object]", told)  # the keys of a JSON object are strings
    columns = header.get("columns")
    if header.get("table") != name or not isinstance(columns, list):
        raise damaged(f"the table {name} does not begin with its columns")
    return [str(column) for column in cast("list[object]", columns)]


def reflected(connection: Connection, names: Iterable[str]) -> list[Table]:
    """These tables as the database describes them, each behind those that it refers to. Raises
    `BadInput` for one that the database has not."""
    wanted = set(names)
    found = MetaData()
    found.reflect(connection, only=lambda name, _: name in wanted)
    missing = wanted - found.tables.keys()
    if missing:
        raise damaged(f"its schema knows no table {min(missing)}")
    return [table for table in found.sorted_tables if table.name in wanted]


def load(connection: Connection, table: Table, every: Iterable[Mapping[str, object]]) -> int:
    """Insert rows into a reflected table, and count them."""
    columns = {column.name: column for column in table.columns}
    waiting: list[dict[str, object]] = []
    number = 0
    for row in every:
        if set(row) != set(columns):
            raise damaged(f"the table {table.name} has not the columns of its schema")
        waiting.append({name: _value(columns[name], value) for name, value in row.items()})
        if len(waiting) == AT_ONCE:
            connection.execute(insert(table), waiting)
            number, waiting = number + len(waiting), []
    if waiting:
        connection.execute(insert(table), waiting)
    return number + len(waiting)


def _value(column: Column[object], value: object) -> object:
    """The value as the column takes it. SQLite takes anything anywhere, so its kind is looked at."""
    if value is None:
        return None
    match value:
        case bool():
            fits = isinstance(column.type, Boolean)
        case int():
            fits = isinstance(column.type, Integer)
        case str():
            fits = isinstance(column.type, (Text, LargeBinary))
        case _:
            fits = False
    if not fits:
        raise damaged(f"{column.table.name}.{column.name} holds what it cannot")
    if not isinstance(column.type, LargeBinary):
        return value
    try:
        return base64.b64decode(str(value), validate=True)
    except (ValueError, binascii.Error) as why:
        raise damaged(f"bytes that are no base64: {why}") from why


def count(connection: Connection, table: Table) -> int:
    return int(connection.execute(select(func.count()).select_from(table)).scalar_one())
