"""What stands at a node of a story: the ledger there, and how far it is behind; read alike by turns, by
what follows them, and by clients."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from huaben.domain.standing import Stood, stood_from_json, unheard, unread
from huaben.domain.story import Node, Tree
from huaben.errors import StorageFailed
from huaben.ports import NodeState
from huaben.services.house import House


@dataclass(frozen=True, slots=True)
class LedgerAt:
    """The ledger at a node. `behind` are the sealed turns on the way to it that the scribe has yet to
    read; `changed` those whose text was changed since it read them."""

    node: str
    stood: Stood
    behind: tuple[str, ...]
    changed: tuple[str, ...]


async def ledger_at(house: House, tree: Tree, node: str) -> LedgerAt:
    """Raises `StorageFailed` when the record is damaged."""
    path = tree.path(node)
    stood = await stood_at(house, path)
    return LedgerAt(node, stood, tuple(unread(path, stood)), tuple(unheard(tree, node, stood)))


async def stood_at(house: House, path: Sequence[Node]) -> Stood:
    """What stands at the end of a path from the root."""
    state = await house.store.state_at("ledger", [node.id for node in reversed(path)])
    return Stood() if state is None else stood_of(state)


def stood_of(state: NodeState) -> Stood:
    try:
        return stood_from_json(state.data, state.node, state.revision)
    except ValueError as fault:
        raise StorageFailed("damaged", f"The ledger at {state.node}: {fault}") from fault
