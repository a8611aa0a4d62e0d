"""Chunks put together: text, thought wherever it comes, calls, usage."""

import pytest

from huaben.adapters.models.assembling import Assembler
from huaben.domain.jsonvalue import Json, JsonObject
from huaben.domain.messages import (
    CallDelta,
    ModelEvent,
    Reply,
    TextDelta,
    Thinking,
    ThinkingDelta,
    ToolCall,
    Usage,
)

ORIGIN = "m@host"


def chunk(finish: str | None = None, /, **delta: Json) -> JsonObject:
    return {"choices": [{"index": 0, "delta": delta, "finish_reason": finish}]}


def assemble(*chunks: JsonObject) -> tuple[Reply, list[ModelEvent]]:
    assembler = Assembler(ORIGIN)
    events = [event for each in chunks for event in assembler.feed(each)]
    events += assembler.close()
    return assembler.reply(lambda position: f"made{position}"), events


def thought(text: str, carrier: str, **extra: Json) -> Thinking:
    return Thinking(text, carrier, {**extra, "origin": ORIGIN})


def test_a_plain_stream_becomes_one_reply() -> None:
    """Text, finish reason and model come out, each piece once."""
    reply, events = assemble(
        {"model": "m-1", **chunk(role="assistant", content="")},
        chunk(content="雨停"),
        chunk(content="了。"),
        chunk("stop"),
    )
    assert reply == Reply("雨停了。", finish="stop", model="m-1")
    assert events == [TextDelta("雨停"), TextDelta("了。")]


SAYING_NOTHING: list[JsonObject] = [
    {"choices": []},
    {"id": "x", "object": "chat.completion.chunk"},
    {"choices": None},
    {"choices": ["?", None, 3]},
    {"choices": [{}]},
    {"choices": [{"delta": None}]},
    {"choices": [{"delta": {"content": None, "tool_calls": None}, "finish_reason": ""}]},
    {"choices": [{"delta": {"content": 7, "tool_calls": "?", "reasoning": False}}]},
    {"choices": [{"index": 1, "delta": {"content": "another answer"}}]},
]


@pytest.mark.parametrize(
    "odd",
    SAYING_NOTHING,
    ids=[
        "no choices (Azure)",
        "no choices key",
        "null choices",
        "choices that are none",
        "an empty choice",
        "a null delta",
        "null fields, empty finish reason",
        "fields of odd types",
        "a second answer",
    ],
)
def test_chunks_that_say_nothing_are_skipped(odd: JsonObject) -> None:
    """Absent, empty and odd fields change nothing (T10, T11, T22)."""
    reply, _ = assemble(odd, chunk(content="好"), odd)
    assert reply == Reply("好")


@pytest.mark.parametrize("field", ["reasoning_content", "reasoning", "thinking"])
def test_every_field_of_thought_is_thought(field: str) -> None:
    """All spellings mean thoughts, and the reply remembers which it was (T22)."""
    reply, events = assemble(
        chunk(None, **{field: "先"}), chunk(None, **{field: "想"}), chunk(content="好")
    )
    assert reply.thinking == thought("先想", field)
    assert events == [ThinkingDelta("先"), ThinkingDelta("想"), TextDelta("好")]


def test_thought_that_is_sent_twice_is_kept_once() -> None:
    """Servers in transition send two fields with the same words."""
    reply, _ = assemble(chunk(reasoning="hm", reasoning_content="hm", thinking="hm"))
    assert reply.thinking == thought("hm", "reasoning_content")


def test_thought_blocks_are_joined_and_kept_to_travel_back() -> None:
    """Details streamed in pieces become whole blocks again; their text is read once."""
    reply, events = assemble(
        chunk(
            reasoning="先",
            reasoning_details=[{"type": "reasoning.text", "index": 0, "text": "先"}],
        ),
        chunk(
            reasoning_details=[
                {"type": "reasoning.text", "index": 0, "text": "想", "signature": "c2ln"}
            ]
        ),
        chunk(
            reasoning_details=[
                {"type": "reasoning.text", "index": 0, "text": "next"},
                {"type": "reasoning.encrypted", "data": "eA=="},
                {"type": "reasoning.encrypted", "data": "eQ=="},
            ]
        ),
    )
    assert reply.thinking == thought(
        "先想next",
        "reasoning",
        reasoning_details=[
            {"type": "reasoning.text", "index": 0, "text": "先想", "signature": "c2ln"},
            {"type": "reasoning.text", "index": 0, "text": "next"},
            {"type": "reasoning.encrypted", "data": "eA=="},
            {"type": "reasoning.encrypted", "data": "eQ=="},
        ],
    )
    assert events == [ThinkingDelta("先"), ThinkingDelta("想"), ThinkingDelta("next")]


def test_thinking_blocks_are_read_and_kept() -> None:
    """A `thinking` field may be a list of signed blocks."""
    block: Json = {"type": "thinking", "thinking": "hm", "signature": "c2ln"}
    reply, _ = assemble(chunk(thinking=[block]))
    assert reply.thinking == thought("hm", "thinking", thinking_blocks=[block])


def test_content_may_be_a_list_of_parts() -> None:
    """Parts of text are text, parts of thought are thought (T22, Mistral)."""
    reply, events = assemble(
        chunk(content=[{"type": "thinking", "thinking": [{"type": "text", "text": "先想"}]}]),
        chunk(content=[{"type": "text", "text": "雨"}, {"type": "text", "text": "停"}]),
        chunk(content=["了", {"type": "image_url", "image_url": {"url": "x"}}]),
    )
    assert (reply.text, reply.thinking) == ("雨停了", thought("先想", "content_parts"))
    assert events[0] == ThinkingDelta("先想")


