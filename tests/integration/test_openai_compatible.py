"""The adapter against a real server on loopback: bytes, time, failures and what is shown of them."""

from __future__ import annotations

import asyncio
import json
import traceback
from collections.abc import AsyncIterator
from contextlib import aclosing
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from typing import Final

import httpx
import pytest

from huaben.adapters.models.openai_compatible import OpenAICompatible, open_client
from huaben.domain.connection import Connection, Secret, Timeouts
from huaben.domain.messages import (
    Assistant,
    CallDelta,
    Finished,
    Message,
    ModelEvent,
    ModelRequest,
    Reply,
    Retrying,
    System,
    TextDelta,
    Thinking,
    ThinkingDelta,
    ToolCall,
    ToolResult,
    ToolSpec,
    Usage,
    User,
)
from huaben.errors import BadInput, ProviderFailed
from huaben.testing.endpoint import ScriptedEndpoint
from huaben.testing.script import (
    Drop,
    ErrorLine,
    Raw,
    ScriptedReply,
    Status,
    Step,
    call,
    raw_call,
    reply,
    say,
    stall,
    think,
)
from tests.builders.waiting import AWHILE_S

KEY: Final = "sk-test-0123456789abcdef"
TOOL: Final = ToolSpec("draft_write", "写。", {"type": "object", "properties": {}})
REQUEST: Final = ModelRequest((System("你是说书人。"), User("雨停了吗？ 🌧")), (TOOL,))
PATIENT: Final = Timeouts()
"""As in the product; an answer that is on its way is never late."""
SOON_SILENT: Final = Timeouts(connect_s=60, first_token_s=60, idle_s=0.3, settle_s=0.1, total_s=120)
"""Patient in all but pauses."""


@dataclass(slots=True)
class InstantClock:
    """Sleeps at once and remembers for how long."""

    slept: list[float] = field(default_factory=list[float])

    def now(self) -> datetime:
        return datetime(2026, 11, 1, 8, 0, tzinfo=UTC)

    def monotonic(self) -> float:
        return 0.0

    async def sleep(self, seconds: float) -> None:
        self.slept.append(seconds)


@pytest.fixture
async def client() -> AsyncIterator[httpx.AsyncClient]:
    async with open_client() as opened:
        yield opened


@pytest.fixture
def clock() -> InstantClock:
    return InstantClock()


@dataclass(slots=True)
class Heard:
    """Everything that one call gave, its failure included."""

    events: list[ModelEvent]
    failure: ProviderFailed | None = None

    @property
    def reply(self) -> Reply:
        last = self.events[-1]
        assert isinstance(last, Finished)
        return last.reply

    @property
    def failed(self) -> ProviderFailed:
        assert self.failure is not None
        return self.failure

    @property
    def retries(self) -> list[Retrying]:
        return [event for event in self.events if isinstance(event, Retrying)]


async def listen(model: OpenAICompatible, request: ModelRequest = REQUEST) -> Heard:
    heard = Heard([])
    try:
        async with aclosing(model.stream(model.encode(request))) as events:
            async for event in events:
                heard.events.append(event)
    except ProviderFailed as failure:
        heard.failure = failure
    return heard


@dataclass(frozen=True, slots=True)
class Stage:
    """A connection's settings, to be used against whatever endpoint a test opens."""

    client: httpx.AsyncClient
    clock: InstantClock

    def model(
        self, base_url: str, *, timeouts: Timeouts = PATIENT, retries: int = 2
    ) -> OpenAICompatible:
        connection = Connection(
            "test", base_url, "story-1", Secret(KEY), timeouts=timeouts, retries=retries
        )
        return OpenAICompatible(
            connection, client=self.client, clock=self.clock, jitter=lambda: 0.0
        )

    async def hear(self, *steps: Step, timeouts: Timeouts = PATIENT) -> Heard:
        async with ScriptedEndpoint(steps) as endpoint:
            heard = await listen(self.model(endpoint.base_url, timeouts=timeouts))
            assert endpoint.overrun == 0
            return heard


@pytest.fixture
def stage(client: httpx.AsyncClient, clock: InstantClock) -> Stage:
    return Stage(client, clock)


# ---- what is sent and heard ----------------------------------------------------------------------


