"""The loop of a stage turn: rounds, sealing, limits, malformed calls (`turn.md` §1–3)."""

from __future__ import annotations

import json

import pytest

from huaben.domain.events import ToolEnd
from huaben.services import playing
from huaben.testing.script import Asked, ScriptedReply, call, raw_call, reply, say

from .conftest import OpenTable

WRITE = reply(call("draft_write", version=0, content="雨点顺着伞骨往下坠。"))


async def test_seal_ends_the_turn_without_another_call(open_table: OpenTable) -> None:
    """After a seal the model gets no further request."""
    table = await open_table([WRITE, reply(call("draft_seal", version=1))])
    turn = await table.say("我把旧伞递给她")
    assert turn.outcome == "sealed"
    assert turn.final_text == "雨点顺着伞骨往下坠。"
    assert len(table.model.bodies) == 2


async def test_other_calls_of_the_sealing_reply_are_resolved(open_table: OpenTable) -> None:
    """Reads beside the seal are answered, a write behind it is refused, the seal stands."""
    table = await open_table(
        [
            WRITE,
            reply(
                call("draft_seal", version=1),
                call("draft_read"),
                call("draft_append", version=1, content="再添一句。"),
            ),
        ]
    )
    turn = await table.say("走")
    view = await table.view(turn)
    assert turn.outcome == "sealed"
    assert turn.final_text == "雨点顺着伞骨往下坠。"
    assert [tool.ok for tool in view.tools] == [True, True, True, False]


async def test_explicit_writes_without_a_seal_stay_unsealed(open_table: OpenTable) -> None:
    """What the model wrote itself is not sealed for it; trailing words become a marked tail."""
    table = await open_table([WRITE, reply(say("就到这里。"))])
    turn = await table.say("走")
    view = await table.view(turn)
    assert turn.outcome == "unsealed"
    assert turn.final_text == ""
    assert view.draft.text == "雨点顺着伞骨往下坠。\n\n就到这里。"
    assert view.captured[0].tail
    assert view.final is None


@pytest.mark.parametrize(
    "arguments",
    [
        '{"version":0,"content":"半截',
        '{"version":0,"content":"a"}{"version":0,"content":"a"}',
        "{'version': 0, 'content': 'a'}",
        '{"version":0,"content":"a",}',
        '```json\n{"version":0,"content":"a"}\n```',
        '{"version":True,"content":"a"}',
        '{"version":0,"content":"a\nb"}',
        "[1,2]",
        '{"version":"0","content":"a"}',
        '{"version":0}',
        '{"version":0,"content":"a","mood":"calm"}',
        '{"version":0,"content":5}',
        '{"version":-1,"content":"a"}',
        '{"version":0,"content":' + "[" * 9000 + "]" * 9000 + "}",
        '{"version":' + "9" * 6000 + ',"content":"a"}',
        '{"\\ud83d":1}',
    ],
)
async def test_malformed_arguments_execute_nothing(open_table: OpenTable, arguments: str) -> None:
    """The model is told what does not fit; the draft does not change (T08)."""
    table = await open_table([reply(raw_call("draft_write", arguments)), reply(say("直接说吧。"))])
    turn = await table.say("走")
    view = await table.view(turn)
    assert view.tools[0].ok is False
    assert "error" in view.tools[0].result
    assert turn.final_text == "直接说吧。"


async def test_empty_arguments_are_an_empty_object(open_table: OpenTable) -> None:
    """A tool that needs no arguments runs on an empty string and on padding (T07)."""
    table = await open_table(
        [
            reply(raw_call("card_read", ""), raw_call("card_read", '{"_":"x"}')),
            reply(say("好。")),
        ]
    )
    view = await table.view(await table.say("走"))
    assert [tool.ok for tool in view.tools] == [True, True]


async def test_unknown_tools_are_refused_in_words(open_table: OpenTable) -> None:
    """A tool that is not on the list is answered, not executed."""
    table = await open_table([reply(call("world_end")), reply(say("好。"))])
    view = await table.view(await table.say("走"))
    assert view.tools[0].ok is False
    assert "world_end" in view.tools[0].result


def _always_reading(asked: Asked) -> ScriptedReply:
    return reply(call("draft_search", query=f"第{len(asked.messages)}次"))


