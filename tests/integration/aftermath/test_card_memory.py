"""What all stories of one card share: each story's recap, and the resident summary that heads every log."""

from __future__ import annotations

import json
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import replace

import pytest

from huaben.adapters.system import SystemClock
from huaben.domain.notes import MAX_RESIDENT_CHARS, Note
from huaben.services import branching
from huaben.services.aftermath.recapping import remember_summary
from huaben.testing.script import Asked, Script, Step, fail, say
from huaben.testing.store import MemoryStore
from tests.integration.aftermath.conftest import Room, Settings
from tests.integration.aftermath.remembered import (
    beside,
    codes,
    head_of,
    notes,
    proposed,
    room_on,
    teller,
    write,
)

SHARED: Settings = {
    "memory": {"sources": ["diary", "card"]},
    "compaction": {"keep": 1, "every": 1, "min_chars": 0},
}
OFF: Settings = {**SHARED, "memory": {"sources": ["diary"]}}
RESIDENT = "沈砚在《雨夜》里答应过还伞。"


@asynccontextmanager
async def a_room(settings: Settings = SHARED, keeper: Script = ()) -> AsyncGenerator[Room]:
    async with room_on(MemoryStore(SystemClock()), teller, settings, keeper or resident) as room:
        yield room


def resident(asked: Asked) -> Step:
    return say(RESIDENT)


async def shared(room: Room, kind: str) -> list[Note]:
    return [note for note in await notes(room, await head_of(room), "card") if note.kind == kind]


def heads(room: Room) -> str:
    """What heads the log of the latest story request: all before its greeting."""
    stories = [body for body in room.bodies("story") if "前情提要的人" not in body.decode()]
    messages = json.loads(stories[-1])["messages"]
    return messages[1]["content"] if messages[1]["role"] == "user" else ""


async def test_a_summary_becomes_the_recap_and_the_resident_is_made_of_it() -> None:
    """One call with the card's name and all recaps; other stories are told, this one behind it too."""
    async with a_room() as room:
        await room.say("一")
        await room.say("二")
        (recap,) = await shared(room, "recap")
        assert recap.text == "提要：他们还在渡口。"
        assert (recap.project_id, recap.card_id, recap.node) == (
            room.project.id,
            room.project.card_id,
            None,
        )
        (one,) = await shared(room, "resident")
        assert (one.text, one.project_id, one.node) == (RESIDENT, None, None)
        asked = json.loads(room.models["scribe"].bodies[0])["messages"][-1]["content"]
        assert "角色卡：沈砚" in asked
        assert "提要：他们还在渡口。" in asked
        other = await beside(room)
        await other.say("新的故事")
        assert "【这张卡的总记】" in heads(other)
        assert RESIDENT in heads(other)
        await room.say("三")
        assert heads(room).startswith("【前情提要】")
        assert RESIDENT in heads(room)
        calls = await room.house.store.latest_calls(room.project.id, "memory", 9)
        assert len(calls) == len(room.models["scribe"].wires)


async def test_another_storys_end_moves_no_byte_of_this_ones_prompt() -> None:
    """The resident summary stays as it was when the story began or was last summarised."""
    written = iter(["第一份总记。", "第二份总记，更长一些。", "第三份总记，又长了些。"])
    async with a_room(keeper=lambda _: say(next(written))) as room:
        other = await beside(room)
        await room.say("一")
        await room.say("二")
        await other.say("新的故事")
        before = heads(other)
        assert before == "【这张卡的总记】\n第一份总记。"
        await room.say("三")
        (one,) = await shared(room, "resident")
        assert one.text == "第二份总记，更长一些。"
        await other.say("接着讲")
        assert heads(other) == before
        await other.say("再讲")  # its own summary stands now, and so does what was written by then
        assert "第三份总记" in heads(other)


async def test_undo_brings_the_former_resident_back() -> None:
    """What was written of a later turn is not told before it."""
    written = iter(["第一份总记。", "第二份总记，更长一些。", "第三份总记，又长了些。"])
    async with a_room(keeper=lambda _: say(next(written))) as room:
        await room.say("一")
        second = await room.say("二")
        await room.say("三")
        await room.say("四")
        assert "第二份总记" in heads(room)
        await branching.go_to(room.house, room.project.id, second.id)
        await room.say("另一条路")
        assert "第一份总记。" in heads(room)


