"""What every implementation of the `Model` port promises, on the adapter and on the fakes alike."""

from __future__ import annotations

import json
from collections.abc import AsyncGenerator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import replace
from typing import TypeAlias

import pytest

from huaben.adapters.models.anthropic import Anthropic
from huaben.adapters.models.jsontools import JsonTools
from huaben.adapters.models.learning import LearningTools
from huaben.adapters.models.openai_compatible import OpenAICompatible, open_client
from huaben.domain.connection import Connection
from huaben.domain.messages import (
    Assistant,
    CallDelta,
    Finished,
    ModelEvent,
    ModelRequest,
    Reply,
    Sampling,
    System,
    TextDelta,
    ThinkingDelta,
    ToolCall,
    ToolResult,
    ToolSpec,
    User,
    WireRequest,
)
from huaben.domain.project import Language
from huaben.errors import ProviderFailed
from huaben.ports import Model
from huaben.testing.clock import ManualClock
from huaben.testing.endpoint import ScriptedEndpoint
from huaben.testing.models import FaultyModel, ScriptedModel
from huaben.testing.script import (
    Drop,
    Script,
    ScriptedReply,
    Status,
    call,
    raw_call,
    reply,
    say,
    think,
)
from tests.builders.jsonscript import as_json

Opening: TypeAlias = Callable[[Script], AbstractAsyncContextManager[Model]]


@asynccontextmanager
async def scripted(script: Script) -> AsyncGenerator[Model]:
    yield ScriptedModel(script)


@asynccontextmanager
async def faultless(script: Script) -> AsyncGenerator[Model]:
    yield FaultyModel(ScriptedModel(script), [])


@asynccontextmanager
async def openai_compatible(script: Script) -> AsyncGenerator[OpenAICompatible]:
    async with ScriptedEndpoint(script) as endpoint, open_client() as client:
        connection = Connection("c", endpoint.base_url, "scripted", window=128_000, retries=0)
        yield OpenAICompatible(connection, client=client, clock=ManualClock())


@asynccontextmanager
async def anthropic(script: Script) -> AsyncGenerator[Model]:
    async with ScriptedEndpoint(script) as endpoint, open_client() as client:
        connection = Connection("c", endpoint.base_url, "scripted", window=128_000, retries=0)
        yield Anthropic(connection, client=client, clock=ManualClock())


@asynccontextmanager
async def json_tools(script: Script) -> AsyncGenerator[Model]:
    async with openai_compatible(as_json(script)) as inner:
        texts: dict[Language, str] = {"zh": "工具：{tools}", "en": "Tools: {tools}"}
        yield JsonTools(inner, texts)


@asynccontextmanager
async def learning(script: Script) -> AsyncGenerator[Model]:
    async with openai_compatible(script) as inner:
        yield LearningTools(inner, {"zh": "工具：{tools}", "en": "Tools: {tools}"})


every_model = pytest.mark.parametrize(
    "opened", [scripted, faultless, openai_compatible, anthropic, json_tools, learning]
)

TOOLS = (
    ToolSpec("draft_write", "写。", {"type": "object", "properties": {"version": {}}}),
    ToolSpec("draft_read", "读。", {"type": "object"}),
)
MESSAGES = (
    System("你是说书人。"),
    Assistant("开场：“谁？”"),
    User("推门。 🌧\u2028"),
    Assistant("", (ToolCall("a", "draft_read", "{}"),)),
    ToolResult("a", "draft_read", '{"content":"雨"}'),
)
REQUEST = ModelRequest(MESSAGES, TOOLS)


def unmarked(wire: WireRequest) -> list[bytes]:
    """The parts of a request but for those that tell where to cache."""
    return [p for p, shape in zip(wire.parts, wire.shape, strict=True) if shape != "mark"]


async def listen(model: Model, request: ModelRequest = REQUEST) -> list[ModelEvent]:
    return [event async for event in model.stream(model.encode(request))]


async def until_it_fails(model: Model) -> tuple[list[ModelEvent], ProviderFailed]:
    """What was heard before the call failed, and how it failed."""
    seen: list[ModelEvent] = []
    stream = model.stream(model.encode(REQUEST))
    while True:
        try:
            seen.append(await anext(stream))
        except ProviderFailed as failure:
            return seen, failure


