"""Compaction behind a sealed turn: when it comes, what stands for the old turns, and going back before it."""

from __future__ import annotations

import json

import pytest

from huaben.services import branching
from huaben.testing.script import Asked, ScriptedReply, Step, fail, reply, say
from tests.integration.aftermath.conftest import OpenRoom, Room, patch

LONG = "雨一直下，檐下的灯笼晃了三晃。"
SETTINGS = {
    "scribe": {"enabled": True, "wait_s": 30},
    "compaction": {"keep": 2, "every": 3, "min_chars": 10},
}


def told(text: str) -> ScriptedReply:
    return reply(say(text))


def teller(asked: Asked) -> Step:
    """Writes a summary where one is asked for, and prose elsewhere."""
    system = str(asked.messages[0]["content"])
    if "前情提要的人" in system:
        return say(f"提要：{asked.last_text.count('正文：')} 拍。旧伞在沈砚手里。")
    return say(f"{LONG}（{asked.last_text[-4:]}）")


def messages(room: Room, number: int = -1) -> list[tuple[str, str]]:
    """Roles and contents of a story request."""
    stories = [body for body in room.bodies("story") if "前情提要的人" not in body.decode()]
    return [(m["role"], m["content"]) for m in json.loads(stories[number])["messages"]]


async def tell(room: Room, count: int, start: int = 1) -> list[str]:
    return [(await room.say(f"第{start + n}句")).id for n in range(count)]


async def test_a_summary_takes_the_place_of_old_turns(open_room: OpenRoom) -> None:
    """At keep + every live turns all but the last `keep` are summarised; the next request holds the
    summary before the greeting and those turns alone."""
    room = await open_room(teller, None, SETTINGS)
    turns = await tell(room, 5)
    view = await room.view(await room.say("第6句"))
    assert view.compacted is None
    sent = messages(room)
    assert [role for role, _ in sent] == [
        "system", "user", "assistant", "user", "assistant", "user", "assistant", "user",
    ]  # fmt: skip
    assert sent[1][1].startswith("【前情提要】\n提要：3 拍")
    assert [content for role, content in sent[3:] if role == "user"][:2] == ["第4句", "第5句"]
    fifth = await room.house.store.turn(turns[4])
    assert fifth is not None
    compacted = (await room.view(fifth)).compacted
    assert compacted is not None
    assert (compacted.covers, compacted.turns, compacted.kept) == (turns[2], 3, 2)


async def test_a_second_summary_takes_up_the_first(open_room: OpenRoom) -> None:
    """The former summary and the leaving turns become one; the ledger's facts are given to it."""
    facts = patch({"inventory": LONG[:3]}, inventory=["旧伞"])
    room = await open_room(teller, [told(facts)] + [told("{}")] * 20, SETTINGS)
    await tell(room, 8)
    asked = [body.decode() for body in room.bodies("story") if "前情提要的人" in body.decode()]
    assert len(asked) == 2
    second = json.loads(asked[1])["messages"][-1]["content"]
    assert "【到目前为止的提要】\n提要：3 拍" in second
    assert second.count("正文：") == 3
    assert "旧伞" in second.split("【账本】")[1].split("【")[0]


async def test_going_back_brings_the_full_text_back(open_room: OpenRoom) -> None:
    """Before the node of a summary the turns are sent whole again; after it the summary stands."""
    room = await open_room(teller, None, SETTINGS)
    turns = await tell(room, 6)
    await branching.go_to(room.house, room.project.id, turns[3])
    await room.say("另一句")
    sent = messages(room)
    assert "【前情提要】" not in "".join(content for _, content in sent[1:])
    users = [content for role, content in sent if role == "user"][:4]
    assert users == ["第1句", "第2句", "第3句", "第4句"]
    await branching.go_to(room.house, room.project.id, turns[5])
    await room.say("接着来")
    assert messages(room)[1][1].startswith("【前情提要】")


