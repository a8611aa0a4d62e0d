"""Work aside of the writer: what is to be written waits for it, and memory forgets what it exchanged."""

from __future__ import annotations

import asyncio
import sqlite3
import threading
from collections.abc import AsyncGenerator
from pathlib import Path

import pytest

from huaben.adapters.db.store import SqlStore, open_store
from huaben.domain.events import Notice
from huaben.domain.project import Project
from huaben.domain.story import Turn
from huaben.errors import StorageFailed
from huaben.ports import Commit, Committed
from huaben.testing.clock import ManualClock
from tests.contract.samples import a_beginning, a_turn


@pytest.fixture
async def store(tmp_path: Path) -> AsyncGenerator[SqlStore]:
    opened = open_store(tmp_path, clock=ManualClock())
    yield opened
    await opened.close()


async def begun(store: SqlStore) -> tuple[Project, Turn]:
    project, greeting, beginning = a_beginning()
    assert isinstance(await store.commit(beginning), Committed)
    return project, greeting


async def test_commits_wait_for_work_aside(store: SqlStore) -> None:
    """And stand behind it, in the order in which they came."""
    _, turn = await begun(store)
    release, order = threading.Event(), list[str]()
    aside = asyncio.create_task(store.exchanging(lambda: (release.wait(20), order.append("aside"))))
    await asyncio.sleep(0)

    async def write(name: str) -> None:
        await store.commit(Commit(events=((turn.id, Notice(name)),)))
        order.append(name)

    writing = [asyncio.create_task(write(name)) for name in ("一", "two")]
    await asyncio.sleep(0.05)
    assert order == []
    release.set()
    await asyncio.gather(aside, *writing)
    assert order == ["aside", "一", "two"]


async def test_what_work_aside_raises_reaches_its_caller(store: SqlStore) -> None:
    """And nobody else: writing goes on."""

    def fail() -> None:
        raise StorageFailed("disk_full", "no room")

    with pytest.raises(StorageFailed):
        await store.exchanging(fail)
    await begun(store)


async def test_memory_forgets_what_was_exchanged(store: SqlStore, tmp_path: Path) -> None:
    """Trees and logs are read from what is there now; who waits for a log looks again."""
    project, greeting = await begun(store)
    await store.skeleton(project.id)
    await store.commit(Commit(events=((greeting.id, Notice("a")),)))
    waiting = asyncio.create_task(store.changed(greeting.id, 1, timeout_s=20))
    await asyncio.sleep(0)

    def exchange() -> None:
        with sqlite3.connect(tmp_path / "huaben.db") as connection:
            connection.execute("UPDATE turn SET next_seq = 3 WHERE id = ?", (greeting.id,))
            connection.execute("UPDATE turn SET outcome = 'failed' WHERE id = ?", (greeting.id,))
            connection.execute(
                "INSERT INTO turn_event SELECT turn_id, 2, epoch, at, kind, payload FROM turn_event"
            )
        connection.close()

    await store.exchanging(exchange)
    assert await waiting
    assert len(await store.events(greeting.id)) == 2
    assert [node.outcome for node in await store.skeleton(project.id)] == ["failed"]
    other = a_turn(project, parent=greeting.id)
    assert isinstance(await store.commit(Commit(rows=(other,))), Committed)
