"""Events of Anthropic's dialect to pieces and the finished reply."""

from __future__ import annotations

import pytest

from huaben.adapters.models.anthropic_listening import AnthropicListener
from huaben.adapters.models.anthropic_wire import BLOCKS
from huaben.domain.jsonvalue import Json, JsonObject
from huaben.domain.messages import (
    CallDelta,
    ModelEvent,
    Reply,
    TextDelta,
    ThinkingDelta,
    ToolCall,
    Usage,
)


def start(**usage: Json) -> JsonObject:
    return {"type": "message_start", "message": {"model": "claude-x", "usage": dict(usage)}}


def opened(index: int, **block: Json) -> JsonObject:
    return {"type": "content_block_start", "index": index, "content_block": dict(block)}


def delta(index: int, kind: str, **fields: Json) -> JsonObject:
    return {"type": "content_block_delta", "index": index, "delta": {"type": kind, **fields}}


def ended(reason: str | None, **usage: Json) -> JsonObject:
    return {"type": "message_delta", "delta": {"stop_reason": reason}, "usage": dict(usage)}


def heard(*events: JsonObject) -> tuple[AnthropicListener, list[ModelEvent], Reply]:
    listener = AnthropicListener("claude-x@host")
    pieces = [piece for event in events for piece in listener.feed(event)]
    pieces += listener.close()
    return listener, pieces, listener.reply(lambda position: f"made{position}")


def test_text_thought_and_calls_come_as_blocks() -> None:
    """Interleaved by their index; thought keeps its signature for the way back."""
    _, pieces, told = heard(
        start(input_tokens=5),
        {"type": "ping"},
        opened(0, type="thinking", thinking=""),
        delta(0, "thinking_delta", thinking="想"),
        opened(1, type="text", text=""),
        delta(1, "text_delta", text="好。"),
        delta(0, "thinking_delta", thinking="完"),
        delta(0, "signature_delta", signature="c2"),
        delta(0, "signature_delta", signature="ln"),
        opened(2, type="tool_use", id="toolu_1", name="draft_read", input={}),
        opened(3, type="tool_use", id="", name="ask", input={}),
        delta(3, "input_json_delta", partial_json='{"question":'),
        delta(2, "input_json_delta", partial_json=""),
        delta(3, "input_json_delta", partial_json='"谁"}'),
        {"type": "content_block_stop", "index": 3},
        ended("tool_use", output_tokens=9),
        {"type": "message_stop"},
    )
    assert (told.text, told.finish, told.model) == ("好。", "tool_use", "claude-x")
    assert told.calls == (
        ToolCall("toolu_1", "draft_read", ""),
        ToolCall("made1", "ask", '{"question":"谁"}'),
    )
    assert told.thinking is not None
    assert told.thinking.text == "想完"
    assert told.thinking.extra == {
        BLOCKS: [{"type": "thinking", "thinking": "想完", "signature": "c2ln"}],
        "origin": "claude-x@host",
    }
    assert [p.text for p in pieces if isinstance(p, ThinkingDelta)] == ["想", "完"]
    assert [p for p in pieces if isinstance(p, CallDelta)][-1] == CallDelta(1, "ask", '"谁"}')
    assert [p.text for p in pieces if isinstance(p, TextDelta)] == ["好。"]


def test_hidden_thought_is_kept_and_shows_no_words() -> None:
    """Encrypted thought has no text and must travel back all the same."""
    _, pieces, told = heard(
        start(),
        opened(0, type="redacted_thinking", data="ZGF0YQ"),
        opened(1, type="text", text="好。"),
        ended("end_turn"),
    )
    assert pieces == [TextDelta("好。")]
    assert told.thinking is not None
    assert told.thinking.text == ""
    assert told.thinking.extra[BLOCKS] == [{"type": "redacted_thinking", "data": "ZGF0YQ"}]


