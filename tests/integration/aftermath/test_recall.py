"""What a turn is told from memory before it begins, what is left out of it, and what happens when it is late."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Sequence

import pytest

from huaben.adapters.system import SystemClock
from huaben.domain.notes import SOURCES, Note, NoteSource, Vantage
from huaben.domain.remembering import NoteHit
from huaben.domain.story import Turn
from huaben.errors import StorageFailed
from huaben.services import branching, playing
from huaben.services.recalling import remembered_in
from huaben.testing.script import fail, say
from huaben.testing.store import MemoryStore
from tests.integration.aftermath.conftest import OpenRoom, Room, Settings, patch
from tests.integration.aftermath.remembered import (
    ALL,
    DIARY,
    SHORT,
    codes,
    head_of,
    notes,
    room_on,
    teller,
    told,
    write,
)

STORE: Settings = {"memory": {"sources": ["store"]}}


async def a_note(room: Room, title: str, text: str, **more: object) -> Note:
    values: dict[str, object] = {
        "id": room.house.ids.new(),
        "user_id": "local",
        "kind": "note",
        "title": title,
        "text": text,
        "author": "user",
        "at": "",
        "project_id": room.project.id,
        "node": await head_of(room),
        **more,
    }
    note = Note(**values)  # pyright: ignore[reportArgumentType] - a builder of fields
    await write(room, note)
    return note


def block(room: Room, number: int = -1) -> str:
    """The memory block of a story request; empty where it has none."""
    stories = [body for body in room.bodies("story") if "前情提要的人" not in body.decode()]
    last: str = json.loads(stories[number])["messages"][-1]["content"]
    _, found, rest = last.partition("【剧情记忆】\n")
    return rest.split("\n\n【")[0] if found else ""


async def left_out(room: Room, turn: Turn) -> dict[str, str]:
    """What the inspector shows as considered and not sent, of memory."""
    (call, *_) = await room.house.store.calls(turn.id)
    rows = [row["left_out"] for row in call.outline if "left_out" in row]
    listed: list[dict[str, str]] = json.loads(json.dumps([one for row in rows for one in row]))  # pyright: ignore[reportGeneralTypeIssues, reportUnknownVariableType] - JSON rows
    return {one["source"]: one["reason"] for one in listed if one["source"].startswith("memory:")}


async def test_what_no_longer_stands_above_is_recalled(open_room: OpenRoom) -> None:
    """When a summary has taken the place of a turn, its diary speaks for it; the block names it."""
    room = await open_room(teller, None, SHORT)
    first = await room.say("白鹭停在桅杆上")
    await room.say("船开了")
    await room.say("雨停了")
    turn = await room.say("那只白鹭呢？")
    assert "白鹭停在桅杆上" in block(room)
    assert block(room).startswith("记得 1 条\n# 第 1 拍（往事）")
    assert await left_out(room, turn) == {}
    (note,) = await notes(room, first, "diary")
    (call, *_) = await room.house.store.calls(turn.id)
    reasons = [p for row in call.outline for p in json.loads(json.dumps(row.get("pieces", [])))]
    told_of = next(piece for piece in reasons if piece["source"] == "memory")
    assert note.id in told_of["reason"]


async def test_what_stands_word_for_word_above_is_not_repeated(open_room: OpenRoom) -> None:
    """A live turn's diary is found, left out and named."""
    room = await open_room(teller, None, DIARY)
    first = await room.say("白鹭停在桅杆上")
    turn = await room.say("那只白鹭呢？")
    (note,) = await notes(room, first, "diary")
    assert block(room) == ""
    assert await left_out(room, turn) == {
        f"memory:{note.id}": "stands word for word in the turns that are sent"
    }


async def test_what_the_world_state_says_is_not_repeated(open_room: OpenRoom) -> None:
    """A row is told once it says something else than the ledger does now."""
    prose = "沈砚把旧伞递过来。"
    have, lost = patch({}, inventory=["旧伞"]), patch({}, inventory=["灯"])
    room = await open_room([told(prose)] * 4, [told(have), told(lost), told("{}")], ALL)
    await room.say("我冷。")
    turn = await room.say("旧伞在哪里？")
    assert "stands in the world state" in (await left_out(room, turn)).values()
    assert "（物件）" not in block(room)
    await room.say("旧伞还在吗？")
    assert "# 旧伞（物件）\n不再带在身上。" in block(room)


async def test_only_this_branch_is_remembered(open_room: OpenRoom) -> None:
    """What was noted on a turn that was undone is not told."""
    room = await open_room(teller, None, STORE)
    await room.say("一")
    await a_note(room, "白鹭", "白鹭飞走了。")
    await room.say("白鹭呢？")
    assert "白鹭飞走了。" in block(room)
    for _ in range(2):
        await branching.undo(room.house, room.project.id)
    await room.say("白鹭呢？")
    assert block(room) == ""


