"""Damage done to the history of a manuscript behind the store's back: the audit names it, and no read
hides it."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path

import pytest

from huaben.adapters.db.store import open_store
from huaben.domain.checkpoint import Manifest, Snapshot, difference
from huaben.errors import StorageFailed
from huaben.ports import Store
from huaben.testing.clock import ManualClock
from tests.contract.test_store_audit import faults
from tests.contract.test_store_checkpoints import a_hash, begun, following, kept
from tests.unit.adapters.test_audit import damage, opened


@asynccontextmanager
async def reopened(root: Path) -> AsyncGenerator[Store]:
    """The same database in a store that has read nothing yet."""
    store = open_store(root, clock=ManualClock(), read_only=True)
    try:
        yield store
    finally:
        await store.close()


def next_of(last: Snapshot, files: Manifest) -> Snapshot:
    """The checkpoint after it that comes to these files."""
    one = last.checkpoint
    delta = difference(last.files, files)
    following = replace(one, id=f"{one.id}+", number=one.number + 1, delta=delta)
    return Snapshot(following, files)


async def a_history(root: Path, count: int) -> list[Snapshot]:
    async with opened(root) as store:
        project, _ = await begun(store)
        made: list[Snapshot] = []
        for number in range(1, count + 1):
            last = made[-1] if made else None
            made.append(following(project, last, {"a.md": a_hash(number), "章.md": a_hash(0)}))
        await kept(store, *made)
        assert await faults(store) == []
    return made


@pytest.mark.parametrize(
    ("statement", "expected"),
    [
        ("DELETE FROM checkpoint WHERE number = 3", "has the number 4 where 3 belongs"),
        ("DELETE FROM checkpoint WHERE number = 70", "lacks checkpoints"),
        ("UPDATE checkpoint SET delta = x'707b' WHERE number = 2", "is damaged"),
        ("UPDATE checkpoint SET delta = CAST('p{}' AS BLOB) WHERE number = 2", "as it was not"),
        ("UPDATE checkpoint SET delta = CAST('p{\"a.md\":[1]}' AS BLOB) WHERE number = 2", "before and after"),
        ("UPDATE checkpoint SET files = NULL WHERE number = 65", "does not hold its files"),
        ("UPDATE checkpoint SET files = x'70' WHERE number = 65", "are damaged"),
        ("UPDATE checkpoint SET files = CAST('p{}' AS BLOB) WHERE number = 65", "holds other files"),
    ],
)  # fmt: skip
async def test_each_damage_to_a_history_is_named(
    tmp_path: Path, statement: str, expected: str
) -> None:
    """A sentence says which checkpoint, and what is wrong with it."""
    await a_history(tmp_path, 70)
    damage(tmp_path, statement)
    async with opened(tmp_path) as store:
        found = await faults(store)
    assert any(expected in fault for fault in found), found


@pytest.mark.parametrize(
    "statement",
    [
        "DELETE FROM checkpoint WHERE number = 66",
        "UPDATE checkpoint SET files = NULL WHERE number = 65",
        "UPDATE checkpoint SET delta = x'00' WHERE number = 68",
    ],
)
async def test_files_that_cannot_be_told_are_an_error(tmp_path: Path, statement: str) -> None:
    """A history with a hole never gives a manuscript that was not."""
    made = await a_history(tmp_path, 70)
    damage(tmp_path, statement)
    async with opened(tmp_path) as store:
        with pytest.raises(StorageFailed):
            await store.latest_snapshot(made[0].checkpoint.project_id)
        assert await store.snapshot(made[3].checkpoint.id) == made[3]


async def test_a_reader_beside_the_writer_is_told_the_newest(tmp_path: Path) -> None:
    """What it has read before is right only for that checkpoint: others come from another process."""
    async with opened(tmp_path) as writer:
        project, _ = await begun(writer)
        last: Snapshot | None = None
        async with reopened(tmp_path) as reader:
            for number in range(1, 80):
                files = {"a.md": a_hash(number), f"{number % 4}.md": a_hash(0)}
                last = following(project, last, files)
                await kept(writer, last)
                if number < 6 or number > 77:
                    assert await reader.latest_snapshot(project.id) == last


async def test_of_a_history_that_is_known_only_what_came_since_is_read(tmp_path: Path) -> None:
    """So a checkpoint costs the same after ten and after ten thousand: what lies before is not looked at."""
    made = await a_history(tmp_path, 5)
    project_id = made[0].checkpoint.project_id
    async with opened(tmp_path) as store:
        last = made[4]
        assert await store.latest_snapshot(project_id) == last
        damage(tmp_path, "UPDATE checkpoint SET delta = x'00', files = NULL WHERE number < 5")
        for number in (6, 7, 8):
            last = next_of(last, {"a.md": a_hash(number), "新.md": a_hash(1)})
            await kept(store, last)
            assert await store.latest_snapshot(project_id) == last


@pytest.mark.parametrize(
    "statements",
    [
        ["UPDATE checkpoint SET id = 'another' WHERE number = 3"],
        ["DELETE FROM checkpoint WHERE number = 3", "UPDATE manuscript SET revision = 2"],
        ["DELETE FROM checkpoint", "DELETE FROM manuscript"],
    ],
)
async def test_what_was_read_before_never_stands_in_for_another_history(
    tmp_path: Path, statements: list[str]
) -> None:
    """A database that was exchanged for an older or a different one tells its own files."""
    made = await a_history(tmp_path, 3)
    project_id = made[0].checkpoint.project_id
    async with opened(tmp_path) as store:
        assert await store.latest_snapshot(project_id) == made[2]
        changed = 'CAST(\'p{"a.md":[null,"other"]}\' AS BLOB)'
        damage(tmp_path, f"UPDATE checkpoint SET delta = {changed} WHERE number = 3", *statements)
        async with reopened(tmp_path) as fresh:
            assert await store.latest_snapshot(project_id) == await fresh.latest_snapshot(
                project_id
            )
