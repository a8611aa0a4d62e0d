"""Server-sent events: a log as a stream that can be taken up anywhere. Apart because turns and
projects are tailed alike, and because a server that stops must end its streams first.

A stream only reads: who leaves changes nothing, who comes back names the last number they saw.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Mapping, Sequence

from starlette.responses import StreamingResponse

from huaben.domain.events import End, to_data
from huaben.domain.jsonvalue import scrub_surrogates
from huaben.ports import LoggedEvent, LoggedProjectEvent, Store

KEEP_ALIVE_S = 15.0
BATCH = 500
"""Events read at once, so that a long log is never held whole."""

_OPENING = b"retry: 2000\n\n"
_KEEP_ALIVE = b": still here\n\n"


class EventStream(StreamingResponse):
    """A `text/event-stream` that no proxy on the way should hold back."""

    media_type = "text/event-stream"

    def __init__(self, content: AsyncIterator[bytes]) -> None:
        super().__init__(content, headers={"cache-control": "no-store", "x-accel-buffering": "no"})


class StreamsClosed(Exception):
    """The server stops: the stream ends here, the story does not."""


class Streams:
    """The open streams of one server. `close` ends all of them and every later one at once."""

    def __init__(self, keep_alive_s: float = KEEP_ALIVE_S) -> None:
        self.keep_alive_s = keep_alive_s
        self._closed = False
        self._waiting: set[asyncio.Future[bool]] = set()

    def close(self) -> None:
        self._closed = True
        for wait in tuple(self._waiting):
            wait.cancel()

    @property
    def waiting(self) -> int:
        """How many streams wait for something to happen."""
        return len(self._waiting)

    async def changed(self, store: Store, stream_id: str, after: int) -> bool:
        """Wait for more in a log; False when nothing came for the time of a keep-alive. Raises
        `StreamsClosed`."""
        if self._closed:
            raise StreamsClosed
        wait = asyncio.ensure_future(store.changed(stream_id, after, self.keep_alive_s))
        self._waiting.add(wait)
        try:
            return await wait
        except asyncio.CancelledError:
            task = asyncio.current_task()
            if self._closed and not (task and task.cancelling()):
                raise StreamsClosed from None
            raise
        finally:
            self._waiting.discard(wait)


async def follow_turn(
    store: Store, streams: Streams, turn_id: str, after: int, begun: Sequence[LoggedEvent]
) -> AsyncIterator[bytes]:
    """The events of a turn after number `after`, to the `end` of its newest run; while a question
    waits for its answer the stream stays open. `begun` is the first batch, already read."""
    yield _OPENING
    batch: Sequence[LoggedEvent] = begun
    look = True
    while True:
        while batch:
            yield b"".join(turn_event(logged) for logged in batch)
            after = batch[-1].seq
            look = look or any(isinstance(logged.event, End) for logged in batch)
            batch = await store.events(turn_id, after, BATCH)
        if look and await _is_over(store, turn_id):
            # Whatever was committed before the end was seen is in the log by now.
            batch = await store.events(turn_id, after, BATCH)
            if not batch:
                return
            continue
        try:
            look = not await streams.changed(store, turn_id, after)
        except StreamsClosed:
            return
        if look:
            yield _KEEP_ALIVE
        batch = await store.events(turn_id, after, BATCH)


async def follow_project(
    store: Store, streams: Streams, project_id: str, after: int, begun: Sequence[LoggedProjectEvent]
) -> AsyncIterator[bytes]:
    """The events of a project after number `after`, for as long as somebody listens."""
    yield _OPENING
    batch: Sequence[LoggedProjectEvent] = begun
    while True:
        while batch:
            yield b"".join(project_event(logged) for logged in batch)
            after = batch[-1].seq
            batch = await store.project_events(project_id, after, BATCH)
        try:
            grown = await streams.changed(store, project_id, after)
        except StreamsClosed:
            return
        if not grown:
            yield _KEEP_ALIVE
        batch = await store.project_events(project_id, after, BATCH)


def turn_event(logged: LoggedEvent) -> bytes:
    return _event(logged.seq, logged.event.kind, to_data(logged.event))


def project_event(logged: LoggedProjectEvent) -> bytes:
    event = logged.event
    return _event(logged.seq, event.kind, {"turn": event.turn, **(event.detail or {})})


async def _is_over(store: Store, turn_id: str) -> bool:
    turn = await store.turn(turn_id)
    return turn is None or (turn.run == "ended" and await store.is_over(turn_id))


def _event(seq: int, kind: str, data: Mapping[str, object]) -> bytes:
    # JSON escapes line breaks, so that the data is always one line.
    text = json.dumps(data, ensure_ascii=False, separators=(",", ":"))
    return f"id: {seq}\nevent: {kind}\ndata: {scrub_surrogates(text)}\n\n".encode()
