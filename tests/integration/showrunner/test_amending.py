"""Lasting changes that a reader asked for: ordered once, proposed by a job, decided, undone, later turns only."""

from __future__ import annotations

import json
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import replace
from functools import partial

import pytest

from huaben.domain.amendment import Amendment
from huaben.errors import Conflict
from huaben.services import amending, chores
from huaben.services.amending import decide, list_amendments, stirrings
from huaben.testing.jobs import InlineJobs, Records
from huaben.testing.script import Asked, ScriptedReply, call, fail, reply, say
from tests.integration.showrunner.directed import Set, directed

PROPOSED: dict[str, object] = {
    "summary": "沈砚从此爱笑。",
    "card": {"personality": "冷静，爱笑"},
    "lore": [{"title": "新桥", "keys": [], "content": "渡口新修了一座桥。"}],
    "style": ["句子要短。"],
}


def _control(answer: str | None) -> object:
    """Order an amendment in each turn that speaks of one; the job's call has no tools."""

    def speak(asked: Asked) -> ScriptedReply:
        if not asked.tool_names:
            return reply(say(answer)) if answer is not None else reply(fail(retryable=False))
        if "请改" not in asked.last_text:
            return reply(call("actor"), call("over"))
        again = call("schedule_amendment", request="再改一次")
        return reply(
            call("schedule_amendment", request="让沈砚爱笑"), again, call("actor"), call("over")
        )

    return speak


@asynccontextmanager
async def stage(apply: str = "review", answer: str | None = "") -> AsyncGenerator[Set]:
    told = (
        f"好的：```json\n{json.dumps(PROPOSED, ensure_ascii=False)}\n```"
        if answer == ""
        else answer
    )
    async with directed(
        _control(told),  # pyright: ignore[reportArgumentType] - a script
        lambda _: say("他点头。"),
        {"amendments": {"apply": apply}},
    ) as room:
        yield room


async def only(room: Set) -> Amendment:
    (found,) = await list_amendments(room.house, room.project.id)
    return found


async def test_one_that_is_worked_on_is_listed_and_takes_no_word_yet() -> None:
    """A story without any has nothing to list; then it is told from the seal on, and counted once."""
    async with stage() as room:
        assert await stirrings(room.house, room.project.id) == 0
        turn = await room.say("请改：让沈砚爱笑。")
        found = await only(room)
        assert (found.state, found.turn, found.request) == ("working", turn.id, "让沈砚爱笑")
        assert await stirrings(room.house, room.project.id) == 1
        with pytest.raises(Conflict, match="working"):
            await decide(room.house, room.project.id, turn.id, "accept")
        room.begin()
        await room.house.jobs.idle()
        assert (await only(room)).state == "proposed"
        assert await stirrings(room.house, room.project.id) == 1


async def test_review_changes_nothing_before_the_users_word_and_undo_takes_it_back() -> None:
    """A second one in the turn is refused; accepted it holds for later turns, in card, lore and rules."""
    async with stage() as room:
        room.begin()
        turn = await room.say("请改：让沈砚爱笑。")
        assert turn.final_text == "他点头。"
        tools = (await room.view(turn)).tools
        assert [t.ok for t in tools] == [True, False, True, True]
        await room.house.jobs.idle()
        found = await only(room)
        assert (found.state, found.turn, found.request) == ("proposed", turn.id, "让沈砚爱笑")
        assert [(c.field, c.old, c.new) for c in found.proposal.card] == [
            ("personality", "冷静，护短", "冷静，爱笑")
        ]
        await room.say("一")
        assert "爱笑" not in system_of(room)
        await decide(room.house, room.project.id, turn.id, "accept")
        await room.say("二")
        sent = system_of(room)
        assert "冷静，爱笑" in sent
        assert "护短" not in sent
        assert "句子要短。" in sent
        assert "渡口新修了一座桥。" in sent
        with pytest.raises(Conflict) as refused:
            await decide(room.house, room.project.id, turn.id, "refuse")
        assert refused.value.code == "amendment_not_proposed"
        await decide(room.house, room.project.id, turn.id, "undo")
        await room.say("三")
        sent = system_of(room)
        assert "冷静，护短" in sent
        assert "句子要短" not in sent
        assert "新修" not in sent


def system_of(room: Set) -> str:
    return room.asked(room.story, len(room.story.bodies) - 1)[0][1]


async def test_auto_applies_and_a_later_one_of_the_same_field_is_undone_first() -> None:
    """What one built upon another cannot outlive it."""
    async with stage("auto") as room:
        room.begin()
        first = await room.say("请改。")
        await room.house.jobs.idle()
        assert (await only(room)).state == "applied"
        other = Amendment("t2", "再", "applied", 1, (await only(room)).proposal)
        await amending._record(room.house, room.project.id, other)  # pyright: ignore[reportPrivateUsage] - a second turn's would look the same
        with pytest.raises(Conflict) as refused:
            await decide(room.house, room.project.id, first.id, "undo")
        assert refused.value.code == "amended_since"
        await decide(room.house, room.project.id, "t2", "undo")
        assert (await decide(room.house, room.project.id, first.id, "undo")).state == "undone"


@pytest.mark.parametrize(
    ("answer", "code"), [("好的，改了。", "unreadable"), (None, "provider_unavailable")]
)
async def test_a_failing_one_leaves_the_prose(answer: str | None, code: str) -> None:
    """It is shown as failed, and changes nothing."""
    async with stage("auto", answer) as room:
        room.begin()
        turn = await room.say("请改。")
        await room.house.jobs.idle()
        assert (turn.outcome, turn.final_text) == ("sealed", "他点头。")
        found = await only(room)
        assert (found.state, found.code) == ("failed", code)
        await room.say("一")
        assert "冷静，护短" in system_of(room)


@pytest.mark.parametrize("steps", [0, 1, 2])
async def test_a_restart_in_the_middle_proposes_it_once(steps: int) -> None:
    """Wherever the process dies, no recorded call is made again and the amendment is there once."""
    async with stage() as room:
        records: Records = {}
        jobs = InlineJobs(room.house.store, records)
        room.house = replace(room.house, jobs=jobs)
        room.company._house = room.house  # pyright: ignore[reportPrivateUsage] - the same company with other jobs
        turn = await room.say("请改。")
        jobs.die_after(steps)
        jobs.start(partial(chores.carry_out, room.house))
        await jobs.idle()
        await jobs.close()
        again = InlineJobs(room.house.store, records)
        room.house = replace(room.house, jobs=again)
        again.start(partial(chores.carry_out, room.house))
        await again.idle()
        assert (await only(room)).state == "proposed"
        calls = await room.house.store.calls(turn.id)
        answered = [one for one in calls if one.purpose == "amendment" and one.reply is not None]
        assert len(answered) == 1
        await again.close()
