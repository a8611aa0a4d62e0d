"""Dates of every form that chat files have (case H07)."""

from __future__ import annotations

import pytest

from huaben.domain.jsonvalue import Json
from huaben.formats.chats.moments import moment_of
from huaben.formats.chats.values import Moment
from tests.builders.chats import HEADER, lines, messages, row


@pytest.mark.parametrize(
    ("raw", "at", "zoned"),
    [
        ("2024-07-12T01:31:37.123Z", "2024-07-12T01:31:37.123Z", True),
        ("2024-07-12T09:31:37+08:00", "2024-07-12T01:31:37.000Z", True),
        ("2024-07-12T01:31:37.123456789Z", "2024-07-12T01:31:37.123Z", True),
        ("June 19, 2023 2:20pm", "2023-06-19T14:20:00.000Z", False),
        ("June 19, 2023 12:05am", "2023-06-19T00:05:00.000Z", False),
        ("2024-07-12@01h31m37s123ms", "2024-07-12T01:31:37.123Z", True),
        ("2024-7-12@01h31m37s", "2024-07-12T01:31:37.000Z", True),
        ("2024-6-5 @14h 56m 50s 682ms", "2024-06-05T14:56:50.682Z", True),
        (1_700_000_000_123, "2023-11-14T22:13:20.123Z", True),
        ("1700000000123", "2023-11-14T22:13:20.123Z", True),
        (1_700_000_000, "2023-11-14T22:13:20.000Z", True),
        (1_700_000_000.5, "2023-11-14T22:13:20.500Z", True),
        ("2024-07-12 01:31:37", "2024-07-12T01:31:37.000Z", False),
    ],
)
def test_h07_a_date_is_read_and_stays_as_it_was(raw: Json, at: str, zoned: bool) -> None:
    """The moment in UTC beside the date as it is written; one without a zone says so."""
    assert moment_of(raw) == Moment(raw, at, zoned)


NO_DATES: list[Json] = [
    *("", "yesterday", "Smarch 1, 2023 2:20pm", "2024-13-12@01h31m37s", "2024"),
    *("0001-01-01T00:00:00+14:00", "9999-12-31T23:59:59-14:00"),
    *(1e300, -1e300, [], {}, True),
]


@pytest.mark.parametrize("raw", NO_DATES)
def test_h07_what_is_no_date_stays_as_it_was(raw: Json) -> None:
    """There is no moment, and nothing is lost."""
    assert moment_of(raw) == Moment(raw, "", True)


def test_h07_no_date_at_all_is_none() -> None:
    """As where the field is missing."""
    assert moment_of(None) is None


def test_h07_the_order_is_the_files() -> None:
    """Dates that run backwards move nothing."""
    data = lines(HEADER, row("first", send_date=2_000_000_000_000), row("second", send_date=1))
    assert [message.text for message in messages(data)] == ["first", "second"]
