"""Manuscripts on a real disk: what is no chapter, what is read again, and how faults of the disk are told."""

from __future__ import annotations

import hashlib
import os
import resource
import stat
import time
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

import pytest

from huaben.adapters.folder import DataFolder
from huaben.adapters.manuscripts.folder import FolderManuscripts
from huaben.adapters.manuscripts.index import FolderIndex
from huaben.adapters.manuscripts.objects import ObjectFolder
from huaben.domain.checkpoint import FileChange
from huaben.errors import StorageFailed
from huaben.ports.manuscripts import MAX_CHAPTER_BYTES, LeftOut, Moved, Rewrite

PROJECT = "p1"


@pytest.fixture
def folder(tmp_path: Path) -> DataFolder:
    found = DataFolder(tmp_path / "data")
    found.manuscript(PROJECT).mkdir(parents=True)
    return found


def digest(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


def settle_clock(path: Path) -> None:
    """As if nobody had touched the file for a while: then what was read of it is trusted."""
    long_ago = time.time() - 3600
    os.utime(path, (long_ago, long_ago))
    time.sleep(0.06)


async def test_links_folders_and_special_files_are_no_chapters_and_named(
    folder: DataFolder,
) -> None:
    """Nothing behind a link is ever read, wherever it leads."""
    chapters = folder.manuscript(PROJECT)
    outside = folder.root / "secret.md"
    outside.write_text("秘密")
    (chapters / "link.md").symlink_to(outside)
    (chapters / "inner.md").symlink_to(chapters / "real.md")
    (chapters / "real.md").write_text("真")
    (chapters / "folder.md").mkdir()
    (chapters / "sub").mkdir()
    (chapters / "sub" / "deep.md").write_text("深")
    os.mkfifo(chapters / "pipe.md")
    home = FolderManuscripts(folder)
    found = await home.look(PROJECT)
    assert [one.name for one in found.chapters] == ["real.md"]
    assert found.left_out == (
        LeftOut("folder.md", "folder"),
        LeftOut("inner.md", "symlink"),
        LeftOut("link.md", "symlink"),
        LeftOut("pipe.md", "special"),
    )
    for name in ("link.md", "folder.md", "pipe.md"):
        assert await home.read(PROJECT, name) is None
    kept = await home.keep(PROJECT, b"new")
    for name in ("link.md", "folder.md"):
        change = Rewrite("c", PROJECT, {name: FileChange(None, kept)})
        assert await home.change(change) == Moved((name,))
    assert outside.read_text() == "秘密"


async def test_a_manuscript_folder_that_is_a_link_counts_as_gone(folder: DataFolder) -> None:
    """It could lead anywhere."""
    chapters = folder.manuscript(PROJECT)
    elsewhere = folder.root / "elsewhere"
    elsewhere.mkdir()
    chapters.rmdir()
    chapters.symlink_to(elsewhere)
    assert (await FolderManuscripts(folder).look(PROJECT)).gone


async def test_a_file_of_enormous_size_is_left_out(folder: DataFolder) -> None:
    """And named; it is not even read."""
    with (folder.manuscript(PROJECT) / "huge.md").open("wb") as file:
        file.truncate(MAX_CHAPTER_BYTES + 1)
    found = await FolderManuscripts(folder).look(PROJECT)
    assert found.left_out == (LeftOut("huge.md", "too_large"),)


async def test_a_name_that_is_no_text_is_passed_over(folder: DataFolder) -> None:
    """It could be stored nowhere."""
    descriptor = os.open(os.fsencode(folder.manuscript(PROJECT)) + b"/\xff.md", os.O_CREAT)
    os.close(descriptor)
    found = await FolderManuscripts(folder).look(PROJECT)
    assert (found.chapters, found.left_out) == ((), ())


def an_index(folder: DataFolder) -> FolderIndex:
    objects = folder.history(PROJECT)
    objects.mkdir(parents=True)
    return FolderIndex(folder.manuscript(PROJECT), ObjectFolder(objects))


def test_only_what_changed_is_read_again(folder: DataFolder) -> None:
    """Of a hundred chapters one is read when one has changed, none when none has."""
    chapters = folder.manuscript(PROJECT)
    for number in range(100):
        (chapters / f"{number:03d}.md").write_text(f"第{number}章")
        os.utime(chapters / f"{number:03d}.md", (1, 1))
    time.sleep(0.06)
    index = an_index(folder)
    index.look(keep=True)
    assert index.reads == 100
    index.look(keep=True)
    assert index.reads == 100
    (chapters / "050.md").write_text("改了")
    settle_clock(chapters / "050.md")
    assert index.look(keep=True).manifest["050.md"] == digest("改了".encode())
    assert index.reads == 101
    index.look(keep=False)
    assert index.reads == 101


def test_a_change_within_the_same_tick_of_the_clock_is_not_missed(folder: DataFolder) -> None:
    """A file that was written just before it was read is read once more."""
    path = folder.manuscript(PROJECT) / "a.md"
    index = an_index(folder)
    path.write_bytes(b"one")
    index.look(keep=False)
    index.look(keep=False)
    assert index.reads == 2


def test_a_change_that_kept_size_and_time_is_seen_by_the_inode_or_the_change_time(
    folder: DataFolder,
) -> None:
    """A program that puts the old time back, and one that writes a new file in its place."""
    path = folder.manuscript(PROJECT) / "a.md"
    index = an_index(folder)
    path.write_bytes(b"one")
    settle_clock(path)
    before = path.stat()
    index.look(keep=False)
    path.write_bytes(b"two")
    os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))
    assert index.look(keep=False).manifest == {"a.md": digest(b"two")}
    other = folder.root / "other"
    other.write_bytes(b"six")
    os.utime(other, ns=(before.st_atime_ns, before.st_mtime_ns))
    other.replace(path)
    assert index.look(keep=False).manifest == {"a.md": digest(b"six")}


