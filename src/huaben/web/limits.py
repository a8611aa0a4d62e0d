"""How much of a request is read; apart because the limit must hold before anything parses a body."""

from __future__ import annotations

import asyncio

from starlette.types import Message, Receive

from huaben.web.problems import BodyTooLarge

JSON_BYTES = 2 * 1024 * 1024
COMPLETION_BYTES = 32 * 1024 * 1024
"""A request that is passed on: a long story, or pictures within its messages."""
FRAMING_BYTES = 64 * 1024
"""What a multipart body may hold besides its file."""
DRAINED_BYTES = 64 * 1024 * 1024
DRAIN_S = 10.0


async def drain(receive: Receive) -> None:
    """Read what a refused client still sends, within bounds: one that is cut off in mid-sentence
    sees a broken connection and never the reason."""
    left = DRAINED_BYTES
    try:
        async with asyncio.timeout(DRAIN_S):
            while left > 0:
                message = await receive()
                left -= len(message.get("body", b""))
                if message["type"] != "http.request" or not message.get("more_body", False):
                    return
    except TimeoutError:
        return


class Limited:
    """A `receive` that lets at most `limit` bytes of body through. Raises `BodyTooLarge`."""

    def __init__(self, receive: Receive, limit: int) -> None:
        self._receive = receive
        self._limit = limit
        self._seen = 0

    async def __call__(self) -> Message:
        message = await self._receive()
        self._seen += len(message.get("body", b""))
        if self._seen > self._limit:
            if message.get("more_body", False):
                await drain(self._receive)
            raise BodyTooLarge(self._limit)
        return message
