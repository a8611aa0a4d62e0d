"""An old installation on this machine's disk; apart from the folders of the program's own, for this one is
never written to."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from huaben.errors import BadInput, TooLarge
from huaben.ports.installation import FoundFile, Listing

MARKS = ("characters", "chats", "worlds", "OpenAI Settings", "settings.json")
"""What tells the folder of one user; two of them are enough."""
_ABOVE = ("data", "public", "data/default-user", "default-user")


@dataclass(frozen=True, slots=True)
class FolderInstallation:
    """Implements `Installation`. `base` holds no link any more."""

    base: Path

    @property
    def root(self) -> str:
        return str(self.base)

    async def listing(self) -> Listing:
        return await asyncio.to_thread(self._listing)

    async def read(self, place: str, max_bytes: int) -> bytes:
        return await asyncio.to_thread(self._read, place, max_bytes)

    def _listing(self) -> Listing:
        files: list[FoundFile] = []
        links: list[str] = []
        for path in self._walk(links):
            place = path.relative_to(self.base).as_posix()
            if path.is_symlink() and not self._is_inside(path):
                links.append(place)
            elif path.is_file():
                files.append(FoundFile(place, path.stat().st_size))
        return Listing(tuple(sorted(files, key=lambda one: one.place)), tuple(sorted(links)))

    def _walk(self, links: list[str]) -> Iterator[Path]:
        for folder, names, file_names in os.walk(self.base, followlinks=False):
            here = Path(folder)
            linked = [name for name in names if (here / name).is_symlink()]
            links += [(here / name).relative_to(self.base).as_posix() for name in linked]
            yield from (here / name for name in file_names)

    def _read(self, place: str, max_bytes: int) -> bytes:
        path = self.base / place
        if not self._is_inside(path):
            raise BadInput("outside", f"{place} lies outside the folder.")
        try:
            size = path.stat().st_size
            if size > max_bytes:
                raise TooLarge("too_large", f"{place} has {size:,} bytes; {max_bytes:,} are taken.")
            return path.read_bytes()
        except OSError as fault:
            reason = fault.strerror or type(fault).__name__
            raise BadInput("unreadable_file", f"{place} cannot be read: {reason}.") from fault

    def _is_inside(self, path: Path) -> bool:
        return path.resolve().is_relative_to(self.base)


def installation_at(folder: Path) -> FolderInstallation:
    """The installation in a folder: the data of one user itself, or a folder above with one user in it.
    Raises `BadInput` (`no_installation`, `several_users`)."""
    base = folder.expanduser().resolve()
    if not base.is_dir():
        raise BadInput("no_installation", f"{folder} is no folder.")
    if _is_users(base):
        return FolderInstallation(base)
    found = list(dict.fromkeys(path.resolve() for path in _below(base) if _is_users(path)))
    if len(found) > 1:
        names = ", ".join(sorted(str(path) for path in found))
        raise BadInput(
            "several_users", f"{folder} holds the data of several users.", f"Name one of {names}."
        )
    if not found:
        raise BadInput(
            "no_installation",
            f"{folder} is not the data folder of an installation.",
            "Name the folder that holds characters, chats and worlds.",
        )
    return FolderInstallation(found[0])


def _below(base: Path) -> Iterator[Path]:
    yield from (base / name for name in _ABOVE)
    for above in (base, base / "data"):
        if above.is_dir():
            yield from sorted(path for path in above.iterdir() if path.is_dir())


def _is_users(folder: Path) -> bool:
    return sum((folder / name).exists() for name in MARKS) >= 2
