"""Tools for models that have none: what the model around another one asks, and what it hears."""

from __future__ import annotations

import json
from collections.abc import AsyncGenerator
from itertools import pairwise
from pathlib import Path
from typing import cast

import pytest

from huaben.adapters.models.jsontools import JsonTools, reply_schema
from huaben.adapters.models.openai_compatible import OpenAICompatible, open_client
from huaben.domain.connection import Connection
from huaben.domain.messages import (
    Assistant,
    Finished,
    Message,
    ModelEvent,
    ModelRequest,
    Reply,
    System,
    Thinking,
    ToolCall,
    ToolResult,
    ToolSpec,
    User,
    WireRequest,
)
from huaben.domain.project import Language
from huaben.prompt.texts import shipped
from huaben.testing.clock import ManualClock
from huaben.testing.models import ScriptedModel
from huaben.testing.script import Step, call, reply, say, think

GOLDEN = Path(__file__).parents[3] / "golden" / "wire"
TEXTS: dict[Language, str] = {"zh": shipped("zh", "jsontools"), "en": shipped("en", "jsontools")}
TOOLS = (
    ToolSpec(
        "draft_write",
        "写下整篇草稿。",
        {
            "type": "object",
            "properties": {"version": {"type": "integer"}, "content": {"type": "string"}},
            "required": ["version", "content"],
            "additionalProperties": False,
        },
    ),
    ToolSpec("draft_read", "读草稿。", {"type": "object", "properties": {}}),
)
STORY: tuple[Message, ...] = (
    System("你是说书人。"),
    Assistant("# 雨夜\n\n“谁？”她问。"),
    User("我推开门。"),
)
ROUND: tuple[Message, ...] = (
    Assistant(
        "先看。",
        (ToolCall("a", "draft_read", ""), ToolCall("b", "draft_write", '{"version": 0')),
        Thinking("想"),
    ),
    ToolResult("a", "draft_read", '{"version":0,"content":""}'),
    ToolResult("b", "draft_write", "参数不是合法的 JSON"),
)
CONNECTION = Connection("local", "http://127.0.0.1:8080/v1", "story-1")


async def wired(request: ModelRequest, connection: Connection = CONNECTION) -> WireRequest:
    async with open_client() as client:
        inner = OpenAICompatible(connection, client=client, clock=ManualClock())
        return JsonTools(inner, TEXTS).encode(request)


def messages(wire: WireRequest) -> list[dict[str, str]]:
    body = cast("dict[str, object]", json.loads(wire.body))
    return cast("list[dict[str, str]]", body["messages"])


@pytest.mark.parametrize("name", ["json_schema", "json_text", "json_forbidden"])
async def test_the_bytes_on_the_wire_are_these(name: str) -> None:
    """A change of any byte breaks the caches of every running session, so it has to be meant."""
    connection = CONNECTION
    if name == "json_text":
        connection = Connection("local", CONNECTION.base_url, "story-1", schema_option=False)
    choice = "none" if name == "json_forbidden" else "auto"
    wire = await wired(ModelRequest((*STORY, *ROUND), TOOLS, choice), connection)
    assert wire.body == (GOLDEN / f"{name}.json").read_bytes().rstrip(b"\n")


async def test_tools_are_explained_in_the_system_text() -> None:
    """No tool list is sent; each tool stands there with its description and its schema, in the
    language of its description."""
    sent = json.loads((await wired(ModelRequest(STORY, TOOLS))).body)
    assert "tools" not in sent
    assert "tool_choice" not in sent
    system = str(sent["messages"][0]["content"])
    assert system.startswith("你是说书人。\n\n# 怎样用工具")
    assert '### draft_read\n读草稿。\n{"type":"object","properties":{}}' in system
    english = (ToolSpec("draft_read", "Reads the draft.", {"type": "object"}),)
    sent = json.loads((await wired(ModelRequest((User("hi"),), english))).body)
    assert str(sent["messages"][0]["content"]).startswith("# How to use tools")


