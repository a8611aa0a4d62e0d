"""The memory's tools in a turn: what a model looks up, and what it notes, once and on its branch."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import cast

from huaben.domain.story import Turn
from huaben.services import branching, playing
from huaben.testing.script import Asked, Step, call, fail, reply, say
from tests.integration.aftermath.conftest import OpenRoom, Room, Settings
from tests.integration.aftermath.remembered import ALL, SHORT, notes, teller

STORE: Settings = {"memory": {"sources": ["store"]}}
ADD = call("memory_add", title="旧伞", content="沈砚 lent 旧伞 to the ferryman.")


def results(room: Room, number: int) -> list[Mapping[str, object]]:
    """The tool results that a request ends with."""
    messages = json.loads(room.bodies("story")[number])["messages"]
    found: list[Mapping[str, object]] = []
    for message in reversed(messages):
        if message["role"] != "tool":
            break
        found.insert(0, json.loads(message["content"]))
    return found


def hits(answer: Mapping[str, object]) -> list[Mapping[str, object]]:
    return cast("list[Mapping[str, object]]", answer["hits"])  # as the tool writes them


async def effects(room: Room, turn: Turn) -> Sequence[str]:
    return [tool.name for tool in (await room.view(turn)).tools if tool.ok]


async def test_a_note_is_kept_with_the_call_and_found_at_once(open_room: OpenRoom) -> None:
    """In the same turn, by a Chinese name, an English word and both together; ranked."""
    asked = [call("memory_search", query=query) for query in ("旧伞", "ferryman", "旧伞 lent")]
    script = [ADD, reply(*asked), say("他点头。")]
    room = await open_room(script, None, STORE)
    turn = await room.say("记住这件事。")
    (note,) = await notes(room, turn)
    assert (note.title, note.author, note.node, note.kind) == ("旧伞", "model", turn.id, "note")
    for answer in results(room, 2):
        assert [hit["ref"] for hit in hits(answer)] == [note.id]
        assert answer["sources"] == {
            "diary": "disabled", "tables": "disabled", "store": "ok", "card": "disabled",
        }  # fmt: skip
    assert await effects(room, turn) == ["memory_add", *["memory_search"] * 3]


async def test_reads_of_memory_and_of_the_draft_run_together(open_room: OpenRoom) -> None:
    """A batch may mix what is waited for with what is not; results come in their order."""
    reads = (
        call("draft_read"),
        call("memory_list"),
        call("card_read"),
        call("memory_read", ref="x"),
    )
    room = await open_room([ADD, reply(*reads), say("好。")], None, STORE)
    turn = await room.say("看看。")
    draft, listed, card, missing = results(room, 2)
    assert (draft["version"], card["name"]) == (0, "沈砚")
    assert [one["title"] for one in cast("list[dict[str, str]]", listed["notes"])] == ["旧伞"]
    assert missing["ok"] is False
    assert turn.outcome == "sealed"


async def test_a_resumed_turn_notes_nothing_twice(open_room: OpenRoom) -> None:
    """What is recorded is taken from the record, the note with it."""
    room = await open_room([ADD, fail(retryable=False), say("他点头。")], None, STORE)
    turn = await room.say("记住这件事。")
    assert turn.outcome == "failed"
    before = await notes(room, turn)
    await playing.resume(room.house, room.company, turn.id)
    await room.company.settled(turn.id)
    await room.house.jobs.idle()
    assert (await room.house.store.turn(turn.id) or turn).outcome == "sealed"
    assert await notes(room, turn) == before
    assert len(before) == 1


async def test_a_note_goes_with_its_turn(open_room: OpenRoom) -> None:
    """Undo hides it, another branch never had it, and coming back shows it again."""
    find = call("memory_search", query="旧伞")
    room = await open_room([ADD, say("好。"), find, say("无。"), find, say("有。")], None, STORE)
    turn = await room.say("记住这件事。")
    await branching.undo(room.house, room.project.id)
    await room.say("还记得吗？")
    assert hits(results(room, 3)[0]) == []
    await branching.go_to(room.house, room.project.id, turn.id)
    await room.say("还记得吗？")
    assert len(hits(results(room, 5)[0])) == 1


async def test_nothing_is_noted_before_writing_or_behind_the_seal(open_room: OpenRoom) -> None:
    """It is a write: looking around only refuses it, and so does a sealed draft."""
    explore = call("turn_plan", mode="explore", steps=["查"])
    write = call("turn_plan", mode="write", steps=["写"])
    sealing = (call("draft_write", version=0, content="雨。"), call("draft_seal", version=1), ADD)
    room = await open_room([reply(explore, ADD), reply(write, *sealing)], None, STORE)
    turn = await room.say("看看。")
    assert turn.final_text == "雨。"
    assert await notes(room, turn) == []
    refused = [tool.name for tool in (await room.view(turn)).tools if tool.ok is False]
    assert refused == ["memory_add", "memory_add"]


async def test_old_turns_are_looked_up_and_read_whole(open_room: OpenRoom) -> None:
    """What a summary stands for is still found, and read to the character."""
    looked = iter(["search", "read"])

    def searching(asked: Asked) -> Step:
        if "前情提要的人" in str(asked.messages[0]["content"]) or "白鹭呢" not in str(asked.body):
            return teller(asked)
        match next(looked, ""):
            case "search":
                return call("memory_search", query="白鹭")
            case "read":
                ref = json.loads(asked.last_text)["hits"][0]["ref"]
                return call("memory_read", ref=ref)
            case _:
                return say("在。")

    room = await open_room(searching, None, SHORT)
    first = await room.say("白鹭停在桅杆上")
    for n in range(3):
        await room.say(f"第{n}句")
    await room.say("那只白鹭呢？")
    (note,) = await notes(room, first, "diary")
    story = [n for n, body in enumerate(room.bodies("story")) if b"memory_read" in body]
    read = next(answer for n in reversed(story) for answer in results(room, n))
    assert (read["ref"], read["content"], read["source"]) == (note.id, note.text, "diary")


async def test_the_tools_are_listed_where_something_is_remembered(open_room: OpenRoom) -> None:
    """And the list stays the same from turn to turn."""

    def names(room: Room, number: int) -> list[str]:
        tools = json.loads(room.bodies("story")[number])["tools"]
        return [tool["function"]["name"] for tool in tools]

    with_memory = await open_room(teller, None, ALL)
    await with_memory.say("一")
    await with_memory.say("二")
    listed = names(with_memory, 0)
    assert names(with_memory, 1) == listed
    at = listed.index("memory_search")
    assert listed[at : at + 4] == ["memory_search", "memory_read", "memory_add", "memory_list"]
    without = await open_room(teller, None, {})
    await without.say("一")
    assert not [name for name in names(without, 0) if name.startswith("memory_")]