async def test_lost_names_are_asked_for_once_and_then_put_in(open_room: OpenRoom) -> None:
    """A summary that loses a name of the ledger is written again with the name told; what is lost
    again is put in by the program, and said."""

    def forgetful(asked: Asked) -> Step:
        system = str(asked.messages[0]["content"])
        return say("他们说了话。" if "前情提要的人" in system else LONG)

    facts = patch({"inventory": LONG[:3]}, inventory=["旧伞"])
    room = await open_room(forgetful, [told(facts)] + [told("{}")] * 9, SETTINGS)
    turns = await tell(room, 5)
    fifth = await room.house.store.turn(turns[4])
    assert fifth is not None
    compacted = (await room.view(fifth)).compacted
    assert compacted is not None
    assert compacted.missing == ("旧伞",)
    await room.say("第6句")
    assert messages(room)[1][1] == "【前情提要】\n他们说了话。\n\n另外，下面这些仍然成立：旧伞。"
    again = [
        body.decode() for body in room.bodies("story") if "找不到下面这些名字" in body.decode()
    ]
    assert len(again) == 1


async def test_a_summary_that_cannot_be_made_leaves_all_as_it_was(open_room: OpenRoom) -> None:
    """The turn ends, the fault is in its log, the next request holds every turn; the next seal tries
    again."""
    broken = [True]

    def unwilling(asked: Asked) -> Step:
        if "前情提要的人" in str(asked.messages[0]["content"]):
            return fail(retryable=False) if broken[0] else say("提要。")
        return say(LONG)

    room = await open_room(unwilling, None, SETTINGS)
    turns = await tell(room, 5)
    fifth = await room.house.store.turn(turns[4])
    assert fifth is not None
    view = await room.view(fifth)
    assert view.ended
    assert [n.code for n in view.notices] == ["summary_failed"]
    broken[0] = False
    await room.say("第6句")
    assert [content for role, content in messages(room) if role == "user"][:5] == [
        f"第{n}句" for n in range(1, 6)
    ]
    await room.say("第7句")
    assert messages(room)[1][1] == "【前情提要】\n提要。"


@pytest.mark.parametrize("nothing", ["", " \n\u200b"])
async def test_nothing_never_stands_for_old_turns(open_room: OpenRoom, nothing: str) -> None:
    """A model that writes no summary, twice, takes nothing out of the story: not even the names are put
    in the place of what was told."""

    def silent(asked: Asked) -> Step:
        if "前情提要的人" in str(asked.messages[0]["content"]):
            return ScriptedReply((say(nothing),))
        return say(LONG)

    facts = patch({"inventory": LONG[:3]}, inventory=["旧伞"])
    room = await open_room(silent, [told(facts)] + [told("{}")] * 9, SETTINGS)
    turns = await tell(room, 5)
    fifth = await room.house.store.turn(turns[4])
    assert fifth is not None
    view = await room.view(fifth)
    assert view.compacted is None
    assert [(n.code, n.detail.partition(":")[0]) for n in view.notices] == [
        ("summary_failed", "empty_reply")
    ]
    await room.say("第6句")
    assert next(content for role, content in messages(room) if role == "user") == "第1句"


@pytest.mark.parametrize(("percent", "comes"), [(1, True), (100, False)])
async def test_a_filling_window_makes_it_due(
    open_room: OpenRoom, percent: int, *, comes: bool
) -> None:
    """Where the next request would pass the share of the model's window, the summary comes early."""
    early = {"keep": 2, "every": 100, "window_percent": percent}
    room = await open_room(teller, None, {**SETTINGS, "compaction": early})
    await tell(room, 3)
    asked = [body for body in room.bodies("story") if "前情提要的人" in body.decode()]
    assert bool(asked) is comes


async def test_the_chain_ends_with_compaction_off(open_room: OpenRoom) -> None:
    """`every = 0` turns it off, however long the story grows."""
    off = {**SETTINGS, "compaction": {"keep": 0, "every": 0, "min_chars": 0}}
    room = await open_room(teller, None, off)
    await tell(room, 6)
    assert len(messages(room)) == 1 + 1 + 2 * 5 + 1
