"""The rehearsal's requests to bytes and back."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from huaben.adapters.models.rehearsal.wire import decode, encode
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
)
from huaben.errors import ProviderFailed

TOOLS = (
    ToolSpec("draft_write", "写下。Writes.", {"type": "object", "properties": {"version": {}}}),
    ToolSpec("ask", "问。", {"type": "object"}),
)
STORY: tuple[Message, ...] = (
    System("你是说书人。"),
    Assistant("雨。\u2028 🌧"),
    User("“谁？” I said."),
    Assistant("", (ToolCall("a", "ask", '{"question":"去哪？"}'),), Thinking("想一想")),
    ToolResult("a", "ask", '{"answer":"东"}'),
)
words = st.text(st.characters(exclude_categories=["Cs"]))
calls = st.builds(ToolCall, words, words, words)
messages = st.one_of(
    st.builds(System, words),
    st.builds(User, words),
    st.builds(ToolResult, words, words, words),
    st.builds(
        Assistant,
        words,
        st.lists(calls, max_size=2).map(tuple),
        st.none() | st.builds(Thinking, st.text("想 think", min_size=1)),
    ),
)


@given(st.lists(messages, max_size=6).map(tuple))
def test_what_was_sent_is_what_is_heard(said: tuple[Message, ...]) -> None:
    """Decoding gives the very messages that were encoded, whatever they hold."""
    assert decode(encode(ModelRequest(said, TOOLS)).body).messages == said


def test_a_longer_story_begins_with_the_same_bytes() -> None:
    """One part per message between head and tail, so that requests extend each other."""
    short, long = encode(ModelRequest(STORY[:3], TOOLS)), encode(ModelRequest(STORY, TOOLS))
    assert long.body.startswith(b"".join(short.parts[:-1]))
    assert short.shape == ("head", "message", "message", "message", "tail")
    assert len(long.parts) == len(long.shape)


def test_only_calls_that_may_be_made_are_heard() -> None:
    """The list stays in the bytes when calls are forbidden; the model then has none."""
    request = ModelRequest(STORY, TOOLS)
    forbidden = encode(replace(request, tool_choice="none"))
    assert decode(encode(request).body).tools == {"draft_write", "ask"}
    assert decode(forbidden.body).tools == frozenset()
    assert forbidden.parts[0] == encode(request).parts[0]


def test_samplers_are_not_sent() -> None:
    """Nothing is sampled, so nothing pretends to be."""
    request = ModelRequest(STORY, TOOLS)
    assert encode(replace(request, sampling=Sampling(temperature=2.0))) == encode(request)


def test_half_a_character_can_be_sent() -> None:
    """A lone surrogate from an old file becomes a replacement mark."""
    assert decode(encode(ModelRequest((User("a\ud83cb"),))).body).messages == (User("a\ufffdb"),)


@pytest.mark.parametrize("body", [b"", b"[]", b"{", "雨".encode("gbk")])
def test_other_bytes_are_no_request(body: bytes) -> None:
    """What it did not encode it does not perform."""
    with pytest.raises(ProviderFailed) as refused:
        decode(body)
    assert refused.value.code == "bad_request"
