"""What stands at the nodes of a story, as rows and back; one file per port."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import chain
from typing import cast

from sqlalchemy import Connection, and_, delete, insert, select

from huaben.adapters.db import codec, schema
from huaben.adapters.db.codec import a_bytes, a_number, a_text
from huaben.adapters.db.rows import AnyRow, Values
from huaben.adapters.db.state_schema import node_state, node_state_version
from huaben.ports import NodeState, StateKind

_NEAR, _FAR = 32, 500
"""How many nodes are asked for at once: what is sought is nearly always close by."""

_SELECTED = select(
    node_state.c.kind,
    node_state.c.project_id,
    node_state.c.node,
    node_state_version.c.version,
    node_state_version.c.author,
    node_state_version.c.at,
    node_state_version.c.data,
).join_from(
    node_state,
    node_state_version,
    and_(
        node_state_version.c.kind == node_state.c.kind,
        node_state_version.c.node == node_state.c.node,
    ),
)


def fixed_values(row: NodeState) -> Values:
    return {"kind": row.kind, "node": row.node, "project_id": row.project_id}


def add_version(connection: Connection, row: NodeState, version: int) -> None:
    """Keep a version under its number."""
    values: Values = {
        "kind": row.kind,
        "node": row.node,
        "version": version,
        "author": row.author,
        "at": row.at,
        "data": codec.packed(codec.to_json(row.data).encode()),
    }
    connection.execute(insert(node_state_version).values(values))


def state_at(connection: Connection, kind: StateKind, path: Sequence[str]) -> NodeState | None:
    for nodes in _steps(path):
        there = select(node_state.c.node).where(node_state.c.kind == kind)
        rows = connection.execute(there.where(node_state.c.node.in_(nodes)))
        found = {a_text(row.node) for row in rows}
        nearest = next((node for node in nodes if node in found), None)
        if nearest is not None:
            newest = _SELECTED.where(
                node_state.c.kind == kind,
                node_state.c.node == nearest,
                node_state_version.c.version == node_state.c.revision,
            )
            return state_of(connection.execute(newest).one())
    return None


def states(connection: Connection, kind: StateKind, nodes: Sequence[str]) -> list[NodeState]:
    found: dict[str, list[NodeState]] = {}
    for some in _steps(nodes):
        chosen = _SELECTED.where(node_state.c.kind == kind, node_state.c.node.in_(some))
        for row in connection.execute(chosen.order_by(node_state_version.c.version)):
            state = state_of(row)
            found.setdefault(state.node, []).append(state)
    return list(chain.from_iterable(found.get(node, ()) for node in dict.fromkeys(nodes)))


def _steps(nodes: Sequence[str]) -> Iterator[Sequence[str]]:
    yield nodes[:_NEAR]
    for start in range(_NEAR, len(nodes), _FAR):
        yield nodes[start : start + _FAR]


def state_of(row: AnyRow) -> NodeState:
    return NodeState(
        kind=cast("StateKind", a_text(row.kind)),  # written from the same type
        project_id=a_text(row.project_id),
        node=a_text(row.node),
        author=a_text(row.author),
        at=a_text(row.at),
        data=codec.object_from(codec.unpacked(a_bytes(row.data))),
        revision=a_number(row.version),
    )


def forget(connection: Connection, project_id: str) -> None:
    """Delete all that stands at the nodes of a project."""
    turns = select(schema.turn.c.id).where(schema.turn.c.project_id == project_id)
    connection.execute(delete(node_state_version).where(node_state_version.c.node.in_(turns)))
    connection.execute(delete(node_state).where(node_state.c.project_id == project_id))


def faults(connection: Connection) -> Iterator[str]:
    """States that cannot be read, and versions that are missing."""
    versions: dict[tuple[str, str], list[int]] = {}
    order = (node_state.c.kind, node_state.c.node, node_state_version.c.version)
    for row in connection.execute(_SELECTED.order_by(*order)):
        versions.setdefault((str(row.kind), str(row.node)), []).append(int(row.version))
        try:
            state_of(row)
        except codec.Undecodable as fault:
            yield f"version {row.version} of the {row.kind} at {row.node} is damaged: {fault}"
    for row in connection.execute(select(node_state)):
        counted = versions.get((str(row.kind), str(row.node)), [])
        if counted != list(range(1, row.revision + 1)):
            yield f"the {row.kind} at {row.node} lacks versions"
