"""The exact bytes that are sent, and what they share from request to request."""

import json
import re
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from types import MappingProxyType

import pytest
from hypothesis import given
from hypothesis import strategies as st

from huaben.adapters.models.wire import encode
from huaben.domain.connection import Connection
from huaben.domain.messages import (
    Assistant,
    Message,
    ModelRequest,
    Sampling,
    System,
    Thinking,
    ToolCall,
    ToolResult,
    ToolSpec,
    User,
    WireRequest,
)

GOLDEN = Path(__file__).parents[3] / "golden" / "wire"
PLAIN = Connection("test", "https://models.example/v1", "story-1")
DEEPSEEK = Connection("deepseek", "https://api.deepseek.com", "deepseek-chat")

TOOLS = (
    ToolSpec(
        "draft_write",
        "写下整篇草稿。Writes the whole draft.",
        MappingProxyType(
            {
                "type": "object",
                "properties": {"version": {"type": "integer"}, "content": {"type": "string"}},
                "required": ["version", "content"],
                "additionalProperties": False,
            }
        ),
    ),
    ToolSpec("draft_read", "Reads it.", {"type": "object", "properties": {}}),
)
STORY: tuple[Message, ...] = (
    System("你是说书人。\nYou tell the story."),
    Assistant("# 雨夜\n\n“谁？”她问。"),
    User('我推开门。 I said: "It\'s me." \u2028 🌧'),
)
READ = ToolCall("call_1", "draft_read", "")
ROUND: tuple[Message, ...] = (
    Assistant("", (READ,), Thinking("先看草稿。")),
    ToolResult("call_1", "draft_read", '{"version":0,"content":"","chars":0}'),
)


def body(wire: WireRequest) -> dict[str, object]:
    parsed: object = json.loads(wire.body)
    assert isinstance(parsed, dict)
    return parsed  # pyright: ignore[reportUnknownVariableType]  # keys of JSON objects are strings


def messages(request: ModelRequest, connection: Connection = PLAIN) -> list[dict[str, object]]:
    found = body(encode(request, connection))["messages"]
    assert isinstance(found, list)
    return found  # pyright: ignore[reportUnknownVariableType]  # our own encoding


def last_assistant(message: Assistant, connection: Connection = PLAIN) -> dict[str, object]:
    results = tuple(ToolResult(call.id, call.name, "ok") for call in message.calls)
    return messages(ModelRequest((User("走"), message, *results, User("再"))), connection)[1]


REQUESTS: dict[str, tuple[ModelRequest, Connection]] = {
    "plain": (ModelRequest(STORY), PLAIN),
    "tools": (ModelRequest((*STORY, *ROUND), TOOLS, "auto", Sampling(temperature=0.0)), PLAIN),
    "tools_forbidden": (
        ModelRequest((*STORY, *ROUND), TOOLS, "none", Sampling(temperature=0.0)),
        PLAIN,
    ),
    "deepseek": (
        ModelRequest(
            (
                *STORY,
                *ROUND,
                Assistant("嗯。", (ToolCall("call_2", "draft_write", '{"version": 0'),)),
                ToolResult("call_2", "draft_write", "error: arguments are not valid JSON"),
            ),
            TOOLS,
        ),
        DEEPSEEK,
    ),
    "strict": (
        ModelRequest((System("规则"), System("Card"), *STORY[1:])),
        replace(PLAIN, alternation="strict"),
    ),
    "samplers": (
        ModelRequest(
            STORY,
            sampling=Sampling(
                temperature=1.0,
                top_p=0.95,
                frequency_penalty=0.1,
                presence_penalty=-0.1,
                seed=7,
                stop=("\n\n用户：",),
                max_tokens=4096,
                reasoning_effort="low",
                extra={"top_k": 40, "min_p": 0.05, "repetition_penalty": 1.1},
            ),
        ),
        replace(PLAIN, max_tokens_field="max_completion_tokens", usage_option=False),
    ),
}


@pytest.mark.parametrize("name", REQUESTS)
def test_the_bytes_on_the_wire_are_these(name: str) -> None:
    """A change of any byte breaks the caches of every running session, so it has to be meant."""
    request, connection = REQUESTS[name]
    assert encode(request, connection).body == (GOLDEN / f"{name}.json").read_bytes().rstrip(b"\n")


