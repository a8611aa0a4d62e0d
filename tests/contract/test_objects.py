"""What every object store promises, and what the folder promises about its files."""

from __future__ import annotations

import asyncio
import hashlib
import resource
from collections.abc import Callable
from pathlib import Path

import pytest

from huaben.adapters.objects import FolderObjects
from huaben.errors import StorageFailed
from huaben.ports import Objects
from huaben.testing.objects import MemoryObjects


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "objects"


@pytest.fixture(params=["memory", "folder"])
def objects(request: pytest.FixtureRequest, folder: Path) -> Objects:
    makers: dict[str, Callable[[], Objects]] = {
        "memory": MemoryObjects,
        "folder": lambda: FolderObjects(folder),
    }
    return makers[str(request.param)]()


def files_in(folder: Path) -> list[Path]:
    return [path for path in folder.rglob("*") if path.is_file()]


def contents(folder: Path) -> list[Path]:
    return list(folder.iterdir())


async def faults(objects: Objects) -> list[str]:
    return [fault async for fault in objects.audit()]


@pytest.mark.parametrize("content", [b"", "灯还亮着".encode(), b"\x89PNG\0" * 100_000])
async def test_bytes_come_back_under_their_hash(objects: Objects, content: bytes) -> None:
    """An object is named by its SHA-256 and comes back as it was."""
    name = await objects.put(content)
    assert name == hashlib.sha256(content).hexdigest()
    assert await objects.get(name) == content
    assert await objects.has(name)
    assert await faults(objects) == []


async def test_the_same_bytes_are_one_object(objects: Objects) -> None:
    """Putting them again, also at the same time, gives the same name."""
    names = await asyncio.gather(*(objects.put(b"same") for _ in range(8)))
    assert len(set(names)) == 1
    assert await objects.get(names[0]) == b"same"


@pytest.mark.parametrize(
    "name", ["0" * 64, "", "../secrets.toml", "../../etc/passwd", "A" * 64, "0" * 63 + "\n", "灯"]
)
async def test_other_names_find_nothing(objects: Objects, name: str) -> None:
    """No name leads out of the store: what is not a hash is not there."""
    await objects.put(b"x")
    assert await objects.get(name) is None
    assert not await objects.has(name)


async def test_damage_is_an_error_not_an_answer(folder: Path) -> None:
    """Bytes that do not match their name are never handed out; the audit names them."""
    objects = FolderObjects(folder)
    good, bad = await objects.put(b"good"), await objects.put(b"bad")
    (folder / bad[:2] / bad).write_bytes(b"rot")
    with pytest.raises(StorageFailed):
        await objects.get(bad)
    assert await objects.get(good) == b"good"
    assert await faults(objects) == [f"object {bad} does not hold what it is named for"]


async def test_a_damaged_object_is_mended_by_putting_it_again(folder: Path) -> None:
    """Importing the same picture again repairs it instead of trusting the name."""
    objects = FolderObjects(folder)
    name = await objects.put(b"picture")
    (folder / name[:2] / name).write_bytes(b"")
    assert await objects.put(b"picture") == name
    assert await objects.get(name) == b"picture"


async def test_a_failed_write_leaves_nothing(folder: Path) -> None:
    """No room for the bytes: an error, no half object, no rubbish, and the store goes on (S13)."""
    objects = FolderObjects(folder)
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (1000, before[1]))
    try:
        with pytest.raises(StorageFailed) as refused:
            await objects.put(b"x" * 5000)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
    assert refused.value.code == "disk_full"
    assert files_in(folder) == []
    name = await objects.put(b"x" * 5000)
    assert await objects.get(name) == b"x" * 5000


async def test_an_unfinished_write_is_no_object(folder: Path) -> None:
    """What a killed process left beside the place is not taken for an object."""
    objects = FolderObjects(folder)
    name = await objects.put(b"x")
    (folder / name[:2] / ".new-abc").write_bytes(b"half")
    assert await faults(objects) == []


async def test_objects_are_for_their_owner_alone(folder: Path) -> None:
    """Files are 0600, folders 0700."""
    name = await FolderObjects(folder).put(b"x")
    path = folder / name[:2] / name
    assert path.stat().st_mode & 0o777 == 0o600
    assert path.parent.stat().st_mode & 0o777 == 0o700


async def test_a_data_folder_that_has_vanished_is_not_made_anew(tmp_path: Path) -> None:
    """Bytes that have no place any more are an error, not the start of a new folder (S07)."""
    objects = FolderObjects(tmp_path / "gone" / "objects")
    with pytest.raises(StorageFailed):
        await objects.put(b"x")
    assert contents(tmp_path) == []
