"""Whether a disk has no room left, by the system's error; apart because every adapter that writes files asks it,
and a reader who is told so knows what to do."""

from __future__ import annotations

import errno
from typing import Final

from huaben.errors import StorageFailed

_FULL: Final = frozenset({errno.ENOSPC, errno.EDQUOT, errno.EFBIG})
"""No room, a user's share used up, and a file that the system lets grow no further."""


def is_full(fault: OSError) -> bool:
    """Whether the fault is that there is no room."""
    return fault.errno in _FULL


def not_written(fault: OSError, code: str, what: str) -> StorageFailed:
    """The fault of a write of which nothing was kept: `disk_full` where that is why, else `code`. `what` says
    what was not written."""
    if is_full(fault):
        return StorageFailed(
            "disk_full", f"the disk is full; {what}", "Make room on the disk, then try again."
        )
    return StorageFailed(code, f"{what}: {fault}")
