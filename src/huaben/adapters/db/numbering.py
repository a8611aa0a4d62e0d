"""Numbers of logs and lanes, and the rows that carry them; apart because numbering is where a
tailing reader could be made to miss something.

Numbers are taken by an updating select on the row of their own turn, project or lane, inside the
transaction: never from a global sequence, whose numbers become visible out of order.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from sqlalchemy import Connection, insert, update

from huaben.adapters.db import codec, rows, schema
from huaben.domain.events import ProjectEvent, TurnEvent
from huaben.errors import StorageFailed
from huaben.ports import Due


def log_turn_events(
    connection: Connection, events: Sequence[tuple[str, TurnEvent]], now: str
) -> tuple[int, ...]:
    """Append to the logs of the events' turns; gives the numbers in the events' order."""
    turn = schema.turn
    next_seq: dict[str, int] = {}
    epochs: dict[str, int] = {}
    for turn_id, count in Counter(turn_id for turn_id, _ in events).items():
        allotted = connection.execute(
            update(turn)
            .where(turn.c.id == turn_id)
            .values(next_seq=turn.c.next_seq + count)
            .returning(turn.c.next_seq, turn.c.epoch)
        ).one_or_none()
        if allotted is None:
            raise missing("turn", turn_id)
        next_seq[turn_id], epochs[turn_id] = int(allotted.next_seq) - count, int(allotted.epoch)
    written: list[rows.Values] = []
    seqs: list[int] = []
    for turn_id, event in events:
        seqs.append(next_seq[turn_id])
        written.append(rows.event_values(turn_id, seqs[-1], epochs[turn_id], now, event))
        next_seq[turn_id] += 1
    if written:
        connection.execute(insert(schema.turn_event), written)
    return tuple(seqs)


def log_project_events(
    connection: Connection, events: Sequence[tuple[str, ProjectEvent]], now: str
) -> dict[str, int]:
    """Append to the logs of the events' projects; gives the last number of each."""
    project = schema.project
    next_seq: dict[str, int] = {}
    for project_id, count in Counter(project_id for project_id, _ in events).items():
        allotted = connection.execute(
            update(project)
            .where(project.c.id == project_id)
            .values(next_seq=project.c.next_seq + count)
            .returning(project.c.next_seq)
        ).scalar_one_or_none()
        if allotted is None:
            raise missing("project", project_id)
        next_seq[project_id] = int(allotted) - count
    written: list[rows.Values] = []
    for project_id, event in events:
        written.append(rows.project_event_values(project_id, next_seq[project_id], now, event))
        next_seq[project_id] += 1
    if written:
        connection.execute(insert(schema.project_event), written)
    return {project_id: following - 1 for project_id, following in next_seq.items()}


def make_due(connection: Connection, job: Due, now: str) -> None:
    """Append a job to its lane."""
    lane = schema.lane
    next_seq = connection.execute(
        update(lane)
        .where(lane.c.name == job.lane)
        .values(next_seq=lane.c.next_seq + 1)
        .returning(lane.c.next_seq)
    ).scalar_one_or_none()
    if next_seq is None:
        next_seq = 2
        connection.execute(insert(lane).values(name=job.lane, next_seq=next_seq))
    connection.execute(
        insert(schema.due).values(
            lane=job.lane,
            seq=int(next_seq) - 1,
            kind=job.kind,
            payload=codec.to_json(job.payload),
            made_at=now,
            outcome="",
        )
    )


def missing(what: str, name: str) -> StorageFailed:
    """The fault of a row that refers to one which is not there."""
    return StorageFailed("missing_row", f"{what} {name} does not exist; nothing was written")
