"""What lies in a manuscript's folder, and which of it must be read again: apart because at a thousand
chapters the cost of every look is decided here.

A file whose size, times and inode are those of the last look is taken to be unchanged, as other programs
do; whoever reads it for its bytes still compares the hash.
"""

from __future__ import annotations

import os
import stat
import time
from collections.abc import Callable, Generator, Iterator, Mapping, Set
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import TypeAlias

from huaben.adapters.manuscripts.files import digest, read_plain
from huaben.adapters.manuscripts.objects import ObjectFolder
from huaben.domain.manuscript import Chapter, in_order, is_chapter
from huaben.domain.times import stamp
from huaben.ports.manuscripts import MAX_CHAPTER_BYTES, Found, LeftOut, LeftOutReason

_STILL_NS = 50_000_000
"""A file that changed so shortly before it was read may change again within the same tick of the file
system's clock, so what was read of it is not trusted at the next look."""


Mark: TypeAlias = tuple[int, int, int, int, int]
"""What tells a file from what it was: its mode, its size, its times of change and of its inode's change in
nanoseconds, its inode. A plain tuple, as one is made for every chapter at every look."""


@dataclass(frozen=True, slots=True)
class Entry:
    """What is known of a chapter. `mark` is None where it must be read again whatever it looks like;
    `kept`: its bytes are an object."""

    mark: Mark | None
    chapter: Chapter
    kept: bool = False


class FolderIndex:
    """The chapters of one folder. Blocks, raises OSError; the caller sees to it that only one thread
    is in it."""

    def __init__(self, folder: Path, objects: ObjectFolder) -> None:
        self._folder = folder
        self._objects = objects
        self._entries: dict[str, Entry] = {}
        self.reads = 0
        """How many files were read for their hash since the beginning."""

    def look(self, *, keep: bool) -> Found:
        """What lies there; with `keep` the bytes of every chapter are objects afterwards."""
        if not self._folder.is_dir() or self._folder.is_symlink():
            self._entries.clear()
            return Found(gone=True)
        known = self._entries
        same: set[str] = set()
        fresh: dict[str, Entry] = {}
        left_out: list[LeftOut] = []
        added = False
        for name, found in self._stats():
            entry = known.get(name)
            if entry is not None and entry.mark == _mark(found) and (entry.kept or not keep):
                same.add(name)
            elif reason := _unfit(found):
                left_out.append(LeftOut(name, reason))
            else:
                read, wrote = self._read(name, keep=keep)
                added = added or wrote
                if read is not None:
                    fresh[name] = read
        if added:
            self._objects.sync()
        self._entries = _renewed(known, same, fresh)
        chapters = tuple(entry.chapter for entry in self._entries.values())
        return Found(chapters, tuple(sorted(left_out, key=lambda one: one.name)))

    def _stats(self) -> Iterator[tuple[str, os.stat_result]]:
        known = self._entries
        with _opened(self._folder) as (names, stat_of):
            for name in names:
                if name in known or is_chapter(name):
                    try:
                        yield name, stat_of(name)
                    except FileNotFoundError:
                        continue  # it went while we looked

    def _read(self, name: str, *, keep: bool) -> tuple[Entry | None, bool]:
        """Read a chapter, and whether an object was written that is not synced yet. None for one that
        went meanwhile."""
        path = self._folder / name
        try:
            before = path.lstat()
        except FileNotFoundError:
            return None, False
        now_ns = time.time_ns()
        content = read_plain(path, MAX_CHAPTER_BYTES)
        if content is None:
            return None, False
        self.reads += 1
        sha256 = digest(content)
        wrote = keep and not self._objects.seems_whole(sha256, len(content))
        if wrote:
            self._objects.put(content, synced=False)
        changed_at = stamp(datetime.fromtimestamp(before.st_mtime, UTC))
        chapter = Chapter(name, sha256, len(content), _chars(content), changed_at)
        mark = _mark(before)
        still = max(before.st_mtime_ns, before.st_ctime_ns) < now_ns - _STILL_NS
        return Entry(mark if still else None, chapter, kept=keep), wrote


@contextmanager
def _opened(folder: Path) -> Generator[tuple[list[str], Callable[[str], os.stat_result]]]:
    """The names in a folder, and how to ask what a file there is. The folder is held open where the system allows
    it: else the way to it is gone anew for each of a thousand files."""
    if os.stat not in os.supports_dir_fd or os.listdir not in os.supports_fd:
        yield [one.name for one in folder.iterdir()], lambda name: os.lstat(folder / name)
        return
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        names = os.listdir(descriptor)  # noqa: PTH208 - a path cannot stand for an open folder
        yield names, partial(os.stat, dir_fd=descriptor, follow_symlinks=False)
    finally:
        os.close(descriptor)


def _renewed(
    known: Mapping[str, Entry], same: Set[str], fresh: Mapping[str, Entry]
) -> dict[str, Entry]:
    """The entries of now, in the order of the chapters: those that stayed the same, and those that were read."""
    names = same | fresh.keys()
    if names == known.keys():  # none came and none went, so that all keep their places
        return {**known, **fresh}
    return {name: fresh[name] if name in fresh else known[name] for name in in_order(names)}


def _mark(found: os.stat_result) -> Mark:
    return found.st_mode, found.st_size, found.st_mtime_ns, found.st_ctime_ns, found.st_ino


def _unfit(found: os.stat_result) -> LeftOutReason | None:
    if stat.S_ISLNK(found.st_mode):
        return "symlink"
    if stat.S_ISDIR(found.st_mode):
        return "folder"
    if not stat.S_ISREG(found.st_mode):
        return "special"
    return "too_large" if found.st_size > MAX_CHAPTER_BYTES else None


def _chars(content: bytes) -> int | None:
    try:
        return len(content.decode())
    except UnicodeDecodeError:
        return None
