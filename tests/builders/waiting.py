"""Waiting in a test for what runs beside it: by what is to come, never by how long that takes; apart because
tests of all rooms wait, on machines that do much else."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

AWHILE_S = 60.0
"""After which what must come is given up; a test that passes never waits for so long."""


async def until(met: Callable[[], Awaitable[bool]]) -> None:
    """Look again and again until it has come to that. Raises TimeoutError when it does not."""
    async with asyncio.timeout(AWHILE_S):
        while not await met():  # noqa: ASYNC110 - what is waited for has no event
            await asyncio.sleep(0.01)


async def come_to_rest() -> None:
    """Let all that runs in this loop go on to where it waits for somebody else.

    Several short waits instead of a long one: whatever the machine holds up in one of them, the tasks get their
    turns in the others."""
    for _ in range(10):
        await asyncio.sleep(0.01)
