"""A turn that a control model directs: order, budgets, refusals, fall-backs, and going on after a death."""

from __future__ import annotations

import json

import pytest

from huaben.agent.showlog import ends_sentence
from huaben.domain.image import image_id, marker, markers
from huaben.domain.messages import Usage
from huaben.services import images, playing
from huaben.services.continuing import continue_sealed
from huaben.services.performing import Company
from huaben.testing.script import call, fail, raw_call, reply, say, stall
from tests.integration.showrunner.directed import directed


async def test_segments_and_pictures_stand_in_the_order_in_which_they_were_directed() -> None:
    """actor, picture, actor, over: one text; the control model saw only its instructions and the words,
    the second segment's request holds the first as assistant text; one allowance over both."""
    control = [
        reply(call("actor", instruction="慢一点")),
        reply(say("(放图)"), call("generate_image", prompt="雨夜，旧伞", caption="旧伞")),
        reply(call("actor")),
        reply(call("over")),
    ]
    story = [
        reply(say("雨停了。"), usage=Usage(900, 40)),
        reply(say("他收了伞。"), usage=Usage(950, 60)),
    ]
    settings = {"showrunner": {"output_tokens": 1000}}
    async with directed(control, story, settings) as room:
        turn = await room.say("我推门，带着旧伞。")
        placed = marker(image_id(turn.id, 0), "旧伞")
        assert (turn.outcome, turn.final_text) == ("sealed", f"雨停了。\n\n{placed}\n\n他收了伞。")
        view = await room.view(turn)
        assert [v.reason for v in view.versions] == ["capture", "append", "capture"]
        assert [t.name for t in view.tools] == ["actor", "generate_image", "actor", "over"]
        assert all(t.ok for t in view.tools)
        assert [i.state for i in view.images] == ["pending"]
        assert not view.spoken
        first = room.asked(room.control, 0)
        assert [role for role, _ in first] == ["system", "user"]
        assert first[1][1] == "我推门，带着旧伞。"
        assert "沈砚" not in first[0][1]
        opening, going_on = room.asked(room.story, 0), room.asked(room.story, 1)
        assert opening[-1] == ("user", "这一段：慢一点")
        assert going_on[: len(opening) - 1] == opening[:-1]
        assert going_on[len(opening) - 1] == ("assistant", "雨停了。")
        assert going_on[-1][0] == "user"
        assert [r.sampling.max_tokens for r in room.story.requests] == [1000, 960]
        told = json.loads(room.asked(room.control, 3)[-1][1])
        assert told == {"text": "他收了伞。", "tokens_used": 60, "tokens_left": 900}
        calls = await room.house.store.calls(turn.id)
        assert [c.purpose for c in calls] == [
            "control", "story", "control", "control", "story", "control",
        ]  # fmt: skip
        room.begin()
        await room.house.jobs.idle()
        assert [i.state for i in (await room.view(turn)).images] == ["ready"]


async def test_a_later_turn_shows_no_picture_to_a_model() -> None:
    """Pictures are for the reader."""
    control = [
        reply(call("actor", visual_beat="an umbrella"), call("over")),
        reply(call("actor"), call("over")),
    ]
    async with directed(control, [say("The rain stopped."), say("He nodded.")]) as room:
        first = await room.say("I open the door.")
        assert len(list(markers(first.final_text))) == 1
        await room.say("And then?")
        assert ("assistant", "The rain stopped.") in room.asked(room.story, 1)
        assert "image:" not in room.story.bodies[1].decode()


@pytest.mark.parametrize(
    ("said", "count"),
    [
        ("他把伞递过来，然后", 0),
        ("他把伞递过来：「拿着。」", 1),
        ("She said, “Take it.”", 1),
        ("She said", 0),
    ],
)
async def test_a_visual_beat_is_illustrated_only_at_the_end_of_a_sentence(
    said: str, count: int
) -> None:
    """By program, exactly once, before the control model is asked again."""
    wished: list[int] = []
    async with directed(
        [reply(call("actor", visual_beat="递伞的手")), reply(call("over"))], [say(said)]
    ) as room:
        turn = await room.say("伞呢？")
        view = await room.view(turn)
        assert len(view.images) == len(list(markers(turn.final_text))) == count
        wished.append(len(view.images))
        assert len(room.control.wires) == 2
    assert wished == [count]


