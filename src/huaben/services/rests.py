"""Timers that go off when something has come to rest; apart because whatever stirs it begins them anew, and an
author who saves again and again must not leave one behind each time."""

from __future__ import annotations

import asyncio
from collections.abc import Callable


class Rests:
    """One timer for each name, of the running event loop."""

    def __init__(self) -> None:
        self._timers: dict[str, asyncio.TimerHandle] = {}

    def stir(self, name: str, rest_s: float, then: Callable[[], None]) -> None:
        """Call `then` once nothing has stirred that name for so many seconds."""
        before = self._timers.pop(name, None)
        if before is not None:
            before.cancel()

        def over() -> None:
            del self._timers[name]
            then()

        self._timers[name] = asyncio.get_running_loop().call_later(rest_s, over)
