"""A caller's own request passed on to an endpoint of its form, and the answer passed back as it comes; apart from
the model behind `Model` because nothing is put into a form of ours on the way.

What is said is heard too, for the record. Nothing is tried a second time: whoever asks decides that.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Callable, Sequence
from contextlib import aclosing
from dataclasses import dataclass, replace
from typing import Final

import httpx

from huaben.adapters.models.endpoint import Endpoint
from huaben.adapters.models.exchange import Exchange, Refused, refused
from huaben.adapters.models.openai_compatible import OPENAI
from huaben.adapters.models.refusals import Refusal
from huaben.adapters.models.sse import MAX_BYTES, BodyDecoder, Payload
from huaben.domain.completions import Completion, wire_of
from huaben.domain.completions_spelled import DONE, Spelling
from huaben.domain.connection import Connection
from huaben.domain.messages import Finished, Reply, WireRequest
from huaben.ports import Clock, Content, Passed

MORE_CHOICES: Final = "more_choices"
"""The oddity of a reply of which only the first choice is kept in the record."""


def _as_it_is(refusal: Refusal, connection: Connection) -> Connection | None:
    """What a caller sent is never put differently."""
    del refusal, connection
    return None


_DIALECT: Final = replace(OPENAI, adapted=_as_it_is)


class Passing(Endpoint):
    """Implements `Passage` over a connection that speaks the chat-completions form. Raises `BadInput`
    for an address or header that cannot be sent."""

    def __init__(self, connection: Connection, *, client: httpx.AsyncClient, clock: Clock) -> None:
        super().__init__(connection, _DIALECT, client=client, clock=clock)

    def wire(self, asked: Completion, tail: str = "") -> WireRequest:
        return wire_of(asked, self.connection.model, tail)

    async def forward(
        self, asked: Completion, wire: WireRequest, reply_id: str
    ) -> AsyncGenerator[Passed]:
        exchange = PassedExchange(
            self._client,
            self._request(wire),
            self.connection,
            self._dialect.listener(self.connection),
            asyncio.get_running_loop().time() + self.connection.timeouts.total_s,
        )
        spelling = Spelling(reply_id, int(self._clock.now().timestamp()), asked.model)
        try:
            async with aclosing(exchange.passed(asked, spelling, self._hidden)) as pieces:
                async for piece in pieces:
                    yield piece
        except Refused as refusal:
            raise self._failure(refusal, self.connection) from None
        except httpx.HTTPError as error:
            raise self._transport_failure(error, answered=exchange.answered) from None

    def _hidden(self, said: bytes) -> bytes:
        """The same without the connection's key, should the endpoint tell it."""
        key = self.connection.api_key.reveal().encode()
        if not key or key not in said:
            return said
        return self._redact(said.decode("utf-8", "replace")).encode()


@dataclass(slots=True)
class PassedExchange(Exchange):
    """One request whose answer is passed back in its own bytes, within the times of any other."""

    many: bool = False

    async def passed(
        self, asked: Completion, spelling: Spelling, hidden: Callable[[bytes], bytes]
    ) -> AsyncGenerator[Passed]:
        """The answer in the form that was asked for, `Finished` last. `hidden` takes a key out. Raises
        `Refused`, `ProviderFailed` and what the transport raises."""
        self.many = asked.choices > 1
        if self.many:
            self.listener.flag(MORE_CHOICES)
        response = await self._send()
        try:
            if not response.is_success:
                raise await refused(response, self._time_left())
            kind = response.headers.get("content-type", "")
            if kind.startswith("text/html"):
                raise self._failed("not_an_endpoint", "answered with a web page", retryable=False)
            streams = "event-stream" in kind
            if asked.streams and streams:
                async for piece in self._streamed(response, hidden):
                    yield piece
            else:
                body = await self._whole(response, streams=streams)
                yield Content()
                yield self._in_form(asked, spelling, None if streams else hidden(body))
        finally:
            await response.aclose()
        yield Finished(self._reply())

    def _in_form(self, asked: Completion, spelling: Spelling, body: bytes | None) -> bytes:
        """A whole answer: its own `body`, unless it came in the form that was not asked for."""
        if asked.streams:
            return spelling.stream(self._reply(), usage=asked.wants_usage)
        return spelling.whole(self._reply()) if body is None else body

    async def _streamed(
        self, response: httpx.Response, hidden: Callable[[bytes], bytes]
    ) -> AsyncGenerator[Passed]:
        """The lines of a stream as they are whole; an error within it is raised and not passed on."""
        decoder, held, told = BodyDecoder(), b"", False
        chunks = response.aiter_bytes()
        while (data := await self._next(chunks)) is not None:
            self._hear(decoder.feed(data), response)
            held += data
            if len(held) > MAX_BYTES:
                raise self._failed("reply_too_large", f"sent more than {MAX_BYTES} bytes at once")
            cut = max(held.rfind(b"\n"), held.rfind(b"\r")) + 1
            lines, held = held[:cut], held[cut:]
            if self.began and not told:
                told = True
                yield Content()
            if lines:
                yield hidden(lines)
        self._hear(decoder.close(), response)
        self._check_end()
        self._close()
        if held:
            yield hidden(held + b"\n\n")
        if not self.done:  # some servers end without a word
            yield DONE

    async def _whole(self, response: httpx.Response, *, streams: bool) -> bytes:
        """A body to its end."""
        decoder, body = BodyDecoder(), b""
        chunks = response.aiter_bytes()
        while (data := await self._next(chunks)) is not None:
            self._hear(decoder.feed(data), response)
            body += data
        self._hear(decoder.close(), response)
        if streams:
            self._check_end()
        elif not body.strip():
            raise self._failed("cut_stream", "answered with nothing")
        self._close()
        return body

    def _hear(self, payloads: Sequence[Payload], response: httpx.Response) -> None:
        for payload in payloads:
            self.began = bool(self._take(payload, response)) or self.began
            # Of several choices the first may be over long before the others.
            self.finished = self.finished and not self.many

    def _close(self) -> None:
        for _ in self.listener.close():
            pass

    def _reply(self) -> Reply:
        return self.listener.reply(self._make_id)
