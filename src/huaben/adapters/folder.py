"""The data folder: what lies where, who holds it, and whether it is still the one that was opened.

Apart from the database because objects, manuscripts and secrets live in it too.
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path

from filelock import FileLock, Timeout

from huaben.errors import DataFolderInUse, ReadOnly


@dataclass(frozen=True, slots=True)
class DataFolder:
    """The layout of a data folder."""

    root: Path

    @property
    def database(self) -> Path:
        return self.root / "huaben.db"

    @property
    def jobs_database(self) -> Path:
        return self.root / "jobs.db"

    @property
    def objects(self) -> Path:
        return self.root / "objects"

    @property
    def projects(self) -> Path:
        return self.root / "projects"

    @property
    def secrets(self) -> Path:
        return self.root / "secrets.toml"

    @property
    def prices(self) -> Path:
        return self.root / "prices.toml"

    @property
    def scenarios(self) -> Path:
        return self.root / "scenarios"

    @property
    def backups(self) -> Path:
        return self.root / "backups"

    @property
    def restoring(self) -> Path:
        """What a restore prepares; gone when it is through."""
        return self.root / "restoring"

    @property
    def lock(self) -> Path:
        return self.root / "lock"

    def manuscript(self, project_id: str) -> Path:
        return self.projects / project_id / "manuscript"

    def history(self, project_id: str) -> Path:
        return self.projects / project_id / "history" / "objects"

    def prepare(self) -> None:
        """Make the folder, readable by its owner alone (mode 0700)."""
        self.root.mkdir(mode=0o700, parents=True, exist_ok=True)


class Hold:
    """The lock on a data folder; one process at a time, let go by `release` or by its death."""

    def __init__(self, lock: FileLock) -> None:
        self._lock = lock

    def release(self) -> None:
        self._lock.release()


def hold(folder: DataFolder) -> Hold:
    """Take the data folder for this process. Raises `DataFolderInUse` naming who has it."""
    # Not bound to this thread: a store is closed from wherever its loop runs.
    lock = FileLock(folder.lock, timeout=0, mode=0o600, thread_local=False)
    try:
        lock.acquire()
    except Timeout as taken:
        pid = _read_pid(folder.lock)
        holder = f"process {pid}" if pid is not None else "another process"
        raise DataFolderInUse(
            "data_folder_in_use",
            f"the data folder {folder.root} is in use by {holder}",
            "Stop that process first, or choose another folder with --data.",
            folder=str(folder.root),
            pid=pid,
        ) from taken
    try:
        folder.lock.write_text(f"{os.getpid()}\n", "ascii")
    except BaseException:
        lock.release()
        raise
    return Hold(lock)


def _read_pid(lock: Path) -> int | None:
    try:
        return int(lock.read_text("ascii"))
    except (OSError, ValueError):
        return None


class Watch:
    """Remembers which files a store has opened and tells when they are no longer in their place: a
    drive that was pulled out, a folder that was moved or restored over.

    Once they were found missing the store stays read-only until a restart, even if they come back:
    what was written meanwhile would not be in them."""

    def __init__(self, *files: Path) -> None:
        self._known = {file: _identity(file) for file in files}
        self._lost: Path | None = None

    def check(self) -> None:
        """Raises `ReadOnly` when a file has vanished or another is in its place."""
        if self._lost is None:
            self._lost = next(
                (file for file, known in self._known.items() if _identity(file) != known), None
            )
        if self._lost is not None:
            raise ReadOnly(
                "data_folder_gone",
                f"{self._lost} is gone or was replaced since it was opened; nothing is stored",
                "Bring the data folder back, then restart.",
                path=str(self._lost),
            )


def _identity(file: Path) -> tuple[int, int] | None:
    try:
        found = file.stat()
    except OSError:
        return None
    return (found.st_dev, found.st_ino)
