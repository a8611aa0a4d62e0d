"""Playing on in an imported story: what the model is sent of it, and what it is not."""

from __future__ import annotations

import json
from collections.abc import AsyncGenerator, Sequence
from functools import partial

import pytest

from huaben.adapters.system import SystemClock
from huaben.domain.jsonvalue import Json, JsonObject
from huaben.services import chats, chores, library, playing
from huaben.services.chats import Wish
from huaben.services.performing import Company
from huaben.services.stories import load_project, load_story
from huaben.testing.jobs import InlineJobs
from huaben.testing.models import ScriptedModel
from huaben.testing.script import reply, say
from huaben.testing.store import MemoryStore
from tests.builders.chats import HEADER, STORY, lines, row, said
from tests.integration.jobs.yard import card_bytes
from tests.integration.stage.conftest import Table, make_house


@pytest.fixture
async def tables() -> AsyncGenerator[list[Table]]:
    opened: list[Table] = []
    yield opened
    for table in opened:
        await table.company.close()
        await table.house.jobs.close()


async def table_with(tables: list[Table], replies: Sequence[str], *rows: Json | bytes) -> Table:
    """A table at the end of a chat of these rows."""
    model = ScriptedModel([reply(say(text)) for text in replies])
    house = make_house(MemoryStore(SystemClock()), model)
    assert isinstance(house.jobs, InlineJobs)
    house.jobs.start(partial(chores.carry_out, house))
    await library.import_card(house, card_bytes("渡船人"), "x.json")
    (begun,) = await chats.import_chats(house, lines(*rows), "x.jsonl", Wish())
    await house.jobs.idle(begun.lane)
    project = await load_project(house, begun.project_id)
    table = Table(house, Company(house), model, project)
    tables.append(table)
    return table


def body(table: Table, number: int = -1) -> str:
    """A request as one readable text."""
    return json.dumps(json.loads(table.model.bodies[number]), ensure_ascii=False)


async def test_the_story_is_sent_and_what_is_hidden_is_not(tables: list[Table]) -> None:
    """Words and texts in force go to the model; hidden rows, torn lines and other swipes do not."""
    table = await table_with(
        tables,
        ["夜更深了。"],
        HEADER,
        STORY[0],
        said("我上船。"),
        row("乙说", swipes=["甲说", "乙说"], swipe_id=1),
        said("(OOC 场外话)", is_system=True),
        '{"mes":"撕掉的'.encode(),
        row("雨大了。"),
    )
    turn = await table.say("看看四周。")
    assert turn.outcome == "sealed"
    sent = [content for role, content in table.contents(0) if role != "system"]
    assert [text for text in sent[1:-1] if text] == ["我上船。", "乙说", "雨大了。"]
    assert "看看四周。" in sent[-1]
    for unseen in ("甲说", "场外话", "撕掉的"):
        assert unseen not in body(table)


async def test_h19_nobodys_thought_is_sent_to_anybody(tables: list[Table]) -> None:
    """Reasoning of the members of a group, in the field and in the text, stays with its variant."""
    table = await table_with(
        tables,
        ["好。"],
        row("开场", name="渡船人", extra={"reasoning": "甲的心思"}),
        row("<think>乙的心思</think>我来。", name="乙"),
        row("x", name="丙", swipes=["x", "y"], swipe_info=[{"extra": {"reasoning": "丙的心思"}}]),
    )
    await table.say("走吧。")
    assert "我来。" in body(table)
    assert "心思" not in body(table)


async def test_words_without_a_reply_are_answered_by_resuming(tables: list[Table]) -> None:
    """The last words of an imported chat wait; Resume plays them."""
    table = await table_with(tables, ["有。"], HEADER, STORY[0], said("有人吗？"))
    head = (await load_story(table.house, table.project.id)).head.turn_id
    await playing.resume(table.house, table.company, head)
    turn = await table.over(head)
    assert (turn.outcome, turn.user_text, turn.final_text) == ("sealed", "有人吗？", "有。")
    assert "有人吗？" in table.contents(0)[-1][1]


async def test_h20_a_reroll_is_told_what_the_first_telling_was(tables: list[Table]) -> None:
    """The user's direction stands with the turn: a new variant of an imported reply is made from the
    same words, and lies beside it."""
    table = await table_with(
        tables, ["又一种。"], HEADER, STORY[0], said("[旁白：以第三人称写]"), row("一种。")
    )
    first = (await load_story(table.house, table.project.id)).head.turn_id
    turn = await table.over((await playing.make_variant(table.house, table.company, first)).id)
    assert (turn.final_text, turn.user_text) == ("又一种。", "[旁白：以第三人称写]")
    assert "以第三人称写" in table.contents(0)[-1][1]
    story = await load_story(table.house, table.project.id)
    assert [node.id for node in story.tree.variants(turn.id)] == [first, turn.id]


async def test_of_a_group_the_model_is_told_who_speaks(tables: list[Table]) -> None:
    """Whoever is not the character of the card is named before their text, the opening's teller too."""
    header: JsonObject = {"user_name": "阿澄", "character_name": "渡船人"}
    told = [
        row("“Welcome.”", name="Bo"),
        said("上船。"),
        row("「坐稳。」"),
        row("“Look!”", name="Bo"),
    ]
    table = await table_with(tables, ["好。"], header, *told)
    await table.say("看什么？")
    sent = [text for role, text in table.contents(0) if role == "assistant"]
    assert sent[0].endswith(" · Bo\n\n“Welcome.”")
    assert "「坐稳。」" in sent[1]
    assert "渡船人:" not in sent[1]
    assert sent[-1].endswith("Bo:\n\n“Look!”")
