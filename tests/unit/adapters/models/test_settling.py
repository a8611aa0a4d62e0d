"""A preset's samplers under what a connection sets, and a reply that is begun for the model."""

from __future__ import annotations

import json
from typing import cast

from huaben.adapters.models import anthropic_wire, wire
from huaben.adapters.models.refusals import Refusal, adapted
from huaben.adapters.models.settling import settled, told
from huaben.domain.connection import Connection
from huaben.domain.messages import (
    Assistant,
    ModelRequest,
    Sampling,
    System,
    ToolCall,
    ToolResult,
    ToolSpec,
    User,
)

PLAIN = Connection("c", "http://host/v1", "m", sampling=Sampling(temperature=0.5))
CLAUDE = Connection("a", "https://api.anthropic.com", "m", kind="anthropic")
TOOL = ToolSpec("draft_seal", "Seal.", {"type": "object"})


def a_request(**changes: object) -> ModelRequest:
    values: dict[str, object] = {"messages": (System("s"), User("我推门。"))}
    return ModelRequest(**values | changes)  # pyright: ignore[reportArgumentType] - a builder


def body(request: ModelRequest, connection: Connection) -> dict[str, object]:
    encode = anthropic_wire.encode if connection.kind == "anthropic" else wire.encode
    sent = encode(settled(request, connection), connection)
    return cast("dict[str, object]", json.loads(sent.body))


def test_p02_a_presets_samplers_give_way_to_the_connections_and_the_scenarios() -> None:
    """P02: each by itself; what nobody else sets is the preset's."""
    usual = Sampling(temperature=0.9, top_p=0.8, min_p=0.1, stop=("###",))
    asked = Sampling(top_p=0.7)
    sent = body(a_request(usual=usual, sampling=asked), PLAIN)
    assert (sent["temperature"], sent["top_p"], sent["min_p"]) == (0.5, 0.7, 0.1)
    assert sent["stop"] == ["###"]


def test_without_a_preset_nothing_changes() -> None:
    """The very same request."""
    request = a_request(sampling=Sampling(seed=1))
    assert settled(request, PLAIN) is request


def test_p02_a_reply_is_begun_where_the_dialect_takes_it() -> None:
    """P02: as a last message of the model's, its white space trimmed; elsewhere it is named."""
    request = a_request(prefill="她说：\n")
    assert settled(request, CLAUDE).messages[-1] == Assistant("她说：\n")
    messages = cast("list[dict[str, object]]", body(request, CLAUDE)["messages"])
    assert messages[-1]["role"] == "assistant"
    assert "她说：" in json.dumps(messages[-1], ensure_ascii=False)
    assert settled(request, PLAIN).messages == request.messages
    wired = wire.encode(request, PLAIN)
    assert told(request, wired, PLAIN).withheld == ("prefill",)
    assert told(request, wired, CLAUDE).withheld == ()
    assert settled(a_request(prefill="x", tools=(TOOL,)), CLAUDE).messages[-1] == User("我推门。")


def test_a_model_that_takes_no_beginning_is_asked_without() -> None:
    """Newer models refuse it; the connection learns that."""
    refused = Refusal(400, "This model does not support assistant message prefill.")
    learnt = adapted(refused, CLAUDE)
    assert learnt is not None
    assert not learnt.prefills
    assert settled(a_request(prefill="x"), learnt).messages[-1] == User("我推门。")
    assert adapted(refused, learnt) is None


def test_p11_marks_go_with_what_is_stable_whatever_follows() -> None:
    """P11: calls without text, a system text behind the words: nothing raises, the marks stay put."""
    call = ToolCall("c1", "draft_seal", "{}")
    messages = (
        System("s"),
        Assistant("greeting"),
        User("words"),
        System("post history"),
        Assistant("", (call,)),
        ToolResult("c1", "draft_seal", ""),
    )
    first = anthropic_wire.encode(ModelRequest(messages[:4], (TOOL,), stable=2), CLAUDE)
    later = anthropic_wire.encode(ModelRequest(messages, (TOOL,), stable=2), CLAUDE)
    for sent in (first, later):
        assert json.loads(sent.body)["messages"]
        assert 1 <= sent.shape.count("mark") <= 4
    plain = [part for part, shape in zip(first.parts, first.shape, strict=True) if shape != "mark"]
    again = [part for part, shape in zip(later.parts, later.shape, strict=True) if shape != "mark"]
    assert again[: len(plain) - 1] == plain[:-1]
