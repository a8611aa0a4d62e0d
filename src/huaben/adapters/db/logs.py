"""Reads of logs: events, and calls with their requests; one file per port."""

from __future__ import annotations

from sqlalchemy import Connection, select, union_all

from huaben.adapters.db import rows, schema, segments
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
    references = segments.references(connection, [str(row.id) for row in found])
    outlines = segments.outlines_of(connection, references)
    return [rows.call_of(row, outlines[row.id]) for row in found]


def request(connection: Connection, call_id: str) -> WireRequest | None:
    whole = segments.references(connection, [call_id]).get(call_id)
    return None if whole is None else segments.request_of(connection, whole)


def last_request(connection: Connection, project_id: str, purpose: str) -> WireRequest | None:
    base = segments.newest(connection, project_id, purpose)
    return None if base is None else segments.request_of(connection, base.references)
