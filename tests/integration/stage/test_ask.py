"""Ask cards (`turn.md` §7)."""

from __future__ import annotations

import asyncio

import pytest

from huaben.domain.story import Turn
from huaben.errors import BadInput, Conflict
from huaben.services import playing
from huaben.testing.models import ScriptedModel
from huaben.testing.script import ScriptedReply, call, reply, say

from .conftest import OpenTable, Table

ASK = reply(call("ask", question="去哪？", options=["东市", "西市"]))


async def waiting(open_table: OpenTable, *script: ScriptedReply) -> tuple[Table, Turn]:
    table = await open_table([ASK, *script])
    turn = await table.say("走")
    assert turn.run == "waiting"
    return table, turn


async def test_the_answer_reaches_the_model_and_stays_with_the_turn(open_table: OpenTable) -> None:
    """A free answer is as good as an option; later history folds it into the user's words."""
    table, turn = await waiting(open_table, reply(say("他往北去了。")), reply(say("又一拍。")))
    await playing.answer(table.house, table.company, turn.id, "往北，出城")
    turn = await table.over(turn.id)
    assert turn.final_text == "他往北去了。"
    assert turn.asked[0].answer == "往北，出城"
    assert '"answer":"往北，出城"' in table.contents(1)[-1][1]
    await table.say("继续")
    past = next(text for role, text in table.contents(2) if role == "user")
    assert past.startswith("走")
    assert "去哪？" in past
    assert "往北，出城" in past


async def test_of_two_answers_the_first_wins(open_table: OpenTable) -> None:
    """The other client is told what was answered."""
    table, turn = await waiting(open_table, reply(say("好。")))
    done = await asyncio.gather(
        playing.answer(table.house, table.company, turn.id, "东市"),
        playing.answer(table.house, table.company, turn.id, "西市"),
        return_exceptions=True,
    )
    refused = [one for one in done if isinstance(one, Conflict)]
    assert len(refused) == 1
    assert refused[0].code == "already_answered"
    assert "东市" in refused[0].message


async def test_it_survives_a_restart(open_table: OpenTable) -> None:
    """The card waits without limit; a new process takes the answer and pays no call twice."""
    table, turn = await waiting(open_table)
    again = await table.restarted(ScriptedModel([reply(say("他去了东市。"))]))
    assert (await again.over(turn.id)).run == "waiting"
    await playing.answer(again.house, again.company, turn.id, "东市")
    turn = await again.over(turn.id)
    assert turn.final_text == "他去了东市。"
    assert len(again.model.bodies) == 1
    assert again.model.bodies[0].startswith(table.model.wires[0].body[:200])


async def test_stop_at_the_card_gives_the_pen_back(open_table: OpenTable) -> None:
    """No further call is made; the draft is kept."""
    table = await open_table(
        [reply(say("雨更大了。"), call("ask", question="去哪？", options=["东", "西"]))]
    )
    turn = await table.say("走")
    stopped = await playing.stop(table.house, table.company, turn.id)
    assert stopped.outcome == "stopped"
    assert (await table.view(turn)).draft.text == "雨更大了。"
    assert len(table.model.bodies) == 1


async def test_posting_at_an_open_card_is_refused(open_table: OpenTable) -> None:
    """The words stay with the sender."""
    table, _ = await waiting(open_table)
    with pytest.raises(Conflict) as refused:
        await table.say("等等")
    assert refused.value.code == "ask_open"


@pytest.mark.parametrize(
    "options", [["只有一个"], ["同", "同"], ["有", " "], ["a", "b", "c", "d", "e"]]
)
async def test_a_bad_card_is_never_shown(open_table: OpenTable, options: list[str]) -> None:
    """Two to four distinct options, none blank."""
    table = await open_table(
        [reply(call("ask", question="去哪？", options=options)), reply(say("好"))]
    )
    turn = await table.say("走")
    assert turn.outcome == "sealed"
    assert (await table.view(turn)).asks == ()


async def test_a_blank_answer_is_refused(open_table: OpenTable) -> None:
    table, turn = await waiting(open_table)
    with pytest.raises(BadInput):
        await playing.answer(table.house, table.company, turn.id, " \n")


async def test_calls_behind_the_card_wait_for_the_answer(open_table: OpenTable) -> None:
    """An ask is a barrier: what follows it in the reply runs after the answer."""
    table = await open_table(
        [
            reply(
                call("ask", question="去哪？", options=["东", "西"]),
                call("draft_write", version=0, content="他走了。"),
            ),
            reply(call("draft_seal", version=1)),
        ]
    )
    turn = await table.say("走")
    assert (await table.view(turn)).draft.text == ""
    await playing.answer(table.house, table.company, turn.id, "东")
    turn = await table.over(turn.id)
    assert turn.final_text == "他走了。"


async def test_restoring_a_draft_while_the_card_waits(open_table: OpenTable) -> None:
    """The user's restore is a new version; the model's next write against the old one is refused."""
    table = await open_table(
        [
            reply(call("draft_write", version=0, content="甲")),
            reply(call("draft_edit", version=1, edits=[{"old": "甲", "new": "乙"}])),
            ASK,
            reply(call("draft_append", version=2, content="丙")),
            reply(call("draft_append", version=3, content="丁")),
            reply(call("draft_seal", version=4)),
        ]
    )
    turn = await table.say("走")
    view = await playing.restore_draft(table.house, turn.id, 1)
    assert (view.draft.version, view.draft.text, view.versions[-1].reason) == (
        3,
        "甲",
        "restore:v1",
    )
    await playing.answer(table.house, table.company, turn.id, "东")
    turn = await table.over(turn.id)
    assert turn.final_text == "甲\n\n丁"
