"""One commit inside one transaction: check, write, number; apart from when and where it runs.

A refusal rolls back to where the commit began, so that others in the same transaction stand. An
insert that lost a race against another process is tried once more: by then the other's row can be
seen, and the same checks give the right answer.
"""

from __future__ import annotations

from typing import TypeAlias, assert_never

from sqlalchemy import Connection, insert, select, update
from sqlalchemy.exc import IntegrityError

from huaben.adapters.db import (
    checkpoints,
    codec,
    connections,
    faces,
    items,
    notes,
    plans,
    rows,
    saves,
    schema,
    segments,
    states,
    trash,
    wording,
)
from huaben.adapters.db.counting import Counted, Refused, check, passed, write
from huaben.adapters.db.numbering import (
    TurnLogs,
    Written,
    log_project_events,
    make_due,
    missing,
    tops_of,
)
from huaben.domain.checkpoint import Snapshot
from huaben.domain.connection import StoredConnection
from huaben.domain.dressing import Dressing
from huaben.domain.libraryitem import Consent, Favourite, StoredItem
from huaben.domain.notes import Note
from huaben.domain.plan.revision import PlanRevision
from huaben.domain.plan.trace import PlanTrace
from huaben.domain.project import Guidance, Project, StoredBook, StoredCard
from huaben.domain.saves import Save
from huaben.domain.story import Turn
from huaben.errors import StorageFailed
from huaben.ports import (
    Binned,
    CallClosed,
    CallOpened,
    CheckpointNamed,
    Commit,
    Committed,
    DueDone,
    Effect,
    Fence,
    Head,
    Key,
    NodeState,
    Purged,
    Row,
    Stale,
    Visit,
    key_of,
)

StoryRow: TypeAlias = (
    Project | Turn | Head | Note | NodeState | Dressing | Save | Snapshot | PlanRevision
)
LibraryRow: TypeAlias = (
    StoredCard
    | StoredBook
    | Guidance
    | StoredConnection
    | StoredItem
    | Consent
    | Favourite
    | Binned
)
UncountedRow: TypeAlias = (
    Visit | CallOpened | CallClosed | Effect | DueDone | CheckpointNamed | PlanTrace | Purged
)


def attempt(connection: Connection, commit: Commit, now: str) -> Written:
    """Carry out one commit in a savepoint of its own. Raises `StorageFailed` when a row breaks a
    rule of the schema; nothing of the commit is then left."""
    try:
        return _in_savepoint(connection, commit, now)
    except IntegrityError:
        pass  # a race was lost, or a rule is broken: trying again tells which
    try:
        return _in_savepoint(connection, commit, now)
    except IntegrityError as broken:
        raise StorageFailed(
            "constraint", f"a row breaks a rule of the schema, nothing was written: {broken.orig}"
        ) from broken


def _in_savepoint(connection: Connection, commit: Commit, now: str) -> Written:
    try:
        with connection.begin_nested():
            return _carry_out(connection, commit, now)
    except Refused as refused:
        return Written(refused.stale, {})


def _carry_out(connection: Connection, commit: Commit, now: str) -> Written:
    if commit.fence is not None:
        _check_fence(connection, commit.fence)
    expected = dict(commit.expected)
    written = {key_of(row) for row in commit.rows}
    for key in [key for key in expected if key not in written]:
        check(connection, key, expected.pop(key))
    revisions: dict[Key, int] = {}
    for row in commit.rows:
        counted = _counted(connection, row)
        if counted is not None:
            of = expected.pop(counted.key, None)
            revisions[counted.key] = _write(connection, row, counted, of)
    logs = TurnLogs(connection, (turn_id for turn_id, _ in commit.events))
    seqs = logs.add(commit.events, now)
    logs.write()
    project_tops = log_project_events(connection, commit.project_events, now)
    for job in commit.due:
        make_due(connection, job, now)
    return Written(Committed(revisions, seqs), tops_of(commit.events, seqs) | project_tops)


def _check_fence(connection: Connection, fence: Fence) -> None:
    epoch = TurnLogs(connection, [fence.turn_id]).epoch(fence.turn_id)
    if epoch != fence.epoch:
        raise Refused(passed(fence, epoch))


def _counted(connection: Connection, row: Row) -> Counted | None:
    """What to write of a counted row; a row of another kind is written at once."""
    match row:
        case (
            Project()
            | Turn()
            | Head()
            | Note()
            | NodeState()
            | Dressing()
            | Save()
            | Snapshot()
            | PlanRevision()
        ):
            return _of_a_story(connection, row)
        case (
            StoredCard()
            | StoredBook()
            | Guidance()
            | StoredConnection()
            | StoredItem()
            | Consent()
            | Favourite()
            | Binned()
        ):
            return _of_the_library(row)
        case _:
            return _at_once(connection, row)


def _of_a_story(connection: Connection, row: StoryRow) -> Counted:
    match row:
        case Project():
            segments.save(connection, [rows.config_bytes(row.config)])
            counters: rows.Values = {"next_seq": 1, "next_call": 1}
            return Counted(("project", row.id), rows.project_values(row), counters)
        case Turn():
            _check_request_id(connection, row)
            segments.save(connection, [rows.config_bytes(row.config)])
            return Counted(("turn", row.id), rows.turn_values(row), {"next_seq": 1})
        case Head():
            return Counted(("head", row.project_id), rows.head_values(row))
        case Note():
            # All of a note but its count is settled by its first version, or is the version's own.
            return Counted(("note", row.id), {}, notes.fixed_values(row))
        case NodeState():
            return Counted(("state", f"{row.kind}/{row.node}"), states.fixed_values(row))
        case Dressing():
            return Counted(("dressing", row.project_id), items.dressing_values(row))
        case Save():
            return Counted(("save", row.id), saves.save_values(row))
        case Snapshot():
            of = row.checkpoint.project_id
            return Counted(("manuscript", of), {}, {"project_id": of})
        case PlanRevision():
            return Counted(("plan", row.project_id), {}, plans.fixed_values(row))
        case _:
            assert_never(row)


