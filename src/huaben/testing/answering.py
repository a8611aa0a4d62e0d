"""One scripted reply written to a connection as HTTP and server-sent events; apart from the endpoint,
which only listens and keeps count."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Mapping
from dataclasses import dataclass
from http import HTTPStatus
from typing import Final, assert_never

from huaben.domain.messages import Usage
from huaben.testing.script import (
    Asked,
    Call,
    Drop,
    ErrorLine,
    Fail,
    Raw,
    Retry,
    Say,
    ScriptedReply,
    Stall,
    Status,
    Think,
    Unit,
    call_id,
    finish_of,
    pieces,
    usage_of,
)

MODEL: Final = "scripted"


@dataclass(frozen=True, slots=True)
class Received:
    """A request as it arrived; header names in lower case."""

    method: str
    path: str
    headers: Mapping[str, str]
    body: bytes

    @property
    def asked(self) -> Asked:
        return Asked.read(self.body)


@dataclass(frozen=True, slots=True)
class Stalling:
    """Saying nothing, while the client may lose patience."""

    reader: asyncio.StreamReader
    reached: asyncio.Event
    released: asyncio.Event

    async def stall(self, unit: Stall) -> None:
        """Raises `ConnectionResetError` when the client hangs up meanwhile."""
        self.reached.set()
        patience = asyncio.ensure_future(self._wait(unit))
        # A client that waits for an answer sends nothing: all that can come is the end.
        leaving = asyncio.ensure_future(self.reader.read(1))
        try:
            await asyncio.wait((patience, leaving), return_when=asyncio.FIRST_COMPLETED)
            if leaving.done():
                raise ConnectionResetError("the client hung up")
        finally:
            patience.cancel()
            leaving.cancel()
            await asyncio.gather(patience, leaving, return_exceptions=True)

    async def _wait(self, unit: Stall) -> None:
        if unit.seconds is None:
            await self.released.wait()
        else:
            await asyncio.sleep(unit.seconds)


# ---- one answer --------------------------------------------------------------------------------


@dataclass(slots=True)
class Answer:
    """One scripted reply while it is written to a connection."""

    writer: asyncio.StreamWriter
    scripted: ScriptedReply
    number: int
    received: Received
    stalling: Stalling
    calls: int = 0

    async def perform(self) -> bool:
        """Write it; whether the connection may be used again."""
        units = self.scripted.units
        first = units[0] if units else None
        if isinstance(first, Fail) and first.http_status is not None:
            first = Status(first.http_status, body=to_json({"error": _error(first)}).decode())
        if isinstance(first, Status):
            await _refuse(self.writer, first)
            return True
        wants_stream = self.received.asked.body.get("stream") is True
        if not (wants_stream and self.scripted.stream):
            await send_whole(self.writer, 200, to_json(self.plain()), self.scripted.headers)
            return True
        await self._head()
        for unit in units:
            if isinstance(unit, Stall):
                await self.stalling.stall(unit)
            elif isinstance(unit, Drop):
                return await self._drop(unit)
            else:
                async for data in self.bytes_of(unit):
                    await self.chunk(data)
        await self._end()
        return True

    async def _head(self) -> None:
        headers = {
            "content-type": "text/event-stream; charset=utf-8",
            "transfer-encoding": "chunked",
            **self.scripted.headers,
        }
        lines = "".join(f"{name}: {value}\r\n" for name, value in headers.items())
        self.writer.write(f"HTTP/1.1 200 OK\r\n{lines}\r\n".encode())
        await self.writer.drain()

    async def chunk(self, data: bytes) -> None:
        if data:
            self.writer.write(b"%x\r\n%b\r\n" % (len(data), data))
            await self.writer.drain()

    async def _drop(self, unit: Drop) -> bool:
        if unit.clean:
            self.writer.write(b"0\r\n\r\n")
            await self.writer.drain()
            return True
        self.writer.transport.abort()
        return False

    async def bytes_of(self, unit: Unit) -> AsyncIterator[bytes]:
        match unit:
            case Say(text, chunk):
                for piece in pieces(text, chunk):
                    yield self._line({"content": piece})
            case Think(text, chunk):
                for piece in pieces(text, chunk):
                    yield self._line({"reasoning_content": piece})
            case Call():
                for delta in self._call(unit):
                    yield self._line({"tool_calls": [delta]})
            case ErrorLine(error):
                yield b"data: " + to_json({"error": dict(error)}) + b"\n\n"
            case Raw(data):
                yield data
            case Fail():
                yield b"data: " + to_json({"error": _error(unit)}) + b"\n\n"
            case Retry():
                pass  # whether to try again is the caller's to decide
            case Status() | Drop() | Stall():
                raise TypeError(f"an endpoint cannot write {unit!r} in mid-stream")
            case _:
                assert_never(unit)

    def _call(self, unit: Call) -> list[dict[str, object]]:
        index, self.calls = self.calls, self.calls + 1
        opening: dict[str, object] = {
            "index": index,
            "id": call_id(self.number, index, unit),
            "type": "function",
            "function": {"name": unit.name, "arguments": ""},
            **unit.extra,
        }
        rest: list[dict[str, object]] = [
            {"index": index, "function": {"arguments": piece}}
            for piece in pieces(unit.arguments, unit.chunk)
        ]
        return [opening, *rest]

    async def _end(self) -> None:
        units = self.scripted.units
        if not any(isinstance(unit, Raw) for unit in units):
            await self.close_reply()
        self.writer.write(b"0\r\n\r\n")
        await self.writer.drain()

    async def close_reply(self) -> None:
        finish = finish_of(self.scripted)
        if finish:
            await self.chunk(self._line({}, finish))
        usage = usage_of(self.scripted, self.received.body)
        await self.chunk(b"data: " + to_json(self._envelope([], usage)) + b"\n\n")
        if self.scripted.done:
            await self.chunk(b"data: [DONE]\n\n")

    def _line(self, delta: Mapping[str, object], finish: str | None = None) -> bytes:
        choice = {"index": 0, "delta": dict(delta), "finish_reason": finish}
        return b"data: " + to_json(self._envelope([choice])) + b"\n\n"

    def _envelope(self, choices: list[object], usage: Usage | None = None) -> dict[str, object]:
        body: dict[str, object] = {
            "id": f"chatcmpl-{self.number}",
            "object": "chat.completion.chunk",
            "model": MODEL,
            "choices": choices,
        }
        if usage is not None:
            body["usage"] = _usage(usage)
        return body

    def plain(self) -> dict[str, object]:
        units = self.scripted.units
        message: dict[str, object] = {
            "role": "assistant",
            "content": "".join(unit.text for unit in units if isinstance(unit, Say)),
        }
        if thought := "".join(unit.text for unit in units if isinstance(unit, Think)):
            message["reasoning_content"] = thought
        made = [
            {
                "id": call_id(self.number, n, unit),
                "type": "function",
                "function": {"name": unit.name, "arguments": unit.arguments},
                **unit.extra,
            }
            for n, unit in enumerate(unit for unit in units if isinstance(unit, Call))
        ]
        if made:
            message["tool_calls"] = made
        choice = {"index": 0, "message": message, "finish_reason": finish_of(self.scripted)}
        usage = usage_of(self.scripted, self.received.body)
        return {**self._envelope([choice], usage), "object": "chat.completion"}


def _error(unit: Fail) -> dict[str, object]:
    return {"message": unit.message, "code": unit.http_status or unit.code}


async def _refuse(writer: asyncio.StreamWriter, unit: Status) -> None:
    asked = unit.retry_after
    headers = {} if asked is None else {"retry-after": str(asked)}
    await send_whole(writer, unit.code, unit.body.encode(), headers)


# ---- HTTP/1.1, as much as is needed ------------------------------------------------------------


async def read_request(reader: asyncio.StreamReader) -> Received | None:
    """The next request of a connection; None when the client closed it."""
    request_line = await reader.readline()
    if not request_line.strip():
        return None
    method, path, _version = request_line.decode("latin-1").split()
    headers: dict[str, str] = {}
    while (line := (await reader.readline()).decode("latin-1").strip()) != "":
        name, _, value = line.partition(":")
        headers[name.lower()] = value.strip()
    body = await reader.readexactly(int(headers.get("content-length", "0")))
    return Received(method, path, headers, body)


async def send_whole(
    writer: asyncio.StreamWriter,
    status: int,
    body: bytes,
    headers: Mapping[str, str] | None = None,
) -> None:
    known = {status.value: status.phrase for status in HTTPStatus}
    fields = {
        "content-type": "application/json",
        "content-length": str(len(body)),
        **(headers or {}),
    }
    lines = "".join(f"{name}: {value}\r\n" for name, value in fields.items())
    writer.write(f"HTTP/1.1 {status} {known.get(status, 'Odd')}\r\n{lines}\r\n".encode() + body)
    await writer.drain()


def to_json(value: object) -> bytes:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode()


def _usage(usage: Usage) -> dict[str, object]:
    prompt, completion = usage.prompt or 0, usage.completion or 0
    return {
        "prompt_tokens": prompt,
        "completion_tokens": completion,
        "total_tokens": prompt + completion,
        "prompt_tokens_details": {"cached_tokens": usage.cached or 0},
        "completion_tokens_details": {"reasoning_tokens": usage.reasoning or 0},
    }
