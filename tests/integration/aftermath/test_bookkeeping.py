"""The user's hand in the ledger: edits, locks, history, taking back; each a version, none lost."""

from __future__ import annotations

import pytest

from huaben.errors import BadInput, Conflict, NotFound
from huaben.ports import Page
from huaben.services import branching
from huaben.services.bookkeeping import (
    Edit,
    edit_ledger,
    history,
    ledger_json,
    revert_version,
    revision_of,
    show_ledger,
    version_json,
)
from huaben.testing.script import ScriptedReply, reply, say
from tests.integration.aftermath.conftest import OpenRoom, Room, on_both, patch

pytestmark = on_both

PROSE = "沈砚把旧伞递过来。「拿着。」"
FIRST = patch(
    {"characters.沈砚.affinity": "拿着", "inventory": "旧伞递过来"},
    characters={"沈砚": {"affinity": 5}},
    inventory=["旧伞"],
    flags={"暗号": "三长两短"},
)


def told(text: str) -> ScriptedReply:
    return reply(say(text))


async def a_room(open_room: OpenRoom, *scribe: str) -> Room:
    return await open_room([told(PROSE)] * (1 + len(scribe)), [told(FIRST), *map(told, scribe)])


async def seen(room: Room) -> int:
    return revision_of((await show_ledger(room.house, room.project.id)).stood)


async def test_an_edit_is_a_version_by_the_user_and_is_used(open_room: OpenRoom) -> None:
    """It merges like a scribe's patch, holds without evidence, and the next request has it."""
    room = await a_room(open_room, "{}")
    turn = await room.say("我冷。")
    await edit_ledger(
        room.house,
        room.project.id,
        Edit(await seen(room), {"time": "子时", "characters": {"沈砚": {"status": "着凉"}}}),
    )
    facts = await room.facts(turn)
    assert (facts.time, facts.characters["沈砚"].status, facts.characters["沈砚"].affinity) == (
        "子时",
        "着凉",
        5,
    )
    await room.say("多谢。")
    block = room.last("story", 1).split("【世界状态】")[1]
    assert "子时" in block
    assert "着凉" in block


async def test_a_stale_edit_is_refused_and_nothing_is_written(open_room: OpenRoom) -> None:
    """Who saw another version than stands, also one on another branch, is told to look again."""
    room = await a_room(open_room)
    await room.say("我冷。")
    before = await seen(room)
    await edit_ledger(room.house, room.project.id, Edit(before, {"time": "子时"}))
    with pytest.raises(Conflict):
        await edit_ledger(room.house, room.project.id, Edit(before, {"time": "丑时"}))
    now = await seen(room)
    await branching.undo(room.house, room.project.id)
    with pytest.raises(Conflict):
        await edit_ledger(room.house, room.project.id, Edit(now, {"time": "丑时"}))


@pytest.mark.parametrize(
    ("wrong", "named"),
    [
        ({"weather": "雨"}, "weather"),
        ({"time": 3}, "time"),
        ({"characters": {"沈砚": {"affinity": "高"}}}, "affinity"),
        ({"inventory": "旧伞"}, "inventory"),
    ],
)
async def test_what_cannot_be_done_is_named(
    open_room: OpenRoom, wrong: dict[str, object], named: str
) -> None:
    """A user's patch is done whole or not at all."""
    room = await a_room(open_room)
    turn = await room.say("我冷。")
    with pytest.raises(BadInput, match=named):
        await edit_ledger(
            room.house,
            room.project.id,
            Edit(await seen(room), {"location": "后院", **wrong}),  # pyright: ignore[reportArgumentType] - JSON
        )
    assert (await room.facts(turn)).location == ""


async def test_a_locked_place_is_never_changed_by_the_scribe(open_room: OpenRoom) -> None:
    """What the scribe writes there is named and not done; the user may still change it."""
    again = patch({"inventory": "旧伞递过来"}, inventory=[], time="次日")
    room = await a_room(open_room, again)
    await room.say("我冷。")
    await edit_ledger(
        room.house, room.project.id, Edit(await seen(room), {}, ("inventory", "characters.沈砚"))
    )
    turn = await room.say("多谢。")
    assert (await room.facts(turn)).inventory == ("旧伞",)
    view = await room.view(turn)
    assert view.ledger is not None
    assert [(one["code"], one["path"]) for one in view.ledger.warnings][:1] == [
        ("locked", "inventory")
    ]
    await edit_ledger(room.house, room.project.id, Edit(await seen(room), {"inventory": ["灯"]}))
    assert (await room.facts(turn)).inventory == ("灯",)
    with pytest.raises(BadInput, match="无此处"):
        await edit_ledger(room.house, room.project.id, Edit(await seen(room), {}, ("无此处",)))


async def test_the_history_tells_who_wrote_what_on_what_grounds(open_room: OpenRoom) -> None:
    """Newest first and in pages, with evidence, claims and changes."""
    room = await a_room(open_room, "{}")
    first = await room.say("我冷。")
    await edit_ledger(room.house, room.project.id, Edit(await seen(room), {"time": "子时"}))
    second = await room.say("多谢。")
    page, more = await history(room.house, room.project.id, Page(limit=2))
    assert more is not None
    rest, end = await history(room.house, room.project.id, Page(more, 2))
    assert end is None
    told_all = [version_json(one) for one in (*page, *rest)]
    assert [(one["node"], one["author"], one["reason"]) for one in told_all] == [
        (second.id, "scribe", "scribe"),
        (first.id, "user", "user"),
        (first.id, "scribe", "scribe"),
    ]
    assert told_all[2]["claims"] == {"flags.暗号": ""}
    shown = ledger_json(await show_ledger(room.house, room.project.id))
    assert shown["claimed"] == ["flags.暗号"]
    assert shown["grounds"] == {
        "characters.沈砚.affinity": {"turn": first.id, "quotation": "拿着"},
        "inventory": {"turn": first.id, "quotation": "旧伞递过来"},
    }


async def test_a_version_is_taken_back(open_room: OpenRoom) -> None:
    """What it changed is as before, where nothing changed since; that is a version too."""
    room = await a_room(open_room)
    turn = await room.say("我冷。")
    made = await revert_version(room.house, room.project.id, await seen(room), turn.id, 1)
    assert made.stood.standing.ledger.inventory == ()
    assert made.stood.reason == "revert"
    assert made.stood.revision == 2
    with pytest.raises(NotFound):
        await revert_version(room.house, room.project.id, await seen(room), turn.id, 9)
    assert ledger_json(made)["grounds"] == {}
