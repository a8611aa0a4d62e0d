"""When a call is tried again, and after how long."""

from datetime import UTC, datetime

import pytest

from huaben.adapters.models.retry import asked_wait, wait_before_retry
from huaben.errors import ProviderFailed

NOW = datetime(2026, 11, 1, 8, 0, tzinfo=UTC)


def failure(
    code: str = "x", status: int | None = None, after: float | None = None, retryable: bool = True
) -> ProviderFailed:
    return ProviderFailed(code, "m", http_status=status, retryable=retryable, retry_after_s=after)


@pytest.mark.parametrize("status", [408, 409, 429, 500, 502, 503, 529])
def test_passing_statuses_are_tried_again(status: int) -> None:
    """Conditions that pass are worth another attempt."""
    assert wait_before_retry(failure(status=status), 1, 0.0) == 0.5


@pytest.mark.parametrize("code", ["connection_failed", "connect_timeout", "cut_stream"])
def test_broken_connections_are_tried_again(code: str) -> None:
    """A connection that broke before anything was said is worth another attempt."""
    assert wait_before_retry(failure(code), 1, 0.0) == 0.5


@pytest.mark.parametrize(
    "lasting",
    [
        failure(status=400),
        failure(status=401),
        failure("first_token_timeout"),
        failure("bad_stream"),
        failure(status=429, retryable=False),
        failure(status=429, after=61.0),
    ],
    ids=["refused", "no key", "silence", "torn line", "out of funds", "an hour's wait"],
)
def test_lasting_failures_are_not(lasting: ProviderFailed) -> None:
    """What would fail again, or was perhaps paid for already, is the caller's to decide."""
    assert wait_before_retry(lasting, 1, 0.0) is None


def test_waits_double_up_to_a_limit_and_spread() -> None:
    """0.5 s, 1 s, 2 s … 8 s; chance takes off up to half."""
    waits = [wait_before_retry(failure(status=503), attempt, 0.0) for attempt in range(1, 8)]
    assert waits == [0.5, 1.0, 2.0, 4.0, 8.0, 8.0, 8.0]
    assert wait_before_retry(failure(status=503), 1, 1.0) == 0.25
    assert wait_before_retry(failure(status=503), 10_000, 0.0) == 8.0


def test_what_the_provider_asked_for_is_honoured() -> None:
    """No shorter and no longer."""
    assert wait_before_retry(failure(status=429, after=7.0), 1, 0.9) == 7.0


@pytest.mark.parametrize(
    ("headers", "expected"),
    [
        ({"retry-after": "12"}, 12.0),
        ({"retry-after": "0.5"}, 0.5),
        ({"retry-after": "Sun, 01 Nov 2026 08:00:30 GMT"}, 30.0),
        ({"retry-after": "Sun, 01 Nov 2026 07:00:00 GMT"}, 0.0),
        ({"retry-after": "Sun, 01 Nov 2026 09:00:30 +0100"}, 30.0),
        ({"retry-after": "Sun, 01 Nov 2026 08:00:30 -0000"}, 30.0),
        ({"retry-after-ms": "250", "retry-after": "1"}, 0.25),
        ({"retry-after": "soon"}, None),
        ({"retry-after": "-3"}, None),
        ({"retry-after": "nan"}, None),
        ({"retry-after": "inf"}, None),
        ({"retry-after": ""}, None),
        ({}, None),
    ],
)
def test_retry_after_is_read_in_every_form(headers: dict[str, str], expected: float | None) -> None:
    """Seconds, milliseconds or a date; nonsense counts as nothing."""
    assert asked_wait(headers, NOW) == expected
