"""The history of manuscripts, as rows and back; one file per port."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, TypeAlias, cast

from sqlalchemy import Connection, Select, delete, insert, select, update

from huaben.adapters.db import codec, stories
from huaben.adapters.db.checkpoint_schema import checkpoint as table
from huaben.adapters.db.checkpoint_schema import manuscript
from huaben.adapters.db.codec import a_bytes, a_number, a_text, maybe_text
from huaben.adapters.db.numbering import missing
from huaben.adapters.db.rows import AnyRow, Values
from huaben.domain.checkpoint import (
    Checkpoint,
    CheckpointAuthor,
    CheckpointCause,
    Delta,
    FileChange,
    Manifest,
    Snapshot,
    applied,
    chain_faults,
    delta_data,
    delta_of,
)
from huaben.ports.checkpoints import AtDesk, CheckpointNamed

_Chosen: TypeAlias = "Select[*tuple[Any, ...]]"  # pyright: ignore[reportExplicitAny] - a driver's values

KEY_EVERY = 64
"""The first of so many checkpoints holds all files; those of the others are told from it on."""
_ADD = insert(table)


# ---- writing -----------------------------------------------------------------------------------


def add(connection: Connection, snapshot: Snapshot, number: int) -> None:
    """Keep a checkpoint under its number."""
    one = snapshot.checkpoint
    values: Values = {
        "project_id": one.project_id,
        "number": number,
        "id": one.id,
        "user_id": one.user_id,
        "at": one.at,
        "author": one.author,
        "turn": one.turn,
        "aborted": one.aborted,
        "restored_from": one.restored_from,
        "name": one.name,
        "message": one.message,
        "delta": _packed(delta_data(one.delta)),
        "files": _packed(snapshot.files) if number == _key_of(number) else None,
        "cause": one.cause,
    }
    connection.execute(_ADD, values)


def name(connection: Connection, row: CheckpointNamed) -> None:
    change = update(table).where(table.c.id == row.id).values(name=row.name)
    if connection.execute(change.returning(table.c.id)).first() is None:
        raise missing("checkpoint", row.id)


def forget(connection: Connection, project_id: str) -> None:
    """Delete the history of a project."""
    connection.execute(delete(table).where(table.c.project_id == project_id))
    connection.execute(delete(manuscript).where(manuscript.c.project_id == project_id))


def _key_of(number: int) -> int:
    """The last checkpoint up to that one which holds all files."""
    return number - (number - 1) % KEY_EVERY


def _packed(value: object) -> bytes:
    return codec.packed(codec.to_json(value).encode())


# ---- reading -----------------------------------------------------------------------------------


def at_desk(connection: Connection, project_id: str, known: Snapshot | None) -> AtDesk:
    head = stories.head(connection, project_id)
    turn = None if head is None else stories.turn(connection, head.turn_id)
    return AtDesk(latest(connection, project_id, known), turn)


def latest(connection: Connection, project_id: str, known: Snapshot | None) -> Snapshot | None:
    """The newest checkpoint; told from one that was read before where it came soon after it."""
    top = _top(connection, project_id)
    if top is None:
        return None
    found = None if known is None else _since(connection, known, top)
    return _range(connection, project_id, top, top)[0] if found is None else found


def snapshot(connection: Connection, checkpoint_id: str) -> Snapshot | None:
    place = select(table.c.project_id, table.c.number).where(table.c.id == checkpoint_id)
    row = connection.execute(place).one_or_none()
    if row is None:
        return None
    number = a_number(row.number)
    return _range(connection, a_text(row.project_id), number, number)[0]


def snapshots(
    connection: Connection, project_id: str, before: int | None, limit: int
) -> list[Snapshot]:
    top = _top(connection, project_id)
    last = min(top or 0, top or 0 if before is None else before - 1)
    first = max(1, last - min(max(limit, 1), 200) + 1)
    return list(reversed(_range(connection, project_id, first, last))) if last else []


def records(
    connection: Connection, project_id: str, turns: Sequence[str] | None
) -> list[Checkpoint]:
    chosen = _of(project_id)
    if turns is not None:
        chosen = chosen.where(table.c.turn.in_(list(turns)))
    return [_record_of(row) for row in connection.execute(chosen)]


def _top(connection: Connection, project_id: str) -> int | None:
    counted = select(manuscript.c.revision).where(manuscript.c.project_id == project_id)
    return connection.execute(counted).scalar_one_or_none()


def _of(project_id: str) -> _Chosen:
    return select(table).where(table.c.project_id == project_id).order_by(table.c.number)


def _range(connection: Connection, project_id: str, first: int, last: int) -> list[Snapshot]:
    """The checkpoints of these numbers, with their files told from the nearest that holds them."""
    chosen = _of(project_id).where(table.c.number.between(_key_of(first), last))
    found: list[Snapshot] = []
    files: Manifest = {}
    since: dict[str, FileChange] = {}  # laid over each other: applying copies all files
    expected = _key_of(first)
    for row in connection.execute(chosen):
        if row.number != expected or (row.files is None and expected == _key_of(expected)):
            break
        if row.files is None:
            since |= _delta_of(row)
        else:
            files, since = _manifest_of(row), {}
        if expected >= first:
            files, since = applied(files, since), {}
            found.append(Snapshot(_record_of(row), files))
        expected += 1
    if expected != last + 1:
        raise codec.Undecodable(f"checkpoint {expected} of {project_id} is missing or has no files")
    return found


def _since(connection: Connection, known: Snapshot, top: int) -> Snapshot | None:
    """The checkpoint of that number by what was done since the known one; None where that is no longer part
    of this history, or too far back, or something between is missing."""
    one = known.checkpoint
    if not one.number <= top < one.number + KEY_EVERY:
        return None
    chosen = _of(one.project_id).where(table.c.number.between(one.number, top))
    found = [_record_of(row) for row in connection.execute(chosen)]
    if len(found) != top - one.number + 1 or found[0].id != one.id:
        return None
    since: dict[str, FileChange] = {}
    for later in found[1:]:
        since |= later.delta
    return Snapshot(found[-1], applied(known.files, since))


def _record_of(row: AnyRow) -> Checkpoint:
    return Checkpoint(
        id=a_text(row.id),
        project_id=a_text(row.project_id),
        user_id=a_text(row.user_id),
        at=a_text(row.at),
        author=cast("CheckpointAuthor", a_text(row.author)),  # written from the same type
        delta=_delta_of(row),
        number=a_number(row.number),
        turn=maybe_text(row.turn),
        message=a_text(row.message),
        aborted=bool(row.aborted),
        restored_from=maybe_text(row.restored_from),
        name=a_text(row.name),
        cause=cast("CheckpointCause | None", maybe_text(row.cause)),  # written from the same type
    )


def _delta_of(row: AnyRow) -> Delta:
    found = delta_of(codec.object_from(codec.unpacked(a_bytes(row.delta))))
    if found is None:
        raise codec.Undecodable("expected a hash before and after for each file")
    return found


def _manifest_of(row: AnyRow) -> Manifest:
    stored = codec.object_from(codec.unpacked(a_bytes(row.files)))
    return {name: a_text(value) for name, value in stored.items()}


# ---- the audit ---------------------------------------------------------------------------------


def faults(connection: Connection) -> Iterator[str]:
    """Checkpoints that cannot be read, do not follow from each other, or tell other files."""
    counted = select(manuscript).order_by(manuscript.c.project_id)
    for project_id, revision in connection.execute(counted).all():
        try:
            found = records(connection, a_text(project_id), None)
        except codec.Undecodable as fault:
            yield f"the history of the manuscript of {project_id} is damaged: {fault}"
            continue
        yield from chain_faults(found)
        if len(found) != revision:
            yield f"the history of the manuscript of {project_id} lacks checkpoints"
        yield from _key_faults(connection, str(project_id), found)


def _key_faults(
    connection: Connection, project_id: str, found: Sequence[Checkpoint]
) -> Iterator[str]:
    rows = connection.execute(_of(project_id).where(table.c.files.is_not(None)))
    keys = {a_number(row.number): row for row in rows}
    files: Manifest = {}
    for one in found:
        files = applied(files, one.delta)
        row = keys.get(one.number)
        if row is None:
            if one.number == _key_of(one.number):
                yield f"checkpoint {one.id} does not hold its files"
            continue
        try:
            whole = _manifest_of(row) == files
        except codec.Undecodable as fault:
            yield f"the files of checkpoint {one.id} are damaged: {fault}"
            continue
        if not whole:
            yield f"checkpoint {one.id} holds other files than its history says"
