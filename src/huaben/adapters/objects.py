"""Content-addressed bytes in a folder: `aa/<sha256>`; apart because pictures and imports are large
and never change.

An object is written beside its place, synced, then moved there, so that a name never stands for
half of its bytes; what is read is compared with its name.
"""

from __future__ import annotations

import asyncio
import hashlib
import os
import re
import tempfile
from collections.abc import AsyncIterator, Iterable, Iterator
from pathlib import Path

from huaben.adapters.fullness import not_written
from huaben.errors import StorageFailed

_NAME = re.compile("[0-9a-f]{64}")


class FolderObjects:
    """Implements `Objects`. Raises `StorageFailed` when a file cannot be read or written, or does
    not hold what its name says."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    async def put(self, content: bytes) -> str:
        return await asyncio.to_thread(self._put, content)

    async def get(self, sha256: str) -> bytes | None:
        return await asyncio.to_thread(self._get, sha256)

    async def has(self, sha256: str) -> bool:
        return await asyncio.to_thread(self.holds, sha256)

    async def audit(self) -> AsyncIterator[str]:
        for name in await asyncio.to_thread(lambda: list(self._names())):
            fault = await asyncio.to_thread(self._fault, name)
            if fault is not None:
                yield fault

    def holds(self, sha256: str) -> bool:
        """Whether there is an object of that name, whatever its bytes are. Blocks."""
        return _NAME.fullmatch(sha256) is not None and self._path(sha256).is_file()

    def put_pieces(self, sha256: str, pieces: Iterable[bytes]) -> None:
        """Store the object of that name, whose pieces raise if they are not its bytes. Blocks.
        Raises `OSError`."""
        path = self._path(sha256)
        if not self._is_whole(path, sha256):
            _write(path, pieces)

    def _path(self, sha256: str) -> Path:
        return self._folder / sha256[:2] / sha256

    def _put(self, content: bytes) -> str:
        name = hashlib.sha256(content).hexdigest()
        path = self._path(name)
        try:
            if not self._is_whole(path, name):
                _write(path, [content])
        except OSError as fault:
            what = f"object {name} was not written"
            raise not_written(fault, "object_not_written", what) from fault
        return name

    def _get(self, sha256: str) -> bytes | None:
        if _NAME.fullmatch(sha256) is None:
            return None
        try:
            content = self._path(sha256).read_bytes()
        except FileNotFoundError:
            return None
        except OSError as fault:
            raise StorageFailed(
                "object_unreadable", f"object {sha256} cannot be read: {fault}"
            ) from fault
        if hashlib.sha256(content).hexdigest() != sha256:
            raise StorageFailed("object_damaged", _damaged(sha256), "Restore it from a backup.")
        return content

    def _is_whole(self, path: Path, name: str) -> bool:
        """A damaged object is written again by whoever still has its bytes."""
        try:
            return hashlib.sha256(path.read_bytes()).hexdigest() == name
        except FileNotFoundError:
            return False

    def _names(self) -> Iterator[str]:
        for path in sorted(self._folder.glob("??/*")):
            if _NAME.fullmatch(path.name) and path.parent.name == path.name[:2]:
                yield path.name

    def _fault(self, name: str) -> str | None:
        try:
            self._get(name)
        except StorageFailed as fault:
            return fault.message
        return None


def _damaged(name: str) -> str:
    return f"object {name} does not hold what it is named for"


def _write(path: Path, pieces: Iterable[bytes]) -> None:
    """Temporary file → sync → rename → sync of the folder."""
    _make_folder(path.parent.parent)
    _make_folder(path.parent)
    descriptor, temporary = tempfile.mkstemp(dir=path.parent, prefix=".new-")
    try:
        with os.fdopen(descriptor, "wb") as file:
            for piece in pieces:
                file.write(piece)
            file.flush()
            os.fsync(file.fileno())
        Path(temporary).replace(path)
    except BaseException:
        Path(temporary).unlink(missing_ok=True)
        raise
    _sync_folder(path.parent)


def _make_folder(folder: Path) -> None:
    """Never its parents: a data folder that has vanished must not come back empty."""
    if not folder.is_dir():
        folder.mkdir(mode=0o700, exist_ok=True)
        _sync_folder(folder.parent)


def _sync_folder(folder: Path) -> None:
    if os.name != "posix":  # elsewhere a folder cannot be opened, and renames are journalled
        return
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
