"""Which beats belong to one plan: those that lead to a node, and those that descend from its beat."""

from __future__ import annotations

from dataclasses import replace

from huaben.domain.story import Node, Tree
from huaben.services.planning.standing import beats_to, line_of, story_turn

ROOT = Node("a", None, "greeting", "a", 0, "ended", "sealed")


def turn(node_id: str, parent: str, beat: str = "") -> Node:
    return Node(node_id, parent, "turn", beat or node_id, 1, "ended", "sealed")


TREE = Tree(
    [
        ROOT,
        turn("b", "a"),
        turn("c", "b"),
        turn("e", "b", beat="c"),  # another telling of the turn c
        turn("d", "e"),  # was queued before that telling was made
        turn("x", "b"),
        turn("y", "x"),
    ]
)


def test_the_beats_on_the_way_to_a_node() -> None:
    """A variant stands for its turn."""
    assert beats_to(TREE, "d") == {"a", "b", "c", "d"}
    assert beats_to(TREE, "c") == beats_to(TREE, "e") == {"a", "b", "c"}
    assert story_turn(TREE, "d") == 3


def test_a_line_holds_what_leads_there_and_what_follows() -> None:
    """Also behind another telling, and behind words that waited in the queue; no other branch."""
    assert line_of(TREE, "c") == {"a", "b", "c", "d"}
    assert line_of(TREE, "b") == {"a", "b", "c", "d", "x", "y"}
    assert line_of(TREE, "y") == {"a", "b", "x", "y"}


def test_a_discarded_turn_is_still_on_its_line() -> None:
    """What was planned after it is bound to it."""
    nodes = [*TREE.nodes.values()]
    gone = replace(nodes[-1], outcome="discarded", deleted=True)
    assert line_of(Tree([*nodes[:-1], gone]), "x") == {"a", "b", "x", "y"}