@pytest.mark.parametrize("name", REQUESTS)
def test_parts_join_to_valid_json_in_a_fixed_layout(name: str) -> None:
    """Head, one part per message, tail; the body is compact UTF-8 and never `\\u`-escaped."""
    wire = encode(*REQUESTS[name])
    assert wire.shape == ("head", *["message"] * (len(wire.parts) - 2), "tail")
    sent = body(wire)
    assert [key for key in sent if key in ("model", "tools", "messages")] == [
        key for key in ("model", "tools", "messages") if key in sent
    ]
    for n, part in enumerate(wire.parts[1:-1]):
        assert part.startswith(b"{" if n == 0 else b",{")
        assert isinstance(json.loads(part.removeprefix(b",")), dict)
    compact = json.dumps(sent, ensure_ascii=False, separators=(",", ":")).encode()
    assert wire.body == compact


def test_a_turn_extends_its_own_requests() -> None:
    """Inside a turn each request's head and messages begin the next one's."""
    turn = (*STORY, *ROUND, Assistant("完。", (ToolCall("c", "draft_read", "{}"),)))
    wires = [encode(ModelRequest(turn[:n], TOOLS), DEEPSEEK) for n in (3, 5, 6)]
    for earlier, later in pairwise(wires):
        assert later.parts[: len(earlier.parts) - 1] == earlier.parts[:-1]
        assert later.body.startswith(b"".join(earlier.parts[:-1]))


# ---- thought -----------------------------------------------------------------------------------

THOUGHT = Thinking("hm", "reasoning_content", {"origin": PLAIN.origin})
CALLING = Assistant("嗯", (READ,), THOUGHT)


def test_thought_goes_back_with_calls_only() -> None:
    """A final text travels alone; a message with calls takes its thought along (T13)."""
    assert last_assistant(CALLING)["reasoning_content"] == "hm"
    assert "reasoning_content" not in last_assistant(Assistant("嗯", thinking=THOUGHT))
    assert "reasoning_content" not in last_assistant(Assistant("嗯", (READ,)))


def test_where_thought_is_demanded_its_absence_is_an_empty_string() -> None:
    """DeepSeek refuses a message with calls that lacks the field (T13)."""
    bare = Assistant("嗯", (READ,))
    assert last_assistant(bare, DEEPSEEK)["reasoning_content"] == ""
    assert last_assistant(CALLING, DEEPSEEK)["reasoning_content"] == ""
    own = replace(CALLING, thinking=replace(THOUGHT, extra={"origin": DEEPSEEK.origin}))
    assert last_assistant(own, DEEPSEEK)["reasoning_content"] == "hm"


def test_where_thought_is_refused_none_is_sent() -> None:
    """The policy `never` leaves every carrier out."""
    assert "reasoning_content" not in last_assistant(CALLING, replace(PLAIN, thinking="never"))


@pytest.mark.parametrize(
    ("thinking", "expected"),
    [
        (Thinking("hm", "reasoning"), {"content": "嗯", "reasoning": "hm"}),
        (Thinking("hm", "thinking"), {"content": "嗯", "thinking": "hm"}),
        (
            Thinking("hm", "reasoning", {"reasoning_details": [{"text": "hm"}]}),
            {"content": "嗯", "reasoning_details": [{"text": "hm"}]},
        ),
        (
            Thinking("hm", "thinking", {"thinking_blocks": [{"thinking": "hm"}]}),
            {"content": "嗯", "thinking_blocks": [{"thinking": "hm"}]},
        ),
        (Thinking("hm", "think_tags"), {"content": "<think>hm</think>\n\n嗯"}),
        (
            Thinking("hm", "content_parts"),
            {
                "content": [
                    {"type": "thinking", "thinking": [{"type": "text", "text": "hm"}]},
                    {"type": "text", "text": "嗯"},
                ]
            },
        ),
        (
            Thinking("", "x", {"extra_content": {"g": 1}}),
            {"content": "嗯", "extra_content": {"g": 1}},
        ),
        (Thinking("hm", "of another dialect"), {"content": "嗯"}),
    ],
    ids=lambda value: value.carrier if isinstance(value, Thinking) else "",
)
def test_thought_goes_back_where_it_came_from(
    thinking: Thinking, expected: dict[str, object]
) -> None:
    """Each carrier has its own place, and nothing is sent twice."""
    sent = last_assistant(Assistant("嗯", (READ,), thinking))
    del sent["role"], sent["tool_calls"]
    assert sent == expected


