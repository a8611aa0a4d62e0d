"""The diary behind a sealed turn: what is kept of it, once and whole, and where it is seen."""

from __future__ import annotations

from huaben.adapters.system import SystemClock
from huaben.domain.events import End
from huaben.domain.notes import Note, Vantage
from huaben.errors import ReadOnly
from huaben.ports import Commit, Committed, Page, Stale
from huaben.services import branching
from huaben.services.aftermath.remembering import AT_ONCE, keep_diary, remember
from huaben.testing.script import call, fail, reply, say, think
from huaben.testing.store import MemoryStore
from tests.integration.aftermath.conftest import OpenRoom, patch
from tests.integration.aftermath.remembered import (
    ALL,
    DIARY,
    codes,
    head_of,
    notes,
    path_to,
    plant,
    play_on,
    room_on,
    teller,
    told,
)

PROSE = "沈砚把旧伞递过来。「拿着，别淋雨。」"


async def test_a_sealed_turn_is_kept_whole(open_room: OpenRoom) -> None:
    """One note at its node: its number, when and where it was, the user's words, the final text."""
    facts = patch({"time": "把旧伞递过来", "location": "淋雨"}, time="雨夜", location="渡口客栈")
    room = await open_room([told(PROSE)], [told(facts)], ALL)
    turn = await room.say("我冷。\n有伞吗？")
    (note,) = await notes(room, turn, "diary")
    assert note.title == "第 1 拍 · 雨夜 · 渡口客栈"
    assert note.text == f"> 我冷。\n> 有伞吗？\n\n{PROSE}"
    assert (note.node, note.kind, note.author, note.version) == (turn.id, "event", "model", 1)
    changes = await room.house.store.project_events(room.project.id)
    assert ("memory_changed", turn.id) in [(one.event.kind, one.event.turn) for one in changes]
    assert (await room.view(turn)).ended


async def test_h19_thoughts_never_enter_memory(open_room: OpenRoom) -> None:
    """Neither what the model thought, nor what it said before it looked something up."""
    script = [
        reply(think("其实船工是他父亲。"), say("我先看看卡。"), call("card_read")),
        reply(think("不能现在说破。"), say(PROSE)),
    ]
    room = await open_room(script, None, ALL)
    turn = await room.say("我冷。")
    assert turn.final_text == PROSE
    everything = "\n".join(f"{one.title}\n{one.text}" for one in await notes(room, turn))
    assert PROSE in everything
    for thought in ("父亲", "说破", "先看看"):
        assert thought not in everything
        hits = await room.house.store.search_notes(Vantage(room.project.id, turn.id), thought)
        assert hits == []


async def test_a_long_turn_is_split_and_nothing_is_dropped(open_room: OpenRoom) -> None:
    """Where one note cannot hold it, several do, in their order."""
    prose = "\n\n".join(f"{n}{'雨' * 900}。" for n in range(50))
    room = await open_room([told(prose)], None, DIARY)
    turn = await room.say("讲下去。")
    parts = sorted(await notes(room, turn, "diary"), key=lambda one: one.id)
    assert [one.title for one in parts] == [f"第 1 拍 （{n}/3）" for n in (1, 2, 3)]
    assert "".join(one.text for one in parts) == f"> 讲下去。\n\n{prose}"


async def test_undo_hides_what_happened_and_redo_shows_it(open_room: OpenRoom) -> None:
    """Memory is a function of the node, as all of the story: another branch never had it."""
    room = await open_room(teller, None, DIARY)
    await room.say("旧伞")
    second = await room.say("白鹭")

    async def found(word: str) -> int:
        vantage = Vantage(room.project.id, await head_of(room))
        return len(await room.house.store.search_notes(vantage, word))

    assert [await found("旧伞"), await found("白鹭")] == [1, 1]
    await branching.undo(room.house, room.project.id)
    assert [await found("旧伞"), await found("白鹭")] == [1, 0]
    await room.say("船工")
    assert [await found("旧伞"), await found("白鹭"), await found("船工")] == [1, 0, 1]
    await branching.go_to(room.house, room.project.id, second.id)
    assert [await found("旧伞"), await found("白鹭"), await found("船工")] == [1, 1, 0]
    await branching.undo(room.house, room.project.id)
    await branching.redo(room.house, room.project.id)
    assert (await head_of(room), await found("白鹭")) == (second.id, 1)


async def test_what_was_kept_is_not_kept_twice(open_room: OpenRoom) -> None:
    """By turn, whichever job comes second."""
    room = await open_room([told(PROSE)], None, ALL)
    turn = await room.say("我冷。")
    before = await notes(room, turn)
    await remember(room.house, turn)
    await keep_diary(room.house, room.project, await path_to(room, turn.id), [turn.id])
    assert await notes(room, turn) == before


async def test_a_turn_that_was_not_sealed_is_not_kept(open_room: OpenRoom) -> None:
    """Only what the story tells becomes memory."""
    room = await open_room([fail(retryable=False)], None, ALL)
    turn = await room.say("我冷。")
    assert turn.outcome == "failed"
    assert await notes(room, turn) == []


# ---- catching up -------------------------------------------------------------------------------


async def test_what_was_missed_is_caught_up_behind_the_next_turn(open_room: OpenRoom) -> None:
    """Turns of a time without memory, as those of an imported story, are kept at their own nodes."""
    room = await open_room(teller, None, {})
    first, second = await room.say("第一句"), await room.say("第二句")
    assert await notes(room, second) == []
    await play_on(room, DIARY)
    third = await room.say("第三句")
    assert [one.title for one in await notes(room, first)] == ["第 1 拍"]
    nodes = {one.title: one.node for one in await notes(room, third)}
    assert nodes == {"第 1 拍": first.id, "第 2 拍": second.id, "第 3 拍": third.id}


async def test_of_an_imported_story_a_job_of_its_own_keeps_the_rest(open_room: OpenRoom) -> None:
    """However many turns there are, the end of the first one that is played does not wait for them."""
    room = await open_room(teller, None, DIARY)
    await plant(room, AT_ONCE + 9)
    turn = await room.say("接着讲。")
    assert len(await notes(room, turn)) == AT_ONCE + 10
    jobs, _ = await room.house.store.jobs(Page(), "diary")
    assert [job.outcome for job in jobs] == ["done"]
    events = [one.event for one in await room.house.store.events(turn.id)]
    assert isinstance(events[-1], End)
    again = await room.say("再讲。")
    assert len(await notes(room, again)) == AT_ONCE + 11
    assert len((await room.house.store.jobs(Page(), "diary"))[0]) == 1


class Refusing(MemoryStore):
    """Refuses to keep notes while `full`."""

    full = False

    async def commit(self, commit: Commit) -> Committed | Stale:
        if self.full and any(isinstance(row, Note) for row in commit.rows):
            raise ReadOnly("gone", "The data folder is gone.")
        return await super().commit(commit)


async def test_a_store_that_refuses_holds_up_no_end() -> None:
    """The fault is named in the turn's log, the turn ends, and the next one catches up."""
    store = Refusing(SystemClock())
    async with room_on(store, teller, DIARY) as room:
        store.full = True
        view = await room.view(await room.say("第一句"))
        assert view.ended
        assert codes(view) == {"remembering_failed": "gone: The data folder is gone."}
        store.full = False
        second = await room.say("第二句")
        assert [one.title for one in await notes(room, second)] == ["第 2 拍", "第 1 拍"]
