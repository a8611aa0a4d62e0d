"""Numbers of logs and lanes, and the rows that carry them; apart because numbering is where a
tailing reader could be made to miss something.

Numbers are taken from the row of their own turn, project or lane, which the transaction holds from
then on: never from a global sequence, whose numbers become visible out of order.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from sqlalchemy import Connection, bindparam, insert, select, update

from huaben.adapters.db import codec, rows, schema
from huaben.domain.events import ProjectEvent, TurnEvent
from huaben.errors import StorageFailed
from huaben.ports import Committed, Due, Stale

_turn = schema.turn
_LOCK = (
    select(_turn.c.id, _turn.c.next_seq, _turn.c.epoch)
    .where(_turn.c.id.in_(bindparam("ids", expanding=True)))
    .order_by(_turn.c.id)  # everywhere alike, so that two processes do not wait in a ring
    .with_for_update()
)
_MOVE = update(_turn).where(_turn.c.id == bindparam("of")).values(next_seq=bindparam("to"))
_APPEND = insert(schema.turn_event)


@dataclass(frozen=True, slots=True)
class Written:
    """The answer to a commit, and which logs it made longer, up to which number."""

    answer: Committed | Stale
    tops: Mapping[str, int]


@dataclass(slots=True)
class _Log:
    epoch: int
    next_seq: int


class TurnLogs:
    """The logs of some turns, held by the transaction while numbers are given out.

    Many commits can take numbers one after the other and be written together by `write`."""

    def __init__(self, connection: Connection, turn_ids: Iterable[str]) -> None:
        self._connection = connection
        self._written: list[rows.Values] = []
        ids = sorted(set(turn_ids))
        found = connection.execute(_LOCK, {"ids": ids}) if ids else ()
        self._logs = {str(turn_id): _Log(int(epoch), int(seq)) for turn_id, seq, epoch in found}

    def epoch(self, turn_id: str) -> int | None:
        """The epoch that the turn's run has reached; None if there is no such turn."""
        log = self._logs.get(turn_id)
        return None if log is None else log.epoch

    def add(self, events: Sequence[tuple[str, TurnEvent]], now: str) -> tuple[int, ...]:
        """Give the events their numbers. Raises `StorageFailed` for a turn that does not exist and
        what JSON raises, before any number is taken."""
        absent = next((turn_id for turn_id, _ in events if turn_id not in self._logs), None)
        if absent is not None:
            raise missing("turn", absent)
        payloads = [rows.payload_of(event) for _, event in events]
        seqs: list[int] = []
        for (turn_id, event), payload in zip(events, payloads, strict=True):
            log = self._logs[turn_id]
            seqs.append(log.next_seq)
            log.next_seq += 1
            self._written.append(
                {
                    "turn_id": turn_id,
                    "seq": seqs[-1],
                    "epoch": log.epoch,
                    "at": now,
                    "kind": event.kind,
                    "payload": payload,
                }
            )
        return tuple(seqs)

    def write(self) -> None:
        """Store all that was added."""
        if not self._written:
            return
        grown = sorted({str(row["turn_id"]) for row in self._written})
        ends = [{"of": turn_id, "to": self._logs[turn_id].next_seq} for turn_id in grown]
        self._connection.execute(_MOVE, ends)
        self._connection.execute(_APPEND, self._written)
        self._written = []


def tops_of(events: Sequence[tuple[str, object]], seqs: Sequence[int]) -> dict[str, int]:
    """The last number of each log."""
    return {of: seq for (of, _), seq in zip(events, seqs, strict=True)}


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
