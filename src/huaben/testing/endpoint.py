"""A model endpoint on a loopback port that speaks from a script; apart from the port doubles because
only it can tell what really travels over the wire."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Generator, Mapping
from contextlib import contextmanager
from typing import Final, Self

from huaben.testing.answering import (
    MODEL,
    Answer,
    Received,
    Stalling,
    read_request,
    send_whole,
    to_json,
)
from huaben.testing.anthropic import AnthropicAnswer
from huaben.testing.script import Books, Cues, OutOfScript, Script, is_scribes

DIALECTS: Final[Mapping[str, type[Answer]]] = {
    "completions": Answer,
    "messages": AnthropicAnswer,
}
"""How a request is answered, by the end of its path."""


class ScriptedEndpoint:
    """Serves a script as an OpenAI-compatible endpoint at `base_url`, and to whoever asks for
    `/messages` in Anthropic's dialect.

    Use as `async with ScriptedEndpoint([...]) as endpoint`, or from synchronous code as
    `with ScriptedEndpoint.in_thread([...]) as endpoint`. `received` holds every chat request,
    its body to the byte, but for the scribe's, which `scribed` holds: those are answered from the
    script `scribe`, or else with an empty patch. A request beyond the script is answered 400 and counted in `overrun`.
    `stalled` is set when a stall was reached, `release()` lets endless ones go on, `hung_up` is set
    when a client left in mid-reply."""

    def __init__(
        self,
        script: Script,
        *,
        models: tuple[str, ...] = (MODEL,),
        scribe: Script | None = None,
    ) -> None:
        self._cues = Cues(script)
        self._books = Books(scribe)
        self._models = models
        self._tasks: set[asyncio.Task[None]] = set()
        self._server: asyncio.Server | None = None
        self._port = 0
        self._loop: asyncio.AbstractEventLoop | None = None
        self._released = asyncio.Event()
        self.stalled = asyncio.Event()
        self.hung_up = asyncio.Event()
        self.received: list[Received] = []
        self.scribed: list[Received] = []
        self.connections = 0
        self.overrun = 0

    @property
    def base_url(self) -> str:
        return f"http://127.0.0.1:{self._port}/v1"

    @property
    def bodies(self) -> list[bytes]:
        return [received.body for received in self.received]

    def release(self) -> None:
        """Let endless stalls go on; from any thread, while the endpoint serves."""
        assert self._loop is not None, "the endpoint does not serve"
        self._loop.call_soon_threadsafe(self._released.set)

    def hold(self) -> None:
        """Let the next endless stalls wait again; who waits when `release()` was called goes on."""
        assert self._loop is not None, "the endpoint does not serve"
        self._loop.call_soon_threadsafe(self._released.clear)

    async def __aenter__(self) -> Self:
        self._loop = asyncio.get_running_loop()
        self._server = await asyncio.start_server(self._accept, "127.0.0.1", 0)
        self._port = self._server.sockets[0].getsockname()[1]
        return self

    async def __aexit__(self, *_: object) -> None:
        assert self._server is not None
        self._server.close()
        for task in tuple(self._tasks):
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        await self._server.wait_closed()

    @classmethod
    @contextmanager
    def in_thread(cls, script: Script, *, scribe: Script | None = None) -> Generator[Self]:
        """Serve from a thread of its own, for callers that have no event loop."""
        endpoint = cls(script, scribe=scribe)
        ready = threading.Event()
        stop: asyncio.Future[None] | None = None
        loop = asyncio.new_event_loop()

        async def serve() -> None:
            nonlocal stop
            stop = loop.create_future()
            async with endpoint:
                ready.set()
                await stop

        thread = threading.Thread(target=_run, args=(loop, serve()), name="scripted-endpoint")
        thread.start()
        ready.wait()
        try:
            yield endpoint
        finally:
            assert stop is not None
            loop.call_soon_threadsafe(stop.set_result, None)
            thread.join()

    # ---- connections ---------------------------------------------------------------------------

    def _accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.connections += 1
        task = asyncio.ensure_future(self._converse(reader, writer))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _converse(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            while (received := await read_request(reader)) is not None:
                if not await self._answer(received, reader, writer):
                    break
        except (ConnectionError, asyncio.IncompleteReadError):
            self.hung_up.set()
        finally:
            writer.close()

    async def _answer(
        self, received: Received, reader: asyncio.StreamReader, writer: asyncio.StreamWriter
    ) -> bool:
        """Whether the connection may be used again."""
        path = received.path.partition("?")[0]
        if path.endswith("/models"):
            listed = [{"id": name, "object": "model"} for name in self._models]
            await send_whole(writer, 200, to_json({"object": "list", "data": listed}))
            return True
        dialect = DIALECTS.get(path.rpartition("/")[2])
        if dialect is None:
            await send_whole(writer, 404, to_json({"error": {"message": f"no {received.path}"}}))
            return True
        for_scribe = is_scribes(received.body)
        (self.scribed if for_scribe else self.received).append(received)
        try:
            scripted = (self._books if for_scribe else self._cues).next(received.body)
        except OutOfScript as over:
            self.overrun += 1
            await send_whole(writer, 400, to_json({"error": {"message": str(over)}}))
            return True
        stalling = Stalling(reader, self.stalled, self._released)
        return await dialect(writer, scripted, self._cues.given, received, stalling).perform()


def _run(loop: asyncio.AbstractEventLoop, serving: object) -> None:
    assert asyncio.iscoroutine(serving)
    try:
        loop.run_until_complete(serving)
    finally:
        loop.close()
