"""The tables behind the scribe: rows follow the ledger, and what the user did to them is respected."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from huaben.domain.notes import Note
from huaben.services import branching
from huaben.testing.script import Asked, ScriptedReply, Step, say
from tests.integration.aftermath.conftest import OpenRoom, Room, patch
from tests.integration.aftermath.remembered import ALL, codes, notes, proposed, table, told, write

PROSE = "沈砚把旧伞递过来。「拿着，别淋雨。」他答应立冬前还伞。"
WHERE = {"characters.沈砚.status": "别淋雨"}
FIRST = patch(
    {"characters.沈砚.affinity": "别淋雨", "inventory": "旧伞", "plot_threads": "立冬前还伞"},
    time="雨夜",
    characters={"沈砚": {"affinity": 5, "status": "淋着雨", "notes": "话少，记性好。"}},
    inventory=["旧伞"],
    plot_threads=["立冬前还伞"],
)
NOTHING = "{}"


def status(text: str, **more: object) -> str:
    return patch({}, characters={"沈砚": {"status": text, **more}})


async def played(open_room: OpenRoom, *answers: str) -> Room:
    script: Sequence[ScriptedReply] = [told(answer) for answer in answers]
    return await open_room(prose, script, ALL)


def prose(asked: Asked) -> Step:
    return say(f"{PROSE}{asked.last_text[-4:]}")


async def edit(room: Room, note: Note, **changes: object) -> Note:
    """A version of the user's."""
    made = replace(note, author="user", base=note.version, **changes)
    await write(room, made)
    stored = await room.house.store.note(note.id)
    assert stored is not None
    return stored


async def test_rows_are_made_of_what_the_ledger_says(open_room: OpenRoom) -> None:
    """People, how they stand with the reader's character, what is carried, what is promised."""
    room = await played(open_room, FIRST)
    turn = await room.say("我冷。")
    rows = await table(room, turn)
    assert {key: note.text for key, note in rows.items()} == {
        ("person", "沈砚"): "状态：淋着雨\n备注：话少，记性好。\n初次出现：雨夜",
        ("relation", "沈砚"): "对你的好感：5（从 -100 到 100）",
        ("item", "旧伞"): "带在身上。\n初次出现：雨夜",
        ("promise", "立冬前还伞"): "还没有了结。\n初次出现：雨夜",
    }
    assert {(note.node, note.author, note.version) for note in rows.values()} == {
        (turn.id, "model", 1)
    }


async def test_a_row_is_changed_in_place_and_undo_takes_the_change_back(
    open_room: OpenRoom,
) -> None:
    """One note for each name, a version for each change; what did not change has no version more."""
    gone = patch(
        {}, inventory=[], plot_threads=["查明旧伞的来历"], characters={"沈砚": {"affinity": 9}}
    )
    room = await played(open_room, FIRST, gone)
    first, second = await room.say("一"), await room.say("二")
    before, after = await table(room, first), await table(room, second)
    assert {key: after[key].id for key in before} == {key: note.id for key, note in before.items()}
    assert after["item", "旧伞"].text == "不再带在身上。\n初次出现：雨夜"
    assert after["promise", "立冬前还伞"].text == "已经了结，或不再提起。\n初次出现：雨夜"
    assert after["promise", "查明旧伞的来历"].node == second.id
    assert after["relation", "沈砚"].text.startswith("对你的好感：9")
    assert (after["relation", "沈砚"].version, after["person", "沈砚"].version) == (2, 1)
    await branching.undo(room.house, room.project.id)
    assert await table(room, first) == {
        key: replace(note, revision=after[key].revision) for key, note in before.items()
    }


async def test_a_person_who_left_is_remembered(open_room: OpenRoom) -> None:
    """The ledger forgets them; the tables keep what was known last."""
    room = await played(open_room, FIRST, patch({}, characters={"沈砚": None}))
    first, second = await room.say("一"), await room.say("二")
    rows = await table(room, second)
    assert rows["person", "沈砚"] == (await table(room, first))["person", "沈砚"]
    assert rows["relation", "沈砚"].text == "对你的好感：账本里已经不再记了"


