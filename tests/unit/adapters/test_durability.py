"""Full disks, damaged files, killed processes, many threads: what was acknowledged stays."""

from __future__ import annotations

import asyncio
import resource
import signal
import sqlite3
import subprocess
import sys
from collections.abc import Awaitable, Generator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager
from pathlib import Path

import pytest

from huaben.adapters.db.store import open_store
from huaben.domain.events import Notice
from huaben.errors import DataFolderInUse, HuabenError, NotFound, ReadOnly, StorageFailed
from huaben.ports import Commit, Committed, Head, Page, Store
from tests.contract.samples import a_beginning
from tests.unit.adapters.test_data_folder import CLOCK, add, names, opened


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return tmp_path / "数据 data"


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
