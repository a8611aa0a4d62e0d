"""One request and its answer, byte by byte in time; apart from the port because a call may take several."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator
from dataclasses import dataclass, field
from typing import Final, Never

import httpx

from huaben.adapters.models.calls import made_id
from huaben.adapters.models.dialect import Listener
from huaben.adapters.models.refusals import Refusal, refusal_in, refusal_of
from huaben.adapters.models.sse import BodyDecoder, Payload
from huaben.domain.connection import Connection
from huaben.domain.messages import Finished, ModelEvent
from huaben.errors import ProviderFailed

_AFTER_DONE_S: Final = 0.2
"""How long a finished body may take to end, so that its connection can be used again."""
_REFUSAL_BYTES: Final = 64 * 1024
_BROKE_OFF: Final = frozenset({"error", "network_error", "insufficient_system_resource"})
"""Finish reasons by which providers say that they broke off (Zhipu, DeepSeek, OpenRouter)."""


class Refused(Exception):
    """An error as the endpoint told it, before redaction; a caller turns it into a
    `ProviderFailed`."""

    def __init__(self, refusal: Refusal, headers: httpx.Headers) -> None:
        super().__init__(refusal.status)
        self.refusal = refusal
        self.headers = headers


@dataclass(slots=True)
class Exchange:
    """One request and its answer. `answered`: headers came; `began`: content came; `finished`: a
    finish reason came and nothing after it; `done`: the dialect's end mark came."""

    client: httpx.AsyncClient
    request: httpx.Request
    connection: Connection
    listener: Listener
    deadline: float
    answered: bool = False
    began: bool = False
    done: bool = False
    finished: bool = False
    first_token_at: float = field(init=False)

    def __post_init__(self) -> None:
        now = asyncio.get_running_loop().time()
        self.first_token_at = now + self.connection.timeouts.first_token_s

    async def events(self) -> AsyncGenerator[ModelEvent]:
        response = await self._send()
        try:
            if not response.is_success:
                raise await refused(response, self._time_left())
            if response.headers.get("content-type", "").startswith("text/html"):
                raise self._failed("not_an_endpoint", "answered with a web page", retryable=False)
            decoder = BodyDecoder()
            chunks = response.aiter_bytes()
            while (data := await self._next(chunks)) is not None:
                for payload in decoder.feed(data):
                    for event in self._take(payload, response):
                        self.began = True
                        yield event
            for payload in decoder.close():
                for event in self._take(payload, response):
                    self.began = True
                    yield event
            self._check_end()
            self.began = True
            for event in self.listener.close():
                yield event
        finally:
            await response.aclose()
        # Last of all, so that whoever leaves with the reply leaves no open response behind.
        yield Finished(self.listener.reply(self._make_id))

    # ---- bytes and time ------------------------------------------------------------------------

    async def _send(self) -> httpx.Response:
        limit_at = min(self.first_token_at, self.deadline)
        try:
            async with asyncio.timeout_at(limit_at):
                response = await self.client.send(self.request, stream=True)
        except TimeoutError:
            self._late(limit_at)
        self.answered = True
        return response

    async def _next(self, chunks: AsyncIterator[bytes]) -> bytes | None:
        """The next bytes, within the time that is left for them; None at the end."""
        now = asyncio.get_running_loop().time()
        said_all = self.done or self.finished
        if said_all:
            limit_at = now + (_AFTER_DONE_S if self.done else self.connection.timeouts.settle_s)
        elif self.began:
            limit_at = now + self.connection.timeouts.idle_s
        else:
            limit_at = self.first_token_at
        limit_at = min(limit_at, self.deadline)
        try:
            async with asyncio.timeout_at(limit_at):
                return await anext(chunks, None)
        except TimeoutError:
            if not said_all:
                self._late(limit_at)
        except httpx.TransportError:
            if not said_all:
                raise
            # The connection broke, but everything that was to be said had been.
            self.listener.flag("cut_after_finish")
        return None

    def _time_left(self) -> float:
        now = asyncio.get_running_loop().time()
        return min(self.deadline - now, self.connection.timeouts.idle_s)

    def _late(self, limit_at: float) -> Never:
        timeouts = self.connection.timeouts
        if limit_at == self.deadline:
            code, what = "total_timeout", f"did not finish within {timeouts.total_s:g} s"
        elif not self.began:
            code, what = "first_token_timeout", f"said nothing within {timeouts.first_token_s:g} s"
        else:
            code, what = "idle_timeout", f"went silent for {timeouts.idle_s:g} s"
        raise self._failed(code, what) from None

    def _failed(self, code: str, what: str, *, retryable: bool = True) -> ProviderFailed:
        return ProviderFailed(code, f"{self.connection.name} {what}", retryable=retryable)

    # ---- what was said -------------------------------------------------------------------------

    def _take(self, payload: Payload, response: httpx.Response) -> list[ModelEvent]:
        if isinstance(payload, dict):
            error = self.listener.error(payload)
            if error is not None:
                raise Refused(refusal_in(error), response.headers)
            events = self.listener.feed(payload)
            # Some servers give a finish reason with every chunk: it is the last only if nothing follows.
            self.finished = bool(self.listener.finish) and not (events and self.finished)
            self.done = self.done or self.listener.ended
            return events
        if payload == "done":
            self.done = True
        elif payload.broken:
            raise self._failed("bad_stream", "sent a line that is not JSON: something is lost")
        else:
            self.listener.flag("odd_line")
        return []

    def _check_end(self) -> None:
        """Let a reply pass that is complete: by content, not by finish reason."""
        said = self.listener
        if said.finish in _BROKE_OFF:
            raise self._failed("broke_off", f"broke off: {said.finish}")
        if said.finish:
            return
        if not said.is_whole(done=self.done):
            raise self._failed("cut_stream", "ended in mid-reply")
        said.flag("no_finish_reason")

    def _make_id(self, position: int) -> str:
        return made_id(self.request.content, position)


async def refused(response: httpx.Response, time_left_s: float) -> Refused:
    """What a response that is no success says, as much of it as arrives in time."""
    body = b""
    try:
        async with asyncio.timeout(time_left_s):
            async for data in response.aiter_bytes():
                body += data
                if len(body) >= _REFUSAL_BYTES:
                    break
    except (TimeoutError, httpx.HTTPError):
        pass  # the status alone says enough
    text = body[:_REFUSAL_BYTES].decode("utf-8", "replace")
    return Refused(refusal_of(response.status_code, text), response.headers)