async def test_steps_end_with_what_there_is() -> None:
    """Twelve functions, thirteen where amendments are on; then no further call."""
    for apply, steps in (("off", 12), ("review", 13)):
        async with directed(
            lambda _: reply(call("actor")),
            lambda _: say("一段。"),
            {"amendments": {"apply": apply}},
        ) as room:
            turn = await room.say("讲。")
            assert turn.outcome == "sealed"
            assert turn.final_text.count("一段。") == len(room.control.wires) == steps


async def test_refusals_are_told_and_end_nothing() -> None:
    """`over` before any segment, an unknown function, malformed arguments: each is a result. Without
    any segment the turn is one ordinary generation."""
    control = [
        reply(call("over")),
        reply(call("summon")),
        reply(raw_call("actor", '{"instruction": 3}')),
        say("我没有别的要做。"),
    ]
    async with directed(control, [say("雨停了。")]) as room:
        turn = await room.say("讲。")
        view = await room.view(turn)
        assert (turn.outcome, turn.final_text) == ("sealed", "雨停了。")
        assert [t.ok for t in view.tools] == [False, False, False]
        assert "actor" in view.tools[0].result
        assert [role for role, _ in room.asked(room.story, 0)][-1] == "user"


async def test_a_broken_director_costs_no_turn() -> None:
    """Its failure before a segment gives one ordinary generation, behind a segment the end."""
    async with directed([fail()], [say("雨停了。")]) as room:
        turn = await room.say("讲。")
        assert (turn.outcome, turn.final_text) == ("sealed", "雨停了。")
        assert await room.codes(turn) == ["control_failed"]
    async with directed([reply(call("actor")), fail()], [say("雨停了。")]) as room:
        turn = await room.say("讲。")
        assert (turn.outcome, turn.final_text) == ("sealed", "雨停了。")


async def test_an_error_behind_a_segment_keeps_it() -> None:
    """What the broken segment had said is not mixed in; the first stands alone."""
    control = [reply(call("actor")), reply(call("actor"))]
    async with directed(control, [say("雨停了。"), reply(say("他忽"), fail())]) as room:
        turn = await room.say("讲。")
        assert (turn.outcome, turn.final_text) == ("sealed", "雨停了。")
        assert await room.codes(turn) == ["segment_failed"]


async def test_a_first_segment_that_fails_is_made_again_by_retry() -> None:
    """The director's reply is not paid again."""
    async with directed(
        [reply(call("actor")), reply(call("over"))], [fail(), say("雨停了。")]
    ) as room:
        turn = await room.say("讲。")
        assert (turn.outcome, turn.code) == ("failed", "provider_unavailable")
        await playing.resume(room.house, room.company, turn.id)
        turn = await room.over(turn.id)
        assert (turn.outcome, turn.final_text) == ("sealed", "雨停了。")
        assert len(room.control.wires) == 2


async def test_a_stopped_segment_is_kept_and_gone_on_with() -> None:
    """A stop keeps what had arrived behind the first segment; Continue goes on from there, and nothing
    recorded is paid again."""
    control = [reply(call("actor")), reply(call("actor")), reply(call("over"))]
    story = [say("雨停了。"), reply(say("他收了"), stall()), say("伞。")]
    async with directed(control, story) as room:
        words = playing.Words("讲。")
        turn = await playing.post_turn(room.house, room.company, room.project.id, words)
        await room.story.stalled.wait()
        turn = await playing.stop(room.house, room.company, turn.id)
        assert (await room.view(turn)).draft.text == "雨停了。\n\n他收了"
        room.story.release()
        await playing.resume(room.house, room.company, turn.id)
        turn = await room.over(turn.id)
        assert (turn.outcome, turn.final_text) == ("sealed", "雨停了。\n\n他收了伞。")
        assert len(room.control.wires) == 3
        assert room.asked(room.story, 2)[-2] == ("assistant", "雨停了。\n\n他收了")


