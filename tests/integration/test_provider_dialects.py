"""Each provider's odd dialect, spoken by a server on loopback and heard by the whole adapter: what its
chunks look like, and the one reply that they mean (cases/community.md § Providers)."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import aclosing
from dataclasses import dataclass, field

import httpx
import pytest

from huaben.adapters.models.endpoint import open_client
from huaben.adapters.models.openai_compatible import OpenAICompatible
from huaben.domain.connection import Connection
from huaben.domain.jsonvalue import Json
from huaben.domain.messages import (
    Assistant,
    CallDelta,
    Finished,
    Message,
    ModelEvent,
    ModelRequest,
    Reply,
    System,
    TextDelta,
    ThinkingDelta,
    ToolCall,
    ToolResult,
    ToolSpec,
    Usage,
    User,
)
from huaben.errors import ProviderFailed
from huaben.testing.endpoint import ScriptedEndpoint
from huaben.testing.script import Raw, Status, Step, reply, say
from tests.builders.clocks import InstantClock

TOOLS = (ToolSpec("f", "做。", {"type": "object"}), ToolSpec("g", "Does.", {"type": "object"}))
REQUEST = ModelRequest((System("你是说书人。"), User("雨停了吗？")), TOOLS)


@dataclass(frozen=True)
class Case:
    """What one reply's chunks are, and what they mean. `calls` are names with arguments."""

    chunks: Sequence[Json]
    text: str = ""
    calls: Sequence[tuple[str, str]] = ()
    thought: str = ""
    usage: Usage = field(default_factory=Usage)
    flags: tuple[str, ...] = ()


def delta(finish: str | None = None, /, **fields: Json) -> Json:
    choice: dict[str, Json] = {"index": 0, "delta": fields, "finish_reason": finish}
    return {"choices": [choice]}


def calls(*fragments: Json, finish: str | None = None) -> Json:
    return delta(finish, tool_calls=list(fragments))


def part(arguments: str | None = None, name: str | None = None, **more: Json) -> Json:
    function = {"name": name, "arguments": arguments}
    return {**more, "function": {k: v for k, v in function.items() if v is not None}}


STOP = delta("stop")
CALLED = delta("tool_calls")