def _of_the_library(row: LibraryRow) -> Counted:
    match row:
        case StoredCard():
            return Counted(("card", row.id), rows.library_values(row))
        case StoredBook():
            return Counted(("lorebook", row.id), rows.library_values(row))
        case Guidance():
            key: Key = ("guidance", f"{row.user_id}/{row.card_id}/{row.name}")
            return Counted(key, rows.guidance_values(row))
        case StoredConnection():
            place: Key = ("connection", f"{row.user_id}/{row.name}")
            return Counted(place, connections.connection_values(row))
        case StoredItem():
            return Counted((row.kind, row.id), items.item_values(row))
        case Consent():
            given: Key = ("consent", f"{row.user_id}/{row.owner}")
            return Counted(given, items.consent_values(row))
        case Favourite():
            return Counted(("favourite", row.card_id), faces.favourite_values(row))
        case Binned():
            at = row.at or None
            moment: rows.Values = {"id": row.id, "deleted": bool(at), "deleted_at": at}
            return Counted((row.kind, row.id), moment)
        case _:
            assert_never(row)


def _write(connection: Connection, row: Row, counted: Counted, expected: int | None) -> int:
    """Write the counted row, and with it what follows from it."""
    match row:
        case Turn():
            new = expected == 0
            before = wording.NOTHING if new else wording.stored_parts(connection, row.id)
            revision = write(connection, counted, expected)
            wording.renew(connection, row, before)
        case StoredCard():
            revision = write(connection, counted, expected)
            faces.renew(connection, row)
        case Note():
            revision = write(connection, counted, expected)
            notes.add_version(connection, row, revision)
        case NodeState():
            revision = write(connection, counted, expected)
            states.add_version(connection, row, revision)
        case StoredItem():
            revision = write(connection, counted, expected)
            items.add_version(connection, row, revision)
        case Snapshot():
            revision = write(connection, counted, expected)
            checkpoints.add(connection, row, revision)
        case PlanRevision():
            revision = write(connection, counted, expected)
            plans.add_revision(connection, row, revision)
        case _:
            revision = write(connection, counted, expected)
    return revision


def _at_once(connection: Connection, row: UncountedRow) -> None:
    match row:
        case Visit():
            _visit(connection, row)
        case CallOpened():
            _open_call(connection, row)
        case CallClosed():
            _close_call(connection, row)
        case Effect():
            _record(connection, row)
        case DueDone():
            _finish(connection, row)
        case Purged():
            trash.purge(connection, row)
        case CheckpointNamed():
            checkpoints.name(connection, row)
        case PlanTrace():
            plans.put_trace(connection, row)
        case _:
            assert_never(row)


def _check_request_id(connection: Connection, row: Turn) -> None:
    turn = schema.turn
    if row.request_id is None:
        return
    taken = select(turn.c.id).where(
        turn.c.project_id == row.project_id,
        turn.c.request_id == row.request_id,
        turn.c.id != row.id,
    )
    if connection.execute(taken).first() is not None:
        raise Refused(Stale("request", row.request_id, 0, 1))


def _visit(connection: Connection, row: Visit) -> None:
    visit = schema.visit
    change = update(visit).where(visit.c.node_id == row.node_id).values(child_id=row.child_id)
    if connection.execute(change.returning(visit.c.node_id)).first() is None:
        connection.execute(insert(visit).values(node_id=row.node_id, child_id=row.child_id))


def _open_call(connection: Connection, row: CallOpened) -> None:
    project = schema.project
    next_call = connection.execute(
        update(project)
        .where(project.c.id == row.project_id)
        .values(next_call=project.c.next_call + 1)
        .returning(project.c.next_call)
    ).scalar_one_or_none()
    if next_call is None:
        raise missing("project", row.project_id)
    try:
        base = segments.newest(connection, row.project_id, row.purpose)
    except codec.Undecodable:  # damage to an old call is the audit's to tell; this one starts anew
        base = None
    links = segments.link(connection, row.request, row.outline, base)
    values = rows.opened_values(row) | links | {"ordinal": int(next_call) - 1}
    connection.execute(insert(schema.call).values(values))


def _close_call(connection: Connection, row: CallClosed) -> None:
    """The first end stands: a call that was closed with a reply stays paid for."""
    call = schema.call
    change = update(call).where(call.c.id == row.id, call.c.state == "open")
    change = change.values(rows.closed_values(row))
    if connection.execute(change.returning(call.c.id)).first() is not None:
        return
    if connection.execute(select(call.c.id).where(call.c.id == row.id)).first() is None:
        raise missing("call", row.id)


def _record(connection: Connection, row: Effect) -> None:
    effect = schema.effect
    if connection.execute(select(effect.c.key).where(effect.c.key == row.key)).first() is not None:
        raise Refused(Stale("effect", row.key, 0, 1))
    connection.execute(insert(effect).values(key=row.key, result=codec.to_json(row.result)))


def _finish(connection: Connection, row: DueDone) -> None:
    """The first outcome stands."""
    due = schema.due
    this = (due.c.lane == row.lane, due.c.seq == row.seq)
    change = update(due).where(*this, due.c.outcome == "").values(outcome=row.outcome)
    if connection.execute(change.returning(due.c.seq)).first() is not None:
        return
    if connection.execute(select(due.c.seq).where(*this)).first() is None:
        raise missing("due job", f"{row.lane}:{row.seq:010d}")
