"""Clocks for tests that do not look at time."""

from __future__ import annotations

from huaben.testing.clock import ManualClock


class InstantClock(ManualClock):
    """Sleeps no time at all."""

    async def sleep(self, seconds: float) -> None:
        del seconds
