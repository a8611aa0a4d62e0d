"""Requests as chains of segments: each part is stored once, a call names what it adds to its base.

Apart because it is the one clever layout of the store: 1,500 calls of a long story would take
hundreds of megabytes as whole bodies and take a few as this. A *reference* is one byte of shape and
the part's SHA-256; a call's references are the first `keep` of its base's, then its own `tail`. A
call without a base is a key frame.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from sqlalchemy import Connection, bindparam, insert, select

from huaben.adapters.db import codec, schema
from huaben.adapters.db.rows import digest
from huaben.domain.messages import PartShape, WireRequest

MAX_CHAIN = 64
"""Calls after a key frame before the next one: bounds the work of rebuilding."""

_REFERENCE = 33
_AT_ONCE = 500
_LETTER: Mapping[PartShape, bytes] = {"head": b"h", "message": b"m", "mark": b"k", "tail": b"t"}
_SHAPE: Mapping[bytes, PartShape] = {letter: shape for shape, letter in _LETTER.items()}
_OUTLINE = b"o"

_FIND = select(schema.segment).where(schema.segment.c.hash.in_(bindparam("hashes", expanding=True)))
_KNOWN = select(schema.segment.c.hash).where(
    schema.segment.c.hash.in_(bindparam("hashes", expanding=True))
)
_LINK = (
    schema.call.c.id,
    schema.call.c.base_call,
    schema.call.c.chain,
    schema.call.c.keep,
    schema.call.c.tail,
    schema.call.c.outline_keep,
    schema.call.c.outline_tail,
)
_START = select(*_LINK).where(schema.call.c.id.in_(bindparam("ids", expanding=True)))
_CHAIN_HEAD = _START.cte("links", recursive=True)
_CHAIN = select(
    _CHAIN_HEAD.union(select(*_LINK).join(_CHAIN_HEAD, schema.call.c.id == _CHAIN_HEAD.c.base_call))
)


@dataclass(frozen=True, slots=True)
class References:
    """What a call consists of: the references of its request and of its outline."""

    request: bytes
    outline: bytes


@dataclass(frozen=True, slots=True)
class Base:
    """The call that a new one builds upon."""

    id: str
    chain: int
    references: References


def save(connection: Connection, contents: Iterable[bytes]) -> None:
    """Store each content that is not stored yet."""
    named = {digest(content): content for content in contents}
    missing = named.keys() - _known(connection, list(named))
    if missing:
        rows = [{"hash": name, "content": codec.packed(named[name])} for name in sorted(missing)]
        connection.execute(insert(schema.segment), rows)


def load(connection: Connection, hashes: Iterable[bytes]) -> dict[bytes, bytes]:
    """The contents under these hashes; those that are not stored are absent. Raises `Undecodable`
    for one whose bytes no longer match its name."""
    found: dict[bytes, bytes] = {}
    for some in _slices(sorted(set(hashes))):
        for row in connection.execute(_FIND, {"hashes": some}):
            name, content = codec.a_bytes(row.hash), codec.unpacked(codec.a_bytes(row.content))
            if digest(content) != name:
                raise codec.Undecodable(f"segment {name.hex()} does not hold what it is named for")
            found[name] = content
    return found


def link(
    connection: Connection,
    request: WireRequest,
    outline: Sequence[Mapping[str, object]],
    base: Base | None,
) -> dict[str, object]:
    """Store the parts of a request and its outline; gives the columns of its call."""
    entries = [codec.to_json(entry).encode() for entry in outline]
    save(connection, (*request.parts, *entries))
    whole = References(
        b"".join(
            _LETTER[shape] + digest(part)
            for part, shape in zip(request.parts, request.shape, strict=True)
        ),
        b"".join(_OUTLINE + digest(entry) for entry in entries),
    )
    if (
        base is None
        or base.chain >= MAX_CHAIN
        or not _shared(base.references.request, whole.request)
    ):
        base = Base("", -1, References(b"", b""))
    keep = _shared(base.references.request, whole.request)
    outline_keep = _shared(base.references.outline, whole.outline)
    return {
        "base_call": base.id or None,
        "chain": base.chain + 1,
        "keep": keep,
        "tail": whole.request[keep * _REFERENCE :],
        "outline_keep": outline_keep,
        "outline_tail": whole.outline[outline_keep * _REFERENCE :],
    }


def newest(connection: Connection, project_id: str, purpose: str) -> Base | None:
    """The project's newest call of that purpose."""
    found = connection.execute(
        select(schema.call.c.id, schema.call.c.chain)
        .where(schema.call.c.project_id == project_id, schema.call.c.purpose == purpose)
        .order_by(schema.call.c.ordinal.desc())
        .limit(1)
    ).one_or_none()
    if found is None:
        return None
    return Base(found.id, found.chain, references(connection, [found.id])[found.id])


