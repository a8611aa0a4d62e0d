"""Which names a save may have."""

from __future__ import annotations

import pytest

from huaben.domain.saves import MAX_NAME_CHARS, NameBlank, NameTooLong, named


@pytest.mark.parametrize(
    ("given", "kept"),
    [
        ("雨停之前", "雨停之前"),
        ("  Before\tthe\n rain ", "Before the rain"),
        ("灯\0", "灯\ufffd"),
        ("x" * MAX_NAME_CHARS, "x" * MAX_NAME_CHARS),
    ],
)
def test_a_name_is_kept_on_one_line(given: str, kept: str) -> None:
    """Without white space around it, and fit for every store."""
    assert named(given) == kept


def test_what_cannot_be_seen_is_no_name() -> None:
    """Nor is one without end."""
    assert named(" \u200b\n") == NameBlank()
    assert named("雨" * 101) == NameTooLong(101, MAX_NAME_CHARS)