async def test_a_chapter_keeps_its_rights(folder: DataFolder) -> None:
    """Whoever could read the file before can read it after a change."""
    path = folder.manuscript(PROJECT) / "a.md"
    path.write_bytes(b"a")
    path.chmod(0o644)
    home = FolderManuscripts(folder)
    before = (await home.take(PROJECT)).manifest["a.md"]
    change = Rewrite("c", PROJECT, {"a.md": FileChange(before, await home.keep(PROJECT, b"b"))})
    assert await home.change(change) is None
    await home.settle(change, made=True)
    assert stat.S_IMODE(path.stat().st_mode) == 0o644
    assert path.read_bytes() == b"b"


@contextmanager
def file_size_limited(limit: int) -> Generator[None]:
    """Files cannot grow beyond that: to a program it is as if the disk were full."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (limit, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


async def test_a_full_disk_is_told_and_nothing_is_half_done(folder: DataFolder) -> None:
    """Neither an object nor a chapter nor anything in the journal is left of it."""
    path = folder.manuscript(PROJECT) / "a.md"
    path.write_bytes(b"a")
    home = FolderManuscripts(folder)
    before = (await home.take(PROJECT)).manifest["a.md"]
    with file_size_limited(1000), pytest.raises(StorageFailed) as refused:
        await home.keep(PROJECT, b"x" * 4096)
    assert refused.value.code == "disk_full"
    after = await home.keep(PROJECT, b"x" * 4096)
    change = Rewrite("c", PROJECT, {"a.md": FileChange(before, after)})
    with file_size_limited(1000), pytest.raises(StorageFailed) as refused:
        await home.change(change)
    assert refused.value.code == "disk_full"
    assert path.read_bytes() == b"a"
    assert await home.unsettled() == []
    assert [one.name for one in folder.history(PROJECT).iterdir()] == sorted({before, after})
    assert list((folder.history(PROJECT).parent / "journal").iterdir()) == []
    assert await home.change(change) is None


async def test_what_a_dead_process_was_writing_is_swept_away(folder: DataFolder) -> None:
    """A change that was not written down in full had touched nothing."""
    home = FolderManuscripts(folder)
    await home.keep(PROJECT, b"a")
    objects = folder.history(PROJECT)
    (objects / ".new-dead").write_bytes(b"hal")
    half = objects.parent / "journal" / "c1"
    half.mkdir(parents=True)
    (half / "new-0").write_bytes(b"half of a chapter")
    assert await home.unsettled() == []
    assert not half.exists()
    assert not (objects / ".new-dead").exists()


async def test_a_damaged_journal_is_left_for_a_person_and_hides_no_other(
    folder: DataFolder,
) -> None:
    """The change of another project is found all the same, and the audit names this one."""
    home = FolderManuscripts(folder)
    bad = folder.history(PROJECT).parent / "journal" / "c1"
    bad.mkdir(parents=True)
    (bad / "plan.json").write_bytes(b"{")
    folder.manuscript("p2").mkdir(parents=True)
    kept = await home.keep("p2", b"new")
    change = Rewrite("c2", "p2", {"a.md": FileChange(None, kept)})
    assert await home.change(change) is None
    assert await FolderManuscripts(folder).unsettled() == [change]
    assert bad.exists()
    found = [fault async for fault in home.audit(PROJECT, [])]
    assert found == ["the change c1 of the manuscript p1 is not settled"]
