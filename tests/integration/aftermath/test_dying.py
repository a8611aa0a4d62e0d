"""A process that dies between any two steps of the chain: the next one finishes it, each effect exists once, and
no recorded call is paid again."""

from __future__ import annotations

import pytest

from huaben.domain.events import Compacted, End, LedgerChange
from huaben.services import chores, playing
from huaben.services.performing import Company
from huaben.testing.jobs import InlineJobs
from huaben.testing.script import Asked, Step, say
from tests.builders.waiting import come_to_rest
from tests.integration.aftermath.conftest import OpenRoom, Room, make_house, patch

SETTINGS = {
    "scribe": {"enabled": True, "wait_s": 0},
    "compaction": {"keep": 0, "every": 1, "min_chars": 1},
}


def teller(asked: Asked) -> Step:
    system = str(asked.messages[0]["content"])
    return say("提要：旧伞还在。" if "前情提要的人" in system else "他把旧伞递过来。")


def scribe(asked: Asked) -> Step:
    return say(patch({"inventory": "旧伞"}, inventory=["旧伞"]))


async def reborn(room: Room) -> Room:
    """The next process on the same store and the same records of jobs."""
    await room.company.close()
    await room.house.jobs.close()
    house = make_house(room.house.store, room.models, SETTINGS, room.records)
    await chores.begin(house)
    return Room(house, Company(house), room.models, room.project, room.records)


@pytest.mark.parametrize("steps", range(9))
async def test_each_effect_exists_once(open_room: OpenRoom, steps: int) -> None:
    """Whichever step was the last that was recorded, and also when the one after it had done its work."""
    room = await open_room(teller, scribe, SETTINGS)
    assert isinstance(room.house.jobs, InlineJobs)
    room.house.jobs.die_after(steps)
    words = playing.Words("伞呢？")
    turn = await playing.post_turn(room.house, room.company, room.project.id, words)
    await room.company.settled(turn.id)
    await room.house.jobs.idle()
    await come_to_rest()  # what the step behind the last recorded one did is done now
    room = await reborn(room)
    await room.house.jobs.idle()
    events = [one.event for one in await room.house.store.events(turn.id)]
    for kind in (LedgerChange, Compacted, End):
        assert sum(isinstance(event, kind) for event in events) == 1, kind
    assert len(await room.house.store.states("ledger", [turn.id])) == 1
    assert len(await room.house.store.states("summary", [turn.id])) == 1
    assert len(room.models["scribe"].scribed) == 1
    assert len(room.models["story"].wires) == 2
    ended = await room.house.store.turn(turn.id)
    assert ended is not None
    assert (await room.facts(ended)).inventory == ("旧伞",)
    await room.company.close()
    await room.house.jobs.close()