def test_thought_and_signatures_of_another_model_are_dropped() -> None:
    """Signatures mean nothing to another model (T14)."""
    foreign = {"origin": "other@elsewhere", "extra_content": {"google": {"thought_signature": "s"}}}
    call = ToolCall("c", "draft_read", "{}", foreign)
    sent = last_assistant(Assistant("嗯", (call,), Thinking("hm", "reasoning", foreign)))
    assert set(sent) == {"role", "content", "tool_calls"}
    assert "extra_content" not in json.dumps(sent)


def test_signatures_of_this_model_go_back_with_their_call() -> None:
    """Gemini refuses a call of its own without the signature (T14)."""
    signed = {"google": {"thought_signature": "s"}}
    call = ToolCall("c", "draft_read", "{}", {"origin": PLAIN.origin, "extra_content": signed})
    sent = last_assistant(Assistant("", (call,)))
    assert sent["content"] is None
    assert sent["tool_calls"] == [
        {
            "id": "c",
            "type": "function",
            "function": {"name": "draft_read", "arguments": "{}"},
            "extra_content": signed,
        }
    ]


# ---- arguments, samplers, bytes ------------------------------------------------------------------


@pytest.mark.parametrize(
    ("arguments", "sent"),
    [
        ("", "{}"),
        (" \n", "{}"),
        ('{"a": 1}', '{"a": 1}'),
        ('{"path":"a', '{"malformed_arguments":"{\\"path\\":\\"a"}'),
        ("[1]", '{"malformed_arguments":"[1]"}'),
        ("[" * 10_000, json.dumps({"malformed_arguments": "[" * 10_000}, separators=(",", ":"))),
    ],
    ids=["none", "blank", "an object", "cut", "no object", "hostile depth"],
)
def test_arguments_go_back_as_servers_can_read_them(arguments: str, sent: str) -> None:
    """A sound string keeps its bytes; one that would make the server fail is wrapped (T07, T08)."""
    call = ToolCall("c", "draft_read", arguments)
    assert json.dumps(sent) in json.dumps(last_assistant(Assistant("", (call,))))


def test_the_requests_samplers_override_the_connections() -> None:
    """Defaults fill what the request leaves open; zero is a value."""
    connection = replace(PLAIN, sampling=Sampling(temperature=0.7, seed=1, extra={"top_k": 1}))
    asked = Sampling(temperature=0.0, extra={"min_p": 0.1, "model": "smuggled"})
    sent = body(encode(ModelRequest(STORY, sampling=asked), connection))
    assert (sent["temperature"], sent["seed"]) == (0.0, 1)
    assert (sent["top_k"], sent["min_p"]) == (1, 0.1)
    assert sent["model"] == "story-1"


def test_only_samplers_that_are_accepted_are_sent() -> None:
    """What a connection does not accept is withheld, and the connection can name it."""
    connection = replace(PLAIN, accepts=frozenset({"temperature"}))
    asked = Sampling(temperature=1.0, top_p=0.5, stop=("x",), extra={"top_k": 1})
    sent = body(encode(ModelRequest(STORY, sampling=asked), connection))
    assert "temperature" in sent
    assert not {"top_p", "stop", "top_k"} & set(sent)
    assert connection.withheld(asked) == ("extra", "stop", "top_p")
    assert connection.withheld(Sampling(temperature=0.0)) == ()


@given(st.text(st.characters(), max_size=30))
def test_any_text_makes_a_sendable_body(text: str) -> None:
    """Lone surrogates, quotes and controls never break the request."""
    sent = messages(ModelRequest((User("x" + text),)))
    assert sent[0]["content"] == re.sub("[\ud800-\udfff]", "\ufffd", "x" + text)
