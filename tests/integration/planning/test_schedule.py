"""When planning happens, what it sees, and when a turn sees what came of it (`planner.md` §§1–2)."""

from __future__ import annotations

import json
from itertools import pairwise

from huaben.services import branching, playing
from huaben.services.continuing import continue_sealed
from huaben.services.planning.reading import recorded
from huaben.services.stories import load_turn
from huaben.testing.script import call, drop, reply, say, stall
from tests.integration.planning.stage import ON, PERSONA, Says, Settings, a_room, state


async def test_a_first_turn_is_planned_and_the_next_one_sees_it() -> None:
    """The turn that began before the commit does not; a turn prepared after it carries the new
    revision."""
    async with a_room() as room:
        first = await room.say("我推开门，把旧伞放在柜台上。")
        assert first.outcome == "sealed"
        assert room.roles_asked() == [
            "route",
            "judge_npc",
            "direct_scene",
            "second",
            "update_director_state",
        ]
        assert "眼下没有可用的规划" in room.written_to(0)
        assert "【剧情规划】\n## 场景与时间\n- 第 1 版\n- 视角：沈砚" not in room.written_to(0)
        planned = await room.planned(first)
        assert planned is not None
        assert (planned.state, planned.outcome, planned.revision) == ("over", "committed", 1)
        second = await room.say("我坐下。")
        assert "【剧情规划】\n## 场景与时间\n- 第 1 版\n- 视角：沈砚" in room.written_to()
        assert room.written_to().count("【剧情规划】\n") == 1
        record = await recorded(room.house, second)
        assert record is not None
        assert record["serial"] == 1
        assert await room.outcome() == "retained"
        assert room.roles_asked()[5:] == ["route"]


async def test_without_a_planner_nothing_is_different() -> None:
    """No job, no block, no record, and not a byte in the request."""
    async with a_room(settings={}) as plain, a_room() as planned:
        turn = await plain.say("我推开门。")
        await planned.say("我推开门。")
        assert await plain.due() == []
        assert await recorded(plain.house, turn) is None
        assert plain.planner.bodies == []
        bare, with_plan = (json.loads(one.story.bodies[0]) for one in (plain, planned))
        assert "【剧情规划】\\n" not in json.dumps(bare, ensure_ascii=False)
        assert bare["tools"] == with_plan["tools"]
        assert with_plan["messages"][0]["content"].startswith(bare["messages"][0]["content"])


async def test_once_for_each_turn_of_the_story() -> None:
    """Not for a variant, nor for a turn that is taken up again; for edited words once more."""
    async with a_room({"route": []}, settings={**ON, "limits": {"rounds": 20}}) as room:
        turn = await room.say("我推开门。", plan=False)
        assert await room.due() == [turn.id]
        await playing.make_variant(room.house, room.company, turn.id)
        head = await room.house.store.head(room.project.id)
        assert head is not None
        await room.company.settled(head.turn_id)
        assert await room.due() == [turn.id]
        edited = await playing.make_variant(room.house, room.company, turn.id, "我敲门。")
        await room.company.settled(edited.id)
        assert await room.due() == [turn.id, edited.id]


async def test_going_on_from_a_reply_is_no_turn_of_its_own() -> None:
    """It is a further part of the same turn: no job is made for it."""
    async with a_room() as room:
        turn = await room.say("我推开门。", plan=False)
        more = await continue_sealed(room.house, room.company, turn.id)
        await room.company.settled(more.id)
        assert (await load_turn(room.house, more.id)).outcome == "revised"
        assert await room.due() == [turn.id]


async def test_a_turn_that_failed_is_planned_for_all_the_same() -> None:
    """Taking it up again makes no second job, and reads the same plan again."""
    async with a_room(
        story=[
            drop(),
            drop(),
            *(
                [
                    reply(
                        call("draft_write", version=0, content="雨"), call("draft_seal", version=1)
                    ),
                    say("好"),
                ]
            ),
        ]
    ) as room:
        turn = await room.say("我推开门。", plan=False)
        assert turn.outcome == "failed"
        assert await room.due() == [turn.id]
        await room.plan()
        assert await room.outcome() == "committed"
        await playing.resume(room.house, room.company, turn.id)
        await room.company.settled(turn.id)
        assert await room.due() == []
        record = await recorded(room.house, turn)
        assert record is not None
        assert record["serial"] == 0
        assert "眼下没有可用的规划" in room.written_to()


async def test_the_planner_sees_the_turn_as_it_opened() -> None:
    """Persona, greeting, words and lore are there, the reply of the same turn is not, whether it was
    stored before the job began or not."""
    async with a_room() as room:
        await room.say("我推开门，把旧伞放在柜台上。")
        for number in range(len(room.planner.bodies)):
            sent = room.sent(number)
            assert PERSONA.description in sent
            assert "我推开门，把旧伞放在柜台上。" in sent
            assert "湘妃竹" in sent
            assert "沈砚是渡口客栈的账房" in sent
            assert "他看了伞一眼" not in sent
        assert "【开场】" not in room.sent(0)
        assert "【开场】\n[m1] 雨下了一夜。沈砚抬起头：「林，打烊了。」" in room.sent(1)
        await room.say("我坐下。")
        assert "[m3] 正文: 他看了伞一眼。" in room.sent()


async def test_nine_messages_and_no_more() -> None:
    """Of a longer story the last ones, with their numbers."""
    async with a_room({"route": []}) as room:
        for number in range(7):
            await room.say(f"我说第 {number} 句。")
        sent = room.sent()
        assert sent.count("] 读者:") + sent.count("] 正文:") == 9
        assert "[m5] 正文: 他看了伞一眼。" in sent
        assert "我说第 1 句。" not in sent
        assert "[m14] 我说第 6 句。" in sent


