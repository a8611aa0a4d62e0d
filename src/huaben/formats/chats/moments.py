"""Dates as chat files write them; apart because no two programs, and no two years of one, agree."""

import re
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Final

from huaben.domain.jsonvalue import Json
from huaben.domain.times import stamp
from huaben.formats.chats.values import Moment

_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)
_MILLISECONDS_FROM: Final = 100_000_000_000
"""As seconds it would be the year 5138, as milliseconds it is 1973: no chat is older."""
_MONTHS: Final = (
    "january",
    "february",
    "march",
    "april",
    "may",
    "june",
    "july",
    "august",
    "september",
    "october",
    "november",
    "december",
)
_WORDY: Final = re.compile(
    r"\s*([A-Za-z]{3,9})\.?\s+(\d{1,2}),?\s+(\d{4}),?\s+(\d{1,2}):(\d{2})(?::(\d{2}))?\s*([AaPp])\.?[Mm]\.?\s*"
)
_STAMPED: Final = re.compile(
    r"\s*(\d{4})-(\d{1,2})-(\d{1,2})\s*@\s*(\d{1,2})h\s*(\d{1,2})m\s*(\d{1,2})s(?:\s*(\d{1,3})ms)?\s*"
)
_DIGITS: Final = re.compile(r"\d{9,16}")
_FRACTION: Final = re.compile(r"(\.\d{6})\d+")


def moment_of(raw: Json) -> Moment | None:
    """The date in any of the forms that are known, None where the file has none at all.

    Milliseconds or, below 10¹¹, seconds since 1970, as a number or digits; ISO-8601; "June 19, 2023
    2:20pm" (local time of an unknown zone); "2024-07-12@01h31m37s123ms" and its looser spellings,
    which are UTC (formats §3.2). Anything else has no `at` and stays as it is.
    """
    if raw is None:
        return None
    if isinstance(raw, bool):
        return Moment(raw)
    if isinstance(raw, int | float):
        return Moment(raw, _since_1970(raw))
    if not isinstance(raw, str):
        return Moment(raw)
    if _DIGITS.fullmatch(raw.strip()):
        return Moment(raw, _since_1970(int(raw)))
    for read in (_stamped, _wordy, _iso):
        found = _in_range(read, raw)
        if found is not None:
            zoned = found.tzinfo is not None
            return Moment(raw, stamp(found if zoned else found.replace(tzinfo=UTC)), zoned)
    return Moment(raw)


def _since_1970(number: float) -> str:
    seconds = number / 1000 if abs(number) >= _MILLISECONDS_FROM else number
    try:
        return stamp(_EPOCH + timedelta(seconds=seconds))
    except (OverflowError, ValueError):
        return ""


def _in_range(read: Callable[[str], datetime | None], text: str) -> datetime | None:
    """None also for a date that no calendar has."""
    try:
        found = read(text)
        return None if found is None else _settled(found)
    except (OverflowError, ValueError):
        return None


def _settled(moment: datetime) -> datetime:
    """The same moment in UTC: near the ends of time there may be none."""
    return moment if moment.tzinfo is None else moment.astimezone(UTC)


def _stamped(text: str) -> datetime | None:
    found = _STAMPED.fullmatch(text)
    if found is None:
        return None
    year, month, day, hour, minute, second = (int(part) for part in found.groups()[:6])
    micros = int(found[7] or 0) * 1000
    return datetime(year, month, day, hour, minute, second, micros, tzinfo=UTC)


def _wordy(text: str) -> datetime | None:
    found = _WORDY.fullmatch(text)
    if found is None:
        return None
    name = found[1].lower()
    month = next((n for n, full in enumerate(_MONTHS, 1) if full.startswith(name)), 0)
    hour = int(found[4]) % 12 + (12 if found[7] in "Pp" else 0)
    return datetime(int(found[3]), month, int(found[2]), hour, int(found[5]), int(found[6] or 0))


def _iso(text: str) -> datetime | None:
    """ISO-8601; a date alone is not enough to be a moment."""
    trimmed = _FRACTION.sub(r"\1", text.strip())
    return datetime.fromisoformat(trimmed) if len(trimmed) > len("2024-01-01") else None
