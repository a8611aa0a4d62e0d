"""Continue after a limit, and hostile arguments (each of these failed when it was written)."""

from __future__ import annotations

import pytest

from huaben.domain.messages import Usage
from huaben.services import playing
from huaben.services.viewing import show_turn, turn_json
from huaben.testing.script import Call, call, raw_call, reply, say

from .conftest import OpenTable


async def test_continue_after_the_output_limit_makes_another_call(open_table: OpenTable) -> None:
    """Each Continue is a new grant of tokens: what was spent before the note must not end it."""
    big = Usage(prompt=1, completion=100)
    table = await open_table(
        [
            reply(call("draft_write", version=0, content="一"), usage=big),
            reply(call("draft_append", version=1, content="二"), usage=big),
            reply(call("draft_seal", version=2)),
        ],
        output_tokens=150,
    )
    turn = await table.say("写")
    assert turn.code == "limit_output_tokens"
    await playing.resume(table.house, table.company, turn.id)
    assert (await table.over(turn.id)).outcome == "sealed"


async def test_continue_after_forbidden_calls_makes_another_call(open_table: OpenTable) -> None:
    """The last reply asked for tools although they were forbidden; Continue goes on behind it."""
    table = await open_table(
        [
            reply(call("draft_write", version=0, content="一")),
            reply(call("draft_append", version=1, content="二")),
            reply(call("draft_seal", version=1)),
        ],
        rounds=1,
    )
    turn = await table.say("写")
    assert turn.outcome == "unsealed"
    await playing.resume(table.house, table.company, turn.id)
    assert (await table.over(turn.id)).outcome == "sealed"


async def test_a_forbidden_write_is_never_shown(open_table: OpenTable) -> None:
    """Text of a call that is not allowed never appears in the story (`turn.md` §2)."""
    table = await open_table(
        [
            reply(call("draft_read")),
            reply(call("draft_write", version=0, content="不该出现")),
        ],
        rounds=1,
    )
    turn = await table.say("写")
    shown = turn_json(await show_turn(table.house, turn.id))
    assert "不该出现" not in str(shown["draft"])


@pytest.mark.parametrize(
    "arguments",
    [
        '{"version":' + "9" * 5000 + ',"content":"x"}',
        '{"version":0,"content":"x","y":' + "[" * 100_000 + "]" * 100_000 + "}",
        '{"y":' + "[" * 100_000,
    ],
    ids=["digits", "deep", "deep and cut"],
)
async def test_hostile_arguments_are_a_refusal(open_table: OpenTable, arguments: str) -> None:
    """A failure returns readable text to the model and never raises out of the loop."""
    table = await open_table(
        [
            reply(raw_call("draft_write", arguments), usage=Usage(prompt=1, completion=1)),
            reply(say("好。")),
        ]
    )
    turn = await table.say("写")
    assert (turn.outcome, turn.code) == ("sealed", "")


@pytest.mark.parametrize(
    "unit",
    [
        raw_call("ask", '{"question":"\\ud800?","options":["a","b"]}'),
        raw_call("draft_write", '{"version":0,"content":"x","\\ud800":1}'),
    ],
    ids=["question", "argument"],
)
async def test_half_a_character_can_always_be_shown(open_table: OpenTable, unit: Call) -> None:
    """What a model sends as half a character must not make the turn unreadable for ever."""
    table = await open_table([reply(unit, unit, unit)])
    turn = await table.say("写")
    str(turn_json(await show_turn(table.house, turn.id))).encode()
