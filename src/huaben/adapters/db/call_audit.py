"""The audit of segments and of what is made from them: requests, outlines, configurations."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from sqlalchemy import Connection, select, union

from huaben.adapters.db import codec, rows, schema, segments
from huaben.adapters.db.codec import Undecodable
from huaben.adapters.db.rows import AnyRow
from huaben.adapters.db.segments import References

_AT_ONCE = 200


def config_faults(connection: Connection) -> Iterator[str]:
    """Configurations of projects and turns that are not stored."""
    wanted = union(select(schema.project.c.config), select(schema.turn.c.config))
    stored = {codec.a_bytes(name) for (name,) in connection.execute(select(schema.segment.c.hash))}
    for (name,) in connection.execute(wanted):
        if codec.a_bytes(name) not in stored:
            yield f"configuration {codec.a_bytes(name).hex()} of a project or turn is missing"


def call_faults(connection: Connection) -> Iterator[str]:
    """Segments that do not hold what they are named for, and calls that cannot be rebuilt."""
    sizes: dict[bytes, int] = {}
    for row in connection.execute(select(schema.segment)):
        try:
            sizes[codec.a_bytes(row.hash)] = _sound_size(row)
        except Undecodable as fault:
            yield str(fault)
    call = schema.call
    order = select(call).order_by(call.c.project_id, call.c.ordinal)
    for some in connection.execute(order).partitions(_AT_ONCE):
        whole = _references(connection, [str(row.id) for row in some])
        for row in some:
            yield from _faults_of(row, whole[row.id], sizes)


def _sound_size(row: AnyRow) -> int:
    name, content = codec.a_bytes(row.hash), b""
    try:
        content = codec.unpacked(codec.a_bytes(row.content))
    except Undecodable as fault:
        raise Undecodable(f"segment {name.hex()} is damaged: {fault}") from fault
    if rows.digest(content) != name:
        raise Undecodable(f"segment {name.hex()} does not hold what it is named for")
    return len(content)


def _references(
    connection: Connection, call_ids: Sequence[str]
) -> Mapping[str, References | Undecodable]:
    """The references of each call, or why they cannot be told."""
    try:
        return segments.references(connection, call_ids)
    except Undecodable as fault:
        if len(call_ids) == 1:
            return {call_ids[0]: fault}
    found: dict[str, References | Undecodable] = {}
    for call_id in call_ids:
        found.update(_references(connection, [call_id]))
    return found


def _faults_of(
    row: AnyRow, whole: References | Undecodable, sizes: Mapping[bytes, int]
) -> Iterator[str]:
    name = f"call {row.id} of turn {row.turn_id}"
    if isinstance(whole, Undecodable):
        yield f"{name} cannot be rebuilt: {whole}"
        return
    request, outline = segments.names(whole.request), segments.names(whole.outline)
    missing = next((part for part in (*request, *outline) if part not in sizes), None)
    if missing is not None:
        yield f"{name} cannot be rebuilt: segment {missing.hex()} is missing or damaged"
    elif sum(sizes[part] for part in request) != row.request_bytes:
        yield f"{name} sent {row.request_bytes} bytes, which is not what is stored"
    if row.reply is not None:
        try:
            codec.reply_from(codec.a_bytes(row.reply))
        except Undecodable as fault:
            yield f"the reply of {name} is damaged: {fault}"
