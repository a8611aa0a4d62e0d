"""The data folder: whose it is, and what happens when it is taken away, damaged or full."""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path

import pytest

from huaben.adapters.db.store import open_store
from huaben.adapters.folder import DataFolder, hold
from huaben.adapters.system import SystemClock
from huaben.domain.events import Notice
from huaben.errors import DataFolderInUse, NotFound, ReadOnly
from huaben.ports import Commit, Committed, Page, Store
from tests.contract.samples import a_beginning, a_card

CLOCK = SystemClock()


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return tmp_path / "数据 100% #1?"


@asynccontextmanager
async def opened(root: Path, *, read_only: bool = False) -> AsyncGenerator[Store]:
    store = open_store(root, clock=CLOCK, read_only=read_only)
    try:
        yield store
    finally:
        await store.close()


async def names(store: Store) -> list[str]:
    cards, _ = await store.cards("local", Page())
    return [card.name for card in cards]


async def add(store: Store, name: str) -> None:
    assert isinstance(
        await store.commit(Commit(rows=(a_card(name=name, object_hash=""),))), Committed
    )


# ---- whose it is -------------------------------------------------------------------------------


async def test_the_folder_is_for_its_owner_alone(root: Path) -> None:
    """The folder is 0700; the database and its journal are 0600."""
    async with opened(root) as store:
        await add(store, "灯")
        folder, files = modes(root)
    assert folder == 0o700
    assert files == dict.fromkeys(("huaben.db", "huaben.db-wal", "huaben.db-shm", "lock"), 0o600)


def modes(root: Path) -> tuple[int, dict[str, int]]:
    files = {path.name: path.stat().st_mode & 0o777 for path in root.iterdir()}
    return root.stat().st_mode & 0o777, files


def test_the_layout_is_the_documented_one(root: Path) -> None:
    """Other programs and backups rely on these places."""
    folder = DataFolder(root)
    places = [
        folder.database,
        folder.jobs_database,
        folder.objects,
        folder.manuscript("p1"),
        folder.history("p1"),
        folder.secrets,
        folder.scenarios,
        folder.lock,
    ]
    assert [place.relative_to(root).as_posix() for place in places] == [
        "huaben.db",
        "jobs.db",
        "objects",
        "projects/p1/manuscript",
        "projects/p1/history/objects",
        "secrets.toml",
        "scenarios",
        "lock",
    ]


async def test_a_second_process_is_told_who_holds_the_folder(root: Path) -> None:
    """Two programs on one data folder: the second refuses, naming folder and process (S13)."""
    async with opened(root):
        code = (
            "import sys; from pathlib import Path\n"
            "from huaben.adapters.db.store import open_store\n"
            "from huaben.adapters.system import SystemClock\n"
            "from huaben.errors import DataFolderInUse\n"
            "try: open_store(Path(sys.argv[1]), clock=SystemClock())\n"
            "except DataFolderInUse as refused: print(refused.message)\n"
        )
        second = run_python(code, str(root))
        assert second.stdout.strip() == (
            f"the data folder {root} is in use by process {os.getpid()}"
        )
    async with opened(root) as store:
        await add(store, "灯")


def run_python(code: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", code, *arguments], capture_output=True, text=True, check=True
    )


async def test_the_same_process_cannot_open_it_twice(root: Path) -> None:
    """A second store in one process would be as wrong as one in another."""
    async with opened(root):
        with pytest.raises(DataFolderInUse):
            open_store(root, clock=CLOCK)


async def test_a_lock_file_that_nobody_holds_is_no_hindrance(root: Path) -> None:
    """What a killed process left behind is not taken for a process."""
    DataFolder(root).prepare()
    leave_a_lock(root)
    async with opened(root) as store:
        await add(store, "灯")


def leave_a_lock(root: Path) -> None:
    DataFolder(root).lock.write_text("4194304\n")


def test_a_holder_without_a_number_is_still_a_holder(root: Path) -> None:
    """The refusal does not depend on what the lock file says."""
    folder = DataFolder(root)
    folder.prepare()
    held = hold(folder)
    folder.lock.write_text("灯")
    with pytest.raises(DataFolderInUse, match="another process"):
        hold(folder)
    held.release()
    hold(folder).release()