async def test_twenty_rounds_then_one_call_with_tools_forbidden(open_table: OpenTable) -> None:
    """The tools stay on the list but are forbidden; a reply that still asks for them ends it."""
    table = await open_table(_always_reading)
    turn = await table.say("走")
    bodies = [json.loads(body) for body in table.model.bodies]
    assert len(bodies) == 21
    assert [body.get("tool_choice", "auto") for body in bodies] == ["auto"] * 20 + ["none"]
    assert bodies[20]["tools"] == bodies[0]["tools"]
    assert (turn.outcome, turn.code) == ("failed", "no_draft")


async def test_twenty_rounds_with_a_draft_end_unsealed(open_table: OpenTable) -> None:
    """What stands on the sheet when the rounds are used up is kept."""

    def script(asked: Asked) -> ScriptedReply:
        if len(asked.messages) < 5:
            return WRITE
        return _always_reading(asked)

    table = await open_table(script)
    turn = await table.say("走")
    assert turn.outcome == "unsealed"
    assert (await table.view(turn)).draft.text == "雨点顺着伞骨往下坠。"


async def test_the_forbidden_call_may_still_speak(open_table: OpenTable) -> None:
    """The last call's words are captured like any last word."""

    def script(asked: Asked) -> ScriptedReply:
        if asked.body.get("tool_choice") == "none":
            return reply(say("说完了。"))
        return _always_reading(asked)

    table = await open_table(script)
    turn = await table.say("走")
    assert (turn.outcome, turn.final_text) == ("sealed", "说完了。")


async def test_no_message_is_injected_between_rounds(open_table: OpenTable) -> None:
    """Every request is the one before it, the reply, and its results; nothing nags."""
    table = await open_table(
        [reply(call("card_read")), WRITE, reply(call("draft_seal", version=1))]
    )
    await table.say("走")
    roles = [role for role, _ in table.contents(2)]
    assert roles == ["system", "assistant", "user", "assistant", "tool", "assistant", "tool"]


async def test_the_same_read_again_returns_a_short_receipt(open_table: OpenTable) -> None:
    """A repeated read is not carried out again while the draft has not changed."""
    search = reply(call("lorebook_search", query="旧伞"))
    table = await open_table([search, search, WRITE, search, reply(call("draft_seal", version=1))])
    view = await table.view(await table.say("走"))
    first, again, _, after_write, _ = view.tools
    assert "师父" in first.result
    assert "师父" not in again.result
    assert "师父" in after_write.result


async def test_the_same_failing_write_three_times_ends_the_loop(open_table: OpenTable) -> None:
    """The error is shown to the reader and the turn can be retried."""
    bad = reply(call("draft_write", version=7, content="甲"))
    table = await open_table([bad, bad, bad, bad])
    turn = await table.say("走")
    assert (turn.outcome, turn.code) == ("failed", "repeated_failure")
    assert "7" in turn.message
    assert len(table.model.bodies) == 3


async def test_an_output_limit_ends_the_turn_with_its_draft(open_table: OpenTable) -> None:
    """Output tokens over the turn's limit never pass silently."""
    table = await open_table(
        [reply(call("draft_write", version=0, content="长" * 400)), WRITE], output_tokens=50
    )
    turn = await table.say("走")
    assert (turn.outcome, turn.code) == ("failed", "limit_output_tokens")
    assert (await table.view(turn)).draft.text == "长" * 400


async def test_an_empty_reply_is_asked_for_once_more(open_table: OpenTable) -> None:
    """One automatic retry after nothing; then the turn has failed with no draft (T19)."""
    table = await open_table([reply(say("")), reply(say(" "))])
    turn = await table.say("走")
    assert (turn.outcome, turn.code, turn.prose) == ("failed", "no_draft", False)
    assert len(table.model.bodies) == 2
    assert table.model.bodies[0] == table.model.bodies[1]


async def test_explore_mode_refuses_writing_and_captures_nothing(open_table: OpenTable) -> None:
    """In explore only looking and asking is allowed; what was spoken stays in the trace."""
    table = await open_table(
        [
            reply(call("turn_plan", mode="explore", steps=["看", "想"])),
            WRITE,
            reply(say("我打算……")),
        ]
    )
    turn = await table.say("走")
    view = await table.view(turn)
    assert (turn.outcome, turn.code) == ("failed", "no_draft")
    assert [tool.ok for tool in view.tools] == [True, False]
    assert view.draft.text == ""


