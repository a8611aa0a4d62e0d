"""Wakes readers that wait for a log to grow; apart from the store because both the writer thread
and many event loops touch it."""

from __future__ import annotations

import asyncio
import threading
from collections import defaultdict
from collections.abc import Callable, Generator, Iterable, Mapping, Sequence
from contextlib import contextmanager
from typing import TypeVar

T = TypeVar("T")

_REMEMBERED = 20_000


class Signals:
    """Per stream: who waits, and the highest number that is known to be durable."""

    def __init__(self) -> None:
        self._waiting: defaultdict[str, set[_Waiter]] = defaultdict(set)
        self._tops: dict[str, int] = {}
        self.closed = False
        self._turn = threading.Lock()

    def top(self, stream_id: str) -> int | None:
        """The highest number announced here; None when none was, whatever the database holds."""
        return self._tops.get(stream_id)

    def announce(self, tops: Mapping[str, int]) -> None:
        """Called after the commit, from any thread."""
        with self._turn:
            if len(self._tops) > _REMEMBERED:
                self._tops.clear()
            self._tops.update(tops)
            waiters = [w for stream_id in tops for w in self._waiting.get(stream_id, ())]
        for loop, some in _by_loop(waiters).items():
            call_in(loop, _set, some)

    def forget_all(self) -> None:
        """All that is stored was exchanged: whoever waits looks again."""
        with self._turn:
            self._tops.clear()
            waiters = [w for some in self._waiting.values() for w in some]
        for loop, some in _by_loop(waiters).items():
            call_in(loop, _set, some)

    def close(self) -> None:
        """Let everybody go who waits, and nobody wait any more."""
        with self._turn:
            self.closed = True
            waiters = [w for some in self._waiting.values() for w in some]
        for loop, some in _by_loop(waiters).items():
            call_in(loop, _set, some)

    @contextmanager
    def waiting(self, stream_id: str) -> Generator[asyncio.Event]:
        """An event of the running loop that is set at each announcement for the stream."""
        waiter = _Waiter(asyncio.get_running_loop())
        with self._turn:
            self._waiting[stream_id].add(waiter)
        try:
            yield waiter.event
        finally:
            with self._turn:
                self._waiting[stream_id].discard(waiter)
                if not self._waiting[stream_id]:
                    del self._waiting[stream_id]


class _Waiter:
    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self.loop = loop
        self.event = asyncio.Event()


def _by_loop(
    waiters: Iterable[_Waiter],
) -> Mapping[asyncio.AbstractEventLoop, list[_Waiter]]:
    found: defaultdict[asyncio.AbstractEventLoop, list[_Waiter]] = defaultdict(list)
    for waiter in waiters:
        found[waiter.loop].append(waiter)
    return found


def call_in(
    loop: asyncio.AbstractEventLoop, call: Callable[[Sequence[T]], None], of: Sequence[T]
) -> None:
    """Call this in another thread's loop; in one that is closed nobody waits any more."""
    try:
        loop.call_soon_threadsafe(call, of)
    except RuntimeError:
        if not loop.is_closed():
            raise


def _set(waiters: Sequence[_Waiter]) -> None:
    for waiter in waiters:
        waiter.event.set()
