"""Finds what is not whole in the stored data; apart because nothing else looks at everything.

Each check gives one sentence per fault, and goes on to the next row after one that cannot be read:
the point is to say how much is left.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TypeAlias

from sqlalchemy import Connection, Table, select

from huaben.adapters.db import (
    checkpoints,
    codec,
    item_schema,
    items,
    plans,
    rows,
    schema,
    states,
    stories,
)
from huaben.adapters.db.call_audit import call_faults, config_faults
from huaben.adapters.db.codec import Undecodable
from huaben.adapters.db.image_audit import picture_faults
from huaben.adapters.db.memory_audit import index_faults, note_faults
from huaben.adapters.db.rows import AnyRow
from huaben.domain.events import TurnEvent
from huaben.domain.soundness import log_faults, tree_faults
from huaben.domain.turnview import replay

Check: TypeAlias = Callable[[Connection], Iterator[str]]
HasObject: TypeAlias = Callable[[str], bool]


_CANNOT_WRITE = "attempt to write a readonly database"
"""Some versions of SQLite try a full-text index by writing to it, which a reader may not."""


def checks(has_object: HasObject | None) -> tuple[Check, ...]:
    """All checks, the cheapest first. `has_object` tells whether the bytes of an import are there;
    None where objects are not this store's to look for."""

    def library(connection: Connection) -> Iterator[str]:
        return _library_faults(connection, has_object)

    def pictures(connection: Connection) -> Iterator[str]:
        yield from picture_faults(connection, has_object)
        yield from items.picture_faults(connection, has_object)

    return (
        _file_faults,
        library,
        _project_faults,
        _project_log_faults,
        _lane_faults,
        _turn_faults,
        config_faults,
        call_faults,
        note_faults,
        states.faults,
        items.faults,
        checkpoints.faults,
        plans.faults,
        index_faults,
        pictures,
    )


def _file_faults(connection: Connection) -> Iterator[str]:
    if connection.dialect.name != "sqlite":
        return  # the server looks after its own files and references
    for (answer,) in connection.exec_driver_sql("PRAGMA integrity_check"):
        if answer != "ok" and not str(answer).endswith(_CANNOT_WRITE):
            yield f"the database file is damaged: {answer}"
    for table, row_id, of, _ in connection.exec_driver_sql("PRAGMA foreign_key_check"):
        yield f"row {row_id} of {table} belongs to a row of {of} that does not exist"


def _library_faults(connection: Connection, has_object: HasObject | None) -> Iterator[str]:
    kinds: tuple[tuple[Table, Callable[[AnyRow], object]], ...] = (
        (schema.card, rows.card_of),
        (schema.lorebook, rows.book_of),
        (item_schema.library_item, items.item_of),
    )
    for table, read in kinds:
        for row in connection.execute(select(table).order_by(table.c.id)):
            yield from _undecodable(f"{table.name} {row.id}", lambda row=row, read=read: read(row))
            if has_object is not None and row.object_hash and not has_object(row.object_hash):
                yield f"{table.name} {row.id} lacks its object {row.object_hash}"
    for row in connection.execute(select(schema.effect)):
        yield from _undecodable(f"effect {row.key}", lambda row=row: codec.object_from(row.result))


def _project_faults(connection: Connection) -> Iterator[str]:
    heads = {row.project_id: row.turn_id for row in connection.execute(select(schema.head))}
    for row in connection.execute(select(schema.project).order_by(schema.project.c.id)).all():
        yield from _undecodable(f"project {row.id}", lambda row=row: rows.project_of(row, {}))
        nodes = stories.skeleton(connection, row.id)
        yield from tree_faults(row.id, nodes, heads.get(row.id))


def _project_log_faults(connection: Connection) -> Iterator[str]:
    project, event = schema.project, schema.project_event
    for row in connection.execute(select(project.c.id, project.c.next_seq)).all():
        seqs: list[int] = []
        chosen = select(event).where(event.c.project_id == row.id).order_by(event.c.seq)
        for logged in connection.execute(chosen):
            seqs.append(int(logged.seq))
            name = f"event {logged.seq} of project {row.id}"
            yield from _undecodable(name, lambda logged=logged: rows.project_event_of(logged))
        if seqs != list(range(1, row.next_seq)):
            yield f"the log of project {row.id} does not count from 1 to {row.next_seq - 1}"


def _lane_faults(connection: Connection) -> Iterator[str]:
    lane, due = schema.lane, schema.due
    for row in connection.execute(select(lane)).all():
        seqs: list[int] = []
        for job in connection.execute(
            select(due).where(due.c.lane == row.name).order_by(due.c.seq)
        ):
            seqs.append(int(job.seq))
            name = f"due job {row.name}:{job.seq:010d}"
            yield from _undecodable(name, lambda job=job: rows.job_of(job))
        if seqs != list(range(1, row.next_seq)):
            yield f"lane {row.name} does not count from 1 to {row.next_seq - 1}"


def _turn_faults(connection: Connection) -> Iterator[str]:
    turn = schema.turn
    for (turn_id,) in connection.execute(select(turn.c.id).order_by(turn.c.id)).all():
        row = connection.execute(select(turn).where(turn.c.id == turn_id)).one()
        yield from _undecodable(f"turn {turn_id}", lambda row=row: rows.turn_of(row, {}))
        yield from _turn_log_faults(connection, row)


def _turn_log_faults(connection: Connection, turn: AnyRow) -> Iterator[str]:
    event = schema.turn_event
    log: list[tuple[int, TurnEvent]] = []
    whole = True
    chosen = select(event).where(event.c.turn_id == turn.id).order_by(event.c.seq)
    for row in connection.execute(chosen):
        try:
            logged = rows.event_of(row)
        except Undecodable as fault:
            whole = False
            yield f"event {row.seq} of turn {turn.id} is damaged: {fault}"
        else:
            log.append((logged.seq, logged.event))
    if not whole:
        return
    yield from log_faults(turn.id, log, turn.next_seq - 1)
    if turn.run == "waiting" and replay(event for _, event in log).open_ask is None:
        yield f"turn {turn.id} waits for an answer, but its log holds no open question"


def _undecodable(name: str, read: Callable[[], object]) -> Iterator[str]:
    try:
        read()
    except Undecodable as fault:
        yield f"{name} is damaged: {fault}"