CASES: Mapping[str, Case] = {
    "T01 deltas without an index": Case(
        [calls(part('{"x"', "f", id="a")), calls(part(":1}")), CALLED], calls=[("f", '{"x":1}')]
    ),
    "T02 the same index, a new id": Case(
        [
            calls(part('{"p":1}', "f", index=0, id="a")),
            calls(part('{"p":2}', "f", index=0, id="b")),
            CALLED,
        ],
        calls=[("f", '{"p":1}'), ("f", '{"p":2}')],
    ),
    "T02 a known id under another index": Case(
        [
            calls(part("", "f", index=0, id="a"), part("", "g", index=1, id="b")),
            calls(part("{}", index=0, id="b"), part('{"x":1}', index=1, id="a")),
            CALLED,
        ],
        calls=[("f", '{"x":1}'), ("g", "{}")],
    ),
    "T04 a continuation under another index": Case(
        [calls(part('{"x"', "f", index=0, id="a")), calls(part(":1}", index=1)), CALLED],
        calls=[("f", '{"x":1}')],
    ),
    "T05 the first index is 1": Case(
        [calls(part("{}", "f", index=1, id="a")), CALLED], calls=[("f", "{}")]
    ),
    "T05 a name after its arguments, no id": Case(
        [calls(part('{"x":1}', index=0)), calls(part(None, "f", index=0)), CALLED],
        calls=[("f", '{"x":1}')],
    ),
    "T07 no arguments": Case([calls(part("", "f", index=0, id="a")), CALLED], calls=[("f", "")]),
    "T07 arguments as an object": Case(
        [{"choices": [{"delta": {"tool_calls": [{"id": "a", "function": {"name": "f", "arguments": {"x": 1}}}]}}]}, CALLED],
        calls=[("f", '{"x":1}')],
    ),
    "T08 malformed arguments stay as they are": Case(
        [calls(part("{'x': True,}", "f", index=0, id="a")), CALLED], calls=[("f", "{'x': True,}")]
    ),
    "T10 stop, though tools were called": Case(
        [calls(part("{}", "f", index=0, id="a"), finish="stop")], calls=[("f", "{}")]
    ),
    "T10 an empty reason with every chunk": Case(
        [delta("", content="雨"), delta("", content="停"), "[DONE]"],
        text="雨停",
        flags=("no_finish_reason",),
    ),
    "T10 no reason at all, but whole calls": Case(
        [calls(part("{}", "f", index=0, id="a"))], calls=[("f", "{}")], flags=("no_finish_reason",)
    ),
    "T11 choices empty, absent, and usage alone": Case(
        [{"choices": []}, {}, delta(content="雨"), STOP, {"usage": {"prompt_tokens": 3, "completion_tokens": 1}}],
        text="雨",
        usage=Usage(3, 1),
    ),
    "T17 several calls and parts in one chunk": Case(
        [
            delta(content=[{"type": "text", "text": "雨"}, {"type": "text", "text": "停"}]),
            calls(part("{}", "f", index=0, id="a"), part("{}", "g", index=1, id="b")),
            CALLED,
        ],
        text="雨停",
        calls=[("f", "{}"), ("g", "{}")],
    ),
    "T20 think tags split over chunks": Case(
        [delta(content="<thi"), delta(content="nk>想"), delta(content="好</th"), delta(content="ink>\n雨"), STOP],
        text="雨",
        thought="想好",
    ),
    "T20 a close tag only": Case(
        [delta(content="想好"), delta(content="</think>雨"), STOP],
        text="雨",
        thought="想好",
        flags=("thinking_unopened",),
    ),
    "T20 no close tag": Case(
        [delta(content="<think>想"), STOP], thought="想", flags=("thinking_unclosed",)
    ),
    "T22 odd usage, repeated role, null content": Case(
        [
            delta(role="assistant", content=None),
            delta(role="assistant", content="雨"),
            STOP,
            {"usage": {"prompt_tokens": "12", "completion_tokens": None, "cached_tokens": -1}},
        ],
        text="雨",
        usage=Usage(12),
    ),
    # ---- as each provider tells of thought and of tokens -----------------------------------------
    "OpenAI": Case(
        [
            delta(content="雨"),
            STOP,
            {"choices": [], "usage": {"prompt_tokens": 100, "completion_tokens": 9, "total_tokens": 109, "prompt_tokens_details": {"cached_tokens": 64}, "completion_tokens_details": {"reasoning_tokens": 4}}},
        ],
        text="雨",
        usage=Usage(100, 9, 4, 64),
    ),
    "DeepSeek": Case(
        [
            delta(reasoning_content="想", content=None),
            delta(reasoning_content=None, content="雨"),
            {"choices": [{"delta": {"content": ""}, "finish_reason": "stop"}], "usage": {"prompt_tokens": 100, "completion_tokens": 9, "prompt_cache_hit_tokens": 64, "prompt_cache_miss_tokens": 36}},
        ],
        text="雨",
        thought="想",
        usage=Usage(100, 9, None, 64),
    ),
    "OpenRouter": Case(
        [
            ": OPENROUTER PROCESSING",
            delta(reasoning="想", reasoning_details=[{"type": "reasoning.text", "text": "想", "index": 0}]),
            delta(content="雨"),
            STOP,
            {"choices": [], "usage": {"prompt_tokens": 100, "completion_tokens": 9, "cost": 0.00025, "prompt_tokens_details": {"cached_tokens": 64, "cache_write_tokens": 10}}},
        ],
        text="雨",
        thought="想",
        usage=Usage(100, 9, None, 64, 10, 250),
    ),
    "Ollama": Case(
        [
            delta(role="assistant", content="", reasoning="想"),
            delta(role="assistant", content="雨"),
            calls(part("{}", "f", index=0, id="call_x"), part("{}", "g", index=0, id="call_y")),
            STOP,
            {"choices": [], "usage": {"prompt_tokens": 26, "completion_tokens": 8, "total_tokens": 34}},
        ],
        text="雨",
        thought="想",
        calls=[("f", "{}"), ("g", "{}")],
        usage=Usage(26, 8),
    ),
    "llama.cpp": Case(
        [
            delta(reasoning_content="想"),
            delta(content="雨"),
            {"choices": [{"delta": {}, "finish_reason": "stop"}], "timings": {"cache_n": 30, "prompt_n": 6, "predicted_n": 4}},
        ],
        text="雨",
        thought="想",
        usage=Usage(36, 4, None, 30),
    ),
    "Gemini": Case(
        [
            delta(content="雨", extra_content={"google": {"thought": False}}),
            calls({"index": 0, "id": "a", "function": {"name": "f", "arguments": "{}"}, "extra_content": {"google": {"thought_signature": "c2ln"}}}),
            CALLED,
            {"usage": {"prompt_tokens": 10, "completion_tokens": 5, "total_tokens": 40}},
        ],
        text="雨",
        calls=[("f", "{}")],
        usage=Usage(10, 30),
    ),
    "Mistral": Case(
        [
            delta(content=[{"type": "thinking", "thinking": [{"type": "text", "text": "想"}]}]),
            delta(content=[{"type": "text", "text": "雨"}]),
            STOP,
        ],
        text="雨",
        thought="想",
    ),
    "Moonshot": Case(
        [delta(content="雨"), {"choices": [{"delta": {}, "finish_reason": "stop", "usage": {"prompt_tokens": 7, "completion_tokens": 2, "cached_tokens": 5}}]}],
        text="雨",
        usage=Usage(7, 2, None, 5),
    ),
    "Groq": Case(
        [delta(content="雨"), {"choices": [{"delta": {}, "finish_reason": "stop"}], "x_groq": {"usage": {"prompt_tokens": 7, "completion_tokens": 2}}}],
        text="雨",
        usage=Usage(7, 2),
    ),
    "a plain answer instead of a stream": Case(
        [{"choices": [{"message": {"role": "assistant", "content": "雨", "reasoning_content": "想"}, "finish_reason": "stop"}], "usage": {"prompt_tokens": 7, "completion_tokens": 2}}],
        text="雨",
        thought="想",
        usage=Usage(7, 2),
    ),
}  # fmt: skip


