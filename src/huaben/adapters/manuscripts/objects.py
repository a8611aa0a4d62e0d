"""The objects of a manuscript's history, one file each, named by the SHA-256 of its bytes; apart from the
library's because a project's history goes with its folder."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from uuid import uuid4

from huaben.adapters.manuscripts.files import digest, read_plain, sync_folder, write_synced
from huaben.errors import StorageFailed

_NAME = re.compile("[0-9a-f]{64}")
_NO_LIMIT = 2**62


class ObjectFolder:
    """Objects of one project. Blocks; raises OSError, and `StorageFailed` for a damaged object."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def has(self, name: str) -> bool:
        """Whether there is an object of that name, whatever its bytes are."""
        return _NAME.fullmatch(name) is not None and (self._folder / name).is_file()

    def seems_whole(self, name: str, size: int) -> bool:
        """Whether there is one of that size; its bytes are not read."""
        try:
            return (self._folder / name).stat().st_size == size
        except FileNotFoundError:
            return False

    def get(self, name: str) -> bytes | None:
        if _NAME.fullmatch(name) is None:
            return None
        content = read_plain(self._folder / name, _NO_LIMIT)
        if content is not None and digest(content) != name:
            raise StorageFailed("object_damaged", damaged(name), "Restore it from a backup.")
        return content

    def put(self, content: bytes, *, synced: bool = True) -> str:
        """Keep the bytes. Without `synced` the caller calls `sync` before he counts on it."""
        name = digest(content)
        path = self._folder / name
        # A damaged object is written again by whoever still has its bytes.
        if not path.is_file() or read_plain(path, _NO_LIMIT) != content:
            temporary = self._folder / f".new-{uuid4().hex}"
            write_synced(temporary, content)
            try:
                temporary.replace(path)
            except BaseException:
                temporary.unlink(missing_ok=True)
                raise
            if synced:
                self.sync()
        return name

    def sync(self) -> None:
        sync_folder(self._folder)

    def names(self) -> Iterator[str]:
        for path in sorted(self._folder.glob("*")):
            if _NAME.fullmatch(path.name):
                yield path.name

    def is_sound(self, name: str) -> bool:
        try:
            return self.get(name) is not None
        except (OSError, StorageFailed):
            return False

    def sweep(self) -> None:
        """Remove what a process that died was writing."""
        for path in self._folder.glob(".new-*"):
            path.unlink(missing_ok=True)


def damaged(name: str) -> str:
    return f"object {name} does not hold what it is named for"