async def test_who_cannot_look_anything_up_is_told_too(open_room: OpenRoom) -> None:
    """One generation per turn has no tools, but the block."""
    actor: Settings = {**STORE, "performer": {"kind": "actor"}}
    room = await open_room(teller, None, actor)
    await a_note(room, "白鹭", "白鹭飞走了。")
    await room.say("白鹭呢？")
    assert "白鹭飞走了。" in block(room)
    assert json.loads(room.bodies("story")[-1])["tools"] == []


async def test_english_words_are_recalled_too(open_room: OpenRoom) -> None:
    """Alone and beside a Chinese name."""
    room = await open_room(teller, None, STORE)
    await a_note(room, "Heron", "The heron sleeps on the mast of 阿蘅's boat.")
    await room.say("Where is the heron?")
    assert "sleeps on the mast" in block(room)
    await room.say("阿蘅的 heron 呢？")
    assert "sleeps on the mast" in block(room)


async def test_what_does_not_fit_is_named(open_room: OpenRoom) -> None:
    """`max_chars` bounds the block; the inspector shows what was found and not told."""
    short: Settings = {"memory": {"sources": ["store"], "max_chars": 120}}
    room = await open_room(teller, None, short)
    await a_note(room, "白鹭一", "白鹭" * 40)
    await a_note(room, "白鹭二", "白鹭" * 40)
    turn = await room.say("白鹭")
    assert len(block(room)) < 200
    assert ["left out" in reason for reason in (await left_out(room, turn)).values()] == [True]


# ---- late and failing --------------------------------------------------------------------------


class Troubled(MemoryStore):
    """Searches of notes that take their time, or fail."""

    slow_s = 0.0
    fault: StorageFailed | None = None

    async def search_notes(
        self, vantage: Vantage, query: str, sources: Sequence[NoteSource] = SOURCES, limit: int = 10
    ) -> list[NoteHit]:
        await asyncio.sleep(self.slow_s)
        if self.fault is not None:
            raise self.fault
        return await super().search_notes(vantage, query, sources, limit)


async def test_a_late_memory_holds_up_no_turn() -> None:
    """The turn goes on without, and says so."""
    store = Troubled(SystemClock())
    quick: Settings = {"memory": {"sources": ["store"], "recall_s": 1}}
    async with room_on(store, teller, quick) as room:
        await a_note(room, "白鹭", "白鹭飞走了。")
        store.slow_s = 60
        turn = await room.say("白鹭呢？")
        assert turn.outcome == "sealed"
        assert codes(await room.view(turn)) == {"memory_late": "1 s"}
        assert block(room) == ""


async def test_a_failing_memory_ends_no_turn() -> None:
    """The sources that did not answer are named."""
    store = Troubled(SystemClock())
    async with room_on(store, teller, ALL) as room:
        store.fault = StorageFailed("disk", "The disk cannot be read.")
        turn = await room.say("白鹭呢？")
        assert turn.outcome == "sealed"
        assert codes(await room.view(turn))["memory_failed"] == "diary, tables, store"


async def test_a_scenario_may_recall_nothing() -> None:
    """With no time for it nothing is looked up, and nothing is late."""
    store = Troubled(SystemClock())
    never: Settings = {"memory": {"sources": ["store"], "recall_s": 0}}
    async with room_on(store, teller, never) as room:
        store.fault = StorageFailed("disk", "The disk cannot be read.")
        turn = await room.say("白鹭呢？")
        assert codes(await room.view(turn)) == {}


@pytest.mark.parametrize("when", ["before", "after"])
async def test_a_turn_taken_up_again_is_told_the_same(open_room: OpenRoom, when: str) -> None:
    """Whatever was noted or changed meanwhile: its request stays the same to the byte."""
    room = await open_room([fail(retryable=False), say("雨停了。")], None, STORE)
    if when == "before":
        await a_note(room, "白鹭", "白鹭飞走了。")
    turn = await room.say("白鹭呢？")
    assert turn.outcome == "failed"
    if when == "after":
        # Seen from the node that the turn continues, as something of another device would be.
        await a_note(room, "白鹭", "白鹭飞走了。", node=turn.parent)
    await playing.resume(room.house, room.company, turn.id)
    await room.company.settled(turn.id)
    first, again = room.bodies("story")
    assert first == again
    assert ("白鹭飞走了。" in block(room)) == (when == "before")
    told_of = await remembered_in(room.house, turn)
    assert told_of.text.partition("\n")[2] == block(room)