@pytest.fixture
async def client() -> AsyncIterator[httpx.AsyncClient]:
    async with open_client() as opened:
        yield opened


def spoken(chunks: Sequence[Json]) -> Raw:
    """The chunks as server-sent events; a text stands as it is, as a comment or the end mark."""
    lines = [
        (chunk if chunk.startswith(":") else f"data: {chunk}")
        if isinstance(chunk, str)
        else f"data: {json.dumps(chunk, ensure_ascii=False)}"
        for chunk in chunks
    ]
    return Raw("".join(f"{line}\n\n" for line in lines).encode())


async def hear(
    client: httpx.AsyncClient, endpoint: ScriptedEndpoint, request: ModelRequest = REQUEST
) -> list[ModelEvent]:
    connection = Connection("odd", endpoint.base_url, "m", retries=0)
    model = OpenAICompatible(connection, client=client, clock=InstantClock())
    async with aclosing(model.stream(model.encode(request))) as events:
        return [event async for event in events]


def told(events: Sequence[ModelEvent]) -> Reply:
    last = events[-1]
    assert isinstance(last, Finished)
    return last.reply


@pytest.mark.parametrize("name", CASES)
async def test_an_odd_dialect_means_one_reply(client: httpx.AsyncClient, name: str) -> None:
    """Text, calls, thought, usage and flags; what streamed adds up to it."""
    case = CASES[name]
    async with ScriptedEndpoint([reply(spoken(case.chunks))]) as endpoint:
        events = await hear(client, endpoint)
    found = told(events)
    assert found.text == case.text
    assert [(call.name, call.arguments) for call in found.calls] == list(case.calls)
    assert (found.thinking.text if found.thinking else "") == case.thought
    assert found.usage == case.usage
    assert set(case.flags) <= set(found.flags)
    assert len({call.id for call in found.calls}) == len(found.calls)
    if "thinking_unopened" not in found.flags:
        assert "".join(e.text for e in events if isinstance(e, TextDelta)) == case.text
        assert "".join(e.text for e in events if isinstance(e, ThinkingDelta)) == case.thought
    for number, call in enumerate(found.calls):
        pieces = [e.arguments for e in events if isinstance(e, CallDelta) and e.index == number]
        assert "".join(pieces) == call.arguments


