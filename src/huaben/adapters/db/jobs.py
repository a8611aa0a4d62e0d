"""Reads of jobs: what is due, what was carried out, and the effects of its steps; one file per port."""

from __future__ import annotations

from sqlalchemy import ColumnElement, Connection, and_, func, literal_column, select, true, tuple_

from huaben.adapters.db import codec, rows, schema
from huaben.adapters.db.rows import AnyRow
from huaben.ports import DueJob, Effect, Page

_due = schema.due
_effect = schema.effect
_ORDER = (_due.c.made_at, _due.c.lane, _due.c.seq)


def effect(connection: Connection, key: str) -> Effect | None:
    row = connection.execute(select(_effect).where(_effect.c.key == key)).one_or_none()
    return None if row is None else _effect_of(row)


def effects(connection: Connection, prefix: str, after: str, limit: int | None) -> list[Effect]:
    chosen = select(_effect).where(begins(_effect.c.key, prefix), _effect.c.key > after)
    found = connection.execute(chosen.order_by(_effect.c.key).limit(limit))
    return [_effect_of(row) for row in found]


def count_effects(connection: Connection, prefix: str) -> int:
    counted = select(func.count()).select_from(_effect).where(begins(_effect.c.key, prefix))
    return connection.execute(counted).scalar_one()


def due(connection: Connection, lane: str | None) -> list[DueJob]:
    # Written out, not bound: only then does SQLite see that the index of what is due serves here.
    chosen = select(_due).where(_due.c.outcome == literal_column("''"))
    if lane is not None:
        chosen = chosen.where(_due.c.lane == lane)
    return [rows.job_of(row) for row in connection.execute(chosen.order_by(*_ORDER))]


def job(connection: Connection, lane: str, seq: int) -> DueJob | None:
    chosen = select(_due).where(_due.c.lane == lane, _due.c.seq == seq)
    row = connection.execute(chosen).one_or_none()
    return None if row is None else rows.job_of(row)


def jobs(connection: Connection, page: Page, kind: str | None) -> tuple[list[DueJob], str | None]:
    limit = min(max(page.limit, 1), 200)
    chosen = select(_due).order_by(*(column.desc() for column in _ORDER)).limit(limit + 1)
    if kind is not None:
        chosen = chosen.where(_due.c.kind == kind)
    if page.after is not None:
        made_at, _, job_id = page.after.partition(" ")
        lane, _, seq = job_id.rpartition(":")
        chosen = chosen.where(tuple_(*_ORDER) < (made_at, lane, int(seq or 0)))
    found = [rows.job_of(row) for row in connection.execute(chosen)]
    last = found[limit - 1] if len(found) > limit else None
    return found[:limit], None if last is None else f"{last.made_at} {last.id}"


def begins(column: ColumnElement[str], prefix: str) -> ColumnElement[bool]:
    """That a name begins so, as a stretch of its index."""
    if not prefix:
        return true()
    return and_(column >= prefix, column < prefix[:-1] + chr(ord(prefix[-1]) + 1))


def _effect_of(row: AnyRow) -> Effect:
    return Effect(str(row.key), codec.object_from(row.result))
