"""Anthropic's dialect against a real server on loopback: bytes, headers, failures."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import aclosing
from typing import Final

import httpx
import pytest

from huaben.adapters.models.anthropic import Anthropic
from huaben.adapters.models.endpoint import open_client
from huaben.domain.connection import Connection, Secret
from huaben.domain.messages import (
    Finished,
    ModelEvent,
    ModelRequest,
    Reply,
    Retrying,
    Sampling,
    System,
    ToolSpec,
    Usage,
    User,
)
from huaben.errors import ProviderFailed
from huaben.testing.endpoint import ScriptedEndpoint
from huaben.testing.script import (
    Drop,
    ErrorLine,
    Raw,
    ScriptedReply,
    Status,
    Step,
    call,
    reply,
    say,
    think,
)
from tests.builders.clocks import InstantClock

KEY: Final = "sk-ant-0123456789abcdef"
REQUEST: Final = ModelRequest(
    (System("你是说书人。"), User("雨停了吗？")),
    (ToolSpec("draft_write", "写。", {"type": "object", "properties": {}}),),
)
OVERLOADED: Final = '{"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}'


@pytest.fixture
async def client() -> AsyncIterator[httpx.AsyncClient]:
    async with open_client() as opened:
        yield opened


class Ear:
    """Listens to one model and keeps all that it gave."""

    def __init__(self, client: httpx.AsyncClient) -> None:
        self._client = client
        self.events: list[ModelEvent] = []
        self.failure: ProviderFailed | None = None

    async def hear(self, endpoint: ScriptedEndpoint, request: ModelRequest = REQUEST) -> Anthropic:
        connection = Connection("claude", endpoint.base_url, "m", Secret(KEY), kind="anthropic")
        clock = InstantClock()
        model = Anthropic(connection, client=self._client, clock=clock, jitter=lambda: 0.0)
        await self.again(model, request)
        return model

    async def again(self, model: Anthropic, request: ModelRequest = REQUEST) -> None:
        self.events, self.failure = [], None
        try:
            async with aclosing(model.stream(model.encode(request))) as events:
                async for event in events:
                    self.events.append(event)
        except ProviderFailed as failure:
            self.failure = failure

    @property
    def reply(self) -> Reply:
        assert self.failure is None, self.failure
        last = self.events[-1]
        assert isinstance(last, Finished)
        return last.reply

    @property
    def retries(self) -> int:
        return sum(isinstance(event, Retrying) for event in self.events)


async def heard(client: httpx.AsyncClient, *steps: Step) -> Ear:
    ear = Ear(client)
    async with ScriptedEndpoint(steps) as endpoint:
        await ear.hear(endpoint)
    return ear


async def test_the_endpoint_receives_the_encoded_bytes(client: httpx.AsyncClient) -> None:
    """At the dialect's path, with its version and the key in its own header."""
    ear = Ear(client)
    async with ScriptedEndpoint(
        [reply(think("想"), say("停了。"), call("draft_write"))]
    ) as endpoint:
        model = await ear.hear(endpoint)
    received = endpoint.received[0]
    assert received.body == model.encode(REQUEST).body
    assert received.path == "/v1/messages"
    assert received.headers["x-api-key"] == KEY
    assert received.headers["anthropic-version"] == "2023-06-01"
    assert "authorization" not in received.headers
    assert (ear.reply.text, ear.reply.finish) == ("停了。", "tool_use")
    assert ear.reply.thinking is not None


async def test_usage_of_the_cache_is_read(client: httpx.AsyncClient) -> None:
    """Read and written, both within the prompt."""
    told = ScriptedReply((say("好。"),), usage=Usage(100, 5, None, 80, 15))
    assert (await heard(client, told)).reply.usage == Usage(100, 5, None, 80, 15)


@pytest.mark.parametrize(
    "first",
    [Status(529, body=OVERLOADED), Status(429, retry_after=0), Status(500), ErrorLine({"type": "overloaded_error", "message": "x"})],
    ids=["overloaded", "rate limited", "broken", "overloaded after 200"],
)  # fmt: skip
async def test_what_passes_is_tried_again(client: httpx.AsyncClient, first: Step) -> None:
    """Also when the error comes as an event, as long as nothing was said."""
    ear = await heard(client, first, say("好。"))
    assert (ear.reply.text, ear.retries) == ("好。", 1)


async def test_an_error_after_words_ends_the_call(client: httpx.AsyncClient) -> None:
    """Never again once text has begun."""
    error = ErrorLine({"type": "overloaded_error", "message": "Overloaded"})
    ear = await heard(client, reply(say("雨"), error))
    assert ear.failure is not None
    assert (ear.failure.retryable, ear.retries) == (True, 0)
    assert "Overloaded" in ear.failure.message