# ---- what goes back --------------------------------------------------------------------------------


async def second_request(client: httpx.AsyncClient, first: Case) -> dict[str, object]:
    """The assistant message that a second call of the turn sends back."""
    async with ScriptedEndpoint([reply(spoken(first.chunks)), say("好。")]) as endpoint:
        heard = told(await hear(client, endpoint))
        results = tuple(ToolResult(call.id, call.name, "ok") for call in heard.calls)
        spoke = Assistant(heard.text, heard.calls, heard.thinking)
        messages: tuple[Message, ...] = (*REQUEST.messages, spoke, *results)
        await hear(client, endpoint, ModelRequest(messages, TOOLS))
        return endpoint.received[1].asked.messages[2]


async def test_thought_goes_back_with_calls_where_it_came_from(client: httpx.AsyncClient) -> None:
    """DeepSeek's and OpenRouter's, each in its own field (T13)."""
    calling = calls(part("{}", "f", index=0, id="a"))
    deepseek = Case([delta(reasoning_content="想"), calling, CALLED])
    assert (await second_request(client, deepseek))["reasoning_content"] == "想"
    details: Json = [{"type": "reasoning.encrypted", "data": "ZGF0YQ", "index": 0}]
    router = Case([delta(reasoning="想", reasoning_details=details), calling, CALLED])
    sent = await second_request(client, router)
    assert sent["reasoning_details"] == details
    assert "reasoning" not in sent


async def test_a_signature_goes_back_with_its_call(client: httpx.AsyncClient) -> None:
    """Gemini refuses a call of its own without it (T14)."""
    sent = await second_request(client, CASES["Gemini"])
    (call,) = json.loads(json.dumps(sent["tool_calls"]))
    assert call["extra_content"] == {"google": {"thought_signature": "c2ln"}}


# ---- refusals --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("refusal", "changed"),
    [
        (
            "Jinja Exception: After the optional system message, conversation roles must alternate",
            [{"role": "system"}, {"role": "user"}, {"role": "assistant"}, {"role": "user"}],
        ),
        ("System message must be at the beginning.", [{"role": "system"}, {"role": "user"}]),
    ],
)
async def test_a_template_that_demands_an_order_gets_it(
    client: httpx.AsyncClient, refusal: str, changed: list[dict[str, str]]
) -> None:
    """Two leading system texts, two neighbours of one role: joined after the first refusal (T16)."""
    messages: tuple[Message, ...] = (
        System("规则"),
        System("卡片"),
        Assistant("开场"),
        Assistant("再开场"),
        User("走"),
    )
    step: Step = Status(500, body=json.dumps({"error": {"message": refusal, "code": 500}}))
    async with ScriptedEndpoint([step, say("好。")]) as endpoint:
        connection = Connection("odd", endpoint.base_url, "m", retries=0)
        model = OpenAICompatible(connection, client=client, clock=InstantClock())
        request = ModelRequest(messages)
        with pytest.raises(ProviderFailed) as failed:
            _ = [event async for event in model.stream(model.encode(request))]
        assert failed.value.code == "reshaped"
        events = [event async for event in model.stream(model.encode(request))]
    assert told(events).text == "好。"
    roles = [message["role"] for message in endpoint.received[1].asked.messages]
    assert roles[: len(changed)] == [one["role"] for one in changed]
    assert endpoint.received[1].asked.messages[0]["content"] == "规则\n\n卡片"


async def test_calls_of_another_provider_keep_no_foreign_baggage(
    client: httpx.AsyncClient,
) -> None:
    """After a change of model its signatures and thought stay behind (T14)."""
    foreign = {"origin": "other@elsewhere", "extra_content": {"google": {"thought_signature": "s"}}}
    spoke = Assistant("嗯", (ToolCall("a", "f", "{}", foreign),))
    messages: tuple[Message, ...] = (*REQUEST.messages, spoke, ToolResult("a", "f", "ok"))
    async with ScriptedEndpoint([say("好。")]) as endpoint:
        await hear(client, endpoint, ModelRequest(messages, TOOLS))
        assert b"thought_signature" not in endpoint.bodies[0]
