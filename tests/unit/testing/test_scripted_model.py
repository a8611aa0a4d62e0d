"""The doubles perform their scripts, keep what they were asked, and fail as planned."""

from __future__ import annotations

import asyncio

import pytest

from huaben.domain.messages import (
    CallDelta,
    Finished,
    ModelEvent,
    ModelRequest,
    Reply,
    Retrying,
    System,
    TextDelta,
    ToolSpec,
    User,
)
from huaben.errors import ProviderFailed
from huaben.ports import Model
from huaben.testing.models import Fault, FaultyModel, ScriptedModel
from huaben.testing.script import (
    Asked,
    ErrorLine,
    OutOfScript,
    Raw,
    Retry,
    Status,
    Step,
    call,
    drop,
    fail,
    raw_call,
    reply,
    say,
    stall,
)

REQUEST = ModelRequest((System("规则"), User("推门")), (ToolSpec("draft_read", "读", {}),))


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


async def text_of(model: Model, request: ModelRequest = REQUEST) -> str:
    last = (await listen(model, request))[-1]
    assert isinstance(last, Finished)
    return last.reply.text


async def test_everything_that_was_asked_is_kept() -> None:
    """Requests as values, requests as bytes, in order."""
    model = ScriptedModel([say("好"), say("走")])
    await listen(model)
    later = ModelRequest((User("再"),))
    await listen(model, later)
    assert model.requests == [REQUEST, later]
    assert model.bodies == [wire.body for wire in model.wires]
    assert "再".encode() in model.bodies[1]


async def test_a_script_may_answer_what_it_was_asked() -> None:
    """A function sees the request and makes the reply."""

    def answer(asked: Asked) -> Step:
        return say(f"{asked.last_text}？{asked.tool_names}{len(asked.messages)}")

    model = ScriptedModel(answer)
    assert await text_of(model) == "推门？['draft_read']2"
    assert await text_of(model, ModelRequest((User("Go"),))) == "Go？[]1"


async def test_more_calls_than_foreseen_are_an_error_of_the_test() -> None:
    """A list that has come to its end says so."""
    with pytest.raises(OutOfScript):
        await listen(ScriptedModel([]))


async def test_calls_are_numbered_and_cut_into_pieces() -> None:
    """Ids tell reply and position; the first piece carries the name alone."""
    model = ScriptedModel([say(""), reply(call("draft_read"), raw_call("f", '{"x": "a'))])
    await listen(model)
    events = await listen(model)
    assert events[0] == CallDelta(0, "draft_read", "")
    last = events[-1]
    assert isinstance(last, Finished)
    assert [(made.id, made.arguments) for made in last.reply.calls] == [
        ("call_2_0", "{}"),
        ("call_2_1", '{"x": "a'),
    ]


@pytest.mark.parametrize(
    ("step", "code", "status", "retryable"),
    [
        (fail(), "provider_unavailable", 503, True),
        (fail("unauthorized", http_status=401, retryable=False), "unauthorized", 401, False),
        (drop(), "cut_stream", None, True),
        (Status(429, 7), "provider_status", 429, True),
        (ErrorLine({"message": "full"}), "provider_error", None, False),
    ],
)
async def test_every_failure_can_be_played(
    step: Step, code: str, status: int | None, retryable: bool
) -> None:
    """What an adapter would raise, without a network."""
    _, found = await until_it_fails(ScriptedModel([step]))
    assert (found.code, found.http_status, found.retryable) == (code, status, retryable)
    assert found.retry_after_s == (7.0 if status == 429 else None)


async def test_retries_are_announced() -> None:
    """A double can tell that it tries again, without a wait."""
    events = await listen(ScriptedModel([reply(Retry("503", 2.0), say("好"))]))
    assert events[0] == Retrying(1, 2.0, "503")


async def test_a_stall_lasts_until_it_is_released() -> None:
    """A test can wait for the silence and end it."""
    model = ScriptedModel([reply(say("雨"), stall(), stall(0.001), say("停"))])
    listening = asyncio.create_task(text_of(model))
    await model.stalled.wait()
    assert not listening.done()
    model.release()
    assert await listening == "雨停"


async def test_bytes_are_for_the_endpoint_only() -> None:
    """A script that needs a wire is refused where there is none."""
    with pytest.raises(TypeError):
        await listen(ScriptedModel([Raw(b"data: x")]))


async def test_a_planned_fault_comes_after_so_many_events() -> None:
    """Every place where a stream can be cut can be swept."""
    whole = await listen(ScriptedModel([say("雨停了", chunk=1)]))
    for after in range(len(whole)):
        model = FaultyModel(ScriptedModel([say("雨停了", chunk=1)] * 2), [Fault(after)])
        seen, _ = await until_it_fails(model)
        assert seen == whole[:after]
        inner = await text_of(model)
        assert inner == "雨停了"


async def test_a_planned_stall_waits_for_ever() -> None:
    """Whoever listens has to give up by itself."""
    model = FaultyModel(ScriptedModel([say("雨停")]), [Fault(1, "stall")])
    stream = model.stream(model.encode(REQUEST))
    assert await anext(stream) == TextDelta("雨停")
    with pytest.raises(TimeoutError):
        await asyncio.wait_for(anext(stream), timeout=0.05)


async def test_faults_pass_over_calls_that_are_to_succeed() -> None:
    """None in the plan lets a call alone."""
    model = FaultyModel(ScriptedModel([say("一"), say("二")]), [None, Fault(code="first_token")])
    assert await text_of(model) == "一"
    with pytest.raises(ProviderFailed) as raised:
        await listen(model)
    assert raised.value.code == "first_token"
    assert (model.calls, model.name, model.window) == (2, "scripted", 128_000)


async def test_the_reply_of_a_script_is_the_same_in_every_run() -> None:
    """Nothing in a double depends on time or chance."""
    replies: list[Reply] = []
    for _ in range(2):
        last = (await listen(ScriptedModel([reply(say("好"), call("f", n=1))])))[-1]
        assert isinstance(last, Finished)
        replies.append(last.reply)
    assert replies[0] == replies[1]
