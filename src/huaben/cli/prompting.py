"""Reads a line from the terminal while the event loop goes on; apart because a blocked read must neither
hold up the program's end nor leave the terminal without an echo."""

from __future__ import annotations

import asyncio
import sys
import threading
from collections.abc import Callable, Generator
from contextlib import contextmanager, suppress


async def read_line(prompt: str, prefill: str = "") -> str | None:
    """The next line that the user enters, beginning with `prefill`; None at the end of input."""
    return await _read(lambda: _input(prompt, prefill))


async def read_piped() -> str | None:
    """The next line of standard input, where that is no terminal; None at its end. What is not UTF-8 is
    read with U+FFFD in its place."""
    return await _read(_piped)


async def _read(source: Callable[[], str | None]) -> str | None:
    """What a blocking read gives. It runs in a daemon thread: a cancelled caller leaves it behind, and
    the program can end."""
    loop = asyncio.get_running_loop()
    entered: asyncio.Future[str | None] = loop.create_future()

    def deliver(line: str | None) -> None:
        if not entered.done():
            entered.set_result(line)

    def read() -> None:
        line = source()
        with suppress(RuntimeError):  # the loop is closed: nobody waits any more
            loop.call_soon_threadsafe(deliver, line)

    threading.Thread(target=read, name="prompt", daemon=True).start()
    return await entered


def _input(prompt: str, prefill: str) -> str | None:
    with suppress(ImportError):
        import readline  # gives `input` its editing and history

        readline.set_startup_hook(lambda: readline.insert_text(prefill))
    try:
        return input(prompt)
    except EOFError:
        return None


def _piped() -> str | None:
    line = sys.stdin.buffer.readline()
    return line.decode("utf-8", "replace").removeprefix("\ufeff") if line else None


@contextmanager
def kept_terminal() -> Generator[None]:
    """Give the terminal back as it was found: line editing changes it, and its thread may be left in
    the middle of a line."""
    try:
        import termios
    except ImportError:
        yield
        return
    try:
        terminal = sys.stdin.fileno()
        before = termios.tcgetattr(terminal)
    except (termios.error, OSError, ValueError):
        yield
        return
    try:
        yield
    finally:
        with suppress(termios.error, OSError):  # the terminal may have been closed
            termios.tcsetattr(terminal, termios.TCSADRAIN, before)
