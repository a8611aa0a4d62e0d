"""Plans and the traces of their jobs as rows and back; one file per port."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import cast

from sqlalchemy import Connection, delete, func, insert, select, update

from huaben.adapters.db import codec
from huaben.adapters.db.codec import Undecodable, a_bytes, a_number, a_text
from huaben.adapters.db.plan_schema import plan, plan_revision, plan_trace
from huaben.adapters.db.rows import AnyRow, Values
from huaben.domain.plan.revision import (
    AUTHORS,
    PlanRevision,
    revision_from_json,
    revision_to_json,
)
from huaben.domain.plan.trace import (
    OUTCOMES,
    Outcome,
    PlanTrace,
    nodes_from_json,
    nodes_to_json,
)

_AT_ONCE = 200
"""Rows that are looked at in one go; what is sought is nearly always the newest."""

# ---- writing -----------------------------------------------------------------------------------


def fixed_values(row: PlanRevision) -> Values:
    return {"project_id": row.project_id}


def add_revision(connection: Connection, row: PlanRevision, serial: int) -> None:
    """Keep a revision under its number."""
    values: Values = {
        "project_id": row.project_id,
        "serial": serial,
        "beat": row.beat,
        "node": row.node,
        "number": row.number,
        "base": row.base,
        "author": row.author,
        "at": row.at,
        "content": codec.packed(codec.to_json(revision_to_json(row)).encode()),
    }
    connection.execute(insert(plan_revision).values(values))


def put_trace(connection: Connection, row: PlanTrace) -> None:
    """Keep the trace of a job in the place of its former one."""
    values: Values = {
        "turn_id": row.turn_id,
        "beat": row.beat,
        "began_at": row.began_at,
        "ended_at": row.ended_at,
        "outcome": row.outcome,
        "detail": row.detail,
        "base": row.base,
        "revision": row.revision,
        "turn": row.turn,
        "tokens": row.tokens,
        "nodes": codec.packed(codec.to_json(nodes_to_json(row.nodes)).encode()),
    }
    this = (plan_trace.c.project_id == row.project_id, plan_trace.c.seq == row.seq)
    change = update(plan_trace).where(*this).values(values).returning(plan_trace.c.seq)
    if connection.execute(change).first() is None:
        key: Values = {"project_id": row.project_id, "seq": row.seq}
        connection.execute(insert(plan_trace).values(values | key))


def forget(connection: Connection, project_id: str) -> None:
    """Delete all plans of a project."""
    for table in (plan_trace, plan_revision, plan):
        connection.execute(delete(table).where(table.c.project_id == project_id))


# ---- reading -----------------------------------------------------------------------------------


def at(connection: Connection, project_id: str, beats: Collection[str]) -> PlanRevision | None:
    for serial in _serials(connection, project_id, frozenset(beats), None):
        return revision(connection, project_id, serial)
    return None


def revision(connection: Connection, project_id: str, serial: int) -> PlanRevision | None:
    chosen = select(plan_revision).where(
        plan_revision.c.project_id == project_id, plan_revision.c.serial == serial
    )
    row = connection.execute(chosen).one_or_none()
    return None if row is None else revision_of(row)


def revisions(
    connection: Connection, project_id: str, beats: Collection[str], before: int | None, limit: int
) -> list[PlanRevision]:
    wanted: list[int] = []
    for serial in _serials(connection, project_id, frozenset(beats), before):
        wanted.append(serial)
        if len(wanted) == min(max(limit, 1), 200):
            break
    chosen = select(plan_revision).where(
        plan_revision.c.project_id == project_id, plan_revision.c.serial.in_(wanted)
    )
    found = connection.execute(chosen.order_by(plan_revision.c.serial.desc()))
    return [revision_of(row) for row in found]


def _serials(
    connection: Connection, project_id: str, beats: frozenset[str], before: int | None
) -> Iterator[int]:
    """The numbers of the revisions of these beats, newest first. A path may be longer than what one
    statement can hold, so the rows come here and not the beats there."""
    columns = select(plan_revision.c.serial, plan_revision.c.beat)
    chosen = columns.where(plan_revision.c.project_id == project_id)
    chosen = chosen.order_by(plan_revision.c.serial.desc()).limit(_AT_ONCE)
    while True:
        step = chosen if before is None else chosen.where(plan_revision.c.serial < before)
        rows = connection.execute(step).all()
        yield from (int(row.serial) for row in rows if row.beat in beats)
        if len(rows) < _AT_ONCE:
            return
        before = int(rows[-1].serial)


def beats(connection: Connection, project_id: str, after: int) -> list[tuple[int, str]]:
    chosen = select(plan_revision.c.serial, plan_revision.c.beat).where(
        plan_revision.c.project_id == project_id, plan_revision.c.serial > after
    )
    found = connection.execute(chosen.order_by(plan_revision.c.serial))
    return [(int(row.serial), str(row.beat)) for row in found]


def trace(connection: Connection, project_id: str, seq: int) -> PlanTrace | None:
    chosen = select(plan_trace).where(
        plan_trace.c.project_id == project_id, plan_trace.c.seq == seq
    )
    row = connection.execute(chosen).one_or_none()
    return None if row is None else trace_of(row)


def traces(
    connection: Connection, project_id: str, before: int | None, limit: int
) -> list[PlanTrace]:
    chosen = select(plan_trace).where(plan_trace.c.project_id == project_id)
    if before is not None:
        chosen = chosen.where(plan_trace.c.seq < before)
    chosen = chosen.order_by(plan_trace.c.seq.desc()).limit(min(max(limit, 1), 200))
    return [trace_of(row) for row in connection.execute(chosen)]


def tokens(connection: Connection, project_id: str, since: str) -> int:
    added = select(func.coalesce(func.sum(plan_trace.c.tokens), 0)).where(
        plan_trace.c.project_id == project_id, plan_trace.c.began_at >= since
    )
    return int(connection.execute(added).scalar_one())


# ---- rows --------------------------------------------------------------------------------------


def revision_of(row: AnyRow) -> PlanRevision:
    author = a_text(row.author)
    if author not in AUTHORS:
        raise Undecodable(f"{author} writes no plans")
    found = PlanRevision(
        project_id=a_text(row.project_id),
        beat=a_text(row.beat),
        node=a_text(row.node),
        number=a_number(row.number),
        base=a_number(row.base),
        author=author,
        why="director",
        at=a_text(row.at),
        serial=a_number(row.serial),
    )
    try:
        return revision_from_json(codec.from_json(codec.unpacked(a_bytes(row.content))), found)
    except ValueError as fault:
        raise Undecodable(str(fault)) from fault


def trace_of(row: AnyRow) -> PlanTrace:
    outcome = a_text(row.outcome)
    if outcome and outcome not in OUTCOMES:
        raise Undecodable(f"{outcome} is no outcome of planning")
    try:
        nodes = nodes_from_json(codec.from_json(codec.unpacked(a_bytes(row.nodes))))
    except (TypeError, ValueError) as fault:
        raise Undecodable(str(fault)) from fault
    return PlanTrace(
        project_id=a_text(row.project_id),
        seq=a_number(row.seq),
        turn_id=a_text(row.turn_id),
        beat=a_text(row.beat),
        began_at=a_text(row.began_at),
        ended_at=a_text(row.ended_at),
        outcome=cast("Outcome", outcome),  # one of them, or empty
        detail=a_text(row.detail),
        base=a_number(row.base),
        revision=a_number(row.revision),
        turn=a_number(row.turn),
        nodes=nodes,
    )


# ---- the audit ---------------------------------------------------------------------------------


def faults(connection: Connection) -> Iterator[str]:
    """Revisions and traces that cannot be read, revisions that are missing or come from nowhere."""
    counted: dict[str, list[int]] = {}
    order = (plan_revision.c.project_id, plan_revision.c.serial)
    for row in connection.execute(select(plan_revision).order_by(*order)):
        project_id, serial = str(row.project_id), int(row.serial)
        counted.setdefault(project_id, []).append(serial)
        name = f"revision {serial} of the plan of project {project_id}"
        try:
            revision_of(row)
        except Undecodable as fault:
            yield f"{name} is damaged: {fault}"
        if not 0 <= int(row.base) < serial:
            yield f"{name} was made from revision {row.base}, which is none before it"
    for row in connection.execute(select(plan)):
        if counted.get(str(row.project_id), []) != list(range(1, int(row.revision) + 1)):
            yield f"the plan of project {row.project_id} lacks revisions"
    for row in connection.execute(select(plan_trace)):
        try:
            trace_of(row)
        except Undecodable as fault:
            yield f"the trace of job {row.seq} of the plan of project {row.project_id} is damaged: {fault}"
