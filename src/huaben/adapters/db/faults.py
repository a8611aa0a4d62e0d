"""What a database's error means to the program; the one place that reads error texts and states."""

from __future__ import annotations

from sqlalchemy.exc import DBAPIError, SQLAlchemyError

from huaben.errors import StorageFailed

_DISK_FULL = "53100"
_LOST_A_RACE = frozenset({"40001", "40P01"})
"""PostgreSQL's serialization failure and deadlock: the same work may succeed at once."""

_MAKE_ROOM = "Make room on the disk of the data folder, then try again."

_NO_ROOM = frozenset({"SQLITE_FULL", "SQLITE_IOERR_SHMSIZE"})
"""SQLite's names for a full disk; the second meets readers too, because they share a file that grows."""


def sqlstate(error: SQLAlchemyError) -> str:
    """PostgreSQL's five letters; empty for other databases and for a lost connection."""
    origin = error.orig if isinstance(error, DBAPIError) else None
    return str(getattr(origin, "sqlstate", None) or "")


def says_full(origin: BaseException | None) -> bool:
    """Whether SQLite means that the disk is full."""
    return "disk is full" in str(origin) or getattr(origin, "sqlite_errorname", "") in _NO_ROOM


def worth_repeating(error: SQLAlchemyError) -> bool:
    return sqlstate(error) in _LOST_A_RACE


def refused(error: SQLAlchemyError) -> StorageFailed:
    """The fault of a write of which nothing was kept."""
    origin = error.orig if isinstance(error, DBAPIError) else error
    if says_full(origin) or sqlstate(error) == _DISK_FULL:
        return StorageFailed("disk_full", "the disk is full; nothing was written", _MAKE_ROOM)
    return StorageFailed("storage_failed", f"the database refused, nothing was written: {origin}")


def unknown(error: SQLAlchemyError) -> StorageFailed:
    """The fault of a commit whose answer was lost on the way."""
    return StorageFailed(
        "storage_unknown",
        f"the connection broke while a commit was under way, it may have been stored: {error}",
        "Read again before repeating it.",
    )


def unread(error: SQLAlchemyError | ValueError) -> StorageFailed:
    """The fault of a read: an error, never an empty answer."""
    origin = error.orig if isinstance(error, DBAPIError) else error
    if says_full(origin) or (isinstance(error, SQLAlchemyError) and sqlstate(error) == _DISK_FULL):
        return StorageFailed("disk_full", "the disk is full; nothing can be read", _MAKE_ROOM)
    hint = "Run `huaben verify` to see what is damaged."
    if "disk I/O error" in str(origin):  # also a user's share that is used up
        hint = "Look whether the disk of the data folder is full, make room and try again."
    return StorageFailed("read_failed", f"stored data could not be read: {origin}", hint)
