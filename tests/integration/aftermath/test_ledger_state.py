"""What a turn says of its ledger: whether what it tells has gone into it."""

from __future__ import annotations

import asyncio

from huaben.domain.story import Turn
from huaben.services import chores, playing
from huaben.services.branching import rewrite_final, undo
from huaben.services.viewing import show_turn, turn_json
from huaben.testing.jobs import InlineJobs
from huaben.testing.script import call, fail, reply, say, stall
from tests.builders.waiting import AWHILE_S, come_to_rest
from tests.integration.aftermath.conftest import KEPT, OpenRoom, Room, make_house, patch

PROSE = "沈砚把旧伞递过来。"
FIRST = patch({"inventory": "旧伞"}, inventory=["旧伞"])


async def state(room: Room, turn: Turn) -> object:
    return turn_json(await show_turn(room.house, turn.id))["ledger_state"]


async def test_a_turn_is_behind_until_it_was_read(open_room: OpenRoom) -> None:
    """Sealed and not yet read, then read."""
    room = await open_room([say(PROSE)], [reply(stall(None), say(FIRST))])
    turn = await room.say("我冷。", wait=False)
    assert await state(room, turn) == "behind"
    await asyncio.wait_for(room.models["scribe"].stalled.wait(), AWHILE_S)
    assert await state(room, turn) == "behind"
    room.models["scribe"].release()
    await room.house.jobs.idle()
    assert await state(room, turn) == "current"


async def test_a_turn_that_was_not_read_has_failed_until_it_is_caught_up(
    open_room: OpenRoom,
) -> None:
    """The turn behind it lacks nothing of its own, whatever came of the earlier one."""
    refusals = [fail(retryable=False)] * 2
    room = await open_room([say(PROSE), say("He nods.")], [*refusals, say(FIRST), say("{}")])
    first = await room.say("我冷。")
    assert await state(room, first) == "failed"
    second = await room.say("Thank you.")
    assert (await state(room, first), await state(room, second)) == ("current", "current")


async def test_while_an_earlier_turn_is_caught_up_on_a_turn_is_behind(
    open_room: OpenRoom,
) -> None:
    """The earlier one's version is in its log too, and is not its own."""
    refusals = [fail(retryable=False)] * 2
    books = [*refusals, say(FIRST), reply(stall(None), say("{}"))]
    room = await open_room([say(PROSE), say("他点头。")], books)
    first = await room.say("我冷。")
    second = await room.say("多谢。", wait=False)
    await asyncio.wait_for(room.models["scribe"].stalled.wait(), AWHILE_S)
    assert (await room.view(second)).ledger is not None
    assert (await state(room, first), await state(room, second)) == ("current", "behind")
    room.models["scribe"].release()
    await room.house.jobs.idle()


async def test_a_turn_whose_reading_was_cut_short_behind_the_ledger_is_current(
    open_room: OpenRoom,
) -> None:
    """A process died with the ledger written and the step not recorded; the next one begins it again,
    reads nothing twice, and the log has it that the turn was read."""
    room = await open_room([say(PROSE)], [say(FIRST)])
    assert isinstance(room.house.jobs, InlineJobs)
    room.house.jobs.die_after(2)
    turn = await room.say("我冷。")
    await come_to_rest()  # what the step behind the last recorded one did is done now
    await room.house.jobs.close()
    house = make_house(room.house.store, room.models, KEPT, room.records)
    await chores.begin(house)
    await house.jobs.idle()
    assert len(await house.store.states("ledger", [turn.id])) == 1
    assert len(room.models["scribe"].scribed) == 1
    assert await state(room, turn) == "current"
    await house.jobs.close()


async def test_a_turn_that_is_none_of_the_scribes_lacks_nothing(open_room: OpenRoom) -> None:
    """An unsealed turn until it is sealed; any turn of a scenario that keeps no ledger."""
    writes = reply(call("draft_write", version=0, content=PROSE))
    room = await open_room([writes, say("就这样。")], [reply(stall(None), say(FIRST))])
    turn = await room.say("我冷。")
    assert (turn.outcome, await state(room, turn)) == ("unsealed", "current")
    await playing.seal(room.house, room.company, turn.id)
    assert await state(room, turn) == "behind"
    room.models["scribe"].release()
    await room.house.jobs.idle()
    bare = await open_room([say(PROSE)], settings={"scribe": {"enabled": False}})
    assert await state(bare, await bare.say("I am cold.")) == "current"


async def test_a_text_that_was_changed_since_it_was_read_is_behind(open_room: OpenRoom) -> None:
    """A change of an earlier text is not read by itself; back before it, nothing is behind."""
    room = await open_room([say(PROSE), say("他点头。")], [say(FIRST), say("{}")])
    first = await room.say("我冷。")
    second = await room.say("多谢。")
    await rewrite_final(room.house, first.id, "沈砚把新伞递过来。", first.version)
    assert (await state(room, first), await state(room, second)) == ("behind", "current")
    await undo(room.house, room.project.id)
    assert (await state(room, first), await state(room, second)) == ("current", "current")
