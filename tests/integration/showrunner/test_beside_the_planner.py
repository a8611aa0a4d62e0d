"""Two who direct: the showrunner this turn, the planner later ones. Neither hands work to the other."""

from __future__ import annotations

from huaben.prompt.showrunner import Offered, functions
from huaben.services import playing
from huaben.services.planning.standing import lane_of
from huaben.testing.script import Asked, Step, call, reply, say, stall
from tests.integration.planning.stage import Planners
from tests.integration.showrunner.directed import Set, directed

OWN = {function.name for function in functions(Offered(images=True, amendments=True))}


async def due(room: Set) -> list[str]:
    """The turns that are to be planned for."""
    jobs = await room.house.store.due(lane_of(room.project.id))
    return [str(job.payload["turn"]) for job in jobs]


async def test_a_turn_of_many_segments_is_planned_for_once() -> None:
    """Also when it is stopped in the middle and gone on with; who directs is offered nothing of the
    planner's and sees no plan, and the planner nothing of theirs."""
    planned: list[Asked] = []
    planners = Planners({"route": ["direct_scene"]})
    segments: list[Step] = [say("雨停了。"), reply(say("他收了"), stall()), say("伞。")]

    def other(asked: Asked) -> Step:
        if "雨夜的记号" in str(asked.body) and not segments:
            planned.append(asked)
            return planners(asked)
        return segments.pop(0)

    control = [reply(call("actor")), reply(call("actor")), reply(call("over"))]
    async with directed(control, other, {"planner": {"enabled": True}}) as room:
        words = playing.Words("讲讲雨夜的记号。")
        turn = await playing.post_turn(room.house, room.company, room.project.id, words)
        await room.story.stalled.wait()
        await playing.stop(room.house, room.company, turn.id)
        room.story.release()
        await playing.resume(room.house, room.company, turn.id)
        turn = await room.over(turn.id)
        assert (turn.outcome, turn.final_text) == ("sealed", "雨停了。\n\n他收了伞。")
        assert await due(room) == [turn.id]
        room.begin()
        await room.house.jobs.idle()
        assert planned
        offered = {name for asked in planned for name in asked.tool_names}
        assert offered
        assert not offered & OWN
        assert all("收了" not in str(asked.body) for asked in planned)
        directing = {tool.name for request in room.control.requests for tool in request.tools}
        assert directing <= OWN
        assert len(room.control.wires) == 3
