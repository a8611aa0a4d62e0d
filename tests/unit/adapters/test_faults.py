"""What a database's error means: a full disk has its own code, and a read that failed its advice."""

from __future__ import annotations

import sqlite3

import pytest
from sqlalchemy.exc import OperationalError

from huaben.adapters.db.faults import refused, unread


def said(words: str, name: str = "") -> OperationalError:
    """An error as SQLite makes it, under the name that it gives to it."""
    origin = sqlite3.OperationalError(words)
    origin.sqlite_errorname = name
    return OperationalError("SELECT 1", None, origin)


class OfServer(Exception):
    """An error as PostgreSQL's driver makes it."""

    sqlstate = "53100"


FULL = [
    said("database or disk is full", "SQLITE_FULL"),
    said("disk I/O error", "SQLITE_IOERR_SHMSIZE"),
    OperationalError("SELECT 1", None, OfServer("could not extend file")),
]


@pytest.mark.parametrize("error", FULL)
def test_a_full_disk_has_its_own_code_for_who_reads_and_who_writes(error: OperationalError) -> None:
    """Readers share a file that grows, so that a full disk meets them too."""
    for told in (unread(error), refused(error)):
        assert told.code == "disk_full"
        assert "Make room" in told.hint


@pytest.mark.parametrize(
    ("words", "advice"),
    [("disk I/O error", "make room"), ("database disk image is malformed", "huaben verify")],
)
def test_a_read_that_may_want_room_is_not_called_damage(words: str, advice: str) -> None:
    """A user's share that is used up looks like a broken disk; who is sent to look for damage finds none."""
    told = unread(said(words))
    assert told.code == "read_failed"
    assert words in told.message
    assert advice in told.hint
