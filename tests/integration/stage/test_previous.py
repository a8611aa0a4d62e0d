"""Changing the previous turn in place (`turn.md` §6)."""

from __future__ import annotations

import json

from huaben.services import branching, playing
from huaben.services.viewing import show_turn
from huaben.testing.script import Call, ScriptedReply, call, reply, say

from .conftest import OpenTable, Table

READ = reply(call("previous_draft_read"))


def edit(old: str, new: str, version: int = 1) -> Call:
    return call("previous_draft_edit", version=version, edits=[{"old": old, "new": new}])


async def told(open_table: OpenTable, *script: ScriptedReply) -> tuple[Table, str]:
    table = await open_table([reply(say("他指尖一紧。")), *script])
    first = await table.say("走")
    return table, first.id


async def test_the_previous_reply_is_changed_in_its_old_place(open_table: OpenTable) -> None:
    """The requesting turn is revised; history shows the corrected text and not the request."""
    table, first = await told(
        open_table, READ, reply(edit("指尖一紧", "不动声色")), reply(say("下一拍。"))
    )
    turn = await table.say("把上一拍改得平静些")
    assert (turn.outcome, turn.final_text) == ("revised", "")
    assert turn.revises is not None
    assert (turn.revises.turn, turn.revises.version) == (first, 2)
    assert (await show_turn(table.house, first)).text.text == "他不动声色。"
    await table.say("继续")
    texts = [text for _, text in table.contents(-1)]
    assert "他不动声色。" in texts
    assert not any("平静些" in text for text in texts)


async def test_undoing_the_change_brings_the_old_reply_back(open_table: OpenTable) -> None:
    """Copy on write: the old text is still there."""
    table, first = await told(open_table, READ, reply(edit("指尖一紧", "不动声色")))
    await table.say("改")
    moved = await branching.undo(table.house, table.project.id)
    assert moved.words == "改"
    assert (await show_turn(table.house, first)).text.text == "他指尖一紧。"
    await branching.redo(table.house, table.project.id)
    assert (await show_turn(table.house, first)).text.text == "他不动声色。"


async def test_a_second_change_is_made_against_the_first(open_table: OpenTable) -> None:
    """A successful edit adds one to the target's own version."""
    table, first = await told(
        open_table, READ, reply(edit("指尖一紧", "不动声色")), READ, reply(edit("不动", "面无", 2))
    )
    await table.say("改")
    await table.say("再改")
    shown = await show_turn(table.house, first)
    assert (shown.text.text, shown.text.version) == ("他面无声色。", 3)


async def test_it_needs_a_read_and_the_same_version(open_table: OpenTable) -> None:
    """Without a read in the same turn, or with another version, nothing changes."""
    table, first = await told(
        open_table,
        reply(edit("指尖一紧", "不动声色")),
        READ,
        reply(edit("指尖一紧", "不动声色", 4)),
        reply(say("算了。")),
    )
    turn = await table.say("改")
    assert turn.outcome == "sealed"
    assert (await show_turn(table.house, first)).text.text == "他指尖一紧。"
    view = await table.view(turn)
    assert [tool.ok for tool in view.tools] == [False, True, False]


async def test_it_is_refused_beside_a_draft_of_its_own(open_table: OpenTable) -> None:
    """A change of the previous turn goes alone."""
    table, first = await told(
        open_table,
        reply(call("draft_write", version=0, content="新的。"), call("previous_draft_read")),
        reply(edit("指尖一紧", "不动声色")),
        reply(call("draft_seal", version=1)),
    )
    turn = await table.say("改")
    assert turn.final_text == "新的。"
    assert (await show_turn(table.house, first)).text.text == "他指尖一紧。"


async def test_it_cannot_empty_the_text(open_table: OpenTable) -> None:
    """An edit that would leave nothing is refused."""
    table, first = await told(
        open_table, READ, reply(edit("他指尖一紧。", " ")), reply(say("不行。"))
    )
    await table.say("删掉")
    assert (await show_turn(table.house, first)).text.text == "他指尖一紧。"


async def test_an_unsealed_previous_turn_is_refused_and_no_earlier_one_taken(
    open_table: OpenTable,
) -> None:
    """Only the latest reply counts, and only sealed."""
    table, first = await told(
        open_table,
        reply(call("draft_write", version=0, content="没写完")),
        reply(say("")),
        reply(say("")),
        READ,
        reply(say("好。")),
    )
    unsealed = await table.say("走")
    assert unsealed.outcome == "unsealed"
    turn = await table.say("改上一拍")
    view = await table.view(turn)
    assert view.tools[0].ok is False
    assert (await show_turn(table.house, first)).text.text == "他指尖一紧。"


async def test_the_greeting_cannot_be_changed_by_the_model(open_table: OpenTable) -> None:
    """Before the first turn there is no previous reply."""
    table = await open_table([READ, reply(say("好。"))])
    view = await table.view(await table.say("改开场"))
    assert view.tools[0].ok is False


async def test_the_question_and_answer_come_with_the_text(open_table: OpenTable) -> None:
    """What was asked at that turn is part of the read."""
    table = await open_table(
        [
            reply(call("ask", question="去哪？", options=["东", "西"])),
            reply(say("他往东走。")),
            READ,
            reply(say("好。")),
        ]
    )
    asked = await table.say("走")
    await playing.answer(table.house, table.company, asked.id, "东")
    await table.over(asked.id)
    view = await table.view(await table.say("再走"))
    read = json.loads(view.tools[0].result)
    assert read["asked"] == [{"question": "去哪？", "answer": "东"}]


async def test_siblings_keep_the_old_text(open_table: OpenTable) -> None:
    """A branch that does not pass through the change does not see it."""
    table, first = await told(open_table, reply(say("乙。")), READ, reply(edit("乙", "丙")))
    second = await table.say("走")
    await table.say("改")
    await branching.go_to(table.house, table.project.id, second.id)
    assert (await show_turn(table.house, second.id)).text.text == "乙。"
    assert first != second.id
