"""The manual clock and counted ids that other tests rely on."""

from __future__ import annotations

import asyncio
from datetime import timedelta

from huaben.testing.clock import BEGINNING, CountedIds, ManualClock


async def test_time_stands_still_until_it_is_moved() -> None:
    """Both clocks move together and only by `advance`."""
    clock = ManualClock()
    assert (clock.now(), clock.monotonic()) == (BEGINNING, 0.0)
    await clock.advance(90)
    assert (clock.now(), clock.monotonic()) == (BEGINNING + timedelta(seconds=90), 90.0)


async def test_sleepers_wake_in_order_at_their_moment() -> None:
    """A sleeper sees the time for which it slept, also when it sleeps again within one advance."""
    clock = ManualClock()
    seen: list[tuple[str, float]] = []

    async def sleep(name: str, *naps: float) -> None:
        for seconds in naps:
            await clock.sleep(seconds)
            seen.append((name, clock.monotonic()))

    tasks = [asyncio.ensure_future(sleep("甲", 3, 3)), asyncio.ensure_future(sleep("b", 2, 2, 2))]
    await clock.advance(5)
    assert seen == [("b", 2), ("甲", 3), ("b", 4)]
    assert clock.sleeping == 2
    await clock.advance(1)
    assert seen[3:] == [("甲", 6), ("b", 6)]
    await asyncio.gather(*tasks)


async def test_a_cancelled_sleeper_is_forgotten() -> None:
    """Who no longer sleeps is not counted, and time passes as if it had never slept."""
    clock = ManualClock()
    task = asyncio.ensure_future(clock.sleep(10))
    await clock.advance(1)
    assert clock.sleeping == 1
    task.cancel()
    await asyncio.gather(task, return_exceptions=True)
    assert clock.sleeping == 0
    await clock.advance(20)


async def test_no_time_is_no_wait() -> None:
    """Sleeping for nothing lets others run and returns."""
    await asyncio.wait_for(ManualClock().sleep(0), 5)


def test_counted_ids_sort_and_repeat() -> None:
    """The same in every run, later ones higher."""
    ids, again = CountedIds(), CountedIds()
    made = [ids.new() for _ in range(300)]
    assert made == sorted(made) == [again.new() for _ in range(300)]
    assert len(set(made)) == 300