async def test_a_late_scribe_leaves_nothing_out(open_room: OpenRoom) -> None:
    """The changes of a turn that was read behind the next one reach the tables there."""
    bad = ["不会。"] * 4
    room = await played(open_room, *bad, FIRST, status("回了客栈"))
    first = await room.say("一")
    assert await table(room, first) == {}
    second = await room.say("二")
    rows = await table(room, second)
    assert set(rows) == {
        ("person", "沈砚"), ("relation", "沈砚"), ("item", "旧伞"), ("promise", "立冬前还伞"),
    }  # fmt: skip
    assert "状态：回了客栈" in rows["person", "沈砚"].text


# ---- what the user did -------------------------------------------------------------------------


async def test_the_users_lines_stay_where_the_ledger_changes_others(open_room: OpenRoom) -> None:
    """A change is taken over line by line; without a change the user's version stands."""
    room = await played(open_room, FIRST, NOTHING, status("回了客栈"))
    first = await room.say("一")
    note = (await table(room, first))["person", "沈砚"]
    await edit(room, note, text=f"{note.text}\n他怕水。", node=first.id)
    second = await room.say("二")
    assert (await table(room, second))["person", "沈砚"].author == "user"
    third = await room.say("三")
    changed = (await table(room, third))["person", "沈砚"]
    assert changed.text == "状态：回了客栈\n备注：话少，记性好。\n初次出现：雨夜\n他怕水。"
    assert (changed.author, changed.base, changed.node) == ("model", 2, third.id)


async def test_l29_a_locked_row_is_refused_by_name(open_room: OpenRoom) -> None:
    """No version is made of it, the turn's log says so, and other rows go on."""
    room = await played(open_room, FIRST, status("回了客栈", affinity=6))
    first = await room.say("一")
    note = (await table(room, first))["person", "沈砚"]
    locked = await edit(room, note, locked=True, node=first.id)
    second = await room.say("二")
    rows = await table(room, second)
    assert rows["person", "沈砚"] == locked
    assert rows["relation", "沈砚"].text.startswith("对你的好感：6")
    assert codes(await room.view(second))["memory_refused"] == "沈砚: locked"


async def test_l29_a_row_that_would_shrink_by_half_is_a_question(open_room: OpenRoom) -> None:
    """The note stays as it is, the proposed version is listed, and is asked only once."""
    room = await played(open_room, FIRST, status("", notes=""), NOTHING)
    first, second = await room.say("一"), await room.say("二")
    rows = await table(room, second)
    assert rows["person", "沈砚"].text == (await table(room, first))["person", "沈砚"].text
    (question,) = await proposed(room, second)
    assert (question.title, question.text) == ("沈砚", "初次出现：雨夜")
    assert (question.base, question.node, question.proposed) == (1, second.id, True)
    assert codes(await room.view(second))["memory_asks"] == "沈砚"
    assert await proposed(room, first) == []
    third = await room.say("三")
    assert len(await proposed(room, third)) == 1
    assert "memory_asks" not in codes(await room.view(third))


async def test_what_the_user_removed_does_not_come_back_by_itself(open_room: OpenRoom) -> None:
    """However the ledger changes."""
    room = await played(open_room, FIRST, status("回了客栈"))
    first = await room.say("一")
    note = (await table(room, first))["person", "沈砚"]
    await edit(room, note, removed=True, node=first.id)
    second = await room.say("二")
    assert ("person", "沈砚") not in await table(room, second)


async def test_a_name_longer_than_a_title_is_kept_whole(open_room: OpenRoom) -> None:
    """Two that begin alike stay two."""
    long = [f"{'还伞' * 120}{end}" for end in ("给船工", "给沈砚")]
    room = await played(open_room, patch({}, plot_threads=long))
    turn = await room.say("一")
    rows = [note for note in await notes(room, turn, "tables") if note.kind == "promise"]
    assert {note.text.split("\n")[0] for note in rows} == set(long)
    assert len({note.title for note in rows}) == 2
