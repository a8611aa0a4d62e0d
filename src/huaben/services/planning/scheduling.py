"""When a planner is set to work: once per turn of the story, in the commit that starts it; apart from the work
because a turn only ever waits for this (`planner.md` §1)."""

from __future__ import annotations

from dataclasses import dataclass

from huaben.domain.continuing import continues
from huaben.domain.events import Planned, TurnEvent
from huaben.domain.story import Turn
from huaben.formats.scenario import scenario_of
from huaben.ports import Due, Row
from huaben.services.house import House
from huaben.services.planning.reading import read_for
from huaben.services.planning.standing import KIND, lane_of
from huaben.services.stories import Story


@dataclass(frozen=True, slots=True)
class Scheduled:
    """What the commit that starts a turn holds for its planner; nothing where there is none."""

    rows: tuple[Row, ...] = ()
    due: tuple[Due, ...] = ()
    events: tuple[tuple[str, TurnEvent], ...] = ()


async def schedule(house: House, story: Story, started: Turn) -> Scheduled:
    """The record of which plan the turn reads, and the job that plans for later ones: only for the
    first telling of its beat, so that a variant makes none, and edited words make one. Going on from a
    sealed reply is another part of that reply's turn, and makes none."""
    wanted = scenario_of(story.project.config).planner.enabled
    if not wanted or story.project.mode != "roleplay" or started.parent is None:
        return Scheduled()
    read = await read_for(house, story.tree, started, started.parent)
    if started.beat != started.id or continues(started):
        return Scheduled((read,))
    due = due_of(started, story.head.revision + 1)
    return Scheduled((read,), (due,), ((started.id, Planned("scheduled")),))


def due_of(turn: Turn, history: int) -> Due:
    """The job that plans after a turn; `history` is the revision of the head as the turn begins."""
    payload = {"turn": turn.id, "beat": turn.beat, "parent": turn.parent, "history": history}
    return Due(lane_of(turn.project_id), KIND, payload)