@pytest.mark.parametrize(
    ("pieces", "text", "thinking", "flags"),
    [
        (["<thi", "nk>先想</th", "ink>\n\n好"], "好", "先想", ()),
        (["<think>never closed"], "", "never closed", ("thinking_unclosed",)),
        (["never opened", "</think>", "好"], "好", "never opened", ("thinking_unopened",)),
    ],
)
def test_think_tags_over_chunks_are_thought(
    pieces: list[str], text: str, thinking: str, flags: tuple[str, ...]
) -> None:
    """Tags cut anywhere, without end or without beginning never leave thought in prose (T20)."""
    reply, _ = assemble(*(chunk(content=piece) for piece in pieces))
    assert (reply.text, reply.flags) == (text, flags)
    assert reply.thinking == thought(thinking, "think_tags")


def test_several_calls_and_parts_in_one_chunk_are_all_kept() -> None:
    """One chunk may hold thought, text and several calls (T17)."""
    calls: Json = [
        {"id": "a", "function": {"name": "f", "arguments": "{}"}},
        {"id": "b", "function": {"name": "g", "arguments": ""}},
    ]
    reply, events = assemble(
        chunk(reasoning_content="hm", content=[{"text": "好"}, {"text": "的"}], tool_calls=calls)
    )
    assert reply.text == "好的"
    assert reply.calls == (ToolCall("a", "f", "{}"), ToolCall("b", "g", ""))
    assert events == [
        ThinkingDelta("hm"),
        TextDelta("好"),
        TextDelta("的"),
        CallDelta(0, "f", "{}"),
        CallDelta(1, "g", ""),
    ]


def test_signatures_of_calls_and_text_are_kept() -> None:
    """Gemini's signatures come with a call or with the message and are stamped (T14)."""
    signed: Json = {"google": {"thought_signature": "c2ln"}}
    call: Json = {"id": "a", "function": {"name": "f", "arguments": "{}"}, "extra_content": signed}
    reply, _ = assemble(chunk(tool_calls=[call]), chunk(extra_content=signed))
    assert reply.calls[0].extra == {"extra_content": signed, "origin": ORIGIN}
    assert reply.thinking == thought("", "reasoning_content", extra_content=signed)


def test_a_plain_answer_is_read_like_a_stream() -> None:
    """A server that ignores `stream` answers with a whole message."""
    call: Json = {"id": "a", "type": "function", "function": {"name": "f", "arguments": "{}"}}
    message: Json = {"role": "assistant", "content": "好", "tool_calls": [call]}
    reply, _ = assemble({"choices": [{"message": message, "finish_reason": "tool_calls"}]})
    assert (reply.text, reply.calls, reply.finish) == (
        "好",
        (ToolCall("a", "f", "{}"),),
        "tool_calls",
    )


def test_a_message_that_repeats_the_stream_is_not_said_twice() -> None:
    """Some proxies end a stream by sending all of it once more."""
    whole: JsonObject = {"choices": [{"delta": {}, "message": {"content": "雨停"}}]}
    assert assemble(chunk(content="雨"), chunk(content="停"), whole)[0].text == "雨停"


def test_old_style_calls_and_refusals_are_read() -> None:
    """`function_call` is a call; a refusal is what the model says, and flagged."""
    reply, _ = assemble(
        chunk(function_call={"name": "f", "arguments": '{"x"'}),
        chunk(function_call={"arguments": ":1}"}),
        chunk(tool_calls={"id": "b", "function": {"name": "g"}}),
        chunk(refusal="I will not."),
    )
    assert reply.calls == (ToolCall("made0", "f", '{"x":1}'), ToolCall("b", "g", ""))
    assert (reply.text, reply.flags) == ("I will not.", ("refusal",))


def test_usage_is_read_from_any_chunk_the_last_word_counts() -> None:
    """Usage may come with content, with the finish or in a chunk of its own."""
    reply, _ = assemble(
        {**chunk(content="好"), "usage": {"prompt_tokens": 3, "completion_tokens": 1}},
        {"choices": [{"delta": {}, "finish_reason": "stop", "usage": {"cached_tokens": "2"}}]},
        {"choices": [], "usage": {"completion_tokens": 4}},
    )
    assert reply.usage == Usage(prompt=3, completion=4, cached=2)


def test_half_characters_are_made_whole_in_text_thought_and_arguments() -> None:
    """Providers that cut UTF-16 in the middle do not damage an emoji."""
    reply, _ = assemble(
        chunk(content="雨\ud83c", reasoning="\ud83c"),
        chunk(content="\udf27!", reasoning="\udf27"),
        chunk(tool_calls=[{"id": "a", "function": {"name": "f", "arguments": '"\ud83c'}}]),
        chunk(tool_calls=[{"id": "a", "function": {"arguments": '\udf27"'}}]),
        chunk(content="\ud83c"),
    )
    assert reply.text == "雨🌧!\ufffd"
    assert reply.thinking == thought("🌧", "reasoning")
    assert reply.calls[0].arguments == '"🌧"'


def test_a_call_that_came_twice_is_held_once_and_said_so() -> None:
    """Some servers end a stream with the whole call again; the trace names it."""
    call: Json = [{"index": 0, "id": "a", "function": {"name": "f", "arguments": '{"x":1}'}}]
    reply, _ = assemble(chunk(tool_calls=call), chunk("tool_calls", tool_calls=call))
    assert [(made.id, made.arguments) for made in reply.calls] == [("a", '{"x":1}')]
    assert reply.flags == ("call_repeated",)
