"""Runs a command on an event loop and takes its signals; apart because closing a library in good order
after Ctrl-C is the same for all commands."""

from __future__ import annotations

import asyncio
import logging
import signal
import sys
from collections.abc import Awaitable, Callable, Generator
from contextlib import contextmanager
from dataclasses import dataclass, field

from huaben.cli.failing import Quit

SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


@dataclass(slots=True)
class Signals:
    """What Ctrl-C means at the moment. While a turn runs the first one stops the turn; otherwise, and
    the second time, it ends the program. SIGTERM and a closed terminal always end it."""

    task: asyncio.Task[int]
    taken: int = 0
    _stop: Callable[[], Awaitable[object]] | None = None
    _stopping: list[asyncio.Future[object]] = field(default_factory=list[asyncio.Future[object]])

    def take(self, signum: int) -> None:
        if signum == signal.SIGINT and self._stop is not None:
            stop, self._stop = self._stop, None
            self._stopping.append(asyncio.ensure_future(stop()))
        elif not self.taken:
            # Only once: a second signal must not interrupt the closing of the library.
            self.taken = signum
            self.task.cancel()

    @contextmanager
    def stopping(self, stop: Callable[[], Awaitable[object]]) -> Generator[None]:
        """Within, the first Ctrl-C calls `stop` instead of ending the program."""
        self._stop = stop
        try:
            yield
        finally:
            self._stop = None

    async def stopped(self) -> None:
        """Wait until a stop that was asked for is done; raises what it raised."""
        asked, self._stopping = self._stopping, []
        await asyncio.gather(*asked)


def run(work: Callable[[Signals], Awaitable[int]], *, debug: bool = False) -> int:
    """Run `work` to its exit code. Raises `Quit` after a signal, when everything is closed."""
    quiet_logs(debug=debug)
    return asyncio.run(_main(work))


async def _main(work: Callable[[Signals], Awaitable[int]]) -> int:
    task = asyncio.current_task()
    assert task is not None
    signals = Signals(task)
    loop = asyncio.get_running_loop()
    for signum in SIGNALS:
        loop.add_signal_handler(signum, signals.take, signum)
    try:
        return await work(signals)
    except asyncio.CancelledError:
        if not signals.taken:
            raise
        raise Quit(signals.taken) from None
    finally:
        for signum in SIGNALS:
            loop.remove_signal_handler(signum)


def quiet_logs(*, debug: bool) -> None:
    """Send log lines to standard error, and only with `--debug` those below an error: standard
    output belongs to the story."""
    import structlog

    structlog.configure(
        wrapper_class=structlog.make_filtering_bound_logger(
            logging.DEBUG if debug else logging.ERROR
        ),
        logger_factory=structlog.PrintLoggerFactory(sys.stderr),
        processors=[
            structlog.processors.add_log_level,
            structlog.processors.format_exc_info,
            structlog.processors.LogfmtRenderer(),
        ],
    )
