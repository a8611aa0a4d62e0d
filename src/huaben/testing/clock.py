"""A clock that moves when the test says so, and ids that are the same in every run."""

from __future__ import annotations

import asyncio
import heapq
from datetime import UTC, datetime, timedelta
from itertools import count

BEGINNING = datetime(2026, 11, 1, 8, 0, tzinfo=UTC)
"""Where a manual clock stands at first."""


class ManualClock:
    """Implements `Clock`. Time stands still until `advance`; whoever sleeps wakes when it is due."""

    def __init__(self, start: datetime = BEGINNING) -> None:
        self._start = start
        self._passed = 0.0
        self._order = count()
        self._sleepers: list[tuple[float, int, asyncio.Event]] = []

    def now(self) -> datetime:
        return self._start + timedelta(seconds=self._passed)

    def monotonic(self) -> float:
        return self._passed

    async def sleep(self, seconds: float) -> None:
        if seconds <= 0:
            await asyncio.sleep(0)
            return
        woken = asyncio.Event()
        entry = (self._passed + seconds, next(self._order), woken)
        heapq.heappush(self._sleepers, entry)
        try:
            await woken.wait()
        finally:
            if entry in self._sleepers:
                self._sleepers.remove(entry)
                heapq.heapify(self._sleepers)

    @property
    def sleeping(self) -> int:
        """How many sleep now; a test may wait for it before it advances."""
        return len(self._sleepers)

    async def advance(self, seconds: float) -> None:
        """Let time pass. Each sleeper wakes at its own moment, in order, and runs until it sleeps or
        waits again before later ones wake."""
        until = self._passed + seconds
        await _let_others_run()
        while self._sleepers and self._sleepers[0][0] <= until:
            self._passed, _, woken = heapq.heappop(self._sleepers)
            woken.set()
            await _let_others_run()
        self._passed = until
        await _let_others_run()


async def _let_others_run() -> None:
    for _ in range(10):
        await asyncio.sleep(0)


class CountedIds:
    """Implements `Ids`: UUIDv7 texts that count from 1, so that a failure reads the same each time."""

    def __init__(self) -> None:
        self._numbers = count(1)

    def new(self) -> str:
        return f"01900000-0000-7000-8000-{next(self._numbers):012x}"
