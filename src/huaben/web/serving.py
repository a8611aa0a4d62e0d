"""The server process: refuses to stand open, binds, serves, and stops without losing a turn. Apart
from the application, which any server could carry."""

from __future__ import annotations

import asyncio
import signal
import socket
import sys
import threading
import webbrowser
from collections.abc import Callable, Generator
from contextlib import contextmanager, nullcontext

import structlog
import uvicorn
from fastapi import FastAPI

from huaben.bootstrap import build
from huaben.config import Settings
from huaben.errors import BadInput
from huaben.web.app import create_app
from huaben.web.hosts import is_loopback
from huaben.web.stream import Streams

CLOSING_S = 10
"""How long a request that is being answered may still take when the server stops."""
_WILDCARDS = {"0.0.0.0": "127.0.0.1", "::": "::1"}


def serve(
    settings: Settings, open_browser: bool = False, ready: Callable[[str], None] | None = None
) -> None:
    """Serve until SIGINT or SIGTERM. `ready` is called with the address once it answers.

    Turns that run when it stops are left as interrupted, to be resumed. Raises `BadInput`
    (`password_required`, `address_unavailable`) and `DataFolderInUse` before anything is served.
    """
    refuse_to_stand_open(settings)
    listening = listen(settings.host, settings.port)
    with listening:
        asyncio.run(_serve(settings, listening, [ready, _open if open_browser else None]))


def refuse_to_stand_open(settings: Settings) -> None:
    """Raises `BadInput` for an address that others can reach when there is no password."""
    if is_loopback(settings.host.lower()) or settings.password.get_secret_value():
        return
    raise BadInput(
        "password_required",
        f"Others could reach {settings.host or 'every address'}, and no password is set.",
        "Set HUABEN_PASSWORD, or serve on 127.0.0.1.",
    )


def listen(host: str, port: int) -> socket.socket:
    """A listening socket. Raises `BadInput` when the address cannot be had."""
    try:
        family, kind, _, _, address = socket.getaddrinfo(
            host or None, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
        )[0]
        made = socket.socket(family, kind)
    except OSError as error:
        raise _unavailable(host, port, error) from error
    try:
        made.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        made.bind(address)
        made.listen(1024)
    except OSError as error:
        made.close()
        raise _unavailable(host, port, error) from error
    return made


def address_of(listening: socket.socket) -> str:
    """The address to open in a browser on this machine."""
    host, port = listening.getsockname()[:2]
    name = _WILDCARDS.get(str(host), str(host))
    return f"http://[{name}]:{port}/" if ":" in name else f"http://{name}:{port}/"


class Server(uvicorn.Server):
    """Ends the streams before it waits for connections, and returns after a signal instead of
    raising it again, so that what is open behind it is closed in order."""

    def __init__(
        self, config: uvicorn.Config, streams: Streams, started: Callable[[], None]
    ) -> None:
        super().__init__(config)
        self._streams = streams
        self._announce = started

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        self._announce()

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        self._streams.close()
        await super().shutdown(sockets)

    @contextmanager
    def capture_signals(self) -> Generator[None]:
        if threading.current_thread() is not threading.main_thread():
            yield
            return
        signals = (signal.SIGINT, signal.SIGTERM)
        before = {one: signal.signal(one, self.handle_exit) for one in signals}
        try:
            yield
        finally:
            for one, handler in before.items():
                signal.signal(one, handler)


async def _serve(
    settings: Settings, listening: socket.socket, told: list[Callable[[str], None] | None]
) -> None:
    # Opened out here, so that what goes wrong is raised to the caller and not logged by the server.
    async with build(settings) as theatre:
        streams = Streams()
        app = create_app(settings, lambda _: nullcontext(theatre), streams=streams)
        address = address_of(listening)

        def started() -> None:
            for tell in told:
                if tell is not None:
                    tell(address)

        await Server(configure(app), streams, started).serve([listening])


def configure(app: FastAPI) -> uvicorn.Config:
    """How the application is carried: quiet, nameless, and with an end to every wait."""
    return uvicorn.Config(
        app,
        lifespan="on",
        ws="none",
        log_config=None,
        access_log=False,
        server_header=False,
        timeout_graceful_shutdown=CLOSING_S,
    )


def log_to_stderr() -> None:
    """Log lines as JSON on the standard error, with times and without story text."""
    structlog.configure(
        processors=[
            structlog.processors.add_log_level,
            structlog.processors.TimeStamper(fmt="iso", utc=True),
            structlog.processors.JSONRenderer(ensure_ascii=False),
        ],
        logger_factory=structlog.PrintLoggerFactory(sys.stderr),
    )


def _open(address: str) -> None:
    threading.Thread(target=webbrowser.open, args=(address,), daemon=True).start()


def _unavailable(host: str, port: int, error: OSError) -> BadInput:
    return BadInput(
        "address_unavailable",
        f"{host}:{port} cannot be used: {error.strerror or error}.",
        "Is the program running already? Otherwise choose another with --port or --host.",
    )
