"""The trees of the projects that are being played, kept in memory as their commits go by.

Apart from the database reads because it only saves them: every verb of a story begins with its
tree, and reading 10,000 rows for each would be most of its time. Right only where every commit
comes through this process.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import replace

from huaben.domain.story import Node, Turn, node_of
from huaben.ports import Commit, Visit

_PROJECTS = 64


class Skeletons:
    """Per project its nodes without their words. A read that raced with a commit is not kept."""

    def __init__(self) -> None:
        self._trees: OrderedDict[str, dict[str, Node]] = OrderedDict()
        self._commits = 0
        self._door = threading.Lock()

    @property
    def moment(self) -> int:
        """Counts commits; take it before a read and give it to `keep`."""
        return self._commits

    def get(self, project_id: str) -> list[Node] | None:
        """The nodes, oldest first, or None when the project is not kept."""
        with self._door:
            tree = self._trees.get(project_id)
            if tree is None:
                return None
            self._trees.move_to_end(project_id)
            return list(tree.values())

    def keep(self, project_id: str, nodes: Sequence[Node], moment: int) -> None:
        with self._door:
            if moment != self._commits:
                return
            self._trees[project_id] = {node.id: node for node in nodes}
            while len(self._trees) > _PROJECTS:
                self._trees.popitem(last=False)

    def take(self, commit: Commit) -> None:
        """Follow a durable commit. Called from the writer's thread, in the order of the commits."""
        if not any(isinstance(row, Turn | Visit) for row in commit.rows):
            return
        with self._door:
            self._commits += 1
            for row in commit.rows:
                if isinstance(row, Turn):
                    self._place(row)
                elif isinstance(row, Visit):
                    self._visit(row)

    def forget_all(self) -> None:
        """All that is stored was exchanged; a read that began before is not kept either."""
        with self._door:
            self._commits += 1
            self._trees.clear()

    def _place(self, turn: Turn) -> None:
        tree = self._trees.get(turn.project_id)
        if tree is None:
            return
        known = tree.get(turn.id)
        if known is None and tree and turn.id < next(reversed(tree)):
            # Ids of another process's clock may sort before ours; the next read sorts them.
            self._trees.pop(turn.project_id)
            return
        tree[turn.id] = node_of(turn, known.last_child if known else None)

    def _visit(self, row: Visit) -> None:
        for tree in self._trees.values():
            node = tree.get(row.node_id)
            if node is not None:
                tree[row.node_id] = replace(node, last_child=row.child_id)
                return
