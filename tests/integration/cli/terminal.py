"""The program on a terminal: what a person types and sees."""

from __future__ import annotations

import os
import pty
import re
import select
import termios
import time
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass, field

from tests.forking import Forked, fork
from tests.integration.cli.program import WAIT_S, Program

_SEQUENCES = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]")


@dataclass(slots=True)
class Terminal:
    """A terminal with the program on it. `seen` is all that was printed, without colours."""

    process: Forked
    master: int
    slave: int
    raw: bytes = b""
    _read_to: int = field(default=0)

    @property
    def seen(self) -> str:
        return _SEQUENCES.sub("", self.raw.decode("utf-8", "replace")).replace("\r\n", "\n")

    def type(self, text: str) -> None:
        os.write(self.master, text.encode())

    def wait_for(self, text: str) -> str:
        """What was printed from the last wait up to and with `text`."""
        deadline = time.monotonic() + WAIT_S
        while (at := self.seen.find(text, self._read_to)) < 0:
            self._receive(deadline)
        start, self._read_to = self._read_to, at + len(text)
        return self.seen[start : self._read_to]

    def end(self) -> int:
        """Read until the program has ended; its exit code."""
        deadline = time.monotonic() + WAIT_S
        while self.process.poll() is None:
            self._receive(deadline)
        return self.process.wait()

    def _receive(self, deadline: float) -> None:
        assert time.monotonic() < deadline, f"waited in vain; seen: {self.seen!r}"
        if select.select([self.master], [], [], 0.1)[0]:
            self.raw += os.read(self.master, 65536)


@contextmanager
def on_terminal(program: Program, *arguments: str) -> Generator[Terminal]:
    """The program on a terminal of its own, of 80 columns. Afterwards the terminal must be as it
    was."""
    master, slave = pty.openpty()
    termios.tcsetwinsize(slave, (24, 80))
    before = termios.tcgetattr(slave)
    # The terminal is the process's own, so that Ctrl-C reaches it as a signal.
    process = fork(
        "huaben",
        *arguments,
        streams=(slave, slave, slave),
        environment={**program.environment, "TERM": "xterm"},
        terminal=True,
    )
    terminal = Terminal(process, master, slave)
    try:
        yield terminal
        assert termios.tcgetattr(slave) == before, "the terminal is not as it was found"
    finally:
        process.kill()
        process.wait()
        os.close(slave)
        os.close(master)
