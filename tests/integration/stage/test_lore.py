"""Lore in a turn: chosen once, kept with the turn, its lasting effects along the branch."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence

from huaben.adapters.system import SystemClock
from huaben.domain.project import Project
from huaben.services import branching, founding, library, playing
from huaben.services.founding import Founding
from huaben.services.lore import recorded
from huaben.services.performing import Company
from huaben.testing.models import ScriptedModel
from huaben.testing.script import Asked, ScriptedReply, drop, reply, say
from huaben.testing.store import MemoryStore

from .conftest import Table, make_house

Entry = Mapping[str, object]


def echo(asked: Asked) -> ScriptedReply:
    return reply(say("他点头。"))


async def table_with(entries: Sequence[Entry], script: object = echo, nickname: str = "") -> Table:
    card: dict[str, object] = {
        "spec": "chara_card_v2",
        "spec_version": "2.0",
        "data": {
            "name": "沈砚",
            "nickname": nickname,
            "first_mes": "「打烊了。」",
            "extensions": {},
            "character_book": {
                "extensions": {},
                "entries": [
                    {"enabled": True, "insertion_order": n, "extensions": {}, "id": n, **entry}
                    for n, entry in enumerate(entries, 1)
                ],
            },
        },
    }
    model = ScriptedModel(script)  # pyright: ignore[reportArgumentType] - a script
    house = make_house(MemoryStore(SystemClock()), model)
    imported = await library.import_card(house, json.dumps(card).encode(), "c.json")
    project: Project
    project, _ = await founding.create_project(house, Founding(card_id=imported.id))
    return Table(house, Company(house), model, project)


def lore_block(table: Table, number: int) -> str:
    """The lore of a request's last user message."""
    last = [text for role, text in table.contents(number) if role == "user"][-1]
    start = last.find("【相关设定】")
    return last[start : last.find("【", start + 1)] if start >= 0 else ""


async def test_a_key_in_running_chinese_brings_its_entry() -> None:
    """No spaces are needed round a Chinese key."""
    table = await table_with([{"keys": ["龙王"], "content": "龙王住在潭底。", "comment": "龙王"}])
    await table.say("听说龙王来了")
    assert "龙王住在潭底。" in lore_block(table, 0)


async def test_what_overflows_is_listed_by_title() -> None:
    """Delivery auto: texts within the budget, titles for the rest; nothing goes unnamed."""
    long = {"keys": ["伞"], "content": "长" * 3000, "comment": "长文", "insertion_order": 1}
    short = {"keys": ["伞"], "content": "短文在此。", "comment": "短文", "insertion_order": 9}
    table = await table_with([long, short])
    turn = await table.say("伞")
    block = lore_block(table, 0)
    assert "短文在此。" in block
    assert "长文" in block
    assert "长长长" not in block
    record = await recorded(table.house, turn.id)
    assert record is not None
    assert "budget" in json.dumps(record["left_out"])


async def test_a_retry_uses_the_selection_that_was_made() -> None:
    """Chance is rolled once per turn: the failed call and its retry are the same bytes."""
    entries: list[Entry] = [
        {
            "keys": ["伞"],
            "content": f"第{n}条。",
            "comment": f"第{n}条",
            "extensions": {"probability": 50, "useProbability": True},
        }
        for n in range(12)
    ]
    table = await table_with(entries, [reply(say("他"), drop()), reply(say("好。"))])
    turn = await table.say("伞")
    assert turn.outcome == "failed"
    await playing.resume(table.house, table.company, turn.id)
    await table.over(turn.id)
    assert table.model.bodies[0] == table.model.bodies[1]
    assert 0 < lore_block(table, 0).count("# 第") < 12


async def test_sticky_entries_stay_and_undo_takes_them_back() -> None:
    """Timing goes with the branch: after undo the entry was never met."""
    sticky = {"keys": ["伞"], "content": "伞骨是竹。", "comment": "伞", "extensions": {"sticky": 6}}
    table = await table_with([sticky])
    await table.say("那把伞")
    for words in ("走", "再走", "还走"):
        await table.say(words)
    assert "伞骨是竹。" in lore_block(table, 1)
    assert "伞骨是竹。" in lore_block(table, 2)
    for _ in range(4):
        await branching.undo(table.house, table.project.id)
    await table.say("走")
    assert "伞骨是竹。" not in lore_block(table, 4)


async def test_always_on_lore_lives_in_the_prefix() -> None:
    """A constant entry is told once, in the system text; a conditional one is not."""
    table = await table_with(
        [
            {"keys": [], "constant": True, "content": "镇上只有一家客栈。", "comment": "镇"},
            {
                "keys": [],
                "constant": True,
                "content": "三月有雾。",
                "comment": "雾",
                "extensions": {"delay": 50},
            },
        ]
    )
    await table.say("走")
    system = table.contents(0)[0][1]
    assert "镇上只有一家客栈。" in system
    assert "三月有雾。" not in system
    assert "镇上只有一家客栈。" not in lore_block(table, 0)


async def test_words_are_never_templates() -> None:
    """Macros that the user types reach the model as typed."""
    table = await table_with([{"keys": ["{{char}}"], "content": "他叫{{char}}。", "comment": "名"}])
    await table.say("{{user}}问沈砚")
    last = table.contents(0)[-1][1]
    assert last.endswith("{{user}}问沈砚")
    assert "他叫沈砚。" in last


async def test_a_nicknamed_cards_own_book_speaks() -> None:
    """The book belongs to whoever the character is called."""
    table = await table_with(
        [{"keys": ["龙王"], "content": "龙王住在潭底。", "comment": "龙王"}], nickname="阿砚"
    )
    await table.say("龙王呢")
    assert "龙王住在潭底。" in lore_block(table, 0)


async def test_silent_entries_cost_a_turn_one_number() -> None:
    """Three hundred entries that nothing speaks of, half of them switched off, are a count in the
    record and nothing in the outline of a call."""
    quiet: list[Entry] = [
        {"keys": [f"place{n}"], "content": "…", "enabled": n % 2 == 0} for n in range(300)
    ]
    table = await table_with([*quiet, {"keys": ["伞"], "content": "伞骨是竹。", "comment": "伞"}])
    turn = await table.say("那把伞")
    record = await recorded(table.house, turn.id)
    assert record is not None
    assert (record["left_out"], record["unnamed"]) == ([], 300)
    calls = await table.house.store.calls(turn.id)
    assert not any("left_out" in row for row in calls[0].outline)


async def test_a_deep_decorator_is_given_the_messages_that_it_asks_for() -> None:
    """What an entry's own depth reaches back to is read, also where only a decorator says so."""
    deep = {"keys": ["灯笼"], "content": "@@scan_depth 20\n灯笼是红的。", "comment": "灯笼"}
    table = await table_with([deep])
    await table.say("那盏灯笼")
    for words in ("走", "再走", "还走", "停"):
        await table.say(words)
    assert "灯笼是红的。" in lore_block(table, 4)
