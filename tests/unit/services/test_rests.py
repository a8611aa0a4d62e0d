"""Timers that go off when something has come to rest."""

from __future__ import annotations

import asyncio

from huaben.services.rests import Rests


async def test_what_is_stirred_again_goes_off_once_and_after_the_last_time() -> None:
    """However often it was stirred; names know nothing of each other."""
    rests, heard = Rests(), list[str]()
    over = asyncio.Event()
    for number in range(50):
        rests.stir("雨夜", 0.05, lambda number=number: heard.append(f"雨夜 {number}"))
        rests.stir("rain", 0.0, lambda: heard.append("rain"))
    rests.stir("end", 0.2, over.set)
    await over.wait()
    assert heard == ["rain", "雨夜 49"]


async def test_what_has_rested_can_be_stirred_anew() -> None:
    """Nothing is left of the time before."""
    rests = Rests()
    for _ in range(2):
        over = asyncio.Event()
        rests.stir("雨夜", 0.0, over.set)
        await over.wait()