def told(events: list[ModelEvent]) -> Reply:
    last = events[-1]
    assert isinstance(last, Finished)
    assert not [event for event in events[:-1] if isinstance(event, Finished)]
    return last.reply


@every_model
async def test_encoding_is_pure_and_laid_out_in_parts(opened: Opening) -> None:
    """Equal requests have equal bytes: head, one part per message, tail, together JSON in UTF-8."""
    async with opened([]) as model:
        wire = model.encode(REQUEST)
        assert model.encode(replace(REQUEST)) == wire
    shape = [shape for shape in wire.shape if shape != "mark"]
    assert shape == ["head", *["message"] * len(MESSAGES), "tail"]
    assert len(wire.parts) == len(wire.shape)
    assert json.loads(wire.body)["messages"]
    assert "推门。 🌧" in wire.body.decode("utf-8")


@every_model
async def test_a_longer_request_extends_a_shorter_one(opened: Opening) -> None:
    """All but the tail of a request stands at the start of the next one of its turn."""
    async with opened([]) as model:
        shorter = model.encode(ModelRequest(MESSAGES[:3], TOOLS))
        longer = model.encode(ModelRequest(MESSAGES, TOOLS, "none", Sampling(temperature=0.5)))
    kept = unmarked(shorter)[:-1]
    assert unmarked(longer)[: len(kept)] == kept


@every_model
async def test_the_pieces_add_up_to_the_reply(opened: Opening) -> None:
    """Text, thought and arguments of each call, joined, are what the finished reply holds."""
    script = [
        reply(
            think("先想一想。"),
            say("雨停了，街上有人。"),
            call("draft_read"),
            raw_call("draft_write", '{"version":0,"content":"“谁'),
        )
    ]
    async with opened(script) as model:
        events = await listen(model)
    finished = told(events)
    assert finished.text == "".join(e.text for e in events if isinstance(e, TextDelta))
    thought = "".join(e.text for e in events if isinstance(e, ThinkingDelta))
    assert finished.thinking is not None
    assert finished.thinking.text == thought == "先想一想。"
    for n, made in enumerate(finished.calls):
        pieces = [e for e in events if isinstance(e, CallDelta) and e.index == n]
        assert made.arguments == "".join(piece.arguments for piece in pieces)
        assert {piece.name for piece in pieces} == {made.name}
    assert [made.name for made in finished.calls] == ["draft_read", "draft_write"]
    assert len({made.id for made in finished.calls}) == 2


@every_model
async def test_replies_come_in_the_order_of_the_calls(opened: Opening) -> None:
    """The same bytes may be sent again, and usage is told each time."""
    async with opened([say("一"), say("二")]) as model:
        wire = model.encode(REQUEST)
        first = [event async for event in model.stream(wire)]
        second = [event async for event in model.stream(wire)]
    assert [told(events).text for events in (first, second)] == ["一", "二"]
    assert told(first).usage.prompt == len(wire.body) // 4


@every_model
@pytest.mark.parametrize(
    ("step", "code"),
    [(Status(401), 401), (reply(say("雨"), Drop()), None)],
    ids=["refused", "cut"],
)
async def test_a_failure_is_an_exception_and_no_reply(
    opened: Opening, step: Status | ScriptedReply, code: int | None
) -> None:
    """Whatever came before, a failed call raises and never finishes."""
    async with opened([step]) as model:
        events, failure = await until_it_fails(model)
    assert failure.http_status == code
    assert not [event for event in events if isinstance(event, Finished)]


@every_model
async def test_a_stream_can_be_left_at_any_piece(opened: Opening) -> None:
    """Hanging up closes the generator, and the model is ready for the next call."""
    async with opened([say("雨停了，街上有人。"), say("好")]) as model:
        stream = model.stream(model.encode(REQUEST))
        assert isinstance(await anext(stream), TextDelta)
        assert isinstance(stream, AsyncGenerator)
        await stream.aclose()
        assert told(await listen(model)).text == "好"


@every_model
async def test_a_model_has_a_name_and_a_window(opened: Opening) -> None:
    """Both are known without any call."""
    async with opened([]) as model:
        assert model.name
        assert model.window == 128_000
