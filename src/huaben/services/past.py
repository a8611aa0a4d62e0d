"""The path that a turn continues, read from the store: its greeting, the turns that are still sent word for
word, and the summary that stands for the others; apart from the prompt, for which it is one source."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from huaben.agent.desk import Previous, Refusal
from huaben.domain.draft import Draft
from huaben.domain.project import Project
from huaben.domain.story import Node, Told, Tree, Turn
from huaben.domain.summary import Span, Summary, summary_from_json, told_on
from huaben.errors import StorageFailed
from huaben.ports import NodeState
from huaben.prompt.stage import PastTurn
from huaben.services.house import House


@dataclass(frozen=True, slots=True)
class Past:
    """What a turn continues. `turns` are sent word for word, `covered` are the turns before them that
    `summary` stands for; `anchor_lost` tells that a summary was there and covers nothing here.
    `overlay` leads from a turn to the revision in force."""

    greeting: Told
    greeting_index: int
    turns: tuple[PastTurn, ...]
    previous: Previous | Refusal
    summary: Summary | None = None
    covered: tuple[str, ...] = ()
    anchor_lost: bool = False
    overlay: Mapping[str, str] = field(default_factory=dict[str, str])

    @property
    def told(self) -> int:
        """How many turns the story has, whether they are sent or not."""
        return len(self.covered) + len(self.turns)

    @property
    def latest(self) -> str | None:
        """The last turn of the story."""
        if self.turns:
            return self.turns[-1].turn_id
        return self.covered[-1] if self.covered else None


async def load_past(
    house: House, project: Project, parent: str | None, *, whole: bool = False
) -> Past:
    """The story up to and including `parent`, with every text as it is in force there. Of turns that
    a summary stands for no word is read; `whole` reads all, as if there were none."""
    tree = Tree(await house.store.skeleton(project.id))
    head = parent if parent is not None else tree.roots()[0].id
    path = tree.path(head)
    summary = None if whole else await summary_at(house, path)
    found = told_on(path, summary)
    span = found or told_on(path, None) or Span((), ())
    overlay = tree.in_force(head)
    reply = tree.latest_reply(head)
    wanted = [path[0].id, *span.live, *([reply.id] if reply else [])]
    turns = await _told(house, wanted, overlay)
    greeting = turns[path[0].id]
    opening = text_in_force(turns, overlay, greeting.id).text
    return Past(
        greeting=replace(greeting, final_text=opening),
        greeting_index=[root.id for root in tree.roots()].index(greeting.id),
        turns=tuple(_past_turn(turns, overlay, turn) for turn in span.live),
        previous=_previous(reply, turns, overlay),
        summary=summary if found else None,
        covered=span.covered,
        anchor_lost=summary is not None and found is None,
        overlay=overlay,
    )


async def read_covered(house: House, past: Past, turn_ids: Sequence[str]) -> list[PastTurn]:
    """The words of turns that a summary stands for, in the order given."""
    if not turn_ids:
        return []
    turns = await _told(house, turn_ids, past.overlay)
    return [_past_turn(turns, past.overlay, turn) for turn in turn_ids]


async def summary_at(house: House, path: Sequence[Node]) -> Summary | None:
    """The summary in force at the end of a path from the root. Raises `StorageFailed` when the
    record is damaged."""
    state = await house.store.state_at("summary", [node.id for node in reversed(path)])
    return None if state is None else summary_of(state)


def summary_of(state: NodeState) -> Summary:
    try:
        return summary_from_json(state.data, state.node, state.revision, state.author)
    except ValueError as fault:
        raise StorageFailed("damaged", f"The summary at {state.node}: {fault}") from fault


def text_in_force(
    turns: Mapping[str, Turn | Told], overlay: Mapping[str, str], turn_id: str
) -> Draft:
    """The final text of a turn with the latest revision on the path laid over it."""
    revision = turns[overlay[turn_id]].revises if turn_id in overlay else None
    if revision is not None:
        return Draft(revision.version, revision.text)
    return Draft(turns[turn_id].version, turns[turn_id].final_text)


async def _told(
    house: House, wanted: Sequence[str], overlay: Mapping[str, str]
) -> Mapping[str, Told]:
    """The words of these turns and of the revisions of them that are in force."""
    revisions = [overlay[turn] for turn in wanted if turn in overlay]
    return await house.store.told(dict.fromkeys([*wanted, *revisions]))


def _past_turn(turns: Mapping[str, Told], overlay: Mapping[str, str], turn_id: str) -> PastTurn:
    turn = turns[turn_id]
    text = text_in_force(turns, overlay, turn_id).text
    return PastTurn(turn_id, turn.user_text, text, turn.asked, speaker=turn.title)


def _previous(
    node: Node | None, turns: Mapping[str, Told], overlay: Mapping[str, str]
) -> Previous | Refusal:
    if node is None:
        return "no_previous"
    if node.outcome != "sealed":
        return "previous_unsealed"
    return Previous(node.id, text_in_force(turns, overlay, node.id), turns[node.id].asked)