@pytest.mark.parametrize(
    ("body", "code"),
    [
        ('{"error":{"type":"authentication_error","message":"invalid x-api-key"}}', "unauthorized"),
        ('{"error":{"message":"Your credit balance is too low"}}', "payment_required"),
        ('{"error":{"message":"prompt is too long: 250000 tokens > 200000"}}', "context_too_long"),
    ],
)
async def test_refusals_have_our_codes(client: httpx.AsyncClient, body: str, code: str) -> None:
    """So that what to do about them is the same for every provider."""
    status = 401 if code == "unauthorized" else 400
    ear = await heard(client, Status(status, body=body))
    assert ear.failure is not None
    assert (ear.failure.code, ear.failure.retryable) == (code, False)


async def test_a_quoted_key_is_hidden(client: httpx.AsyncClient) -> None:
    """Endpoints quote keys back; nothing of it is shown (T23)."""
    ear = await heard(client, Status(401, body=f'{{"error":{{"message":"no such key {KEY}"}}}}'))
    assert ear.failure is not None
    assert KEY not in str(ear.failure)
    assert "[redacted]" in ear.failure.message


@pytest.mark.parametrize(
    "step",
    [reply(say("雨"), Drop()), reply(say("雨"), Drop(clean=True)), reply(call("draft_write"), Drop())],
)  # fmt: skip
async def test_a_cut_stream_is_an_error(client: httpx.AsyncClient, step: Step) -> None:
    """Torn or ended in good order: without its end the reply is not whole."""
    ear = await heard(client, step)
    assert ear.failure is not None
    assert ear.failure.code == "cut_stream"


async def test_a_reply_without_a_reason_is_whole_after_its_end_mark(
    client: httpx.AsyncClient,
) -> None:
    """`message_stop` without a stop reason, and a stop reason without `message_stop`."""
    unreasoned = ScriptedReply((say("好。"),), finish="")
    unended = ScriptedReply((say("好。"),), done=False)
    first, second = await heard(client, unreasoned), await heard(client, unended)
    assert (first.reply.text, first.reply.flags) == ("好。", ("no_finish_reason",))
    assert (second.reply.text, second.reply.flags) == ("好。", ())


async def test_a_plain_answer_is_read_too(client: httpx.AsyncClient) -> None:
    """From a server that does not stream."""
    told = ScriptedReply((say("好。"), call("draft_write", version=0)), stream=False)
    ear = await heard(client, told)
    assert (ear.reply.text, ear.reply.calls[0].arguments) == ("好。", '{"version":0}')


async def test_events_may_be_framed_in_any_legal_way(client: httpx.AsyncClient) -> None:
    """Line ends, comments, no blank lines, unknown events."""
    raw = (
        b': hi\r\nevent: message_start\r\ndata:{"type":"message_start","message":{"model":"m"}}\r\r'
        b'data: {"type":"novelty"}\n'
        b'data: {"type":"content_block_delta","index":0,\ndata: "delta":{"type":"text_delta","text":"\xe9\x9b\xa8"}}\n\n'
        b'data: {"type":"message_delta","delta":{"stop_reason":"end_turn"}}\ndata: {"type":"message_stop"}\n'
    )
    assert (await heard(client, reply(Raw(raw)))).reply.text == "雨"


async def test_samplers_that_exclude_each_other_are_sent_apart(client: httpx.AsyncClient) -> None:
    """Newer models take one of two, or none; what is refused is left out next time."""
    both = '{"error":{"message":"`temperature` and `top_p` cannot both be specified"}}'
    none = '{"error":{"message":"`temperature` is not supported for this model"}}'
    asked = ModelRequest((User("走"),), sampling=Sampling(temperature=0.5, top_p=0.9))
    ear = Ear(client)
    script = [Status(400, body=both), Status(400, body=none), say("好。")]
    async with ScriptedEndpoint(script) as endpoint:
        model = await ear.hear(endpoint, asked)
        codes: list[str] = []
        while ear.failure is not None:
            codes.append(ear.failure.code)
            await ear.again(model, asked)
    assert codes == ["reshaped", "reshaped"]
    sent = [
        ("temperature" in one.asked.body, "top_p" in one.asked.body) for one in endpoint.received
    ]
    assert sent == [(True, True), (True, False), (False, False)]
    assert model.encode(asked).withheld == ("temperature", "top_p")
