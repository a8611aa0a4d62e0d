"""A story that was not played here is made ready: told what it costs first, read turn by turn, resumable."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest

from huaben.domain.story import Turn
from huaben.errors import Conflict
from huaben.ports import Commit
from huaben.services import chores
from huaben.services.aftermath.building import build, building, estimate
from huaben.services.summarising import show_summary
from huaben.testing.jobs import InlineJobs
from huaben.testing.script import Asked, Step, say
from tests.integration.aftermath.conftest import OpenRoom, Room, make_house, patch

SETTINGS = {
    "scribe": {"enabled": True, "wait_s": 30},
    "compaction": {"keep": 2, "every": 3, "min_chars": 10},
}


def teller(asked: Asked) -> Step:
    system = str(asked.messages[0]["content"])
    return say("提要：都在。" if "前情提要的人" in system else "他点头，灯还亮着。")


def scribe(asked: Asked) -> Step:
    found = re.search(r"第(\d)夜", asked.last_text.split("【读者的话】")[1])
    if found is None:
        return say("{}")
    return say(patch({"time": f"第{found[1]}夜"}, time=f"第{found[1]}夜"))


async def imported(room: Room, turns: int) -> list[Turn]:
    """Turns as an import plants them: sealed, and run with no scenario."""
    head = await room.house.store.head(room.project.id)
    assert head is not None
    planted: list[Turn] = []
    for n in range(1, turns + 1):
        turn_id = room.house.ids.new()
        parent = planted[-1].id if planted else head.turn_id
        planted.append(
            Turn(
                turn_id, room.project.id, "local", parent, "turn", turn_id, n, room.house.now(),
                run="ended", outcome="sealed", user_text=f"第{n}夜的话", final_text="灯还亮着。",
                version=1, prose=True,
            )
        )  # fmt: skip
    rows = (*planted, replace(head, turn_id=planted[-1].id))
    await room.house.store.commit(Commit(rows=rows))
    return planted


async def test_an_imported_story_is_built_on_the_users_word(open_room: OpenRoom) -> None:
    """Nothing is read by itself; the estimate names the calls; afterwards every node has its ledger and
    a summary stands."""
    room = await open_room(teller, scribe, SETTINGS)
    planted = await imported(room, 6)
    ledger = await room.ledger()
    assert len(ledger.behind) == 6
    expected = await estimate(room.house, room.project.id)
    assert (expected.turns, expected.model) == (6, "scribe")
    assert expected.prompt_tokens > 6 * 1000
    job = await build(room.house, room.project.id)
    with pytest.raises(Conflict):
        await build(room.house, room.project.id)
    await room.house.jobs.idle()
    found = await building(room.house, room.project.id)
    assert found is not None
    assert (found.job, found.state, found.done, found.turns) == (job.id, "done", 6, 6)
    for n, turn in enumerate(planted, 1):
        assert (await room.facts(turn)).time == f"第{n}夜"
    summary = (await show_summary(room.house, room.project.id)).summary
    assert summary is not None
    assert summary.covers == planted[3].id
    assert (await room.ledger()).behind == ()
    with pytest.raises(Conflict):
        await build(room.house, room.project.id)


async def test_playing_on_reads_only_what_was_played(open_room: OpenRoom) -> None:
    """A turn on top of an imported story costs one call of the scribe, and the rest stays named as
    unread."""
    room = await open_room(teller, scribe, SETTINGS)
    await imported(room, 3)
    turn = await room.say("第9夜来了")
    assert len(room.models["scribe"].scribed) == 1
    assert (await room.facts(turn)).time == "第9夜"
    assert len((await room.ledger(turn)).behind) == 3


@pytest.mark.parametrize("steps", [0, 1, 2, 4, 5])
async def test_a_building_that_dies_goes_on(open_room: OpenRoom, steps: int) -> None:
    """What was read is not read again."""
    room = await open_room(teller, scribe, SETTINGS)
    await imported(room, 3)
    await room.house.jobs.close()
    dying = make_house(room.house.store, room.models, SETTINGS, room.records)
    assert isinstance(dying.jobs, InlineJobs)
    await chores.begin(dying)
    dying.jobs.die_after(steps)
    await build(dying, room.project.id)
    await dying.jobs.idle()
    await dying.jobs.close()
    house = make_house(room.house.store, room.models, SETTINGS, room.records)
    await chores.begin(house)
    await house.jobs.idle()
    assert len(room.models["scribe"].scribed) == 3
    assert (await room.facts()).time == "第3夜"
    await house.jobs.close()
