"""The real clock and ids."""

from __future__ import annotations

import uuid
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta

import pytest

from huaben.adapters.system import SystemClock, SystemIds
from huaben.domain.times import stamp


def test_ids_are_uuids_of_version_seven() -> None:
    """Version, variant and the time in the first 48 bits are those of RFC 9562."""
    before = datetime.now(UTC)
    made = uuid.UUID(SystemIds().new())
    assert made.version == 7
    assert made.variant == uuid.RFC_4122
    at = datetime.fromtimestamp((made.int >> 80) / 1000, UTC)
    assert abs(at - before) < timedelta(seconds=5)


def test_later_ids_sort_higher() -> None:
    """Also within a millisecond, and from several threads at once no id comes twice."""
    ids = SystemIds()
    alone = [ids.new() for _ in range(20_000)]
    assert alone == sorted(alone)

    def make(_: int) -> list[str]:
        return [ids.new() for _ in range(2_000)]

    with ThreadPoolExecutor(4) as threads:
        made = list(threads.map(make, range(4)))
    everything = [one for mine in made for one in mine]
    assert len(set(everything)) == 8_000
    assert all(mine == sorted(mine) for mine in made)
    assert min(everything) > alone[-1]


def test_ids_go_on_when_the_clock_is_set_back() -> None:
    """A jump of the system's clock does not let a later id sort before an earlier one (S13)."""
    times = iter([1_000_000, 2_000_000, 5, 5, 2_000_001])
    ids = SystemIds(lambda: next(times))
    made = [ids.new() for _ in range(5)]
    assert made == sorted(made)
    assert [uuid.UUID(one).int >> 80 for one in made] == [10**6, 2 * 10**6] + [2 * 10**6] * 2 + [
        2 * 10**6 + 1
    ]


async def test_the_clock_tells_utc_and_never_goes_back() -> None:
    """Times have a zone; the other clock only grows."""
    clock = SystemClock()
    first = clock.monotonic()
    await clock.sleep(0)
    assert clock.monotonic() >= first
    assert clock.now().utcoffset() == timedelta(0)


def test_a_stamp_is_utc_to_the_millisecond() -> None:
    """One spelling, so that texts sort as the moments do; a moment without a zone is refused."""
    moment = datetime.fromisoformat("2026-11-01T09:30:00.123456+01:00")
    assert stamp(moment) == "2026-11-01T08:30:00.123Z"
    assert stamp(datetime(2026, 11, 1, tzinfo=UTC)) == "2026-11-01T00:00:00.000Z"
    with pytest.raises(ValueError, match="no time zone"):
        stamp(datetime(2026, 11, 1))
