"""Named saves in a story: made by the user, wished for by the model, gone back to."""

from __future__ import annotations

import json

import pytest

from huaben.domain.saves import MAX_NAME_CHARS
from huaben.domain.turnview import ToolView
from huaben.errors import BadInput, Conflict, NotFound
from huaben.ports import Page
from huaben.services import branching, playing, saves, trash
from huaben.services.aftermath import wishing
from huaben.services.saves_shown import list_saves
from huaben.services.stories import load_view
from huaben.testing.script import call, reply, say
from tests.integration.stage.conftest import OpenTable, Table

SEALED = [reply(call("draft_write", version=0, content="雨停了。"), call("draft_seal", version=1))]


async def listed(table: Table) -> list[tuple[str, int, bool, bool]]:
    shown, _ = await list_saves(table.house, table.project.id, Page())
    return [(one.save.name, one.number, one.on_branch, one.standing) for one in shown]


async def tool(table: Table, turn_id: str, name: str) -> ToolView:
    view = await load_view(table.house, turn_id)
    return next(one for one in view.tools if one.name == name)


async def test_a_save_names_the_present_and_leads_back_to_it(open_table: OpenTable) -> None:
    """After other turns were played and taken back; its words are trimmed to one line."""
    table = await open_table(SEALED * 3)
    first = await table.say("进门。")
    save = await saves.make_save(table.house, table.project.id, "  雨停\n之前 ")
    assert (save.name, save.node, save.author) == ("雨停 之前", first.id, "user")
    await table.say("坐下。")
    moved = await saves.go_to_save(table.house, save.id)
    assert moved.head.turn_id == first.id
    other = await table.say("出门。")
    assert await listed(table) == [("雨停 之前", 1, True, True)]
    await branching.undo(table.house, table.project.id)
    await branching.undo(table.house, table.project.id)
    assert await listed(table) == [("雨停 之前", 1, False, True)]
    await saves.make_save(table.house, table.project.id, "After", other.id)
    assert [name for name, *_ in await listed(table)] == ["After", "雨停 之前"]


async def test_a_save_is_renamed_and_comes_back_from_the_trash(open_table: OpenTable) -> None:
    """A rename holds to the revision that was seen; a save in the trash is not there."""
    table = await open_table(SEALED)
    save = await saves.make_save(table.house, table.project.id, "旧名")
    renamed = await saves.rename_save(table.house, save.id, "新名", save.revision)
    assert await saves.load_save(table.house, save.id) == renamed
    with pytest.raises(Conflict):
        await saves.rename_save(table.house, save.id, "第三个名字", save.revision)
    await saves.discard_save(table.house, save.id)
    assert await listed(table) == []
    for refused in (saves.discard_save, saves.go_to_save):
        with pytest.raises(NotFound):
            await refused(table.house, save.id)
    await trash.restore(table.house, "save", save.id)
    assert await listed(table) == [("新名", 0, True, True)]


async def test_what_cannot_be_saved_is_refused(open_table: OpenTable) -> None:
    """Nameless saves, endless names, nodes of nowhere, and a turn that has not ended."""
    table = await open_table([reply(call("ask", question="往哪走？", options=["东", "西"]))])
    project = table.project.id
    for name, code in ((" \u200b\n", "blank_name"), ("长" * (MAX_NAME_CHARS + 1), "name_too_long")):
        with pytest.raises(BadInput) as bad:
            await saves.make_save(table.house, project, name)
        assert bad.value.code == code
    with pytest.raises(NotFound):
        await saves.make_save(table.house, project, "无处", "missing")
    await table.say("进门。")
    with pytest.raises(Conflict):
        await saves.make_save(table.house, project, "等着的一拍")
    assert await listed(table) == []


async def test_a_save_of_a_turn_that_was_put_aside_stands_no_more(open_table: OpenTable) -> None:
    """It is listed and said to lead nowhere."""
    table = await open_table(SEALED * 2)
    first = await table.say("进门。")
    save = await saves.make_save(table.house, table.project.id, "第一个变体")
    again = await rerolled(table, first.id)
    await branching.delete_variant(table.house, first.id)
    assert await listed(table) == [("第一个变体", 1, False, False)]
    with pytest.raises(NotFound):
        await saves.go_to_save(table.house, save.id)
    assert again != first.id


async def rerolled(table: Table, turn_id: str) -> str:
    made = await playing.make_variant(table.house, table.company, turn_id)
    return (await table.over(made.id)).id


async def test_the_model_wishes_for_a_save_and_it_is_made_behind_the_turn(
    open_table: OpenTable,
) -> None:
    """Not while the turn runs; once, however often the chain behind it runs."""
    wishes = [call("save_create", name=name) for name in ("离岸", " 离岸 ", "Ashore", "")]
    table = await open_table([reply(*wishes), *SEALED])
    turn = await table.say("上船。")
    answer = json.loads((await tool(table, turn.id, "save_create")).result)
    assert (answer["ok"], answer["name"]) == (True, "离岸")
    assert await listed(table) == []
    made = await wishing.make_wished(table.house, table.project.id, turn.id)
    assert [(one.name, one.author, one.node) for one in made] == [
        ("离岸", "model", turn.id),
        ("Ashore", "model", turn.id),
    ]
    await saves.discard_save(table.house, made[1].id)
    again = await wishing.make_wished(table.house, table.project.id, turn.id)
    assert [one.id for one in again] == [one.id for one in made]
    assert await listed(table) == [("离岸", 1, True, True)]


async def test_a_turn_without_a_wish_makes_no_save(open_table: OpenTable) -> None:
    """And records nothing."""
    table = await open_table(SEALED)
    turn = await table.say("上船。")
    assert await wishing.make_wished(table.house, table.project.id, turn.id) == ()
    assert await table.house.store.effects(f"{table.project.id}/saves/") == []


async def test_the_model_sees_the_saves(open_table: OpenTable) -> None:
    """By name, turn and branch; the turn itself is on the way."""
    table = await open_table([*SEALED, reply(call("save_list")), *SEALED])
    await table.say("进门。")
    await saves.make_save(table.house, table.project.id, "门里")
    turn = await table.say("看看有哪些存档。")
    seen = json.loads((await tool(table, turn.id, "save_list")).result)
    assert seen == {
        "saves": [{"name": "门里", "turn": 1, "on_this_branch": True, "by": "user"}],
    }


async def test_nothing_is_saved_while_looking_only(open_table: OpenTable) -> None:
    """In `explore` the wish is refused like any other writing."""
    explore = call("turn_plan", mode="explore")
    table = await open_table([reply(explore), reply(call("save_create", name="不算")), say("完。")])
    turn = await table.say("只看看。")
    assert (await tool(table, turn.id, "save_create")).ok is False
    assert wishing.wished(await load_view(table.house, turn.id)) == []
