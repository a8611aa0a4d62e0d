"""The way from a node up to its root, as the ids of its nodes; kept in memory because a story's memory is
searched several times a turn, and its turns lie behind one another.

A turn that has started never gets another parent, so what is remembered stays true.
"""

from __future__ import annotations

import threading
from collections import OrderedDict

from sqlalchemy import CTE, Connection, and_, literal, select

from huaben.adapters.db import schema

_KEPT = 16
_DEEPEST = 200_000

_turn = schema.turn


def path_to(at: str) -> CTE:
    """The ids of a node and all its ancestors, as a query."""
    first = select(_turn.c.id, _turn.c.parent, literal(1).label("n")).where(_turn.c.id == at)
    path = first.cte("path", recursive=True)
    # The count ends even a damaged tree that runs in a circle.
    above = and_(_turn.c.id == path.c.parent, path.c.n < _DEEPEST)
    return path.union_all(select(_turn.c.id, _turn.c.parent, path.c.n + 1).where(above))


class Paths:
    """The paths that were asked for last. Readers' threads share it."""

    def __init__(self) -> None:
        self._known: OrderedDict[str, frozenset[str]] = OrderedDict()
        self._door = threading.Lock()

    def of(self, connection: Connection, at: str) -> frozenset[str]:
        """The ids of a node and all its ancestors; empty if there is no such node."""
        known = self._recall(at)
        if known is not None:
            return known
        chosen = select(_turn.c.parent, _turn.c.run).where(_turn.c.id == at)
        node = connection.execute(chosen).one_or_none()
        if node is None:
            return frozenset()
        above = None if node.parent is None else self._recall(node.parent)
        if above is not None:
            path = above | {at}
        else:
            path = frozenset(connection.execute(select(path_to(at).c.id)).scalars().all())
        if node.run != "queued":  # it gets its real parent when it starts
            self._remember(at, path)
        return path

    def _recall(self, at: str) -> frozenset[str] | None:
        with self._door:
            path = self._known.get(at)
            if path is not None:
                self._known.move_to_end(at)
            return path

    def _remember(self, at: str, path: frozenset[str]) -> None:
        with self._door:
            self._known[at] = path
            while len(self._known) > _KEPT:
                self._known.popitem(last=False)
