"""What a database's error means: the advice that goes with a read that failed."""

from __future__ import annotations

import sqlite3

import pytest
from sqlalchemy.exc import OperationalError

from huaben.adapters.db.faults import unread


@pytest.mark.parametrize(
    ("said", "advice"),
    [
        ("disk I/O error", "make room"),
        ("database or disk is full", "make room"),
        ("database disk image is malformed", "huaben verify"),
    ],
)
def test_a_read_that_fails_for_want_of_room_is_not_called_damage(said: str, advice: str) -> None:
    """A full disk also keeps readers out; who is sent to look for damage finds none."""
    told = unread(OperationalError("SELECT 1", None, sqlite3.OperationalError(said)))
    assert told.code == "read_failed"
    assert said in told.message
    assert advice in told.hint
