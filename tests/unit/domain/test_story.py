"""The session tree: paths, variants, the way back, and which text is in force."""

from __future__ import annotations

from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from huaben.domain.story import Node, Outcome, Run, Tree, TurnKind, status_of


def node(
    name: str,
    parent: str | None,
    *,
    beat: str = "",
    kind: TurnKind = "turn",
    outcome: Outcome = "sealed",
    revises: tuple[str, int] | None = None,
) -> Node:
    return Node(name, parent, kind, beat or name, 0, "ended", outcome, revises=revises, prose=True)


ROOT = node("a", None, kind="greeting")


def test_status_is_the_run_while_it_lasts() -> None:
    """Afterwards it is the outcome."""
    runs: tuple[Run, ...] = ("queued", "running", "waiting")
    assert [status_of(run, None) for run in runs] == list(runs)
    assert status_of("ended", "sealed") == "sealed"


def test_a_path_leads_from_the_root() -> None:
    tree = Tree([ROOT, node("b", "a"), node("c", "b"), node("d", "b")])
    assert [n.id for n in tree.path("d")] == ["a", "b", "d"]


def test_variants_share_parent_and_beat() -> None:
    """Other words are another beat; a fruitless reroll is no variant."""
    fruitless = replace(node("e", "a", beat="x", outcome="failed"), prose=False)
    tree = Tree(
        [ROOT, node("b", "a", beat="x"), node("c", "a", beat="x"), node("d", "a"), fruitless]
    )
    assert [n.id for n in tree.variants("c")] == ["b", "c"]


def test_queued_deleted_and_discarded_turns_are_nobodys_children() -> None:
    queued = replace(node("b", "a"), run="queued", outcome=None)
    deleted = replace(node("c", "a"), deleted=True)
    tree = Tree([ROOT, queued, deleted, node("d", "a", outcome="discarded")])
    assert not tree.has_children("a")


def test_the_latest_revision_on_the_path_is_in_force() -> None:
    """A sibling branch does not see it."""
    tree = Tree(
        [
            ROOT,
            node("b", "a"),
            node("c", "b", outcome="revised", revises=("b", 2)),
            node("d", "c", outcome="revised", revises=("b", 3)),
            node("e", "b"),
        ]
    )
    assert tree.in_force("d") == {"b": "d"}
    assert tree.in_force("c") == {"b": "c"}
    assert tree.in_force("e") == {}


def test_the_latest_reply_passes_over_revisions_and_stops_at_the_unfinished() -> None:
    tree = Tree(
        [
            ROOT,
            node("b", "a"),
            node("c", "b", outcome="revised", revises=("b", 2)),
            node("d", "c", outcome="unsealed"),
        ]
    )
    found = [tree.latest_reply(head) for head in ("a", "c", "d")]
    assert [n.id if n else None for n in found] == [None, "b", "d"]


@given(st.lists(st.integers(0, 40), max_size=40), st.lists(st.integers(0, 40), max_size=30))
def test_redo_retraces_every_undo(parents: list[int], moves: list[int]) -> None:
    """Wherever the head goes, undoing to the root and redoing as often returns to the same node."""
    nodes = [ROOT]
    for number, parent in enumerate(parents):
        nodes.append(node(f"n{number:03d}", nodes[parent % len(nodes)].id))
    tree = Tree(nodes)
    for move in moves or [0]:
        head = nodes[move % len(nodes)].id
        links = tree.visits(head)
        nodes = [replace(n, last_child=links.get(n.id, n.last_child)) for n in nodes]
        tree = Tree(nodes)
        at = "a"
        for expected in tree.path(head)[1:]:
            target = tree.redo_target(at)
            assert target == expected.id
            at = expected.id
