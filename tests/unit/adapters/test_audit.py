"""Damage done to the file behind the store's back: the audit names it, and reads never hide it."""

from __future__ import annotations

import sqlite3
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager, closing
from dataclasses import replace
from pathlib import Path

import pytest

from huaben.adapters.db.store import open_store
from huaben.adapters.objects import FolderObjects
from huaben.domain.events import ImageChange
from huaben.errors import StorageFailed
from huaben.ports import Commit, Store
from huaben.testing.clock import ManualClock
from tests.contract.samples import a_book, a_card
from tests.contract.test_store_audit import a_played_project, faults
from tests.contract.test_store_items import an_item


@asynccontextmanager
async def opened(root: Path) -> AsyncGenerator[Store]:
    store = open_store(root, clock=ManualClock())
    try:
        yield store
    finally:
        await store.close()


def damage(root: Path, *statements: str) -> None:
    with closing(sqlite3.connect(root / "huaben.db")) as connection, connection:
        for statement in statements:
            connection.execute(statement)


@pytest.mark.parametrize(
    ("statement", "expected"),
    [
        ("DELETE FROM turn_event WHERE seq = 12", "has 13 where 12 should follow"),
        ("DELETE FROM turn_event WHERE seq = 13", "ends at 12 instead of 13"),
        ("UPDATE turn_event SET payload = x'707b' WHERE seq = 11", "event 11 of turn"),
        ("UPDATE turn_event SET kind = 'unheard' WHERE seq = 11", "event 11 of turn"),
        ("DELETE FROM turn_event WHERE kind = 'ask'", "instead of 1"),
        ("UPDATE turn_event SET kind = 'notice', payload = CAST('p{\"code\":\"x\"}' AS BLOB) WHERE kind = 'ask'",
         "holds no open question"),
        ("UPDATE segment SET content = x'7a00'", "is damaged"),
        ("UPDATE segment SET content = 'text'", "expected bytes"),
        ("UPDATE segment SET content = x'7041'", "does not hold what it is named for"),
        ("DELETE FROM segment", "configuration"),
        ("DELETE FROM segment", "cannot be rebuilt: segment"),
        ("UPDATE call SET keep = 3", "cannot be rebuilt: call"),
        ("UPDATE call SET request_bytes = 1", "sent 1 bytes"),
        ("UPDATE call SET reply = x'70'", "the reply of call"),
        ("DELETE FROM due WHERE seq = 1", "lane p/post does not count from 1 to 2"),
        ("UPDATE due SET payload = '[]' WHERE seq = 1", "due job p/post:0000000001 is damaged"),
        ("UPDATE card SET content = 'no'", "is damaged"),
        ("UPDATE lorebook SET revision = 'many'", "is damaged"),
        ("UPDATE turn SET asked = '[[1]]'", "is damaged"),
        ("UPDATE project SET persona = '[]'", "is damaged"),
        ("UPDATE project SET next_seq = 9", "does not count from 1 to 8"),
        ("UPDATE call SET turn_id = 'missing'", "belongs to a row of turn that does not exist"),
    ],
)  # fmt: skip
async def test_each_damage_is_named(tmp_path: Path, statement: str, expected: str) -> None:
    """A sentence says what is wrong with which row; the other checks go on."""
    async with opened(tmp_path) as store:
        await a_played_project(store)
    damage(tmp_path, statement)
    async with opened(tmp_path) as store:
        found = await faults(store)
    assert any(expected in fault for fault in found), found


async def test_a_request_with_a_damaged_part_is_an_error(tmp_path: Path) -> None:
    """What was sent is shown to the byte or not at all."""
    async with opened(tmp_path) as store:
        _, sealed, _ = await a_played_project(store)
        (call,) = await store.calls(sealed.id)
    damage(tmp_path, "DELETE FROM segment WHERE rowid = (SELECT max(rowid) FROM segment)")
    async with opened(tmp_path) as store:
        with pytest.raises(StorageFailed):
            await store.request(call.id)


async def test_a_damaged_row_is_an_error_not_a_missing_one(tmp_path: Path) -> None:
    """A card that cannot be read is not answered as "no such card" (S01)."""
    card = a_card()
    async with opened(tmp_path) as store:
        await store.commit(Commit(rows=(card,)))
    damage(tmp_path, "UPDATE card SET content = '{'")
    async with opened(tmp_path) as store:
        with pytest.raises(StorageFailed):
            await store.card(card.id)
        with pytest.raises(StorageFailed):
            await store.find_card(card.user_id, card.object_hash)


async def test_an_import_without_its_bytes_is_named(tmp_path: Path) -> None:
    """Cards and lorebooks point at the file that they were imported from."""
    objects = FolderObjects(tmp_path / "objects")
    kept = a_card(object_hash=await objects.put(b"picture"))
    lost, book = a_card(), a_book()
    async with opened(tmp_path) as store:
        await store.commit(Commit(rows=(kept, lost, book)))
        assert await faults(store) == [
            f"card {lost.id} lacks its object {lost.object_hash}",
            f"lorebook {book.id} lacks its object {book.object_hash}",
        ]


async def test_a_picture_of_a_persona_without_its_bytes_is_named(tmp_path: Path) -> None:
    """One that is there is not."""
    objects = FolderObjects(tmp_path / "objects")
    content = {"name": "林", "picture": await objects.put(b"picture")}
    kept = an_item(kind="persona", object_hash="", content=content)
    lost = an_item(kind="persona", object_hash="", content=content | {"picture": "cd" * 32})
    async with opened(tmp_path) as store:
        await store.commit(Commit(rows=(kept, lost)))
        assert await faults(store) == [
            f"the picture of persona {lost.id} lacks its object {'cd' * 32}"
        ]


async def test_a_picture_of_a_turn_without_its_bytes_is_named(tmp_path: Path) -> None:
    """Only as it is now: what was drawn before it, and what is still to be drawn, needs none."""
    async with opened(tmp_path) as store:
        objects = FolderObjects(tmp_path / "objects")
        _, turn, _ = await a_played_project(store)
        pending = ImageChange(f"{turn.id}-0", "pending", "旧伞", "An umbrella", 0, 1)
        kept = replace(pending, state="ready", object_hash=await objects.put(b"picture"))
        lost = replace(kept, image=f"{turn.id}-1", object_hash="ab" * 32)
        drawn = tuple((turn.id, event) for event in (pending, lost, kept))
        await store.commit(Commit(events=drawn))
        assert await faults(store) == [f"picture {lost.image} lacks its object {'ab' * 32}"]
        again = replace(lost, state="pending", attempt=2)
        await store.commit(Commit(events=((turn.id, again),)))
        assert await faults(store) == []
