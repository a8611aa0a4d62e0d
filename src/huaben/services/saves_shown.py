"""The named saves of a story as clients, the map and a turn see them; apart from the verbs, because a turn
that is being prepared reads them and the verbs lead to turns.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterable, Mapping
from dataclasses import dataclass

from huaben.domain.saves import Save, SaveSeen
from huaben.domain.story import Tree, Turn
from huaben.ports import Page
from huaben.services.house import House
from huaben.services.stories import load_story

SEEN = 51
"""Saves that a turn is given: one more than its tool lists, so that a cut is told."""


@dataclass(frozen=True, slots=True)
class SaveShown:
    """A save as clients see it. `number` counts the sealed turns up to its node; `on_branch`: the
    node lies on the way to the present; `standing`: one can go there."""

    save: Save
    number: int
    on_branch: bool
    standing: bool


async def list_saves(
    house: House, project_id: str, page: Page
) -> tuple[list[SaveShown], str | None]:
    """The saves of a project, newest first."""
    story = await load_story(house, project_id)
    found, following = await house.store.saves(project_id, page)
    return shown_in(story.tree, story.head.turn_id, found), following


async def show_save(house: House, save: Save) -> SaveShown:
    story = await load_story(house, save.project_id)
    return shown_in(story.tree, story.head.turn_id, [save])[0]


def shown_in(tree: Tree, at: str, saves: Iterable[Save]) -> list[SaveShown]:
    """The saves as they stand in their story, seen from a node."""
    way = {node.id for node in tree.path(at)}
    places = _Places(tree)
    shown: list[SaveShown] = []
    for save in saves:
        number, standing = places.of(save.node)
        shown.append(SaveShown(save, number, save.node in way, standing))
    return shown


def save_json(shown: SaveShown) -> Mapping[str, object]:
    save = shown.save
    return {
        "id": save.id,
        "project": save.project_id,
        "turn": save.node,
        "name": save.name,
        "author": save.author,
        "created_at": save.created_at,
        "revision": save.revision,
        "number": shown.number,
        "on_branch": shown.on_branch,
        "standing": shown.standing,
    }


async def all_saves(house: House, project_id: str) -> AsyncIterator[Save]:
    """Every save of a project that is not in the trash, newest first."""
    after: str | None = None
    while True:
        found, after = await house.store.saves(project_id, Page(after, 200))
        for save in found:
            yield save
        if after is None:
            return


async def seen_saves(house: House, turn: Turn) -> tuple[SaveSeen, ...]:
    """The newest saves of a turn's story, as the turn sees them."""
    found, _ = await house.store.saves(turn.project_id, Page(limit=SEEN))
    if not found:
        return ()  # most stories have none, and need no tree for it
    tree = Tree(await house.store.skeleton(turn.project_id))
    shown = shown_in(tree, turn.id, found)
    return tuple(
        SaveSeen(one.save.name, one.number, one.on_branch, one.save.author)
        for one in shown
        if one.standing
    )


class _Places:
    """How many sealed turns lead to a node, and whether one can go there; each node is looked at
    once, however many saves there are."""

    def __init__(self, tree: Tree) -> None:
        self._tree = tree
        self._known: dict[str | None, tuple[int, bool]] = {None: (0, True)}

    def of(self, node_id: str) -> tuple[int, bool]:
        if node_id not in self._tree:
            return (0, False)
        unknown: list[str] = []
        at: str | None = node_id
        while at is not None and at not in self._known:
            unknown.append(at)
            at = self._tree[at].parent
        for one in reversed(unknown):
            node = self._tree[one]
            number, standing = self._known[node.parent]
            counts = node.kind == "turn" and node.outcome == "sealed"
            gone = node.deleted or node.outcome == "discarded"
            self._known[one] = (number + counts, standing and not gone)
        return self._known[node_id]
