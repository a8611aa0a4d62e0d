"""A file that the user asks for is whole or not there; one that it would take the place of is not lost for it."""

from __future__ import annotations

import resource
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

import pytest

from huaben.cli.exporting import write_new
from huaben.cli.failing import Told, system_reason

BOOK = "雨夜。".encode() * 1000


@contextmanager
def file_size_limited(limit: int) -> Generator[None]:
    """Files cannot grow beyond that: to a program it is as if the disk were full."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (limit, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


def test_no_half_of_a_file_is_left_on_a_full_disk(tmp_path: Path) -> None:
    """Without room there is no file; one that was there before keeps every byte, also under `--force`."""
    new, old = tmp_path / "雨夜.md", tmp_path / "book.md"
    old.write_bytes(b"the only copy")
    for path, force in ((new, False), (new, True), (old, True)):
        with file_size_limited(1000), pytest.raises(OSError) as refused:
            write_new(path, BOOK, force)
        assert system_reason(refused.value) in ("the disk is full", "磁盘满了")
    assert [path.name for path in tmp_path.iterdir()] == ["book.md"]
    assert old.read_bytes() == b"the only copy"


def test_force_takes_the_place_of_a_file_and_its_rights_stay(tmp_path: Path) -> None:
    """Whoever could read the former file can read the new one; a link stays a link."""
    old, link = tmp_path / "book.md", tmp_path / "link.md"
    old.write_bytes(b"old")
    old.chmod(0o640)
    link.symlink_to(old)
    with pytest.raises(Told):
        write_new(old, BOOK, force=False)
    write_new(old, BOOK, force=True)
    assert (old.read_bytes(), old.stat().st_mode & 0o777) == (BOOK, 0o640)
    write_new(link, b"new", force=True)
    assert (link.is_symlink(), old.read_bytes()) == (True, b"new")
