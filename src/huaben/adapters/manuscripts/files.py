"""Files that are durable when a function returns, and faults of the disk in words; apart because chapters,
objects and journal are written by the same steps."""

from __future__ import annotations

import errno
import hashlib
import os
import stat
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

from huaben.adapters.fullness import is_full
from huaben.errors import StorageFailed

_FORBIDDEN = frozenset({errno.EROFS, errno.EACCES, errno.EPERM})
_NOT_FOLLOWED = getattr(os, "O_NOFOLLOW", 0)
_BINARY = getattr(os, "O_BINARY", 0)
# A pipe without a writer would keep us waiting.
_CAREFULLY = _NOT_FOLLOWED | _BINARY | getattr(os, "O_NONBLOCK", 0)


@contextmanager
def told(what: str) -> Generator[None]:
    """Turn an error of the disk into `StorageFailed`, with what was to be done and what to do now."""
    try:
        yield
    except OSError as fault:
        detail = f"{what}: {fault.strerror or fault}"
        if is_full(fault):
            hint = "Free some space, then try again. Nothing was changed."
            raise StorageFailed("disk_full", detail, hint) from fault
        if fault.errno in _FORBIDDEN:
            hint = "Give this user the right to do so, then try again. Nothing was changed."
            raise StorageFailed("no_permission", detail, hint) from fault
        raise StorageFailed("manuscript_failed", detail) from fault


def digest(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


def read_plain(path: Path, max_bytes: int) -> bytes | None:
    """The bytes of a plain file; None where there is none, or something else, or a larger one."""
    try:
        descriptor = os.open(path, os.O_RDONLY | _CAREFULLY)
    except FileNotFoundError:
        return None
    except OSError as fault:
        if fault.errno in (errno.ELOOP, errno.EISDIR, errno.ENXIO):
            return None
        raise
    try:
        found = os.fstat(descriptor)
        if not stat.S_ISREG(found.st_mode) or found.st_size > max_bytes:
            return None
        with os.fdopen(descriptor, "rb", closefd=False) as file:
            return file.read()
    finally:
        os.close(descriptor)


def write_synced(path: Path, content: bytes) -> None:
    """Write a new file, for its owner alone, and wait until its bytes are on the disk; its folder is not synced."""
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | _NOT_FOLLOWED | _BINARY
    try:
        with os.fdopen(os.open(path, flags, 0o600), "wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
    except FileExistsError:
        raise
    except BaseException:
        path.unlink(missing_ok=True)
        raise


def sync_folder(folder: Path) -> None:
    """Wait until the names in a folder are on the disk."""
    if os.name != "posix":  # elsewhere a folder cannot be opened, and renames are journalled
        return
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def make_folders(folder: Path, within: Path) -> None:
    """Make a folder and those above it up to `within`, which must be there: a data folder that has
    vanished must not come back empty."""
    if folder == within or folder.is_dir():
        return
    make_folders(folder.parent, within)
    folder.mkdir(mode=0o700, exist_ok=True)
    sync_folder(folder.parent)
