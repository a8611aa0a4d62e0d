"""Finding words in a whole story: what the index says is looked at again, placed on the tree, and shown
with its surroundings."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from huaben.domain.finding import (
    Excerpt,
    Sought,
    StoryPart,
    excerpt,
    parts_of,
    places,
    sought,
)
from huaben.domain.story import Node, TurnStatus, status_of
from huaben.ports import Page, StoryMatch
from huaben.services.house import House
from huaben.services.stories import Story, load_story

MAX_HITS: Final = 200
_SCANNED: Final = 1000
"""How many matches of the index one page looks at; after that it ends early, with a `next`."""


@dataclass(frozen=True, slots=True)
class Found:
    """A part of a turn that holds the words. `node` holds it, `turn` is where it is read: they
    differ where a later node has revised the text. `on_branch`: a reader at the head sees it.
    `count` is how many places there are in the part, `excerpt` shows the first."""

    turn: Node
    node: Node
    part: StoryPart
    number: int
    on_branch: bool
    count: int
    excerpt: Excerpt

    @property
    def status(self) -> TurnStatus:
        return status_of(self.turn.run, self.turn.outcome)


async def search_story(
    house: House, project_id: str, query: str, page: Page
) -> tuple[Story, list[Found], str | None]:
    """Where a project's story, on all its branches, holds the words (`finding.sought`), from the
    newest turn to the oldest. A page may hold less than its limit and still have a next one.
    Raises `NotFound`."""
    story = await load_story(house, project_id)
    sight = _Sight(story)
    wanted = sought(query)
    limit = min(max(page.limit, 1), MAX_HITS)
    found: list[Found] = []
    after, scanned = page.after, 0
    while len(found) < limit and scanned < _SCANNED:
        # No more than are still wanted, so that the page ends where the index's page does.
        some = Page(after, limit - len(found))
        matches, after = await house.store.search_story(project_id, query, some)
        found += await _look(house, sight, matches, wanted)
        scanned += len(matches)
        if after is None:
            break
    return story, found, after


async def _look(
    house: House, sight: _Sight, matches: list[StoryMatch], wanted: Sought
) -> list[Found]:
    """What really stands there: the index knows only that all the words do, in whatever order."""
    turns = await house.store.turns(match.turn_id for match in matches)
    found: list[Found] = []
    for match in matches:
        node = sight.story.tree.nodes.get(match.turn_id)
        turn = turns.get(match.turn_id)
        if node is None or turn is None or node.outcome == "discarded":
            continue
        text = parts_of(turn)[match.part]
        spots = places(text, wanted)
        if spots:
            found.append(sight.found(node, match.part, len(spots), excerpt(text, spots)))
    return found


class _Sight:
    """What a reader at the head sees, reckoned once for all that is found."""

    def __init__(self, story: Story) -> None:
        self.story = story
        head = story.head.turn_id
        self._overlay = story.tree.in_force(head)
        self._numbers: dict[str, int] = {}
        number = 0
        for node in story.tree.path(head):
            number += node.kind == "turn" and node.outcome == "sealed"
            self._numbers[node.id] = number

    def found(self, node: Node, part: StoryPart, count: int, shown: Excerpt) -> Found:
        revised = None if node.revises is None else self.story.tree.nodes.get(node.revises[0])
        read_at = revised or node
        seen = self._is_seen(node, part)
        return Found(read_at, node, part, self._number(read_at), seen, count, shown)

    def _number(self, node: Node) -> int:
        if node.run == "queued":  # it has no place yet
            return 0
        known = self._numbers.get(node.id)
        return self.story.tree.turn_number(node.id) if known is None else known

    def _is_seen(self, node: Node, part: StoryPart) -> bool:
        if node.id not in self._numbers:
            return False
        if part != "text":
            return True
        if node.revises is not None:
            return self._overlay.get(node.revises[0]) == node.id
        return node.id not in self._overlay


def found_json(found: Found) -> Mapping[str, object]:
    shown = found.excerpt
    return {
        "turn": found.turn.id,
        "node": found.node.id,
        "part": found.part,
        "kind": found.turn.kind,
        "status": found.status,
        "number": found.number,
        "on_branch": found.on_branch,
        "count": found.count,
        "start": shown.start,
        "text": shown.text,
        "spans": [{"start": start, "end": end} for start, end in shown.spans],
    }
