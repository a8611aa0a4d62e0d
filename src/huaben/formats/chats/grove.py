"""The trees that general chat programs keep, mended; apart because all of them break in the same ways: a
parent that is gone, a current message that is not there, a circle (formats §3.3, case H16)."""

import heapq
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from huaben.formats.chats.values import Held, Message, Variant
from huaben.formats.report import Findings

RECOVERED: Final = "recovered"
"""The id of the branch that messages without a place hang on."""
_NOTE: Final = "Recovered: the place of these messages in the chat is lost."


@dataclass(frozen=True, slots=True)
class Node:
    """A node as the file has it. `message` is None for one that only holds others together; its own
    parent and place do not matter. `children` are those that it says are its own."""

    id: str
    parent: str | None
    message: Message | None
    children: Sequence[str] = ()


@dataclass(frozen=True, slots=True)
class Grove:
    """The mended tree: parents before children, and where the story stands."""

    held: Held
    stands: str | None


def mended(nodes: Iterable[Node], current: str | None, findings: Findings) -> Grove:
    """The tree of these nodes, whatever is wrong with them.

    A node whose parent is gone goes to whoever calls it their child, else to a branch of recovered
    ones. Where `current` is not there, the story stands at its newest leaf that has a place.
    """
    known = _named_apart(nodes, findings)
    parents = _parents(known)
    lost = _lost(known, parents, findings)
    messages = {i: node.message for i, node in known.items() if node.message is not None}
    above = _above(messages, parents, lost)
    ordered = _ordered(messages, above)
    stands = _stands(current, known, parents, ordered, findings)
    return Grove(Held(tuple(ordered)), stands)


def _named_apart(nodes: Iterable[Node], findings: Findings) -> dict[str, Node]:
    known: dict[str, Node] = {}
    for node in nodes:
        name, count = node.id, 1
        while name in known or name == RECOVERED:
            count += 1
            name = f"{node.id}#{count}"
        if name != node.id:
            findings.changed("doubled_id", node.id, name, now=name)
        known[name] = replace(node, id=name)
    return known


def _parents(known: Mapping[str, Node]) -> dict[str, str | None]:
    """Who each node hangs on by its own word, or else by another's."""
    claimed: dict[str, str] = {}
    for node in known.values():
        for child in node.children:
            claimed.setdefault(child, node.id)
    return {
        node.id: claimed.get(node.id, node.parent) if node.parent not in known else node.parent
        for node in known.values()
    }


def _lost(
    known: Mapping[str, Node], parents: dict[str, str | None], findings: Findings
) -> frozenset[str]:
    """The nodes at the top of what hangs nowhere; each is cut from what it hung on. Where nothing has
    a beginning, the first of them is one."""
    reached: set[str] = set()
    lost: list[str] = []
    has_root = any(parent is None for parent in parents.values())
    for node_id in known:
        path: list[str] = []
        at: str | None = node_id
        while at is not None and at in known and at not in reached:
            reached.add(at)
            path.append(at)
            at = parents[at]
        top = path[-1] if path else node_id
        circular = at is not None and at in path
        if path and ((at is not None and at not in known) or circular):
            parents[top] = None
            if has_root:
                lost.append(top)
                what = "its parents form a circle" if circular else f"its parent {at} is missing"
                findings.changed("orphan_recovered", top, what)
            else:
                findings.changed("beginning_missing", top, f"it followed {at}", value=str(at))
            has_root = True
    return frozenset(lost)


def _above(
    messages: Mapping[str, Message], parents: Mapping[str, str | None], lost: frozenset[str]
) -> dict[str, str | None]:
    """For each message the one above it; nodes without one are passed over."""
    found: dict[str, str | None] = {}
    for node_id in messages:
        passed: list[str] = []
        at: str | None = node_id
        while at not in (None, RECOVERED) and at not in found:
            if at in messages and passed:
                break
            passed.append(at)
            at = RECOVERED if at in lost else parents.get(at)
        above = at if at is None or at == RECOVERED or at in messages else found[at]
        found.update(dict.fromkeys(passed, above))
    return {node_id: found[node_id] for node_id in messages}


def _ordered(messages: Mapping[str, Message], above: Mapping[str, str | None]) -> list[Message]:
    """Parents before children, else in the order of the file, each with its place."""
    order = {node_id: n for n, node_id in enumerate(messages)}
    below: dict[str | None, list[str]] = {}
    for node_id, parent in above.items():
        below.setdefault(parent, []).append(node_id)
    ordered: list[Message] = []
    ready = [order[node_id] for node_id in below.get(None, ())]
    names = list(messages)
    heapq.heapify(ready)
    while ready:
        node_id = names[heapq.heappop(ready)]
        place = len(ordered) + 1
        ordered.append(replace(messages[node_id], id=node_id, parent=above[node_id], place=place))
        for child in below.get(node_id, ()):
            heapq.heappush(ready, order[child])
        if not ready and RECOVERED in below:
            ordered.append(Message(RECOVERED, None, "system", "", (Variant(_NOTE),), hidden=True))
            ready = [order[child] for child in below.pop(RECOVERED)]
            heapq.heapify(ready)
    return ordered


def _stands(
    current: str | None,
    known: Mapping[str, Node],
    parents: Mapping[str, str | None],
    ordered: Sequence[Message],
    findings: Findings,
) -> str | None:
    present = {message.id for message in ordered}
    at = current
    while at is not None and at in known and at not in present:
        at = parents[at]
    if at is not None and at in present:
        return at
    leaf = _newest_leaf(ordered)
    if current is not None:
        findings.changed("current_missing", current, f"the story stands at {leaf}", now=str(leaf))
    return leaf


def _newest_leaf(ordered: Sequence[Message]) -> str | None:
    """The latest by date, of equal ones the last, of those that have a place before the recovered."""
    placed: set[str] = set()
    for message in ordered:
        if message.id != RECOVERED and (message.parent is None or message.parent in placed):
            placed.add(message.id)
    inner = {message.parent for message in ordered}
    leaves = [m for m in ordered if m.id in placed and m.id not in inner]
    if not leaves:
        return None
    return max(leaves, key=lambda m: (m.variant.moment.at if m.variant.moment else "", m.place)).id