def references(connection: Connection, call_ids: Sequence[str]) -> dict[str, References]:
    """The references of these calls; unknown ids are absent."""
    links = {row.id: row for row in connection.execute(_CHAIN, {"ids": list(call_ids)})}
    whole: dict[str | None, References] = {None: References(b"", b"")}
    for row in sorted(links.values(), key=lambda row: int(row.chain)):
        base = whole.get(row.base_call)
        if base is None:
            raise codec.Undecodable(f"call {row.id} builds on {row.base_call}, which is missing")
        if (
            len(base.request) < row.keep * _REFERENCE
            or len(base.outline) < row.outline_keep * _REFERENCE
        ):
            raise codec.Undecodable(f"call {row.id} keeps more than {row.base_call} has")
        whole[row.id] = References(
            base.request[: row.keep * _REFERENCE] + codec.a_bytes(row.tail),
            base.outline[: row.outline_keep * _REFERENCE] + codec.a_bytes(row.outline_tail),
        )
    return {call_id: whole[call_id] for call_id in call_ids if call_id in whole}


def names(references: bytes) -> list[bytes]:
    """The hashes of the segments, in their order."""
    return [reference[1:] for reference in _split(references)]


def request_of(connection: Connection, references: References) -> WireRequest:
    """The request, to the byte. Raises `Undecodable` when a part is missing or damaged."""
    refs = _split(references.request)
    contents = load(connection, names(references.request))
    missing = next((ref[1:].hex() for ref in refs if ref[1:] not in contents), None)
    if missing is not None:
        raise codec.Undecodable(f"segment {missing} of the request is missing")
    return WireRequest(
        tuple(contents[ref[1:]] for ref in refs), tuple(_SHAPE[ref[:1]] for ref in refs)
    )


def outlines_of(
    connection: Connection, calls: Mapping[str, References]
) -> dict[str, list[Mapping[str, object]]]:
    """The outline of each call; an entry that is missing raises `Undecodable`."""
    split = {call_id: names(whole.outline) for call_id, whole in calls.items()}
    contents = load(connection, {name for wanted in split.values() for name in wanted})
    entries = {name: codec.object_from(content) for name, content in contents.items()}
    try:
        return {call_id: [entries[name] for name in wanted] for call_id, wanted in split.items()}
    except KeyError as missing:
        raise codec.Undecodable("an entry of a stored outline is missing") from missing


def _known(connection: Connection, hashes: Sequence[bytes]) -> set[bytes]:
    return {
        codec.a_bytes(row.hash)
        for some in _slices(hashes)
        for row in connection.execute(_KNOWN, {"hashes": some})
    }


def _slices(hashes: Sequence[bytes]) -> Iterable[list[bytes]]:
    """Statements have a limit of parameters."""
    return (list(hashes[at : at + _AT_ONCE]) for at in range(0, len(hashes), _AT_ONCE))


def _split(references: bytes) -> list[bytes]:
    return [references[at : at + _REFERENCE] for at in range(0, len(references), _REFERENCE)]


def _shared(base: bytes, whole: bytes) -> int:
    """How many leading references two calls have in common."""
    count = 0
    for one, other in zip(_split(base), _split(whole), strict=False):
        if one != other:
            break
        count += 1
    return count
