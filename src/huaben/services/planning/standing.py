"""Which plan is in force where: by the beats on the way to a node, and on one line of descent with it; apart
from reading one because jobs, readers and editors all ask (pin 9)."""

from __future__ import annotations

from dataclasses import dataclass, field

from huaben.domain.plan.revision import Plan, PlanRevision
from huaben.domain.story import Node, Tree
from huaben.services.house import House

LANE = "plan"
KIND = "plan"


def lane_of(project_id: str) -> str:
    return f"{project_id}/{LANE}"


@dataclass(frozen=True, slots=True)
class Standing:
    """The plan in force at a node. `serial` and `number` are 0 before the first revision; `turn` is
    the source turn of the one in force."""

    plan: Plan = field(default_factory=Plan)
    serial: int = 0
    number: int = 0
    turn: int = 0
    revision: PlanRevision | None = None


def standing_of(revision: PlanRevision | None) -> Standing:
    if revision is None:
        return Standing()
    return Standing(revision.plan, revision.serial, revision.number, revision.turn, revision)


async def plan_at(house: House, project_id: str, tree: Tree, node_id: str) -> Standing:
    """The plan that is in force at a node. Raises `StorageFailed` when it cannot be read."""
    return standing_of(await house.store.plan_at(project_id, beats_to(tree, node_id)))


async def plan_on_line(house: House, project_id: str, tree: Tree, node_id: str) -> Standing:
    """The newest plan on the line of descent of a node: the user may have gone on and changed it
    there."""
    return standing_of(await house.store.plan_at(project_id, line_of(tree, node_id)))


def beats_to(tree: Tree, node_id: str) -> frozenset[str]:
    """The beats on the way to a node, its own included."""
    return frozenset(node.beat for node in tree.path(node_id))


def line_of(tree: Tree, node_id: str) -> frozenset[str]:
    """The beats of everything that leads to a node or descends from its beat: what is planned there
    and at the node is one plan."""
    beat = tree[node_id].beat
    children: dict[str, list[Node]] = {}
    for node in tree.nodes.values():
        if node.parent is not None:
            children.setdefault(node.parent, []).append(node)
    found = set(beats_to(tree, node_id))
    waiting = [node for node in tree.nodes.values() if node.beat == beat]
    while waiting:
        node = waiting.pop()
        found.add(node.beat)
        waiting += children.get(node.id, ())
    return frozenset(found)


def story_turn(tree: Tree, node_id: str) -> int:
    """The source turn at a node: how many turns of the story lie behind it, itself included."""
    return tree.turn_number(node_id)
