"""The data folder: whose it is, and what happens when it is taken away, damaged or full."""

from __future__ import annotations

import asyncio
import os
import resource
import signal
import sqlite3
import subprocess
import sys
from collections.abc import AsyncGenerator, Awaitable, Callable, Generator
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager, closing, contextmanager
from dataclasses import replace
from pathlib import Path

import pytest

from huaben.adapters.db.store import open_store
from huaben.adapters.folder import DataFolder, hold
from huaben.adapters.system import SystemClock
from huaben.domain.events import Notice
from huaben.errors import DataFolderInUse, HuabenError, NotFound, ReadOnly, StorageFailed
from huaben.ports import Commit, Committed, Head, Page, Store
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


# ---- damaged, full -----------------------------------------------------------------------------


@contextmanager
def room_for(more: int, root: Path) -> Generator[None]:
    """Files may grow by `more` bytes over the largest of the folder: a disk that is nearly full."""
    size = max(path.stat().st_size for path in root.iterdir())
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size + more, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)


async def test_a_full_disk_refuses_and_the_store_goes_on(root: Path) -> None:
    """No room: the commit is refused whole; later ones are stored, after a restart too (S13)."""
    async with opened(root) as store:
        await add(store, "灯")
        with room_for(50_000, root), pytest.raises(StorageFailed):
            await add(store, "大" * 400_000)
        assert await names(store) == ["灯"]
        await add(store, "雨")
        assert [fault async for fault in store.audit()] == []
    async with opened(root) as store:
        assert await names(store) == ["雨", "灯"]


async def test_what_is_too_large_for_the_disk_takes_no_other_down(root: Path) -> None:
    """Of commits that share a transaction only the one without room fails."""
    async with opened(root) as store:
        await add(store, "灯")
        with room_for(200_000, root):
            large = add(store, "大" * 400_000)
            small: list[Awaitable[None]] = [add(store, f"小{n}") for n in range(4)]
            answers = await asyncio.gather(*small[:2], large, *small[2:], return_exceptions=True)
        assert [type(answer) for answer in answers if answer] == [StorageFailed]
        assert set(await names(store)) == {"灯", "小0", "小1", "小2", "小3"}


async def test_a_damaged_file_is_an_error_not_an_empty_answer(root: Path) -> None:
    """A page of rubbish: reads raise, the audit names it (S01)."""
    async with opened(root) as store:
        for n in range(200):
            await add(store, f"{n} " + "灯" * 500)
    spoil_a_page(root / "huaben.db")
    async with opened(root) as store:
        with pytest.raises(StorageFailed):
            await store.cards("local", Page(limit=200))
        assert [fault async for fault in store.audit()] != []


def spoil_a_page(database: Path) -> None:
    with closing(sqlite3.connect(database)) as connection:
        root_page = connection.execute("SELECT rootpage FROM sqlite_master WHERE name = 'card'")
        page = int(root_page.fetchone()[0])
        size = int(connection.execute("PRAGMA page_size").fetchone()[0])
    with database.open("r+b") as file:
        file.seek((page - 1) * size)
        file.write(b"\xff" * size)


# ---- killed ------------------------------------------------------------------------------------

WRITER = """
import asyncio, sys
from huaben.adapters.db.store import open_store
from huaben.adapters.system import SystemClock
from huaben.domain.events import Notice
from huaben.ports import Commit

async def main(root, turn_id):
    store = open_store(root, clock=SystemClock())
    async def write(name):
        n = 0
        while True:
            event = Notice(f"{name}{n}", "灯" * 50)
            answer = await store.commit(Commit(events=((turn_id, event),)))
            print(answer.seqs[0], event.code, flush=True)
            n += 1
    await asyncio.gather(*(write(name) for name in "abcd"))

asyncio.run(main(sys.argv[1], sys.argv[2]))
"""


def acknowledged_before_death(root: Path, turn_id: str, lines: int) -> dict[int, str]:
    """Run the writer, kill it without warning after so many lines; what it had acknowledged."""
    with subprocess.Popen(
        [sys.executable, "-c", WRITER, str(root), turn_id], stdout=subprocess.PIPE, text=True
    ) as writer:
        assert writer.stdout is not None
        told = [writer.stdout.readline() for _ in range(lines)]
        writer.send_signal(signal.SIGKILL)
        told += writer.stdout.readlines()
    pairs = [line.split() for line in told if line.endswith("\n")]
    return {int(seq): code for seq, code in pairs}


async def test_no_acknowledged_commit_is_lost_by_kill_9(root: Path) -> None:
    """Killed at any moment, the next start finds every acknowledged event, and nothing half."""
    _, greeting, beginning = a_beginning()
    async with opened(root) as store:
        await store.commit(beginning)
    told: dict[int, str] = {}
    for lines in (1, 40, 333):
        told |= await asyncio.to_thread(acknowledged_before_death, root, greeting.id, lines)
        async with opened(root) as store:
            log = await store.events(greeting.id)
            assert [fault async for fault in store.audit()] == []
        stored = {row.seq: row.event.code for row in log if isinstance(row.event, Notice)}
        assert told.items() <= stored.items()
        assert sorted(stored) == list(range(1, len(stored) + 1))


def test_threads_with_loops_of_their_own_share_a_store(root: Path) -> None:
    """Eight threads that compare and set one head through one store lose no update (S04)."""
    project, greeting, beginning = a_beginning()
    store = open_store(root, clock=CLOCK)
    asyncio.run(commit_once(store, beginning))

    async def write(times: int) -> None:
        while times:
            head = await store.head(project.id)
            assert head is not None
            change = Commit(
                {("head", project.id): head.revision}, rows=(Head(project.id, greeting.id),)
            )
            times -= isinstance(await store.commit(change), Committed)

    with ThreadPoolExecutor(8) as threads:
        list(threads.map(asyncio.run, [write(10) for _ in range(8)]))

    async def revision() -> int:
        head = await store.head(project.id)
        await store.close()
        return 0 if head is None else head.revision

    assert asyncio.run(revision()) == 81


async def commit_once(store: Store, commit: Commit) -> None:
    assert isinstance(await store.commit(commit), Committed)


def test_a_fault_of_the_store_is_one_of_ours() -> None:
    """Callers catch one family of errors, whatever the database raised."""
    for fault in (StorageFailed, ReadOnly, DataFolderInUse, NotFound):
        assert issubclass(fault, HuabenError)