async def test_the_endpoint_receives_the_encoded_bytes(stage: Stage) -> None:
    """The body is exactly what `encode` made, with the key in its header, at the usual path."""
    async with ScriptedEndpoint([say("停了。")]) as endpoint:
        model = stage.model(endpoint.base_url)
        await listen(model)
    received = endpoint.received[0]
    assert received.body == model.encode(REQUEST).body
    assert (received.method, received.path) == ("POST", "/v1/chat/completions")
    assert received.headers["authorization"] == f"Bearer {KEY}"
    assert received.headers["content-type"] == "application/json"


async def test_a_reply_arrives_in_pieces_and_ends_whole(stage: Stage) -> None:
    """Thought, text and calls are shown as they come, then told once more as one reply."""
    heard = await stage.hear(
        reply(
            think("想想"),
            say("雨停了，街上有人。", chunk=4),
            call("draft_write", version=0, content="雨"),
            usage=Usage(prompt=9, completion=7, reasoning=2, cached=4),
        )
    )
    text = [event.text for event in heard.events if isinstance(event, TextDelta)]
    assert text == ["雨停了，", "街上有人", "。"]
    assert heard.events[0] == ThinkingDelta("想想")
    pieces = [event for event in heard.events if isinstance(event, CallDelta)]
    assert "".join(piece.arguments for piece in pieces) == '{"version":0,"content":"雨"}'
    assert {(piece.index, piece.name) for piece in pieces} == {(0, "draft_write")}
    origin = {"origin": "story-1@127.0.0.1"}
    assert heard.reply == Reply(
        "雨停了，街上有人。",
        (ToolCall("call_1_0", "draft_write", '{"version":0,"content":"雨"}'),),
        Thinking("想想", "reasoning_content", origin),
        Usage(9, 7, 2, 4),
        "tool_calls",
        "scripted",
    )


async def test_a_plain_answer_is_as_good_as_a_stream(stage: Stage) -> None:
    """A server that does not stream is heard as well."""
    units = (think("hm"), say("停了。"), call("draft_read"))
    heard = await stage.hear(ScriptedReply(units, stream=False))
    assert (heard.reply.text, heard.reply.calls) == (
        "停了。",
        (ToolCall("call_1_0", "draft_read", "{}"),),
    )
    assert heard.reply.thinking is not None


async def test_bytes_may_arrive_one_by_one(stage: Stage) -> None:
    """Characters, lines and events cut between network packets come out whole."""
    body = (
        '\ufeff: 你好\r\ndata:{"choices":[{"delta":{"content":"雨🌧"}}]}\r\n\r\n'
        'data: {"choices":[{"delta":{},\rdata: "finish_reason":"stop"}]}\r\rdata: [DONE]\n\n'
    ).encode()
    heard = await stage.hear(reply(*(Raw(body[n : n + 1]) for n in range(len(body)))))
    assert (heard.reply.text, heard.reply.finish, heard.reply.flags) == ("雨🌧", "stop", ())


async def test_a_second_call_uses_the_same_connection(stage: Stage) -> None:
    """A finished body is read to its end, so that no new handshake is paid for every call."""
    async with ScriptedEndpoint([say("一"), say("二"), Status(400), say("三")]) as endpoint:
        model = stage.model(endpoint.base_url)
        for _ in range(4):
            await listen(model)
    assert endpoint.connections == 1


async def test_two_hundred_replies_stream_at_once(stage: Stage) -> None:
    """No call waits for another's connection."""
    async with ScriptedEndpoint(lambda asked: say(asked.last_text)) as endpoint:
        model = stage.model(endpoint.base_url, timeouts=Timeouts())
        requests = [ModelRequest((User(f"第{n}场雨"),)) for n in range(200)]
        heard = await asyncio.gather(*(listen(model, request) for request in requests))
    assert [each.reply.text for each in heard] == [f"第{n}场雨" for n in range(200)]


@pytest.mark.parametrize(
    ("suffix", "path"),
    [
        ("", "/v1/chat/completions"),
        ("/", "/v1/chat/completions"),
        ("/chat/completions", "/v1/chat/completions"),
        ("?api-version=1", "/v1/chat/completions?api-version=1"),
    ],
)
async def test_an_address_may_be_given_in_any_usual_form(
    stage: Stage, suffix: str, path: str
) -> None:
    """With a slash, with the whole path, with a query."""
    async with ScriptedEndpoint([say("好")]) as endpoint:
        await listen(stage.model(endpoint.base_url + suffix))
        assert endpoint.received[0].path == path


# ---- how replies end -----------------------------------------------------------------------------


def line(delta: str, finish: str = "null") -> bytes:
    choice = f'{{"index":0,"delta":{delta},"finish_reason":{finish}}}'
    return f'data: {{"choices":[{choice}]}}\n\n'.encode()


