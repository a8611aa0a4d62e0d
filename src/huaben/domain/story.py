"""Turns as the session tree keeps them: the record of one turn, and the tree over their skeletons.

State machine: pins of the design, `turn.md` §1 and `state.md` §1. A turn has a *run* and an
*outcome*; the public status is derived from both.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Literal, TypeAlias

Run: TypeAlias = Literal["queued", "running", "waiting", "ended"]
Outcome: TypeAlias = Literal[
    "sealed", "revised", "done", "discarded", "unsealed", "stopped", "failed", "interrupted"
]
TurnStatus: TypeAlias = Literal[
    "queued",
    "running",
    "waiting",
    "sealed",
    "revised",
    "done",
    "discarded",
    "unsealed",
    "stopped",
    "failed",
    "interrupted",
]
TurnKind: TypeAlias = Literal["greeting", "turn", "edit"]
FINISHED: frozenset[Outcome] = frozenset(("sealed", "revised", "done"))
"""Outcomes after which the queue goes on."""
UNFINISHED: frozenset[Outcome] = frozenset(("unsealed", "stopped", "failed", "interrupted"))
"""Outcomes that the user may still resume, seal or discard."""


@dataclass(frozen=True, slots=True)
class Exchange:
    """A question of the model's and the user's answer, kept with the turn for good."""

    question: str
    answer: str


@dataclass(frozen=True, slots=True)
class Revision:
    """A change of an earlier final text: `turn` is the target, `version` the target's new version,
    `text` its new text in force for every path through this node."""

    turn: str
    version: int
    text: str


@dataclass(frozen=True, slots=True)
class Turn:
    """One node of the session tree with its words.

    `kind`: `greeting` nodes are roots made with the project; `edit` nodes hold a user's own
    revision and have no words. `beat` is shared by variants. `depth` counts nodes from the root.
    `title` heads a greeting. `version` is the draft version that the final text came from.
    `prose`: some of it exists, as draft, preview or final text. `at_once`: posted into an empty
    queue, so it runs even behind an unfinished turn. `rerolls`: the variant that this one was made
    from, to which the head returns if it yields nothing.
    `config` is the resolved scenario that the turn ran with. `owner` and `epoch` fence the run.
    Times are ISO-8601 UTC.
    """

    id: str
    project_id: str
    user_id: str
    parent: str | None
    kind: TurnKind
    beat: str
    depth: int
    created_at: str
    run: Run = "queued"
    outcome: Outcome | None = None
    code: str = ""
    message: str = ""
    title: str = ""
    user_text: str = ""
    asked: tuple[Exchange, ...] = ()
    final_text: str = ""
    version: int = 0
    prose: bool = False
    at_once: bool = False
    rerolls: str | None = None
    revises: Revision | None = None
    request_id: str | None = None
    owner: str = ""
    epoch: int = 0
    config: Mapping[str, object] = field(default_factory=dict[str, object])
    deleted: bool = False
    ended_at: str = ""
    revision: int = 0


@dataclass(frozen=True, slots=True)
class Node:
    """The skeleton of a turn: enough to draw and walk the tree without its words.
    `revises` is `(target turn, version)`; `last_child` is where Redo goes."""

    id: str
    parent: str | None
    kind: TurnKind
    beat: str
    depth: int
    run: Run
    outcome: Outcome | None
    revises: tuple[str, int] | None = None
    last_child: str | None = None
    deleted: bool = False
    prose: bool = False


@dataclass(frozen=True, slots=True)
class Told:
    """What a turn adds to the story it is in: its words without how they came about. Ten thousand of
    them are read for one prompt. The fields are a turn's own."""

    id: str
    title: str
    user_text: str
    asked: tuple[Exchange, ...]
    final_text: str
    version: int
    revises: Revision | None = None


def status_of(run: Run, outcome: Outcome | None) -> TurnStatus:
    """The public status: the run while it lasts, the outcome afterwards."""
    if run != "ended":
        return run
    return outcome if outcome is not None else "failed"


def told_of(turn: Turn) -> Told:
    """The words of a turn."""
    return Told(
        turn.id, turn.title, turn.user_text, turn.asked, turn.final_text, turn.version, turn.revises
    )


