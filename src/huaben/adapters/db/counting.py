"""Rows whose revisions are counted, and the check that an expectation holds; the compare-and-set of
every write, apart so that it is read as one thing.

A row is compared and replaced by one `UPDATE … WHERE revision = :expected`, so the check holds
against other processes too.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from sqlalchemy import ColumnElement, Connection, Table, insert, select, update

from huaben.adapters.db import (
    checkpoint_schema,
    face_schema,
    item_schema,
    memory_schema,
    plan_schema,
    saves_schema,
    schema,
    state_schema,
)
from huaben.adapters.db.rows import Values
from huaben.ports import Fence, Key, Kind, Stale

_TABLES: Mapping[Kind, Table] = {
    "project": schema.project,
    "card": schema.card,
    "lorebook": schema.lorebook,
    "guidance": schema.guidance,
    "turn": schema.turn,
    "head": schema.head,
    "connection": schema.connection,
    "note": memory_schema.note,
    "state": state_schema.node_state,
    "preset": item_schema.library_item,
    "persona": item_schema.library_item,
    "scripts": item_schema.library_item,
    "quick_replies": item_schema.library_item,
    "dressing": item_schema.dressing,
    "consent": item_schema.consent,
    "save": saves_schema.save,
    "manuscript": checkpoint_schema.manuscript,
    "plan": plan_schema.plan,
    "favourite": face_schema.favourite,
}


class Refused(Exception):
    """Carries a refusal up to where the commit began."""

    def __init__(self, stale: Stale) -> None:
        super().__init__(stale)
        self.stale = stale


@dataclass(frozen=True, slots=True)
class Counted:
    """A counted row: its columns, and the counters it begins with, which others move later."""

    key: Key
    values: Values
    counters: Values = field(default_factory=dict[str, object])


def passed(fence: Fence, epoch: int | None) -> Stale:
    """The refusal of a commit whose run is over."""
    return Stale("epoch", fence.turn_id, fence.epoch, -1 if epoch is None else epoch)


def check(connection: Connection, key: Key, expected: int) -> None:
    """Raises `Refused` unless the revision in force is the expected one."""
    actual = revision(connection, key)
    if actual != expected:
        raise Refused(Stale(*key, expected, actual))


def revision(connection: Connection, key: Key) -> int:
    """The revision in force, 0 for what does not exist; the row stays locked until the end."""
    table = _TABLES[key[0]]
    found = connection.execute(
        select(table.c.revision).where(*_this(table, key)).with_for_update()
    ).scalar_one_or_none()
    return 0 if found is None else int(found)


def write(connection: Connection, row: Counted, expected: int | None) -> int:
    """Insert or replace the row and give its new revision; raises `Refused` when it does not have
    the expected one."""
    table = _TABLES[row.key[0]]
    if expected != 0:
        change = update(table).where(*_this(table, row.key)).values(row.values)
        change = change.values(revision=table.c.revision + 1).returning(table.c.revision)
        if expected is not None:
            change = change.where(table.c.revision == expected)
        changed = connection.execute(change).scalar_one_or_none()
        if changed is not None:
            return int(changed)
    if expected is not None:
        actual = revision(connection, row.key)
        if actual or expected:
            raise Refused(Stale(*row.key, expected, actual))
    connection.execute(insert(table).values(row.values | row.counters | {"revision": 1}))
    return 1


def _this(table: Table, key: Key) -> Iterator[ColumnElement[bool]]:
    # How many columns a key is made of; the last one may hold anything.
    cuts = {"guidance": 2, "connection": 1, "state": 1, "consent": 1}.get(key[0], 0)
    names = key[1].split("/", cuts)
    return (column == name for column, name in zip(table.primary_key, names, strict=True))
