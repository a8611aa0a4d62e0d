"""What must hold of any stored tree and log; apart from the types because it doubts all of them.

Each fault is one English sentence that names what is wrong with what, for `huaben verify`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from huaben.domain.events import DraftChange, TurnEvent, is_delta
from huaben.domain.project import RECORD
from huaben.domain.story import Node


def tree_faults(project_id: str, nodes: Sequence[Node], head: str | None) -> list[str]:
    """The faults of one project's tree; `head` is the node that the project stands on."""
    known = {node.id: node for node in nodes}
    found = [fault for node in nodes for fault in _node_faults(node, known)]
    found += [
        f"node {node_id} is its own ancestor, so no path leads to it"
        for node_id in sorted(_in_circles(known))
    ]
    return found + list(_project_faults(project_id, known, head))


def log_faults(turn_id: str, log: Sequence[tuple[int, TurnEvent]], last: int) -> list[str]:
    """The faults of the numbers of one turn's log, whose highest number must be `last`.

    Numbers may be missing only where folding takes rows away: before a joined piece, and where a
    later change of the draft has settled previews."""
    settled_before = max(
        (seq for seq, event in log if isinstance(event, DraftChange) and not is_delta(event)),
        default=0,
    )
    found: list[str] = []
    expected = 1
    for seq, event in log:
        if seq < expected or (seq > expected and not is_delta(event) and seq > settled_before):
            found.append(f"the log of turn {turn_id} has {seq} where {expected} should follow")
        expected = seq + 1
    if expected != last + 1:
        found.append(f"the log of turn {turn_id} ends at {expected - 1} instead of {last}")
    return found


def _node_faults(node: Node, known: Mapping[str, Node]) -> Iterator[str]:
    if (node.run == "ended") != (node.outcome is not None):
        yield f"node {node.id} is {node.run} with the outcome {node.outcome}"
    if node.revises is not None and node.revises[0] not in known:
        yield f"node {node.id} revises {node.revises[0]}, which does not exist"
    if node.last_child is not None:
        child = known.get(node.last_child)
        if child is None or child.parent != node.id:
            yield f"node {node.id} was last left for {node.last_child}, which is not its child"
    if node.parent is None:
        return
    parent = known.get(node.parent)
    if parent is None:
        yield f"node {node.id} hangs on {node.parent}, which does not exist"
    elif node.run != "queued":
        if parent.run == "queued":
            yield f"node {node.id} began before its parent {parent.id}, which is still queued"
        if node.depth != parent.depth + 1:
            yield f"node {node.id} lies at depth {node.depth} under one at {parent.depth}"


def _in_circles(known: Mapping[str, Node]) -> set[str]:
    """The nodes from which following the parents never ends."""
    ends: dict[str, bool] = {}
    for start in known:
        path: dict[str, None] = {}
        at: str | None = start
        while at is not None and at in known and at not in ends and at not in path:
            path[at] = None
            at = known[at].parent
        ending = at not in path and (at is None or at not in known or ends[at])
        ends.update(dict.fromkeys(path, ending))
    return {node_id for node_id, ending in ends.items() if not ending}


def _project_faults(project_id: str, known: Mapping[str, Node], head: str | None) -> Iterator[str]:
    if head is None:
        if known:
            yield f"project {project_id} has nodes and no head"
    elif head not in known:
        yield f"the head of project {project_id} is {head}, which does not exist"
    elif known[head].run == "queued":
        yield f"the head of project {project_id} is {head}, which is still queued"
    if project_id.startswith(RECORD):
        return  # many may be passed on at once
    at_work = sorted(node.id for node in known.values() if node.run in ("running", "waiting"))
    if len(at_work) > 1:
        yield f"in project {project_id} more than one turn is at work: {', '.join(at_work)}"