async def test_reading_is_possible_beside_a_running_program(root: Path) -> None:
    """A read-only opening sees what is committed, is woken by it, and cannot write."""
    project, greeting, beginning = a_beginning()
    async with opened(root) as store, opened(root, read_only=True) as beside:
        await store.commit(beginning)
        assert await beside.project(project.id) == replace(project, revision=1)
        waiting = asyncio.ensure_future(beside.changed(greeting.id, 0, timeout_s=20))
        await store.commit(Commit(events=((greeting.id, Notice("n")),)))
        assert await waiting
        with pytest.raises(ReadOnly):
            await beside.commit(Commit())
        with pytest.raises(ReadOnly):
            await beside.fold(greeting.id)


async def test_reading_alone_leaves_the_files_as_they_were(root: Path) -> None:
    """A read-only opening needs no running program, and takes no lock."""
    async with opened(root) as store:
        await add(store, "灯")
    async with opened(root, read_only=True) as reader, opened(root) as store:
        assert await names(reader) == ["灯"]
        await add(store, "雨")
        assert await names(reader) == ["雨", "灯"]


def test_reading_nothing_is_refused(root: Path) -> None:
    """A read-only opening makes no library where there is none."""
    with pytest.raises(NotFound):
        open_store(root, clock=CLOCK, read_only=True)
    assert not root.exists()


# ---- taken away --------------------------------------------------------------------------------


async def refuses(store: Store) -> None:
    with pytest.raises(ReadOnly):
        await add(store, "lost")
    with pytest.raises(ReadOnly):
        await names(store)


def move_away(root: Path) -> None:
    root.rename(root.with_name("away"))


def bring_back(root: Path) -> None:
    root.with_name("away").rename(root)


def put_another_in_its_place(root: Path) -> None:
    move_away(root)
    root.mkdir()
    (root / "huaben.db").write_bytes((root.with_name("away") / "huaben.db").read_bytes())
    (root / "huaben.db-wal").write_bytes((root.with_name("away") / "huaben.db-wal").read_bytes())


def delete_the_database(root: Path) -> None:
    (root / "huaben.db").unlink()


def delete_the_journal(root: Path) -> None:
    (root / "huaben.db-wal").unlink()


def restore_over_it(root: Path) -> None:
    copy = root / "copy"
    copy.write_bytes((root / "huaben.db").read_bytes())
    copy.replace(root / "huaben.db")


@pytest.mark.parametrize(
    "happen",
    [move_away, put_another_in_its_place, delete_the_database, delete_the_journal, restore_over_it],
)
async def test_without_its_folder_the_store_is_read_only(
    root: Path, happen: Callable[[Path], None], caplog: pytest.LogCaptureFixture
) -> None:
    """A drive pulled out, a folder replaced: no commit is acknowledged, no read answers empty, and
    the log says so loudly (S01, S07)."""
    async with opened(root) as store:
        await add(store, "灯")
        happen(root)
        await refuses(store)
        assert any(record.levelname == "CRITICAL" for record in caplog.records)


async def test_a_folder_that_comes_back_needs_a_restart(root: Path) -> None:
    """What was lost meanwhile is not known, so the store stays read-only; a new start goes on with
    everything that was acknowledged (S07)."""
    async with opened(root) as store:
        await add(store, "灯")
        move_away(root)
        await refuses(store)
        bring_back(root)
        await refuses(store)
    async with opened(root) as store:
        assert await names(store) == ["灯"]


async def test_a_commit_under_way_is_not_acknowledged(root: Path) -> None:
    """Commits that were waiting when the folder vanished all raise."""
    async with opened(root) as store:
        await add(store, "灯")
        pending = [asyncio.ensure_future(add(store, str(n))) for n in range(20)]
        move_away(root)
        answers = await asyncio.gather(*pending, return_exceptions=True)
    assert {type(answer) for answer in answers} == {ReadOnly}
