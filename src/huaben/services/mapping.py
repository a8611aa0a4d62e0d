"""The map of a story: its folded tree with the names of its saves and the words that its branches begin
with; apart from the tree's own reads, because only a map folds it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final, assert_never

from huaben.domain.map import MapItem, MapPoint, MapRun, fold
from huaben.domain.saves import Save
from huaben.domain.story import Told
from huaben.domain.text import clip
from huaben.services.house import House
from huaben.services.saves_shown import all_saves
from huaben.services.stories import load_story

MAX_WORDS: Final = 40
"""Characters of a turn's words that name a branch."""
MAX_WORDED: Final = 200
"""Items that have words; what a map has more of is told by its numbers alone."""


async def show_map(house: House, project_id: str) -> Mapping[str, object]:
    """`{head, items}`: what `domain.map` folds the tree to, each item with the words of the turn that
    it begins with. Raises `NotFound`."""
    story = await load_story(house, project_id)
    saves: dict[str, list[Save]] = {}
    async for save in all_saves(house, project_id):
        saves.setdefault(save.node, []).append(save)
    items = fold(story.tree, story.head.turn_id, saves)
    told = await house.store.told(_worded(items))
    return {"head": story.head.turn_id, "items": [_shown(item, told) for item in items]}


def _worded(items: Sequence[MapItem]) -> list[str]:
    """The turns whose words are shown: points, and where a branch begins."""
    forks = {item.id for item in items if isinstance(item, MapPoint) and "fork" in item.marks}
    wanted = (
        _first(item) for item in items if isinstance(item, MapPoint) or item.after in {None, *forks}
    )
    return list(dict.fromkeys(wanted))[:MAX_WORDED]


def _first(item: MapItem) -> str:
    return item.id if isinstance(item, MapPoint) else item.first


def _shown(item: MapItem, told: Mapping[str, Told]) -> Mapping[str, object]:
    shown: dict[str, object] = {
        "id": item.id,
        "after": item.after,
        "number": item.number,
        "variants": item.variants,
        "on_path": item.on_path,
        "words": _words(told.get(_first(item))),
    }
    match item:
        case MapPoint():
            saves = [{"id": save.id, "name": save.name} for save in item.saves]
            return {
                **shown,
                "kind": "point",
                "marks": list(item.marks),
                "saves": saves,
                "status": item.status,
            }
        case MapRun():
            return {**shown, "kind": "run", "first": item.first, "turns": item.turns}
        case _:
            assert_never(item)


def _words(told: Told | None) -> str:
    """What the user said there, or what heads an opening, on one line."""
    return "" if told is None else clip(" ".join((told.user_text or told.title).split()), MAX_WORDS)