async def test_a_turn_whose_process_died_goes_on_from_its_record() -> None:
    """Neither a reply of the director nor a segment is paid again, and no picture is placed twice."""
    control = [
        reply(call("actor", visual_beat="旧伞")),
        reply(call("actor")),
        reply(call("over")),
    ]
    story = [say("雨停了。"), reply(say("他收"), stall()), say("他收了伞。")]
    async with directed(control, story) as room:
        words = playing.Words("讲。")
        turn = await playing.post_turn(room.house, room.company, room.project.id, words)
        await room.story.stalled.wait()
        await room.company.close()
        room.company = Company(room.house)
        await room.company.recover()
        room.story.release()
        await playing.resume(room.house, room.company, turn.id)
        turn = await room.over(turn.id)
        placed = marker(image_id(turn.id, 0), "旧伞")
        assert (turn.outcome, turn.final_text) == ("sealed", f"雨停了。\n\n{placed}\n\n他收了伞。")
        assert len(room.control.wires) == 3
        assert len(room.story.wires) == 3


async def test_used_up_tokens_refuse_further_segments() -> None:
    """One allowance for the turn, whatever the director wishes."""
    control = [reply(call("actor")), reply(call("actor")), reply(call("over"))]
    async with directed(
        control,
        [reply(say("雨停了。"), usage=Usage(10, 500))],
        {"showrunner": {"output_tokens": 400}},
    ) as room:
        turn = await room.say("讲。")
        assert turn.final_text == "雨停了。"
        assert [t.ok for t in (await room.view(turn)).tools] == [True, False, True]


async def test_what_does_not_exist_is_not_offered() -> None:
    """Without a connection that draws there are no pictures, without amendments no such function; and
    a second amendment in a turn is refused."""
    async with directed(
        [reply(call("actor"), call("over"))],
        [say("雨停了。")],
        {"amendments": {"apply": "off"}},
        draws=False,
    ) as room:
        await room.say("讲。")
        tools = room.control.requests[0].tools
        assert [tool.name for tool in tools] == ["actor", "over"]
        assert "visual_beat" not in json.dumps(tools[0].parameters)


def test_sentences_end_in_both_languages() -> None:
    """Closing quotation marks and brackets do not hide the end."""
    for whole in ("走。", "「走！」", "“Go.”", "(Gone.)", "他走了……", "*走了。*"):
        assert ends_sentence(whole)
    for broken in ("走，", "「走」他说", "He said,", "", "——"):
        assert not ends_sentence(broken)


@pytest.mark.parametrize("opening", ["雨停了。", "雨停了，他"])
async def test_a_continuation_places_and_draws_its_own_pictures(opening: str) -> None:
    """They stand in the text that was gone on from, each on a line of its own, and are drawn; the writer
    goes on from that text and is told of no picture."""
    control = [
        reply(call("actor"), call("over")),
        reply(call("generate_image", prompt="旧伞"), call("actor"), call("over")),
    ]
    async with directed(control, [say(opening), say("收了伞。")]) as room:
        first = await room.say("我推门。")
        more = await continue_sealed(room.house, room.company, first.id)
        more = await room.over(more.id)
        assert more.outcome == "revised"
        assert more.revises is not None
        placed = marker(image_id(more.id, 0), "旧伞")
        assert more.revises.text == f"{opening}\n\n{placed}\n\n收了伞。"
        assert [mark.id for mark in markers(more.revises.text)] == [image_id(more.id, 0)]
        assert ("assistant", opening) in room.asked(room.story, 1)
        assert "image:" not in room.story.bodies[1].decode()
        room.begin()
        await room.house.jobs.idle()
        assert [i.state for i in (await room.view(more)).images] == ["ready"]
        shown = await images.show_image(room.house, image_id(more.id, 0))
        assert (shown.turn_id, shown.image.state) == (more.id, "ready")