async def test_calls_and_results_become_plain_messages() -> None:
    """A reply is the object that it was, arguments to the byte where they are JSON; its results are
    one user message."""
    *_, spoken, results = messages(await wired(ModelRequest((*STORY, *ROUND), TOOLS)))
    assert spoken == {
        "role": "assistant",
        "content": '{"say":"先看。","calls":[{"tool":"draft_read","arguments":{}},'
        '{"tool":"draft_write","arguments":"{\\"version\\": 0"}]}',
    }
    assert results["role"] == "user"
    assert results["content"] == (
        '[draft_read]\n{"version":0,"content":""}\n\n[draft_write]\n参数不是合法的 JSON'
    )


async def test_a_turn_extends_its_own_requests() -> None:
    """Inside a turn each request's head and messages begin the next one's; the schema is in the
    tail."""
    turn = (*STORY, *ROUND, Assistant("", (ToolCall("c", "draft_read", "{}"),)))
    turn = (*turn, ToolResult("c", "draft_read", "ok"))
    wires = [await wired(ModelRequest(turn[:n], TOOLS)) for n in (3, 6, 8)]
    for earlier, later in pairwise(wires):
        assert later.body.startswith(b"".join(earlier.parts[:-1]))


async def test_a_request_without_tools_passes_as_it_is() -> None:
    """What wants no tools is not asked for an object."""
    wire = await wired(ModelRequest(STORY))
    assert b"response_format" not in wire.body
    assert messages(wire)[0]["content"] == "你是说书人。"


def test_the_schema_names_every_tool() -> None:
    """A reply is one of the calls that exist, with the arguments that it takes; where calls are
    forbidden it is speech."""
    schema = reply_schema(TOOLS, "auto")
    calls = cast("dict[str, dict[str, dict[str, list[dict[str, object]]]]]", schema["properties"])
    listed = calls["calls"]["items"]["anyOf"]
    tools = [cast("dict[str, dict[str, str]]", one["properties"])["tool"] for one in listed]
    assert tools == [{"const": "draft_write"}, {"const": "draft_read"}]
    assert "calls" not in str(reply_schema(TOOLS, "none"))


class Turning(ScriptedModel):
    """Finds out at the end that what came before the close tag was thought."""

    async def stream(self, wire: WireRequest) -> AsyncGenerator[ModelEvent]:
        async for event in super().stream(wire):
            if isinstance(event, Finished):
                text = event.reply.text.partition("</think>")[2]
                yield Finished(Reply(text, flags=("thinking_unopened",)))
            else:
                yield event


# ---- what is heard -------------------------------------------------------------------------------


async def heard(step: Step) -> Reply:
    model = JsonTools(ScriptedModel([step]), TEXTS)
    events = [event async for event in model.stream(model.encode(ModelRequest(STORY, TOOLS)))]
    last = events[-1]
    assert isinstance(last, Finished)
    return last.reply


async def test_a_reply_is_heard_as_speech_and_calls() -> None:
    """Thought, usage and the provider's words stay; ids are made up, the same for the same request."""
    told = reply(think("想"), say('{"say":"好","calls":[{"tool":"draft_read","arguments":{}}]}'))
    first, second = await heard(told), await heard(told)
    assert (first.text, [(c.name, c.arguments) for c in first.calls]) == (
        "好",
        [("draft_read", "{}")],
    )
    assert first.thinking == Thinking("想")
    assert first.usage.completion
    assert first.calls == second.calls
    assert len(first.calls[0].id) == 9


async def test_native_calls_that_come_all_the_same_are_kept() -> None:
    """A server that calls by itself is not ignored."""
    told = await heard(reply(say('{"calls":[{"tool":"ask"}]}'), call("draft_read")))
    assert [c.name for c in told.calls] == ["ask", "draft_read"]


async def test_thought_that_was_taken_for_the_reply_is_taken_back() -> None:
    """After a close tag without an open one only what stands behind it is read (T20)."""

    told = say('{"say":"no"}</think>{"say":"yes"}')
    model = JsonTools(Turning([told]), TEXTS)
    events = [event async for event in model.stream(model.encode(ModelRequest(STORY, TOOLS)))]
    last = events[-1]
    assert isinstance(last, Finished)
    assert last.reply.text == "yes"