def call_line(arguments: str, index: int = 0) -> bytes:
    function = f'{{"name":"f","arguments":"{arguments}"}}'
    return line(f'{{"tool_calls":[{{"index":{index},"function":{function}}}]}}')


TEXT: Final = line('{"content":"雨停了。"}')
CALL: Final = call_line("{}")
CUT_CALL: Final = call_line("{")
BARE_CALL: Final = call_line("")
DONE: Final = b"data: [DONE]\n\n"
STOP: Final = line("{}", '"stop"')


@pytest.mark.parametrize(
    ("body", "flags"),
    [
        (TEXT + STOP + DONE, ()),
        (TEXT + STOP, ()),
        (TEXT + DONE, ("no_finish_reason",)),
        (line('{"content":"雨停了。"}', '""') + DONE, ("no_finish_reason",)),
        (line('{"content":"雨"}', '"stop"') + line('{"content":"停"}', '"stop"') + DONE, ()),
        (CALL, ("no_finish_reason",)),
        (CALL + STOP, ()),
        (CALL + line("{}", '"end_turn"') + DONE, ()),
        (BARE_CALL + DONE, ("no_finish_reason",)),
        (CUT_CALL + line("{}", '"length"') + DONE, ()),
        (STOP + DONE, ()),
        (DONE, ("no_finish_reason",)),
        (b"data: ping\n\n" + TEXT + STOP, ("odd_line",)),
    ],
    ids=[
        "all there",
        "no DONE",
        "no reason",
        "empty reasons",
        "a reason with every chunk",
        "a whole call, no reason, no DONE",
        "a call with reason stop",
        "a call with another dialect's reason",
        "a call without arguments, DONE",
        "a call cut by the length limit",
        "nothing said",
        "nothing said, no reason",
        "chatter",
    ],
)
async def test_content_decides_whether_a_reply_is_complete(
    stage: Stage, body: bytes, flags: tuple[str, ...]
) -> None:
    """The finish reason may be missing, empty or wrong; what came decides (T10)."""
    heard = await stage.hear(Raw(body))
    assert heard.failure is None
    assert heard.reply.flags == flags
    assert bool(heard.reply.calls) == (b"tool_calls" in body)


@pytest.mark.parametrize(
    "body",
    [
        TEXT,
        CUT_CALL,
        BARE_CALL,
        CUT_CALL + DONE,
        CALL + call_line("{", 1),
    ],
    ids=["text", "a call", "a call before its arguments", "a cut call with DONE", "a second call"],
)
async def test_a_stream_that_ends_too_early_is_a_failure(stage: Stage, body: bytes) -> None:
    """Half a reply is never taken for a whole one, and never asked for again by itself."""
    heard = await stage.hear(Raw(body))
    assert (heard.failed.code, heard.failed.retryable) == ("cut_stream", True)
    assert not heard.retries


async def test_a_connection_that_breaks_after_the_end_does_no_harm(stage: Stage) -> None:
    """Everything was said; that the connection died is noted only."""
    heard = await stage.hear(reply(Raw(TEXT + STOP), Drop()))
    assert (heard.reply.text, heard.reply.flags) == ("雨停了。", ("cut_after_finish",))


@pytest.mark.parametrize("end", [STOP, STOP + DONE, DONE], ids=["reason", "both", "DONE"])
async def test_a_server_that_never_closes_is_not_waited_for(stage: Stage, end: bytes) -> None:
    """After the end of a reply the body may stay open as long as it likes."""
    heard = await asyncio.wait_for(
        stage.hear(reply(Raw(TEXT + end), stall()), timeouts=SOON_SILENT), timeout=AWHILE_S
    )
    assert heard.reply.text == "雨停了。"


@pytest.mark.parametrize("reason", ["error", "network_error", "insufficient_system_resource"])
async def test_a_finish_reason_may_be_a_failure(stage: Stage, reason: str) -> None:
    """Providers that name their own breakdown as finish reason have not finished."""
    heard = await stage.hear(Raw(TEXT + line("{}", f'"{reason}"') + DONE))
    assert heard.failed.code == "broke_off"


