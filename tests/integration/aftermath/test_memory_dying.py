"""A process that dies between any two steps behind a turn: memory is kept once, and nothing is paid twice."""

from __future__ import annotations

import pytest

from huaben.adapters.system import SystemClock
from huaben.services import chores, playing
from huaben.services.performing import Company
from huaben.testing.jobs import InlineJobs
from huaben.testing.script import say
from huaben.testing.store import MemoryStore
from tests.builders.waiting import come_to_rest
from tests.integration.aftermath.conftest import Room, Settings, make_house
from tests.integration.aftermath.remembered import notes, room_on, teller

SETTINGS: Settings = {
    "scribe": {"enabled": True, "wait_s": 0},
    "memory": {"sources": ["diary", "tables", "store", "card"]},
    "compaction": {"keep": 0, "every": 1, "min_chars": 1},
}


async def reborn(room: Room) -> Room:
    """The next process on the same store and the same records of jobs."""
    await room.company.close()
    await room.house.jobs.close()
    house = make_house(room.house.store, room.models, SETTINGS, room.records)
    await chores.begin(house)
    return Room(house, Company(house), room.models, room.project, room.records)


@pytest.mark.parametrize("steps", range(11))
async def test_memory_is_kept_once(steps: int) -> None:
    """Whichever step was the last that was recorded, and also when the one after it had done its work."""
    store = MemoryStore(SystemClock())
    async with room_on(store, teller, SETTINGS, [say("沈砚在渡口。")]) as room:
        assert isinstance(room.house.jobs, InlineJobs)
        room.house.jobs.die_after(steps)
        words = playing.Words("伞呢？")
        turn = await playing.post_turn(room.house, room.company, room.project.id, words)
        await room.company.settled(turn.id)
        await room.house.jobs.idle()
        await come_to_rest()  # what the step behind the last recorded one did is done now
        again = await reborn(room)
        await again.house.jobs.idle()
        kept = sorted((note.kind, note.version) for note in await notes(again, turn.id))
        assert kept == [("event", 1), ("recap", 1), ("resident", 1)]
        assert (await again.view(turn)).ended
        assert len(room.models["scribe"].wires) == 1
        events = await store.project_events(room.project.id)
        told = [one.event.detail for one in events if one.event.kind == "memory_changed"]
        assert [dict(one or {})["source"] for one in told] == ["card", "card", "diary"]
        await again.company.close()
        await again.house.jobs.close()