async def test_a_story_is_not_told_its_own_recap_but_others_are() -> None:
    """Recall looks at the recaps of the card's other stories alone."""
    async with a_room() as room:
        await room.say("一")
        await room.say("二")
        other = await beside(room)
        await other.say("他们还在渡口吗？")
        told = json.loads(other.bodies("story")[-1])["messages"][-1]["content"]
        assert "提要：他们还在渡口。" in told
        assert "另一个故事" in told
        await room.say("他们还在渡口吗？")
        stories = [b for b in room.bodies("story") if "前情提要的人" not in b.decode()]
        own = json.loads(stories[-1])["messages"][-1]["content"]
        assert "（另一个故事）" not in own


async def test_what_the_user_wrote_is_not_written_over() -> None:
    """Neither a recap nor the resident summary; the turn's log says so, and the user's words are told
    at once."""
    async with a_room() as room:
        await room.say("一")
        await room.say("二")
        for kind, text in (("recap", "我写的提要。"), ("resident", "我写的总记。")):
            (note,) = await shared(room, kind)
            await write(room, replace(note, text=text, author="user", base=note.version))
        third = await room.say("三")
        assert [one.text for one in await shared(room, "recap")] == ["我写的提要。"]
        assert [one.text for one in await shared(room, "resident")] == ["我写的总记。"]
        refused = [n.detail for n in (await room.view(third)).notices if n.code == "memory_refused"]
        assert refused == ["recap: the user's own words", "resident: the user's own words"]
        await room.say("四")
        assert "我写的总记。" in heads(room)


async def test_l29_a_resident_that_would_shrink_by_half_is_a_question() -> None:
    """The longer one stays in force until the user answers."""
    written = iter(["沈砚答应过还伞，也答应过立冬前回来。" * 3, "还伞。"])
    async with a_room(keeper=lambda _: say(next(written))) as room:
        await room.say("一")
        await room.say("二")
        third = await room.say("三")
        (one,) = await shared(room, "resident")
        assert one.text.startswith("沈砚答应过还伞")
        (question,) = await proposed(room, third)
        assert (question.kind, question.text) == ("resident", "还伞。")
        assert codes(await room.view(third))["memory_asks"] == "resident"


async def test_a_resident_over_its_limit_is_cut_and_said_to_be() -> None:
    """1,200 characters are always in front of the writer; more are not kept."""
    async with a_room(keeper=lambda _: say("雨" * 2000)) as room:
        await room.say("一")
        second = await room.say("二")
        (one,) = await shared(room, "resident")
        assert len(one.text) == MAX_RESIDENT_CHARS
        assert codes(await room.view(second))["resident_cut"] == "2000 → 1200"


@pytest.mark.parametrize("step", [fail(retryable=False), say(" ")], ids=["refused", "silent"])
async def test_a_resident_that_cannot_be_made_holds_up_nothing(step: Step) -> None:
    """The recap stands, the fault is in the turn's log, and the turn ends."""
    async with a_room(keeper=lambda _: step) as room:
        await room.say("一")
        second = await room.say("二")
        view = await room.view(second)
        assert view.ended
        assert "recap_failed" in codes(view)
        assert len(await shared(room, "recap")) == 1
        assert await shared(room, "resident") == []


async def test_without_the_source_no_call_is_made() -> None:
    """The recap is kept for stories that share; nothing heads the log."""
    async with a_room(OFF) as room:
        await room.say("一")
        await room.say("二")
        await room.say("三")
        assert len(await shared(room, "recap")) == 1
        assert await shared(room, "resident") == []
        assert room.models["scribe"].wires == []
        assert "总记" not in heads(room)


async def test_a_summary_is_remembered_once() -> None:
    """Whoever comes second with the same text pays for nothing and writes nothing."""
    async with a_room() as room:
        turn = await room.say("一")
        for _ in range(2):
            await remember_summary(room.house, room.project, turn.id, "提要：雨停了。")
        assert len(room.models["scribe"].wires) == 1
        (recap,) = await shared(room, "recap")
        assert recap.version == 1


async def test_what_was_removed_stays_away() -> None:
    """Until the user brings it back."""
    async with a_room() as room:
        await room.say("一")
        await room.say("二")
        for kind in ("recap", "resident"):
            (note,) = await shared(room, kind)
            await write(room, replace(note, removed=True, author="user", base=note.version))
        await room.say("三")
        await room.say("四")
        assert await notes(room, await head_of(room), "card") == []
        assert "总记" not in heads(room)