@pytest.mark.parametrize(
    ("events", "usage"),
    [
        (
            (
                start(
                    input_tokens=10,
                    cache_read_input_tokens=100,
                    cache_creation_input_tokens=7,
                    output_tokens=1,
                    service_tier="standard",
                ),
                ended("end_turn", output_tokens=30),
            ),
            Usage(prompt=117, completion=30, cached=100, cache_written=7),
        ),
        ((start(input_tokens=10), ended("end_turn", output_tokens=3)), Usage(10, 3)),
        ((ended("end_turn", input_tokens="10", output_tokens=3.0),), Usage(10, 3)),
        ((start(), ended("end_turn")), Usage()),
        (
            (start(input_tokens=1), ended("x", input_tokens=4, cache_read_input_tokens=8)),
            Usage(12, cached=8),
        ),
    ],
    ids=["all", "no cache", "strings and floats", "none", "told again at the end"],
)
def test_usage_counts_the_cache_within_the_prompt(
    events: tuple[JsonObject, ...], usage: Usage
) -> None:
    """Anthropic counts it beside `input_tokens`; our prompt is all that was read."""
    assert heard(*events)[2].usage == usage


def test_a_plain_answer_is_read_like_a_stream() -> None:
    """A server that does not stream sends the whole message at once."""
    listener, pieces, told = heard(
        {
            "type": "message",
            "model": "claude-x",
            "content": [
                {"type": "text", "text": "好。"},
                {"type": "tool_use", "id": "t", "name": "ask", "input": {"question": "谁"}},
            ],
            "stop_reason": "tool_use",
            "usage": {"input_tokens": 3, "output_tokens": 2},
        }
    )
    assert listener.ended
    assert (told.text, told.finish, told.usage) == ("好。", "tool_use", Usage(3, 2))
    assert told.calls == (ToolCall("t", "ask", '{"question":"谁"}'),)
    assert CallDelta(0, "ask", '{"question":"谁"}') in pieces


def test_errors_are_told_apart_from_messages() -> None:
    """Only an event that calls itself an error is one; a message holds the word `message` too."""
    listener = AnthropicListener()
    error: JsonObject = {"type": "overloaded_error", "message": "Overloaded"}
    assert listener.error({"type": "error", "error": error}) == error
    assert listener.error(start()) is None
    assert listener.error({"type": "message", "message": "x"}) is None


@pytest.mark.parametrize(
    ("events", "whole"),
    [
        ((opened(0, type="text", text="半"),), False),
        ((opened(0, type="text", text="完。"), {"type": "message_stop"}), True),
        (
            (
                opened(0, type="tool_use", id="t", name="a", input={}),
                delta(0, "input_json_delta", partial_json='{"x'),
                {"type": "message_stop"},
            ),
            False,
        ),
        ((opened(0, type="tool_use", id="t", name="a", input={}), {"type": "message_stop"}), True),
    ],
    ids=["cut", "stopped", "cut call", "call without arguments"],
)
def test_a_reply_without_a_reason_is_whole_by_its_content(
    events: tuple[JsonObject, ...], whole: bool
) -> None:
    """As everywhere, content decides (T10)."""
    listener, _, _ = heard(*events)
    assert listener.is_whole(done=listener.ended) is whole


def test_oddities_are_flagged_and_stop_nothing() -> None:
    """Blocks, deltas and events that are unknown, unannounced or misshapen."""
    _, pieces, told = heard(
        {"type": "news"},
        {"type": "message_start", "message": "x"},
        opened(0, type="server_tool_use", id="s", name="web", input={}),
        {"type": "content_block_start", "content_block": None},
        delta(1, "text_delta", text="\ud83c"),
        delta(1, "text_delta", text="\udf27"),
        delta(2, "thinking_delta", thinking="无声"),
        delta(9, "input_json_delta", partial_json="{}"),
        delta(1, "citations_delta", citation={}),
        {"type": "content_block_delta", "index": 1, "delta": 3},
        ended("refusal"),
    )
    assert told.text == "🌧"
    assert told.calls == ()
    assert told.thinking is not None
    assert told.flags == ("odd_block", "refusal")
    assert TextDelta("🌧") in pieces
