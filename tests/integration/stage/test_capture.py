"""Spoken prose and the format tail (`turn.md` §4, §5, §8)."""

from __future__ import annotations

import pytest

from huaben.testing.script import call, reply, say, think

from .conftest import OpenTable

P = "他收起伞。\n\n檐下的灯晃了一下。"


async def test_a_last_reply_without_calls_becomes_the_sealed_draft(open_table: OpenTable) -> None:
    """Case 1: whatever was looked up before, spoken prose is taken and sealed."""
    table = await open_table([reply(call("card_read")), reply(say(P))])
    turn = await table.say("走")
    view = await table.view(turn)
    assert (turn.outcome, turn.final_text) == ("sealed", P)
    assert [v.reason for v in view.versions] == ["capture"]


async def test_captured_writes_go_on_being_captured(open_table: OpenTable) -> None:
    """Case 2: a draft made of captures alone takes the last reply as an append and is sealed."""
    table = await open_table(
        [
            reply(say("门开了。"), call("ask", question="进去吗？", options=["进", "不进"])),
            reply(say("他走了进去。")),
        ]
    )
    turn = await table.say("走")
    assert turn.run == "waiting"
    from huaben.services import playing

    await playing.answer(table.house, table.company, turn.id, "进")
    turn = await table.over(turn.id)
    assert turn.outcome == "sealed"
    assert turn.final_text == "门开了。\n\n他走了进去。"


async def test_explicit_writes_take_trailing_words_as_a_marked_tail(open_table: OpenTable) -> None:
    """Case 3: the user seals with the tail or without it."""
    from huaben.services import playing

    script = [reply(call("draft_write", version=0, content=P)), reply(say("这样可以吗？"))]
    for with_tail, expected in ((True, f"{P}\n\n这样可以吗？"), (False, P)):
        table = await open_table(script)
        turn = await table.say("走")
        assert turn.outcome == "unsealed"
        sealed = await playing.seal(table.house, table.company, turn.id, with_tail=with_tail)
        assert (sealed.outcome, sealed.final_text) == ("sealed", expected)


async def test_words_before_an_ask_are_captured_before_the_question(open_table: OpenTable) -> None:
    """Case 4: the reader sees the prose that leads to the question."""
    table = await open_table(
        [reply(say("雨更大了。"), call("ask", question="去哪？", options=["东", "西"]))]
    )
    turn = await table.say("走")
    view = await table.view(turn)
    assert view.draft.text == "雨更大了。"
    assert view.open_ask is not None
    kinds = [e.event.kind for e in await table.house.store.events(turn.id)]
    assert kinds.index("captured") < kinds.index("ask")


async def test_words_beside_an_ask_stay_spoken_after_an_explicit_write(
    open_table: OpenTable,
) -> None:
    """Only a draft of captures alone takes them (pin 14)."""
    table = await open_table(
        [
            reply(
                say("我先写一段。"),
                call("draft_write", version=0, content=P),
                call("ask", question="去哪？", options=["东", "西"]),
            )
        ]
    )
    turn = await table.say("走")
    assert (await table.view(turn)).draft.text == P


async def test_thinking_is_never_prose(open_table: OpenTable) -> None:
    """Thought is kept in the log and sent nowhere else."""
    table = await open_table([reply(think("先想想。"), say(P))])
    turn = await table.say("走")
    view = await table.view(turn)
    assert turn.final_text == P
    assert view.thinking[0] == "先想想。"


@pytest.mark.parametrize(
    ("spoken", "tail"),
    [
        ("他收起伞，灯晃了晃。", ""),
        ("<status>mood +2 | place: inn</status>", "\n\n<status>mood +2 | place: inn</status>"),
        (f"<bar>x</bar><content>{P}</content>", "\n\n<bar>x</bar>"),
    ],
)
async def test_speech_beside_the_seal_leaves_only_its_format(
    open_table: OpenTable, spoken: str, tail: str
) -> None:
    """The worked example: the draft byte for byte, then format blocks alone."""
    table = await open_table(
        [
            reply(say("我来写。"), call("draft_write", version=0, content=P)),
            reply(say(spoken), call("draft_seal", version=1)),
        ]
    )
    turn = await table.say("走")
    view = await table.view(turn)
    assert turn.final_text == P + tail
    assert [v.reason for v in view.versions] == ["write"] + (["finalize"] if tail else [])
