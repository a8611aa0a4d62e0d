"""Reads of logs: events, and calls with their requests; one file per port."""

from __future__ import annotations

from collections.abc import Sequence

from sqlalchemy import Connection, select, union_all

from huaben.adapters.db import rows, schema, segments
from huaben.adapters.db.rows import AnyRow
from huaben.domain.events import End, Status
from huaben.domain.messages import WireRequest
from huaben.ports import CallRecord, LoggedEvent, LoggedProjectEvent


def events(
    connection: Connection, turn_id: str, after: int, limit: int | None
) -> list[LoggedEvent]:
    table = schema.turn_event
    found = connection.execute(
        select(table)
        .where(table.c.turn_id == turn_id, table.c.seq > after)
        .order_by(table.c.seq)
        .limit(limit)
    )
    return [rows.event_of(row) for row in found]


def project_events(
    connection: Connection, project_id: str, after: int, limit: int | None
) -> list[LoggedProjectEvent]:
    table = schema.project_event
    found = connection.execute(
        select(table)
        .where(table.c.project_id == project_id, table.c.seq > after)
        .order_by(table.c.seq)
        .limit(limit)
    )
    return [rows.project_event_of(row) for row in found]


def is_over(connection: Connection, turn_id: str) -> bool:
    table = schema.turn_event
    chosen = select(table.c.kind).where(
        table.c.turn_id == turn_id, table.c.kind.in_((Status.kind, End.kind))
    )
    newest = connection.execute(chosen.order_by(table.c.seq.desc()).limit(1)).scalar_one_or_none()
    return newest is None or newest == End.kind


def last_seq(connection: Connection, stream_id: str) -> int:
    """The highest number in the log of a turn or project; 0 where there is none."""
    tables = (schema.turn, schema.project)
    found = connection.execute(
        union_all(*(select(table.c.next_seq).where(table.c.id == stream_id) for table in tables))
    ).scalars()
    return max((int(next_seq) for next_seq in found), default=1) - 1


def calls(connection: Connection, turn_id: str) -> list[CallRecord]:
    table = schema.call
    found = connection.execute(
        select(table).where(table.c.turn_id == turn_id).order_by(table.c.ordinal)
    ).all()
    return _records(connection, found)


def latest_calls(
    connection: Connection, project_id: str, purpose: str, limit: int, before: str | None
) -> list[CallRecord]:
    table = schema.call
    chosen = select(table).where(table.c.project_id == project_id, table.c.purpose == purpose)
    if before is not None:
        its_place = select(table.c.ordinal).where(table.c.id == before).scalar_subquery()
        chosen = chosen.where(table.c.ordinal < its_place)
    return _records(
        connection, connection.execute(chosen.order_by(table.c.ordinal.desc()).limit(limit)).all()
    )


def request(connection: Connection, call_id: str) -> WireRequest | None:
    whole = segments.references(connection, [call_id]).get(call_id)
    return None if whole is None else segments.request_of(connection, whole)


def _records(connection: Connection, found: Sequence[AnyRow]) -> list[CallRecord]:
    references = segments.references(connection, [str(row.id) for row in found])
    outlines = segments.outlines_of(connection, references)
    return [rows.call_of(row, outlines[row.id]) for row in found]
