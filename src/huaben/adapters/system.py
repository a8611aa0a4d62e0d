"""The clock and the ids of the real world; apart so that nothing else asks the system for them."""

from __future__ import annotations

import asyncio
import secrets
import threading
import time
import uuid
from collections.abc import Callable
from datetime import UTC, datetime


class SystemClock:
    def now(self) -> datetime:
        return datetime.now(UTC)

    def monotonic(self) -> float:
        return time.monotonic()

    async def sleep(self, seconds: float) -> None:
        await asyncio.sleep(seconds)


class SystemIds:
    """UUIDv7 (RFC 9562 §5.7, monotonic by method 1: the 12 bits after the milliseconds count on).

    Of two ids made here the later sorts higher, also within one millisecond, across threads, and
    when the system's clock is set back."""

    def __init__(self, now_ms: Callable[[], int] = lambda: time.time_ns() // 1_000_000) -> None:
        self._now_ms = now_ms
        self._last = 0
        self._turn = threading.Lock()

    def new(self) -> str:
        with self._turn:
            self._last = moment = max(self._now_ms() << 12, self._last + 1)
        high = (moment >> 12) << 16 | 0x7000 | (moment & 0xFFF)
        low = 0b10 << 62 | secrets.randbits(62)
        return str(uuid.UUID(int=high << 64 | low))
