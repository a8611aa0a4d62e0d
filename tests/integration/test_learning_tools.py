"""A model that learns from a refusal: which form a request has, whatever was learnt in the meantime."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager

import pytest

from huaben.adapters.models.learning import LearningTools
from huaben.adapters.models.openai_compatible import OpenAICompatible, open_client
from huaben.domain.connection import Connection
from huaben.domain.messages import (
    Finished,
    ModelRequest,
    Reply,
    System,
    ToolSpec,
    User,
    WireRequest,
)
from huaben.errors import ProviderFailed
from huaben.testing.endpoint import ScriptedEndpoint
from huaben.testing.script import Script, Status, call, reply, say
from tests.builders.clocks import InstantClock
from tests.builders.jsonscript import json_reply

TOOL = ToolSpec("draft_read", "读。", {"type": "object"})
REQUEST = ModelRequest((System("你是说书人。"), User('说 ,"tools":[ 给我听')), (TOOL,))
SPOKEN = ModelRequest(REQUEST.messages)
REFUSED = Status(400, body='{"error":{"message":"tiny does not support tools"}}')
BUSY = Status(503, body='{"error":{"message":"later"}}')


@asynccontextmanager
async def learner(script: Script) -> AsyncGenerator[LearningTools]:
    async with ScriptedEndpoint(script) as endpoint, open_client() as client:
        connection = Connection("c", endpoint.base_url, "tiny", retries=0)
        inner = OpenAICompatible(connection, client=client, clock=InstantClock())
        yield LearningTools(inner, {"zh": "工具：{tools}", "en": "Tools: {tools}"})


async def heard(model: LearningTools, wire: WireRequest) -> Reply | ProviderFailed:
    try:
        events = [event async for event in model.stream(wire)]
    except ProviderFailed as failure:
        return failure
    assert isinstance(events[-1], Finished)
    return events[-1].reply


def code(of: Reply | ProviderFailed) -> str:
    return of.code if isinstance(of, ProviderFailed) else "answered"


async def test_a_refusal_of_tools_is_learnt_once() -> None:
    """The same request encoded again holds no list of tools; it calls them all the same."""
    async with learner([REFUSED, json_reply(reply(call("draft_read")))]) as model:
        first = await heard(model, model.encode(REQUEST))
        second = await heard(model, model.encode(REQUEST))
        assert model.calls_tools
    assert isinstance(first, ProviderFailed)
    assert (first.code, first.retryable, first.http_status) == ("reshaped", True, 400)
    assert isinstance(second, Reply)
    assert [one.name for one in second.calls] == ["draft_read"]


async def test_another_turns_refusal_changes_no_request_that_is_made() -> None:
    """Two turns at once: what was encoded with tools is refused as such, and is put anew."""
    async with learner([REFUSED, REFUSED]) as model:
        wires = model.encode(REQUEST), model.encode(REQUEST)
        codes = [code(await heard(model, wire)) for wire in wires]
    assert codes == ["reshaped", "reshaped"]


async def test_who_refuses_tools_that_were_not_sent_is_not_asked_for_ever() -> None:
    """A server that says so whatever it gets ends the turn by name."""
    async with learner([REFUSED, REFUSED]) as model:
        codes = [code(await heard(model, model.encode(REQUEST))) for _ in range(2)]
    assert codes == ["reshaped", "tools_refused"]


@pytest.mark.parametrize("request_", [REQUEST, SPOKEN], ids=["with tools", "without"])
async def test_other_failures_teach_nothing(request_: ModelRequest) -> None:
    """A server that is busy has said nothing about tools."""
    async with learner([BUSY, say("雨。")]) as model:
        first = await heard(model, model.encode(request_))
        before = model.encode(REQUEST)
        second = await heard(model, model.encode(request_))
    assert code(first) == "provider_unavailable"
    assert b'"tools":[{' in before.parts[0]
    assert isinstance(second, Reply)
    assert second.text == "雨。"
