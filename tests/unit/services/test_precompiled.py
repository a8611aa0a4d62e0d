"""How much callers may ask for in a minute."""

from __future__ import annotations

import pytest

from huaben.domain.messages import Reply, Usage
from huaben.services.precompiled import Allowance
from huaben.services.precompiled_errors import TooMany
from huaben.testing.clock import ManualClock


async def test_requests_come_back_as_the_minute_passes() -> None:
    """The first one over the limit is refused with the time to wait, and is not counted itself."""
    clock = ManualClock()
    allowance = Allowance(clock, requests=2)
    allowance.take()
    await clock.advance(20)
    allowance.take()
    with pytest.raises(TooMany) as refused:
        allowance.take()
    assert refused.value.retry_after_s == 40
    await clock.advance(40)
    allowance.take()


async def test_tokens_of_replies_are_counted_as_reported_or_as_estimated() -> None:
    """A provider that reports nothing is no way around the limit."""
    clock = ManualClock()
    allowance = Allowance(clock, tokens=10)
    allowance.spend(Reply("雨", usage=Usage(completion=9)))
    allowance.take()
    allowance.spend(Reply("雨停了。The rain has stopped."))
    with pytest.raises(TooMany):
        allowance.take()
    await clock.advance(60)
    allowance.take()


def test_zero_sets_no_limit() -> None:
    """Nothing is refused where nothing is limited."""
    allowance = Allowance(ManualClock())
    for _ in range(500):
        allowance.take()
        allowance.spend(Reply(usage=Usage(completion=1000)))
