"""The session tree folded for a map: what matters as points, what lies between them as runs; apart from
the tree, whose other readers walk it node by node.

A point is a fork, a save, an edit or the present (`ui.md`, Map); everything else on the way is a run
with its number of turns, and variants that nobody went on from are only counted.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple, TypeAlias

from huaben.domain.saves import Save
from huaben.domain.story import Node, Tree, TurnStatus, status_of

Mark: TypeAlias = Literal["fork", "save", "edit", "present"]


@dataclass(frozen=True, slots=True)
class MapPoint:
    """A node that is shown. `after` is the id of the item that it follows (None: it begins), `number`
    the sealed turns up to it, itself included, `variants` the siblings that are folded away beside
    it. `on_path`: it lies on the way to the present."""

    id: str
    after: str | None
    marks: tuple[Mark, ...]
    saves: tuple[Save, ...]
    status: TurnStatus
    number: int
    variants: int
    on_path: bool


@dataclass(frozen=True, slots=True)
class MapRun:
    """A straight stretch from the node `first` to the node `id`: `turns` are its sealed turns,
    `number` those up to its end, `variants` the siblings that are folded away beside them."""

    id: str
    after: str | None
    first: str
    turns: int
    number: int
    variants: int
    on_path: bool


MapItem: TypeAlias = MapPoint | MapRun


def fold(tree: Tree, head: str, saves: Mapping[str, Sequence[Save]]) -> list[MapItem]:
    """The map of a tree: each item behind the one that it follows, older branches first.

    `saves` are those of each node. What was discarded or put aside is left out with all that hangs
    on it, and so is what still waits. Linear in the tree, which may have ten thousand nodes."""
    return list(_Folding(tree, head, saves).items())


class _Kept(NamedTuple):
    """A node that is on the map, with how many siblings it stands for beside itself."""

    node: Node
    variants: int


class _Folding:
    """One pass over the nodes to find who goes on from whom, and one along the branches."""

    def __init__(self, tree: Tree, head: str, saves: Mapping[str, Sequence[Save]]) -> None:
        self._tree = tree
        self._head = head
        self._saves = saves
        self._path = {node.id for node in tree.path(head)}
        self._points = {head, *saves}
        # Nearly every node has one child, and needs no list for it.
        self._first: dict[str | None, Node] = {}
        self._several: dict[str | None, list[Node]] = {}
        self._chosen: dict[str | None, list[_Kept]] = {}
        for node in tree.nodes.values():
            if node.deleted or node.run == "queued":
                continue
            if node.outcome != "sealed":
                if node.outcome == "discarded":
                    continue
                if node.outcome == "revised":
                    self._points.add(node.id)
            elder = self._first.setdefault(node.parent, node)
            if elder is not node:
                self._several.setdefault(node.parent, [elder]).append(node)

    def items(self) -> Iterator[MapItem]:
        # By hand and not by recursion: a story is thousands of nodes deep.
        ahead: list[tuple[_Kept, str | None, int]] = []
        ahead.extend((one, None, 0) for one in reversed(self._following(None)))
        while ahead:
            kept, after, number = ahead.pop()
            if self._is_point(kept.node):
                following = self._following(kept.node.id)
                item: MapItem = self._point(kept, following, after, number)
            else:
                item, following = self._run(kept, after, number)
            yield item
            ahead.extend((one, item.id, item.number) for one in reversed(following))

    def _point(
        self, kept: _Kept, following: Sequence[_Kept], after: str | None, number: int
    ) -> MapPoint:
        node = kept.node
        return MapPoint(
            id=node.id,
            after=after,
            marks=self._marks(node, following),
            saves=tuple(self._saves.get(node.id, ())),
            status=status_of(node.run, node.outcome),
            number=number + _counts(node),
            variants=kept.variants,
            on_path=node.id in self._path,
        )

    def _run(self, kept: _Kept, after: str | None, number: int) -> tuple[MapRun, list[_Kept]]:
        """The stretch that begins here, and what comes behind it."""
        first = node = kept.node
        turns, variants = _counts(node), kept.variants
        while True:
            node, passed = self._straight_on(node)
            turns += passed
            following = self._following(node.id)
            if len(following) != 1 or self._is_point(following[0].node):
                break
            node = following[0].node
            turns += _counts(node)
            variants += following[0].variants
        on_path = node.id in self._path
        run = MapRun(node.id, after, first.id, turns, number + turns, variants, on_path)
        return run, following

    def _straight_on(self, node: Node) -> tuple[Node, int]:
        """As far as each node has one child and nothing is to be thought about, which is nearly all
        of a story, and the sealed turns on that way: the few steps of the walk that must be quick."""
        first, several, points, turns = self._first, self._several, self._points, 0
        while node.id not in several:
            onward = first.get(node.id)
            if onward is None or not onward.prose:
                break
            if onward.id in points or onward.id in several:
                break
            if onward.outcome == "sealed":
                turns += onward.kind == "turn"
            node = onward
        return node, turns

    # ---- what is shown -------------------------------------------------------------------------

    def _is_point(self, node: Node) -> bool:
        if node.id in self._points:
            return True
        return node.id in self._several and len(self._following(node.id)) > 1

    def _marks(self, node: Node, following: Sequence[_Kept]) -> tuple[Mark, ...]:
        claims: tuple[tuple[Mark, bool], ...] = (
            ("fork", len(following) > 1),
            ("save", node.id in self._saves),
            ("edit", node.outcome == "revised"),
            ("present", node.id == self._head),
        )
        return tuple(mark for mark, holds in claims if holds)

    def _following(self, node_id: str | None) -> list[_Kept]:
        """The children that are shown. Of variants that end where they are one stands for all."""
        if node_id not in self._several:
            only = self._first.get(node_id)
            return [] if only is None or self._is_fruitless(only) else [_Kept(only, 0)]
        if node_id not in self._chosen:  # a fork is looked at from before it and at it
            self._chosen[node_id] = self._choose(node_id, self._several[node_id])
        return self._chosen[node_id]

    def _choose(self, node_id: str | None, children: Sequence[Node]) -> list[_Kept]:
        groups: dict[str, list[Node]] = {}
        for child in children:
            if not self._is_fruitless(child):
                # The openings are variants of one another, though each has a beat of its own.
                groups.setdefault("" if node_id is None else child.beat, []).append(child)
        shown = [kept for group in groups.values() for kept in self._of_group(node_id, group)]
        return sorted(shown, key=lambda kept: kept.node.id)

    def _of_group(self, parent: str | None, group: Sequence[Node]) -> list[_Kept]:
        kept = [node for node in group if self._must_stay(node)]
        if not kept:
            visited = None if parent is None else self._tree[parent].last_child
            kept = [next((node for node in group if node.id == visited), group[-1])]
        folded = len(group) - len(kept)
        return [_Kept(node, folded if node is kept[0] else 0) for node in kept]

    def _must_stay(self, node: Node) -> bool:
        return node.id in self._first or node.id in self._path or node.id in self._saves

    def _is_fruitless(self, node: Node) -> bool:
        """A try that yielded nothing, and that nobody stands on."""
        tried = node.kind == "turn" and node.run == "ended" and not node.prose
        return tried and not self._must_stay(node)


def _counts(node: Node) -> int:
    return 1 if node.kind == "turn" and node.outcome == "sealed" else 0