async def test_parallel_reads_keep_their_order(open_table: OpenTable) -> None:
    """Consecutive reads of one reply are one batch whose results come back in order."""
    table = await open_table(
        [
            reply(
                call("lorebook_list"),
                call("lorebook_search", query="渡口镇"),
                call("card_read"),
            ),
            reply(say("好。")),
        ]
    )
    view = await table.view(await table.say("走"))
    assert [tool.name for tool in view.tools] == ["lorebook_list", "lorebook_search", "card_read"]
    answers = [text for role, text in table.contents(1) if role == "tool"]
    assert [tool.result for tool in view.tools] == answers


async def test_results_reach_the_model_as_plain_characters(open_table: OpenTable) -> None:
    """Nothing is escaped as \\u on its way to the model."""
    table = await open_table([reply(call("lorebook_search", query="旧伞")), reply(say("好。"))])
    await table.say("走")
    assert "湘妃竹" in table.model.bodies[1].decode()
    assert "\\u" not in table.model.bodies[1].decode()


async def test_every_call_has_exactly_one_result(open_table: OpenTable) -> None:
    """The log pairs each start with its end."""
    table = await open_table([WRITE, reply(call("draft_seal", version=1))])
    turn = await table.say("走")
    events = [e.event for e in await table.house.store.events(turn.id)]
    assert len([e for e in events if isinstance(e, ToolEnd)]) == 2


async def test_half_characters_and_nul_never_reach_the_store(open_table: OpenTable) -> None:
    """What no database can hold becomes a replacement character, wherever a model puts it."""
    ask = raw_call("ask", '{"question":"\\ud83d?\\u0000","options":["a\\udc00","b"]}')
    table = await open_table(
        [reply(raw_call("draft_write", '{"version":0,"content":"a\\u0000\\ud83db"}'), ask)]
    )
    turn = await table.say("走\0吧")
    view = await table.view(turn)
    assert turn.run == "waiting"
    assert turn.user_text == "走\ufffd吧"
    assert view.draft.text == "a\ufffd\ufffdb"
    assert view.open_ask is not None
    view.open_ask.question.encode()
    "".join(view.open_ask.options).encode()


async def test_a_reply_of_too_many_calls_is_cut_and_said_to_be(open_table: OpenTable) -> None:
    """Ten thousand calls in one reply cost what 128 cost; nothing is dropped in silence."""
    many = reply(*(call("draft_search", query=str(n)) for n in range(10_000)))
    table = await open_table([many, reply(say("好。"))], output_tokens=0)
    turn = await table.say("走")
    view = await table.view(turn)
    assert turn.outcome == "sealed"
    assert len(view.tools) == 128
    assert [n.detail for n in view.notices if n.code == "too_many_calls"] == ["9872 calls"]


async def test_continue_after_a_limit_is_a_new_grant(open_table: OpenTable) -> None:
    """The user's word lifts the limit that ended the turn; what was decided is not decided again."""
    table = await open_table(
        [
            reply(call("draft_write", version=0, content="长" * 400)),
            reply(call("draft_seal", version=1)),
        ],
        output_tokens=50,
    )
    turn = await table.say("走")
    assert turn.code == "limit_output_tokens"
    await playing.resume(table.house, table.company, turn.id)
    turn = await table.over(turn.id)
    assert (turn.outcome, turn.final_text) == ("sealed", "长" * 400)


async def test_continue_after_the_last_round_is_a_new_grant(open_table: OpenTable) -> None:
    """Also where the model still asked for tools when they were forbidden."""

    def script(asked: Asked) -> ScriptedReply:
        if sum(m["role"] == "user" for m in asked.messages) > 1:
            return reply(say("写完了。"))
        return _always_reading(asked)

    table = await open_table(script, rounds=3)
    turn = await table.say("走")
    assert turn.code == "no_draft"
    await playing.resume(table.house, table.company, turn.id)
    turn = await table.over(turn.id)
    assert (turn.outcome, turn.final_text) == ("sealed", "写完了。")