async def test_the_reply_waits_for_no_planner_and_no_planner_for_the_reply() -> None:
    """A planner that never answers does not hold the turn; a writer that never answers does not hold
    the plan."""
    async with a_room({"route": reply(stall())}) as room:
        room.start()
        turn = await room.say("我推开门。", plan=False)
        assert turn.outcome == "sealed"
        await room.planner.stalled.wait()
    async with a_room(story=[reply(stall())]) as room:
        room.start()
        posted = await playing.post_turn(
            room.house, room.company, room.project.id, playing.Words("我推开门。")
        )
        await room.jobs.idle()
        assert await room.outcome() == "committed"
        assert posted.id in room.company.running


async def test_stopping_the_reply_leaves_the_job_alone() -> None:
    """Unless the scenario wants it to go too."""
    both: Settings = {"planner": {"enabled": True, "cancel_with_turn": True}}
    slow: Says = {"route": reply(stall())}
    for settings, says, outcome in ((ON, {}, "committed"), (both, slow, "cancelled")):
        async with a_room(says, settings=settings, story=[reply(stall())]) as room:
            room.start()
            posted = await playing.post_turn(
                room.house, room.company, room.project.id, playing.Words("我推开门。")
            )
            await room.story.stalled.wait()
            await playing.stop(room.house, room.company, posted.id)
            await room.jobs.idle()
            assert await room.outcome() == outcome


async def test_a_newer_job_takes_the_place_of_one_that_waits() -> None:
    """Of the same line of descent; of another branch both are carried out."""
    async with a_room({"route": []}) as room:
        first = await room.say("一。", plan=False)
        second = await room.say("二。", plan=False)
        await branching.go_to(room.house, room.project.id, first.id)
        other = await room.say("三。", plan=False)
        assert await room.due() == [first.id, second.id, other.id]
        await room.plan()
        assert [await room.outcome(n) for n in (1, 2, 3)] == ["superseded", "retained", "retained"]
        planned = await room.planned(first)
        assert planned is not None
        assert planned.outcome == "superseded"


async def test_each_branch_has_its_own_plan() -> None:
    """Undo takes it back; what another branch planned is not seen."""
    async with a_room() as room:
        first = await room.say("一。")
        room.planners.says["route"] = ["update_director_state"]
        await room.say("二。")
        await branching.go_to(room.house, room.project.id, first.id)
        await room.say("三。")
        assert "第 1 版" in room.written_to()
        assert "第 2 版" not in room.sent()
        assert await room.outcome() == "committed"
        await room.say("四。", plan=False)
        assert "第 3 版" in room.written_to()
        await branching.go_to(room.house, room.project.id, first.parent or "")
        await room.say("五。", plan=False)
        assert "眼下没有可用的规划" in room.written_to()


async def test_a_variant_shares_the_plan_of_its_beat() -> None:
    """What was planned after the first telling stands behind the second too."""
    async with a_room() as room:
        first = await room.say("一。")
        variant = await playing.make_variant(room.house, room.company, first.id)
        await room.company.settled(variant.id)
        await room.say("二。", plan=False)
        assert "第 1 版" in room.written_to()


async def test_a_retry_takes_the_turns_lore_as_it_was_chosen() -> None:
    """The planner reads the record of the turn and chooses nothing."""
    async with a_room({"route": []}) as room:
        turn = await room.say("旧伞。")
        records = await room.house.store.effects(f"lore/{turn.id}")
        assert len(records) <= 1
        assert "# 旧伞" in room.sent()


async def test_a_plan_in_the_system_text_changes_the_prefix() -> None:
    """Where the scenario wants it there; otherwise the prefix stays."""
    async with a_room(settings={"planner": {"enabled": True, "placement": "system"}}) as room:
        await room.say("一。")
        await room.say("二。", plan=False)
        system = [json.loads(body)["messages"][0]["content"] for body in room.story.bodies]
        assert "第 1 版" in system[-1]
        assert "第 1 版" not in system[0]
        assert room.written_to().count("【剧情规划】\n") == 1
    async with a_room() as room:
        await room.say("一。")
        await room.say("二。", plan=False)
        first, *_, last = (json.loads(body) for body in room.story.bodies)
        assert first["messages"][0] == last["messages"][0]


async def test_the_prefix_stays_whatever_is_planned() -> None:
    """Each request repeats the one before it up to that one's own words, though the plan changes with
    every turn."""
    async with a_room({"route": ["update_director_state"]}) as room:
        for number in range(4):
            await room.say(f"我说第 {number} 句。")
        requests = [json.loads(body)["messages"] for body in room.story.bodies]
        for before, after in pairwise(requests):
            words = max(n for n, message in enumerate(before) if message["role"] == "user")
            assert after[:words] == before[:words]
        assert "第 3 版" in room.written_to()


async def test_secrets_reach_a_writer_who_may_know() -> None:
    """The point of view decides; the planner always sees them."""
    for eyes, seen in (("沈砚", True), ("林", False)):
        secret = state(1, s1="- [secret: 沈砚] 他就是当年的船工 [m1]")
        says = {"update_director_state": secret.replace("视角：沈砚", f"视角：{eyes}")}
        async with a_room(says) as room:
            await room.say("一。")
            await room.say("二。")
            assert ("当年的船工" in room.written_to()) is seen
            assert "当年的船工" in room.sent()
