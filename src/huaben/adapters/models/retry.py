"""Whether and when a refused call is tried again; apart because it is policy, not transport."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import Final

from huaben.errors import ProviderFailed

LONGEST_WAIT_S: Final = 60.0
"""A provider that asks for more is not waited for: the caller is told how long it would take."""

_FIRST_WAIT_S: Final = 0.5
_LONGEST_BACKOFF_S: Final = 8.0
_BROKEN_OFF: Final = frozenset({"connection_failed", "connect_timeout", "cut_stream"})


def is_passing(status: int | None) -> bool:
    """Statuses after which the same request may succeed: 408, 409, 429 and 5xx."""
    return status is not None and (status in (408, 409, 429) or 500 <= status < 600)


def wait_before_retry(failure: ProviderFailed, attempt: int, jitter: float) -> float | None:
    """Seconds to wait after failed attempt number `attempt` (from 1); None: do not try again.

    What the provider asked for is honoured to the second; else the wait doubles from 0.5 s to 8 s
    and `jitter` (0–1) takes off up to half of it, so that many callers do not return together."""
    if not failure.retryable:
        return None
    if failure.code not in _BROKEN_OFF and not is_passing(failure.http_status):
        return None
    if failure.retry_after_s is not None:
        return failure.retry_after_s if failure.retry_after_s <= LONGEST_WAIT_S else None
    doublings = min(attempt - 1, 10)  # beyond, the limit holds anyway and powers overflow
    backoff = min(_FIRST_WAIT_S * 2.0**doublings, _LONGEST_BACKOFF_S)
    return backoff * (1.0 - jitter / 2)


def asked_wait(headers: Mapping[str, str], now: datetime) -> float | None:
    """The wait that a response asks for, in seconds: `retry-after-ms`, or `Retry-After` as seconds
    or as an HTTP date (RFC 9110 § 10.2.3). A date gone by is 0; nonsense is None."""
    millis = _number(headers.get("retry-after-ms"))
    if millis is not None:
        return millis / 1000
    value = headers.get("retry-after")
    seconds = _number(value)
    if value is None or seconds is not None:
        return seconds
    try:
        date = parsedate_to_datetime(value)
    except ValueError:
        return None
    aware = date if date.tzinfo is not None else date.replace(tzinfo=UTC)
    return max(0.0, (aware - now).total_seconds())


def _number(value: str | None) -> float | None:
    try:
        number = float(value or "")
    except ValueError:
        return None
    return number if 0 <= number < 1e9 else None