async def test_calls_without_ids_get_ids_of_their_own(stage: Stage) -> None:
    """Made-up ids are nine letters and digits, differ within a reply and from reply to reply."""
    two = CALL + call_line("{}", 1) + STOP
    later = ModelRequest((*REQUEST.messages, User("再")), (TOOL,))
    async with ScriptedEndpoint([Raw(two), Raw(two), Raw(two)]) as endpoint:
        model = stage.model(endpoint.base_url)
        replies = [(await listen(model, request)).reply for request in (REQUEST, REQUEST, later)]
    ids = [[made.id for made in each.calls] for each in replies]
    assert ids[0] == ids[1]
    assert len({*ids[0], *ids[2]}) == 4
    assert all(len(id_) == 9 and id_.isalnum() for id_ in [*ids[0], *ids[2]])


# ---- failures ------------------------------------------------------------------------------------


async def test_a_failure_shows_what_the_provider_said_but_no_key(stage: Stage) -> None:
    """Status and words are shown, the key never, not even in the traceback (T23)."""
    body = json.dumps({"error": {"message": f"Incorrect API key provided: {KEY} 密钥无效"}})
    heard = await stage.hear(Status(401, body=body))
    failed = heard.failed
    assert (failed.code, failed.http_status, failed.retryable) == ("unauthorized", 401, False)
    assert "密钥无效" in failed.message
    assert failed.hint
    told = "".join(traceback.format_exception(failed)) + repr(failed) + repr(failed.__dict__)
    assert KEY not in told


async def test_an_error_line_after_success_is_a_failure(stage: Stage) -> None:
    """HTTP 200 promises nothing; text that came before stays shown."""
    error = {"message": f"上游错误 {KEY}", "code": 503}
    heard = await stage.hear(reply(say("雨"), ErrorLine(error)))
    assert heard.events == [TextDelta("雨")]
    assert (heard.failed.code, heard.failed.http_status) == ("provider_unavailable", 503)
    assert "上游错误" in heard.failed.message
    assert KEY not in heard.failed.message


async def test_a_torn_line_is_a_failure(stage: Stage) -> None:
    """A piece that cannot be read is a piece that is missing."""
    heard = await stage.hear(Raw(TEXT + b'data: {"choices":[{"del\n\n' + STOP + DONE))
    assert heard.failed.code == "bad_stream"


async def test_a_web_page_is_no_model(stage: Stage) -> None:
    """An address that answers with HTML is named for what it is, once."""
    headers = {"content-type": "text/html; charset=utf-8"}
    heard = await stage.hear(ScriptedReply((Raw(b"<html>hello</html>"),), headers=headers))
    assert (heard.failed.code, heard.failed.retryable) == ("not_an_endpoint", False)


# ---- trying again ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "trouble",
    [
        Status(408),
        Status(409),
        Status(429),
        Status(500),
        Status(503),
        Drop(),
        Drop(clean=True),
        ErrorLine({"message": "full", "code": 503}),
    ],
    ids=str,
)
async def test_trouble_before_the_first_content_is_tried_again(
    stage: Stage, clock: InstantClock, trouble: Step
) -> None:
    """What passes by itself costs a wait, which is announced."""
    heard = await stage.hear(trouble, say("停了。"))
    assert heard.reply.text == "停了。"
    assert [(retry.attempt, retry.wait_s) for retry in heard.retries] == [(1, 0.5)]
    assert clock.slept == [0.5]


@pytest.mark.parametrize(
    "trouble",
    [Drop(), Drop(clean=True), ErrorLine({"message": "full", "code": 503})],
    ids=str,
)
@pytest.mark.parametrize("begun", [say("雨"), think("hm"), raw_call("f", "{")], ids=str)
async def test_after_the_first_content_nothing_is_tried_again(
    stage: Stage, trouble: Drop | ErrorLine, begun: Step
) -> None:
    """Text that was shown is never asked for a second time."""
    assert not isinstance(begun, ScriptedReply)
    heard = await stage.hear(reply(begun, trouble))
    assert heard.failed.retryable
    assert not heard.retries


@pytest.mark.parametrize(
    ("asked", "wait_s"), [(7, 7.0), ("Sun, 01 Nov 2026 08:00:30 GMT", 30.0)], ids=["s", "date"]
)
async def test_the_wait_that_is_asked_for_is_kept(
    client: httpx.AsyncClient, clock: InstantClock, asked: float | str, wait_s: float
) -> None:
    """`Retry-After` in seconds or as a date."""
    async with ScriptedEndpoint([Status(429, asked), say("好")]) as endpoint:
        model = Stage(client, clock).model(endpoint.base_url, timeouts=Timeouts())
        heard = await listen(model)
    assert heard.retries[0].wait_s == wait_s
    assert clock.slept == [wait_s]


