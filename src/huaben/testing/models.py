"""Models that speak from a script through the port; apart from the loopback endpoint because most
tests need no HTTP."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncGenerator, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Literal, assert_never, cast

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
    User,
    WireRequest,
)
from huaben.errors import ProviderFailed
from huaben.ports import Model
from huaben.testing.script import (
    Books,
    Call,
    Cues,
    Drop,
    ErrorLine,
    Fail,
    Raw,
    Retry,
    Say,
    Script,
    ScriptedReply,
    Stall,
    Status,
    Think,
    Unit,
    call_id,
    finish_of,
    is_scribes,
    pieces,
    usage_of,
)


class ScriptedModel:
    """Performs a script: a list of replies, or a function from what was asked to a reply.

    `requests` holds every request that was encoded, `wires` every one that was streamed; `stalled`
    is set when a `stall()` was reached, `release()` lets endless stalls go on. The scribe's requests
    are answered from the script `scribe`, or else with an empty patch, and held by `scribed`. Raises
    `OutOfScript` when it is called more often than the list foresaw."""

    def __init__(
        self,
        script: Script,
        *,
        name: str = "scripted",
        window: int | None = 128_000,
        calls_tools: bool = True,
        scribe: Script | None = None,
    ) -> None:
        self._cues = Cues(script)
        self._books = Books(scribe)
        self._name = name
        self._window = window
        self._calls_tools = calls_tools
        self._released = asyncio.Event()
        self.stalled = asyncio.Event()
        self.requests: list[ModelRequest] = []
        self.wires: list[WireRequest] = []
        self.scribed: list[WireRequest] = []

    @property
    def name(self) -> str:
        return self._name

    @property
    def window(self) -> int | None:
        return self._window

    @property
    def origin(self) -> str:
        return f"{self._name}@script"

    @property
    def calls_tools(self) -> bool:
        return self._calls_tools

    @property
    def bodies(self) -> list[bytes]:
        """The bytes of every streamed request, in order."""
        return [wire.body for wire in self.wires]

    def release(self) -> None:
        self._released.set()

    def encode(self, request: ModelRequest) -> WireRequest:
        wire = encode_plainly(self._name, request)
        if not is_scribes(wire.body):
            self.requests.append(request)
        return wire

    async def stream(self, wire: WireRequest) -> AsyncGenerator[ModelEvent]:
        for_scribe = is_scribes(wire.body)
        (self.scribed if for_scribe else self.wires).append(wire)
        scripted = (self._books if for_scribe else self._cues).next(wire.body)
        telling = _Telling(self._cues.given)
        for unit in scripted.units:
            if isinstance(unit, Stall):
                await self._stall(unit)
                continue
            for event in telling.events(unit):
                yield event
                # A real model's pieces arrive apart: whoever else runs gets a turn between them.
                await asyncio.sleep(0)
        yield Finished(telling.reply(scripted, wire.body, self._name))

    async def _stall(self, unit: Stall) -> None:
        self.stalled.set()
        if unit.seconds is None:
            await self._released.wait()
        else:
            await asyncio.sleep(unit.seconds)


class _Telling:
    """One reply while it is told."""

    def __init__(self, number: int) -> None:
        self._number = number
        self._text: list[str] = []
        self._thought: list[str] = []
        self._calls: list[ToolCall] = []
        self._retries = 0

    def events(self, unit: Unit) -> list[ModelEvent]:
        match unit:
            case Say(text, chunk):
                self._text.append(text)
                return [TextDelta(piece) for piece in pieces(text, chunk)]
            case Think(text, chunk):
                self._thought.append(text)
                return [ThinkingDelta(piece) for piece in pieces(text, chunk)]
            case Call():
                return self._call(unit)
            case Retry(reason, wait_s):
                self._retries += 1
                return [Retrying(self._retries, wait_s, reason)]
            case Fail(code, message, http_status, retryable):
                raise ProviderFailed(code, message, http_status=http_status, retryable=retryable)
            case Status() | Drop() | ErrorLine():
                raise _failure(unit)
            case Stall() | Raw():
                raise TypeError(f"a scripted model cannot perform {unit!r}")
        assert_never(unit)

    def _call(self, unit: Call) -> list[ModelEvent]:
        index = len(self._calls)
        made = ToolCall(call_id(self._number, index, unit), unit.name, unit.arguments, unit.extra)
        self._calls.append(made)
        opening: list[ModelEvent] = [CallDelta(index, unit.name, "")]
        return opening + [
            CallDelta(index, unit.name, piece) for piece in pieces(unit.arguments, unit.chunk)
        ]

    def reply(self, scripted: ScriptedReply, body: bytes, model: str) -> Reply:
        thought = "".join(self._thought)
        return Reply(
            text="".join(self._text),
            calls=tuple(self._calls),
            thinking=Thinking(thought) if thought else None,
            usage=usage_of(scripted, body),
            finish=finish_of(scripted) or None,
            model=model,
        )


def _failure(unit: Status | Drop | ErrorLine) -> ProviderFailed:
    match unit:
        case Status(code, retry_after, body):
            asked = float(retry_after) if isinstance(retry_after, int | float) else None
            return ProviderFailed(
                "provider_status",
                f"the endpoint answered {code}: {body}",
                http_status=code,
                retryable=code in (408, 409, 429) or code >= 500,
                retry_after_s=asked,
            )
        case Drop():
            return ProviderFailed("cut_stream", "the stream ended in mid-reply", retryable=True)
        case ErrorLine(error):
            return ProviderFailed("provider_error", f"the endpoint reported {dict(error)}")
    assert_never(unit)


# ---- a double that fails on purpose ------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Fault:
    """What goes wrong after `after` events of a call: `fail` raises, `stall` waits for ever."""

    after: int = 0
    kind: Literal["fail", "stall"] = "fail"
    code: str = "cut_stream"
    http_status: int | None = None
    retryable: bool = True


class FaultyModel:
    """Another model whose calls break off as planned: `faults[i]` befalls call number i, None and
    calls beyond the list are left alone. To sweep every place where a stream can be cut."""

    def __init__(self, inner: Model, faults: Sequence[Fault | None]) -> None:
        self._inner = inner
        self._faults = tuple(faults)
        self.calls = 0

    @property
    def name(self) -> str:
        return self._inner.name

    @property
    def window(self) -> int | None:
        return self._inner.window

    @property
    def origin(self) -> str:
        return self._inner.origin

    @property
    def calls_tools(self) -> bool:
        return self._inner.calls_tools

    def encode(self, request: ModelRequest) -> WireRequest:
        return self._inner.encode(request)

    async def stream(self, wire: WireRequest) -> AsyncGenerator[ModelEvent]:
        fault = self._faults[self.calls] if self.calls < len(self._faults) else None
        self.calls += 1
        if fault is not None and fault.after == 0:
            await _befall(fault)
        seen = 0
        events = self._inner.stream(wire)
        try:
            async for event in events:
                yield event
                seen += 1
                if fault is not None and seen == fault.after:
                    await _befall(fault)
        finally:
            if isinstance(events, AsyncGenerator):
                await events.aclose()


async def _befall(fault: Fault) -> None:
    if fault.kind == "stall":
        await asyncio.Event().wait()
    raise ProviderFailed(
        fault.code, "planned failure", http_status=fault.http_status, retryable=fault.retryable
    )


# ---- a plain encoding --------------------------------------------------------------------------


def encode_plainly(model: str, request: ModelRequest) -> WireRequest:
    """A byte-stable encoding in the layout of the real ones: head with tools, one part per message,
    tail. It shapes nothing, so that tests see exactly what the engine asked for."""
    tools = [
        {
            "type": "function",
            "function": {
                "name": tool.name,
                "description": tool.description,
                "parameters": tool.parameters,
            },
        }
        for tool in request.tools
    ]
    head = f'{{"model":{_json(model)},"tools":{_json(tools)},"messages":['
    asked = {key: value for key, value in asdict(request.sampling).items() if _is_set(value)}
    usual = {key: value for key, value in asdict(request.usual).items() if _is_set(value)}
    sampling = usual | asked
    tail = f'],"tool_choice":{_json(request.tool_choice)},"sampling":{_json(sampling)}}}'
    messages = [_json(_plain(message)) for message in request.messages]
    parts = (head, *(("," if n else "") + text for n, text in enumerate(messages)), tail)
    return WireRequest(
        parts=tuple(part.encode() for part in parts),
        shape=("head", *("message" for _ in messages), "tail"),
    )


def _plain(message: Message) -> dict[str, object]:
    match message:
        case System(text):
            return {"role": "system", "content": text}
        case User(text):
            return {"role": "user", "content": text}
        case ToolResult(id_, name, text):
            return {"role": "tool", "tool_call_id": id_, "name": name, "content": text}
        case Assistant(text, calls, thinking):
            spoken: dict[str, object] = {"role": "assistant", "content": text}
            if calls:
                spoken["tool_calls"] = [_plain_call(made) for made in calls]
            if thinking is not None:
                spoken["reasoning_content"] = thinking.text
            return spoken
    assert_never(message)


def _plain_call(made: ToolCall) -> dict[str, object]:
    function = {"name": made.name, "arguments": made.arguments}
    return {"id": made.id, "type": "function", "function": function, **made.extra}


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"), default=_as_dict)


def _is_set(value: object) -> bool:
    return value is not None and value != () and value != {}


def _as_dict(value: object) -> dict[str, object]:
    if isinstance(value, Mapping):
        return dict(cast("Mapping[str, object]", value))  # keys are checked by json
    raise TypeError(f"{type(value).__name__} has no JSON form")
