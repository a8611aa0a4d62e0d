"""Processes of the product's modules, forked from one that has imported them already; apart because
the command line's tests, the browser's and the chaos tests all start hundreds of them.

A fork is a process like any other: it has its own memory, streams and exit code, and dies of a signal.
It only does not spend a second and a half on imports. What an import itself does is tested with real
starts (tests/integration/test_wheel.py, tests/integration/jobs/test_engine.py).
"""

from __future__ import annotations

import atexit
import fcntl
import gc
import importlib
import json
import os
import runpy
import select
import signal
import socket
import subprocess
import sys
import termios
import threading
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from io import TextIOWrapper
from tempfile import TemporaryFile
from typing import TypedDict, cast

PRELOADED = ("huaben.cli.main", "huaben.studio", "huaben.web.app", "uvicorn", "dbos")
LONGEST_ORDER = 1 << 17


class Order(TypedDict):
    """What to run: a module as `python -m` would, with its words and its whole environment."""

    module: str
    arguments: list[str]
    environment: dict[str, str]
    terminal: bool


# ---- in the test -------------------------------------------------------------------------------


@dataclass(slots=True)
class Forked:
    """A running module; the part of `subprocess.Popen` that tests need."""

    pid: int
    _watch: int
    returncode: int | None = None

    def wait(self, timeout: float | None = None) -> int:
        """Its exit code, negative for a signal. Raises TimeoutExpired while it runs."""
        if self.returncode is None:
            if not select.select([self._watch], [], [], timeout)[0]:
                raise subprocess.TimeoutExpired(str(self.pid), timeout or 0.0)
            os.close(self._watch)
            self.returncode = _nursery().buried(self.pid)
        return self.returncode

    def poll(self) -> int | None:
        if self.returncode is None and select.select([self._watch], [], [], 0)[0]:
            self.wait()
        return self.returncode

    def send_signal(self, signum: signal.Signals) -> None:
        if self.poll() is None:
            os.kill(self.pid, signum)

    def kill(self) -> None:
        self.send_signal(signal.SIGKILL)


def fork(
    module: str,
    *arguments: str,
    streams: tuple[int, int, int],
    environment: Mapping[str, str] | None = None,
    terminal: bool = False,
) -> Forked:
    """Run a module on three descriptors (in, out, err), which stay the caller's to close. With
    `terminal` the first is made the controlling terminal of a session of its own."""
    order = Order(
        module=module,
        arguments=list(arguments),
        environment=dict(os.environ if environment is None else environment),
        terminal=terminal,
    )
    pid = _nursery().born(order, streams)
    return Forked(pid, os.pidfd_open(pid))


def run(module: str, *arguments: str, timeout: float) -> int:
    """Run a module to its end with this process's streams; its exit code."""
    process = fork(module, *arguments, streams=(0, 1, 2))
    try:
        return process.wait(timeout)
    except subprocess.TimeoutExpired:
        process.kill()
        raise


def listen(module: str, *arguments: str, timeout: float) -> subprocess.CompletedProcess[str]:
    """Run a module to its end; its exit code and what it printed."""
    with TemporaryFile() as out, TemporaryFile() as errors:
        process = fork(module, *arguments, streams=(0, out.fileno(), errors.fileno()))
        code = process.wait(timeout)
        out.seek(0)
        errors.seek(0)
        told = (out.read().decode(), errors.read().decode())
    return subprocess.CompletedProcess([module, *arguments], code, *told)


@dataclass(slots=True)
class Nursery:
    """The process that forks, at the other end of a socket. One order at a time."""

    process: subprocess.Popen[bytes]
    link: socket.socket
    turn: threading.Lock = field(default_factory=threading.Lock)

    def born(self, order: Order, streams: tuple[int, int, int]) -> int:
        with self.turn:
            socket.send_fds(self.link, [json.dumps(order).encode()], streams)
            return int(self.link.recv(64))

    def buried(self, pid: int) -> int:
        with self.turn:
            self.link.send(str(pid).encode())
            return int(self.link.recv(64))

    def close(self) -> None:
        self.link.close()
        self.process.wait(10)


_started: list[Nursery] = []


def _nursery() -> Nursery:
    """The one of this process, started when it is first needed."""
    if not _started:
        ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        line = [sys.executable, "-W", "error", "-m", "tests.forking", str(theirs.fileno())]
        process = subprocess.Popen(line, pass_fds=[theirs.fileno()], stdin=subprocess.DEVNULL)
        theirs.close()
        _started.append(Nursery(process, ours))
        atexit.register(_started[0].close)
    return _started[0]


# ---- in the process that forks -----------------------------------------------------------------


def serve(link: socket.socket) -> Order:
    """Answer until the test's process is gone. Comes back only in a child, with what it is to do."""
    while True:
        message, streams, _, _ = socket.recv_fds(link, LONGEST_ORDER, 3)
        if not message:
            os._exit(0)
        if not streams:
            _, status = os.waitpid(int(message), 0)
            link.send(str(os.waitstatus_to_exitcode(status)).encode())
            continue
        pid = os.fork()
        if pid == 0:
            link.close()
            order = cast("Order", json.loads(message))
            become(order, streams)
            return order
        for stream in streams:
            os.close(stream)
        link.send(str(pid).encode())


def become(order: Order, streams: Sequence[int]) -> None:
    """Take the order's streams, words and environment for one's own."""
    for number, stream in enumerate(streams):
        os.dup2(stream, number)
        os.close(stream)
    if order["terminal"]:
        os.setsid()
        fcntl.ioctl(0, termios.TIOCSCTTY, 0)
    sys.stdin = text(0, "r", "surrogateescape")
    sys.stdout = sys.__stdout__ = text(1, "w", "surrogateescape")
    sys.stderr = sys.__stderr__ = text(2, "w", "backslashreplace")
    os.environ.clear()
    os.environ.update(order["environment"])
    time.tzset()
    sys.argv = [order["module"], *order["arguments"]]


def text(number: int, mode: str, errors: str) -> TextIOWrapper:
    """A standard stream as an interpreter opens it at its start."""
    raw = os.fdopen(number, f"{mode}b", closefd=False)
    lines = number == 2 or os.isatty(number)
    return TextIOWrapper(raw, encoding="utf-8", errors=errors, line_buffering=lines)


if __name__ == "__main__":
    given = socket.socket(fileno=int(sys.argv[1]))
    for name in PRELOADED:
        importlib.import_module(name)
    gc.freeze()
    runpy.run_module(serve(given)["module"], run_name="__main__", alter_sys=True)