async def test_a_wait_beyond_reason_is_left_to_the_caller(
    stage: Stage, clock: InstantClock
) -> None:
    """An hour is not slept through; the failure says how long it would take."""
    heard = await stage.hear(Status(429, 3600))
    assert (heard.failed.code, heard.failed.retry_after_s) == ("rate_limited", 3600.0)
    assert clock.slept == []


async def test_attempts_are_counted(stage: Stage, clock: InstantClock) -> None:
    """Two retries make three attempts, then the failure is told."""
    heard = await stage.hear(Status(503), Status(502), Status(503, body="full"))
    assert clock.slept == [0.5, 1.0]
    assert (heard.failed.http_status, len(heard.retries)) == (503, 2)


async def test_retries_can_be_switched_off(stage: Stage, clock: InstantClock) -> None:
    """Inside durable jobs the job tries again, not the adapter."""
    async with ScriptedEndpoint([Status(503)]) as endpoint:
        heard = await listen(stage.model(endpoint.base_url, retries=0))
    assert heard.failed.http_status == 503
    assert clock.slept == []


async def test_lasting_refusals_are_not_tried_again(stage: Stage) -> None:
    """A wrong request stays wrong, and so does an empty account."""
    assert (await stage.hear(Status(400))).failed.code == "request_refused"
    quota = '{"error":{"message":"no funds","code":"insufficient_quota"}}'
    assert (await stage.hear(Status(429, body=quota))).failed.code == "payment_required"


async def test_an_endpoint_that_is_not_there_is_named(stage: Stage, clock: InstantClock) -> None:
    """Nobody listens: tried again, then told, without the key."""
    async with ScriptedEndpoint([]) as endpoint:
        base_url = endpoint.base_url
    heard = await listen(stage.model(base_url))
    assert (heard.failed.code, heard.failed.retryable) == ("connection_failed", True)
    assert len(clock.slept) == 2


# ---- time ------------------------------------------------------------------------------------------


async def test_silence_before_the_first_token_ends_the_call(stage: Stage) -> None:
    """Whether the server is mute from the start or only keeps the line warm."""
    quick = replace(PATIENT, first_token_s=0.5)
    mute = await stage.hear(stall(), timeouts=quick)
    warm = await stage.hear(reply(*[Raw(b": warm\n\n"), stall(0.05)] * 40), timeouts=quick)
    assert [each.failed.code for each in (mute, warm)] == ["first_token_timeout"] * 2
    assert not [*mute.retries, *warm.retries]


async def test_a_pause_before_the_first_token_is_no_idleness(stage: Stage) -> None:
    """A model may think in silence for longer than it may pause in mid-sentence."""
    pause = reply(Raw(b": hm\n\n"), stall(0.7), Raw(TEXT + STOP + DONE))
    heard = await stage.hear(pause, timeouts=SOON_SILENT)
    assert heard.reply.text == "雨停了。"


async def test_silence_between_chunks_ends_the_call(stage: Stage) -> None:
    """The time for the first token is no time for a pause."""
    heard = await stage.hear(reply(say("雨"), stall()), timeouts=SOON_SILENT)
    assert (heard.events, heard.failed.code) == ([TextDelta("雨")], "idle_timeout")


async def test_the_whole_call_is_bounded(stage: Stage) -> None:
    """A stream that drips for ever ends at the total, waits before retries included."""
    drip = reply(*[say("滴"), stall(0.05)] * 100)
    async with ScriptedEndpoint([drip, Status(503, 10)]) as endpoint:
        model = stage.model(endpoint.base_url, timeouts=replace(PATIENT, total_s=0.4))
        assert (await listen(model)).failed.code == "total_timeout"
        late = await listen(stage.model(endpoint.base_url, timeouts=replace(PATIENT, total_s=9)))
    assert (late.failed.http_status, late.failed.retry_after_s) == (503, 10.0)


async def test_hanging_up_closes_the_connection(stage: Stage) -> None:
    """Whoever stops listening stops paying: the endpoint sees the connection go."""
    async with ScriptedEndpoint([reply(say("雨"), stall(), say("停"))]) as endpoint:
        model = stage.model(endpoint.base_url, timeouts=Timeouts())
        async with aclosing(model.stream(model.encode(REQUEST))) as events:
            assert await anext(events) == TextDelta("雨")
        await asyncio.wait_for(endpoint.hung_up.wait(), timeout=AWHILE_S)