def node_of(turn: Turn, last_child: str | None = None) -> Node:
    """The skeleton of a turn."""
    revises = (turn.revises.turn, turn.revises.version) if turn.revises else None
    return Node(
        turn.id, turn.parent, turn.kind, turn.beat, turn.depth, turn.run, turn.outcome, revises,
        last_child, turn.deleted, turn.prose,
    )  # fmt: skip


class Tree:
    """The session tree of one project over its skeleton; an immutable view, rebuilt per read.

    Ids sort by age, so siblings are in the order of their making.
    """

    def __init__(self, nodes: Iterable[Node]) -> None:
        self.nodes: dict[str, Node] = {node.id: node for node in nodes}

    @cached_property
    def _children(self) -> dict[str | None, list[str]]:
        # Walking towards the root needs none of it, and that is what most reads do.
        children: dict[str | None, list[str]] = {}
        for node_id in sorted(self.nodes):
            children.setdefault(self.nodes[node_id].parent, []).append(node_id)
        return children

    def __contains__(self, node_id: str) -> bool:
        return node_id in self.nodes

    def __getitem__(self, node_id: str) -> Node:
        return self.nodes[node_id]

    def path(self, node_id: str) -> list[Node]:
        """The nodes from the root to `node_id`, both included."""
        found: list[Node] = []
        at: str | None = node_id
        while at is not None:
            node = self.nodes[at]
            found.append(node)
            at = node.parent
        found.reverse()
        return found

    def children(self, node_id: str | None) -> list[Node]:
        """Children that started and were neither deleted nor discarded, oldest first; queued turns
        are not placed yet and so are nobody's children."""
        return [
            node
            for child in self._children.get(node_id, ())
            if _is_placed(node := self.nodes[child])
        ]

    def roots(self) -> list[Node]:
        # There are few: not worth the children of every other node.
        first = sorted(node.id for node in self.nodes.values() if node.parent is None)
        return [node for node_id in first if _is_placed(node := self.nodes[node_id])]

    def variants(self, node_id: str) -> list[Node]:
        """The siblings that share this node's beat and hold prose (or are still at work), itself
        included if it is one. A failed reroll without prose stays outside."""
        node = self.nodes[node_id]
        if node.kind == "greeting":
            return self.roots()
        return [
            sibling
            for sibling in self.children(node.parent)
            if sibling.beat == node.beat and not _fruitless(sibling)
        ]

    def has_children(self, node_id: str) -> bool:
        return bool(self.children(node_id))

    def visits(self, head: str) -> dict[str, str]:
        """The `last_child` links to write when the head comes to `head`, so that Redo finds the way
        back from every ancestor: only those that differ from what is stored."""
        changed: dict[str, str] = {}
        node = self.nodes[head]
        while node.parent is not None:
            parent = self.nodes[node.parent]
            if parent.last_child != node.id:
                changed[parent.id] = node.id
            node = parent
        return changed

    def redo_target(self, head: str) -> str | None:
        """Where Redo goes from `head`: the last visited child while it still exists."""
        child = self.nodes[head].last_child
        return child if child in [node.id for node in self.children(head)] else None

    def in_force(self, head: str) -> dict[str, str]:
        """For the path to `head`: target turn → the latest node on the path that revises it."""
        overlay: dict[str, str] = {}
        for node in self.path(head):
            if node.revises is not None and node.outcome == "revised":
                overlay[node.revises[0]] = node.id
        return overlay

    def latest_reply(self, head: str) -> Node | None:
        """The last story reply on the path to `head`, whatever its outcome: revisions and the
        greeting are passed over, an unfinished turn is not."""
        for node in reversed(self.path(head)):
            if node.kind == "turn" and node.outcome != "revised" and node.outcome != "discarded":
                return node
        return None

    def turn_number(self, node_id: str) -> int:
        """How many sealed story turns lie on the path to a node, itself included."""
        return sum(
            1 for node in self.path(node_id) if node.kind == "turn" and node.outcome == "sealed"
        )


def _is_placed(node: Node) -> bool:
    return not node.deleted and node.run != "queued" and node.outcome != "discarded"


def _fruitless(node: Node) -> bool:
    return node.run == "ended" and not node.prose
