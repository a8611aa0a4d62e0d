"""The exact bytes of Anthropic's dialect: where to cache, what must come first, what goes back."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import cast

import pytest
from hypothesis import given
from hypothesis import strategies as st

from huaben.adapters.models.anthropic_wire import BLOCKS, CARRIER, MAX_TOKENS, encode
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
CLAUDE = Connection("claude", "https://api.anthropic.com", "story-1", kind="anthropic")
TOOLS = (
    ToolSpec(
        "draft_write",
        "写下整篇草稿。Writes the whole draft.",
        {"type": "object", "properties": {"version": {}}, "required": ["version"]},
    ),
    ToolSpec("draft_read", "Reads it.", {"type": "object", "properties": {}}),
)
SIGNED = Thinking(
    "先看草稿。",
    CARRIER,
    {
        BLOCKS: [
            {"type": "thinking", "thinking": "先看草稿。", "signature": "c2ln"},
            {"type": "redacted_thinking", "data": "ZGF0YQ"},
        ],
        "origin": CLAUDE.origin,
    },
)
READ = ToolCall("toolu_1", "draft_read", "")
STORY: tuple[Message, ...] = (
    System("你是说书人。\nYou tell the story."),
    Assistant("# 雨夜\n\n“谁？”她问。"),
    User("我推开门。"),
    Assistant("门后是雨。"),
    User('资料\n\n"停了吗？" 🌧'),
)
ROUND: tuple[Message, ...] = (
    Assistant("嗯。", (READ,), SIGNED),
    ToolResult("toolu_1", "draft_read", '{"version":0}'),
)

REQUESTS: dict[str, tuple[ModelRequest, Connection]] = {
    "anthropic_plain": (ModelRequest(STORY, stable=4), CLAUDE),
    "anthropic_tools": (
        ModelRequest((*STORY, *ROUND), TOOLS, "auto", Sampling(max_tokens=4096), stable=4),
        CLAUDE,
    ),
    "anthropic_forbidden": (
        ModelRequest(
            (*STORY, *ROUND, User("接着写。")),
            TOOLS,
            "none",
            Sampling(temperature=0.5, top_k=40, stop=("\n\n",), reasoning_effort="low", min_p=0.1),
            stable=4,
        ),
        replace(CLAUDE, accepts=CLAUDE.accepts - {"min_p"}),
    ),
    "anthropic_answer": (
        ModelRequest(STORY[:1] + STORY[-1:], answer={"type": "object", "properties": {}}),
        CLAUDE,
    ),
}


def sent(request: ModelRequest, connection: Connection = CLAUDE) -> dict[str, object]:
    return cast("dict[str, object]", json.loads(encode(request, connection).body))


def blocks(message: object) -> list[dict[str, object]]:
    return cast("dict[str, list[dict[str, object]]]", message)["content"]


def messages(request: ModelRequest, connection: Connection = CLAUDE) -> list[dict[str, object]]:
    return cast("list[dict[str, object]]", sent(request, connection)["messages"])


def unmarked(wire: WireRequest) -> list[bytes]:
    return [p for p, shape in zip(wire.parts, wire.shape, strict=True) if shape != "mark"]


@pytest.mark.parametrize("name", REQUESTS)
def test_the_bytes_on_the_wire_are_these(name: str) -> None:
    """A change of any byte breaks the caches of every running session, so it has to be meant."""
    request, connection = REQUESTS[name]
    assert encode(request, connection).body == (GOLDEN / f"{name}.json").read_bytes().rstrip(b"\n")


@pytest.mark.parametrize("name", REQUESTS)
def test_parts_join_to_compact_json(name: str) -> None:
    """Head, one part per message, marks between, tail; UTF-8, never `\\u`-escaped."""
    request, connection = REQUESTS[name]
    wire = encode(request, connection)
    assert [shape for shape in wire.shape if shape != "mark"] == [
        "head",
        *("message" for _ in request.messages),
        "tail",
    ]
    whole = json.dumps(sent(request, connection), ensure_ascii=False, separators=(",", ":"))
    assert wire.body == whole.encode()


# ---- where to cache ------------------------------------------------------------------------------


def test_the_four_places_are_marked() -> None:
    """Tools, system text, the last message that stays, the newest message; nothing else."""
    body = sent(REQUESTS["anthropic_tools"][0])
    tools = cast("list[dict[str, object]]", body["tools"])
    system = cast("list[dict[str, object]]", body["system"])
    assert ["cache_control" in tool for tool in tools] == [False, True]
    assert ["cache_control" in block for block in system] == [True]
    marked = [
        (number, block["type"])
        for number, message in enumerate(cast("list[object]", body["messages"]))
        for block in blocks(message)
        if "cache_control" in block
    ]
    # Number 0 is the opening that the API demands before a greeting.
    assert marked == [(3, "text"), (6, "tool_result")]


def test_a_mark_changes_no_byte_of_a_message() -> None:
    """The marks move from call to call and from turn to turn; all other parts extend."""
    first = ModelRequest(STORY[:3], TOOLS, stable=2)
    later = ModelRequest((*STORY, *ROUND), TOOLS, stable=4)
    inside = ModelRequest((*STORY, *ROUND, *_another_round()), TOOLS, stable=4)
    assert unmarked(encode(later, CLAUDE))[:3] == unmarked(encode(first, CLAUDE))[:3]
    assert unmarked(encode(inside, CLAUDE))[:8] == unmarked(encode(later, CLAUDE))[:-1]


def _another_round() -> tuple[Message, ...]:
    call = ToolCall("toolu_2", "draft_read", "{}")
    return (Assistant("", (call,)), ToolResult("toolu_2", "draft_read", "ok"))


def test_a_note_after_results_extends_the_request_too() -> None:
    """Words of the user that follow results share their message, without changing a byte of it."""
    before = encode(ModelRequest((*STORY, *ROUND), TOOLS), CLAUDE)
    after = encode(ModelRequest((*STORY, *ROUND, User("接着写。")), TOOLS), CLAUDE)
    assert unmarked(after)[:-2] == unmarked(before)[:-1]
    results, words = blocks(messages(ModelRequest((*STORY, *ROUND, User("接着写。")), TOOLS))[-1])
    assert (results["type"], words["text"]) == ("tool_result", "接着写。")


TALK = st.lists(st.sampled_from(["system", "user", "assistant", "round"]), max_size=8)


def told(kinds: Sequence[str]) -> tuple[Message, ...]:
    out: list[Message] = []
    for number, kind in enumerate(kinds):
        call = ToolCall(f"t{number}", "draft_read", "{}")
        match kind:
            case "system":
                out.append(System(f"规则{number}"))
            case "user":
                out.append(User(f"话{number}"))
            case "assistant":
                out.append(Assistant(f"文{number}"))
            case _:
                out += [Assistant("", (call,)), ToolResult(call.id, call.name, "ok")]
    return tuple(out)


@given(TALK, st.integers(0, 10), st.booleans())
def test_any_talk_makes_a_sound_body(kinds: list[str], stable: int, tools: bool) -> None:
    """Roles alternate, the user begins, calls are answered next, at most four marks, no empty text;
    and a longer talk extends a shorter one."""
    talk = told(kinds)
    request = ModelRequest(talk, TOOLS if tools else (), stable=stable)
    body = sent(request)
    assert json.dumps(body).count("cache_control") <= 4
    roles = [message["role"] for message in messages(request)]
    assert all(one != other for one, other in pairwise(roles))
    assert roles[:1] in ([], ["user"])
    for one, other in pairwise(messages(request)):
        made = [block["id"] for block in blocks(one) if block["type"] == "tool_use"]
        answered = [b["tool_use_id"] for b in blocks(other) if b["type"] == "tool_result"]
        assert made == answered
    longer = unmarked(encode(replace(request, messages=(*talk, User("再"))), CLAUDE))
    assert longer[: len(talk) + 1] == unmarked(encode(request, CLAUDE))[: len(talk) + 1]


# ---- thought -------------------------------------------------------------------------------------


def test_signed_thought_goes_back_first_and_whole() -> None:
    """Inside the turn, before everything else that the reply held; also what is encrypted."""
    spoken = messages(ModelRequest((*STORY, *ROUND), TOOLS))[-2]
    assert [block["type"] for block in blocks(spoken)] == [
        "thinking",
        "redacted_thinking",
        "text",
        "tool_use",
    ]
    assert blocks(spoken)[0] == {
        "type": "thinking",
        "thinking": "先看草稿。",
        "signature": "c2ln",
    }


@pytest.mark.parametrize(
    "thinking",
    [
        None,
        replace(SIGNED, extra={**SIGNED.extra, "origin": "other@elsewhere"}),
        replace(SIGNED, extra={BLOCKS: [{"type": "thinking", "thinking": "no signature"}]}),
        Thinking("of another dialect", "reasoning_content"),
    ],
    ids=["none", "another model's", "unsigned", "another dialect's"],
)
def test_thought_that_would_be_refused_stays_here(thinking: Thinking | None) -> None:
    """Without a signature of this very model no thought is sent."""
    spoken = Assistant("嗯。", (READ,), thinking)
    request = ModelRequest((User("走"), spoken, ToolResult("toolu_1", "draft_read", "ok")), TOOLS)
    assert [block["type"] for block in blocks(messages(request)[1])] == ["text", "tool_use"]


def test_thought_of_a_finished_reply_stays_here() -> None:
    """A message without calls travels as its text alone, and so does any where thought is refused."""
    plain = ModelRequest((User("走"), Assistant("嗯。", (), SIGNED), User("再")))
    assert blocks(messages(plain)[1]) == [{"type": "text", "text": "嗯。"}]
    never = replace(CLAUDE, thinking="never")
    spoken = messages(ModelRequest((*STORY, *ROUND), TOOLS), never)[-2]
    assert [block["type"] for block in blocks(spoken)] == ["text", "tool_use"]


# ---- arguments and samplers ----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("arguments", "given_back"),
    [
        ("", {}),
        ('{"version": 0}', {"version": 0}),
        ('{"path":"a', {"malformed_arguments": '{"path":"a'}),
        ("[" * 10_000, {"malformed_arguments": "[" * 10_000}),
        (
            '{"a":' * 200 + "1" + "}" * 200,
            {"malformed_arguments": '{"a":' * 200 + "1" + "}" * 200},
        ),
    ],
    ids=["none", "an object", "cut", "hostile", "too deep"],
)
def test_arguments_go_back_as_objects(arguments: str, given_back: dict[str, object]) -> None:
    """What is no object still shows the mistake (T07, T08)."""
    call = ToolCall("c", "draft_read", arguments)
    request = ModelRequest((User("走"), Assistant("", (call,)), ToolResult("c", "x", "ok")), TOOLS)
    assert blocks(messages(request)[1])[0]["input"] == given_back


def test_samplers_are_spelled_as_the_dialect_does() -> None:
    """The maximum is always there; stops, effort and a schema have other names; what cannot be sent
    is named."""
    assert sent(ModelRequest(STORY))["max_tokens"] == MAX_TOKENS
    request, connection = REQUESTS["anthropic_forbidden"]
    body = sent(request, connection)
    assert (body["temperature"], body["top_k"], body["stop_sequences"]) == (0.5, 40, ["\n\n"])
    assert body["output_config"] == {"effort": "low"}
    assert encode(request, connection).withheld == ("min_p",)
    answer = sent(*REQUESTS["anthropic_answer"])
    assert answer["output_config"] == {
        "format": {"type": "json_schema", "schema": {"type": "object", "properties": {}}}
    }
    plain = replace(CLAUDE, schema_option=False, sampling=Sampling(temperature=0.3, max_tokens=9))
    body = sent(REQUESTS["anthropic_answer"][0], plain)
    assert "output_config" not in body
    assert (body["temperature"], body["max_tokens"]) == (0.3, 9)
    extra = Sampling(extra={"thinking": {"type": "adaptive"}, "model": "smuggled"})
    body = sent(ModelRequest(STORY, sampling=extra))
    assert (body["thinking"], body["model"]) == ({"type": "adaptive"}, "story-1")