async def test_a_cancelled_call_closes_the_connection(stage: Stage) -> None:
    """Cancelling the task in the middle of a wait leaves nothing open."""
    async with ScriptedEndpoint([reply(say("雨"), stall(), say("停"))]) as endpoint:
        model = stage.model(endpoint.base_url, timeouts=Timeouts())
        listening = asyncio.create_task(listen(model))
        await asyncio.wait_for(endpoint.stalled.wait(), timeout=AWHILE_S)
        listening.cancel()
        with pytest.raises(asyncio.CancelledError):
            await listening
        await asyncio.wait_for(endpoint.hung_up.wait(), timeout=AWHILE_S)


@pytest.mark.parametrize(
    ("error", "code", "retryable"),
    [
        (httpx.ConnectTimeout(f"no answer {KEY}"), "connect_timeout", True),
        (httpx.PoolTimeout(""), "connect_timeout", True),
        (httpx.ConnectError(f"refused {KEY}"), "connection_failed", True),
        (httpx.RemoteProtocolError("server disconnected"), "connection_failed", True),
        (httpx.LocalProtocolError(f"illegal header {KEY}"), "bad_address", False),
    ],
    ids=lambda value: type(value).__name__ if isinstance(value, Exception) else "",
)
async def test_what_happens_below_http_has_a_code(
    clock: InstantClock, error: httpx.HTTPError, code: str, retryable: bool
) -> None:
    """Transport faults are told apart by what can be done about them."""

    def refuse(_: httpx.Request) -> httpx.Response:
        raise error

    async with httpx.AsyncClient(transport=httpx.MockTransport(refuse)) as client:
        heard = await listen(Stage(client, clock).model("http://models.example/v1"))
    assert (heard.failed.code, heard.failed.retryable) == (code, retryable)
    assert KEY not in heard.failed.message


# ---- sending differently, and not at all ---------------------------------------------------------


async def test_a_refused_shape_is_learnt(stage: Stage) -> None:
    """The provider demands thought back: the same request encoded again holds it (T13)."""
    demand = '{"error":{"message":"Missing `reasoning_content` field: must be passed back"}}'
    turn: tuple[Message, ...] = (
        *REQUEST.messages,
        Assistant("", (ToolCall("a", "draft_write", "{}"),)),
        ToolResult("a", "draft_write", "ok"),
    )
    request = ModelRequest(turn, (TOOL,))
    async with ScriptedEndpoint([Status(400, body=demand), say("好")]) as endpoint:
        model = stage.model(endpoint.base_url)
        first, second = await listen(model, request), await listen(model, request)
    assert (first.failed.code, first.failed.retryable) == ("reshaped", True)
    assert model.connection.thinking == "demanded"
    assert second.reply.text == "好"
    sent = [received.asked.messages[2] for received in endpoint.received]
    assert "reasoning_content" not in sent[0]
    assert sent[1]["reasoning_content"] == ""


async def test_a_shape_that_does_not_help_is_a_plain_refusal(stage: Stage) -> None:
    """A template that complains whatever it gets is asked twice in all, not for ever (T16, T19)."""
    complaint = Status(500, body="Conversation roles must alternate user/assistant")
    async with ScriptedEndpoint([complaint, complaint]) as endpoint:
        model = stage.model(endpoint.base_url, retries=0)
        codes = [(await listen(model)).failed.code for _ in range(2)]
    assert codes == ["reshaped", "provider_unavailable"]


@pytest.mark.parametrize(
    "base_url", ["", "models.example/v1", "ftp://h/v1", "http://", "http://[::1"]
)
def test_an_address_that_is_none_is_refused(client: httpx.AsyncClient, base_url: str) -> None:
    """Before any call, by name."""
    with pytest.raises(BadInput) as raised:
        OpenAICompatible(Connection("x", base_url, "m"), client=client, clock=InstantClock())
    assert raised.value.code == "bad_address"


@pytest.mark.parametrize("key", ["sk-abc\ndef", "sk-密钥abc", "“sk-abcdef”"])
def test_a_key_that_cannot_be_sent_is_refused(client: httpx.AsyncClient, key: str) -> None:
    """Line breaks, Chinese quotes: pasted by mistake, and not repeated in the error."""
    connection = Connection("x", "http://h.example/v1", "m", Secret(key))
    with pytest.raises(BadInput) as raised:
        OpenAICompatible(connection, client=client, clock=InstantClock())
    assert raised.value.code == "bad_header"
    assert key not in str(raised.value)
