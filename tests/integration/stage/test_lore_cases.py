"""Acceptance cases about lore that only a whole house can show: what the tools answer, what importing
again does, whose book is read as whose."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace

import pytest

from huaben.adapters.system import SystemClock
from huaben.agent.tools.table import listed
from huaben.domain.jsonvalue import Json, JsonObject
from huaben.domain.messages import Usage
from huaben.domain.story import Turn
from huaben.formats.scenario import Resolved, flat, resolve
from huaben.ports import Commit, Committed
from huaben.services import founding, library, trash
from huaben.services.explaining import Explained, Trial, explain_turn, try_text
from huaben.services.founding import Founding
from huaben.services.performing import Company
from huaben.services.stories import load_turn
from huaben.testing.models import ScriptedModel
from huaben.testing.script import Script, call, reply, say
from huaben.testing.store import MemoryStore
from tests.builders.lorebooks import st_entry, st_file

from .conftest import Table, make_house


def card_with(entries: Sequence[JsonObject], **data: Json) -> bytes:
    """A card whose own book has these entries."""
    own: list[Json] = [
        {"id": n, "enabled": True, "insertion_order": n, "extensions": {}, **entry}
        for n, entry in enumerate(entries, 1)
    ]
    book: Json = {"extensions": {}, "entries": own}
    fields: JsonObject = {
        "name": "沈砚",
        "first_mes": "「打烊了。」",
        "character_book": book,
        **data,
    }
    top: JsonObject = {"spec": "chara_card_v2", "spec_version": "2.0", "data": fields}
    return json.dumps(top, ensure_ascii=False).encode()


def book_file(*entries: JsonObject, name: str = "渡口") -> bytes:
    return json.dumps(st_file(*entries, name=name), ensure_ascii=False).encode()


async def table_on(card: bytes, script: Script, *books: bytes) -> Table:
    model = ScriptedModel(script)
    house = make_house(MemoryStore(SystemClock()), model)
    imported = await library.import_card(house, card, "c.json")
    ids = [(await library.import_lorebook(house, book, "b.json")).id for book in books]
    wish = Founding(card_id=imported.id, lorebook_ids=tuple(ids))
    project, _ = await founding.create_project(house, wish)
    return Table(house, Company(house), model, project)


async def test_m10_macros_are_resolved_in_what_tools_answer() -> None:
    """A tool's answer is a prompt too: names stand in entries, titles and card fields, the lines
    that steer an entry do not; a key still finds its entry."""
    entry: JsonObject = {
        "keys": ["伞"],
        "content": "@@depth 2\n{{char}}的伞，不借{{user}}。",
        "comment": "{{char}}的伞",
    }
    script = [
        reply(
            call("lorebook_search", query="伞"),
            call("lorebook_read", ref="0/1"),
            call("lorebook_list"),
            call("card_read"),
        ),
        reply(say("他点头。")),
    ]
    table = await table_on(card_with([entry], description="{{char}}是账房。"), script)
    turn = await table.say("说说那把伞")
    answers = [tool.result for tool in (await table.view(turn)).tools]
    assert len(answers) == 4
    assert all("{{" not in answer and "@@" not in answer for answer in answers)
    assert all("沈砚的伞" in answer for answer in answers[:3])
    assert "沈砚是账房。" in answers[3]
    first = table.contents(0)[-1][1]
    assert "# 沈砚的伞" in first
    assert "{{" not in first


async def test_m10_a_macro_that_a_model_wrote_stays_as_written() -> None:
    """What it says is prose, wherever it is sent again."""
    written = "他念：「{{setvar::gold::999}}{{user}}」"
    table = await table_on(card_with([]), [reply(say(written)), reply(say("嗯。"))])
    await table.say("念吧")
    await table.say("{{char}}?")
    assert written in [text for _, text in table.contents(1)]
    assert table.contents(1)[-1][1].endswith("{{char}}?")


async def test_l28_importing_again_tells_nothing_twice() -> None:
    """The same bytes are one book; one that was thrown away and imported again is whole, once."""
    data = book_file(st_entry(1, key=["龙王"]), st_entry(2, key=["伞"]))
    table = await table_on(card_with([]), [], data)
    house = table.house
    again = await library.import_lorebook(house, data, "other name.json")
    assert (again.already, again.id) == (True, table.project.lorebook_ids[0])
    await trash.discard(house, "lorebook", again.id)
    anew = await library.import_lorebook(house, data, "b.json")
    assert not anew.already
    told = await try_text(house, Trial("龙王的伞", (anew.id,)))
    assert [row["ref"] for row in told.chosen] == ["0/1", "0/2"]
    assert told.left_out == ()


async def test_l28_a_book_named_twice_is_read_once() -> None:
    """Two attachments of one book are one book."""
    data = book_file(st_entry(1, key=["龙王"]))
    table = await table_on(card_with([]), [reply(say("好。"))], data, data)
    turn = await table.say("龙王")
    told = await explain_turn(table.house, turn.id)
    assert [row["ref"] for row in told.chosen] == ["0/1"]
    assert table.contents(0)[-1][1].count("一把油纸伞。") == 1


def test_l29_no_tool_of_a_turn_changes_lore() -> None:
    """A model reads entries and never writes them: the tools that touch lore only look."""
    names = {tool.name for tool in listed(lore=True, card=True, memory=True, ledger=True)}
    about_lore = {name for name in names if "lore" in name or "card" in name}
    assert about_lore == {"lorebook_search", "lorebook_read", "lorebook_list", "card_read"}


async def test_l23_only_the_speakers_own_book_is_read() -> None:
    """Another character's card in the library lends nothing to this one."""
    mine = card_with([{"keys": ["龙王"], "content": "我的。"}])
    table = await table_on(mine, [reply(say("好。"))])
    other = card_with([{"keys": ["龙王"], "content": "别人的。"}], name="阿衡")
    await library.import_card(table.house, other, "d.json")
    await table.say("龙王")
    told = table.contents(0)[-1][1]
    assert "我的。" in told
    assert "别人的。" not in told


async def test_a_linked_book_stands_with_the_characters() -> None:
    """The book that the card belongs with is considered before the project's own, whatever the
    order of its entries; the project's own books keep the order in which they were attached."""
    linked = book_file(
        st_entry(1, key=["龙王"], comment="关联", order=1, content="关。"), name="潭"
    )
    own = book_file(st_entry(1, key=["龙王"], comment="另附", order=900, content="附。"), name="镇")
    card = card_with([], extensions={"world": "潭"}, character_book=None)
    table = await table_on(card, [reply(say("好。"))], own, linked)
    turn = await table.say("龙王")
    told = await explain_turn(table.house, turn.id)
    assert [row["title"] for row in told.chosen] == ["关联", "另附"]


async def test_the_budget_of_lore_follows_the_models_count() -> None:
    """A model that counts dearly has room for less."""
    entries: list[JsonObject] = [
        {"keys": ["伞"], "content": "长" * 700, "comment": f"第{n}条"} for n in range(1, 4)
    ]

    dear = replace(reply(say("一。")), usage=Usage(prompt=9000, completion=2))
    table = await table_on(card_with(entries), [dear, reply(say("二。"))])
    first = await explain_turn(table.house, (await table.say("伞")).id)
    assert len(first.chosen) == 3
    second = await explain_turn(table.house, (await table.say("伞")).id)
    assert 0 < len(second.chosen) < 3
    assert {row["reason"] for row in second.left_out} == {"budget"}


async def test_l20_chance_is_rolled_anew_each_turn() -> None:
    """L20: an entry of fifty percent comes in some turns and not in others, and a variant of a turn
    rolls for itself."""
    half: JsonObject = {"keys": ["伞"], "content": "竹骨。", "extensions": {"probability": 50}}
    table = await table_on(card_with([half]), lambda _: reply(say("好。")))
    came = [
        bool((await explain_turn(table.house, (await table.say("伞")).id)).chosen)
        for _ in range(16)
    ]
    assert 0 < sum(came) < 16


# ---- settings of the scenario ------------------------------------------------------------------


async def played_under(
    entries: Sequence[JsonObject], words: str, **lore: str | int
) -> tuple[Table, Explained]:
    """A turn under these settings of the section `lore`."""
    table = await table_on(card_with(entries), [reply(say("好。"))])
    found = resolve(("test", {"lore": dict(lore)}))
    assert isinstance(found, Resolved)
    changed = replace(table.project, config=flat(found.scenario))
    assert isinstance(await table.house.store.commit(Commit(rows=(changed,))), Committed)
    turn = await table.say(words)
    return table, await explain_turn(table.house, turn.id)


@pytest.mark.parametrize(
    ("constants", "told", "place"),
    [
        ("resident", ["常", "键"], "prefix"),
        ("first", ["常"], "block"),
        ("budgeted", ["键"], "block"),
    ],
)
async def test_l19_how_constants_meet_the_budget_is_a_switch(
    constants: str, told: list[str], place: str
) -> None:
    """Outside of it in the system text; before all others, as SillyTavern's documentation says; or in
    line, as its program does. What falls out is named, a constant with a warning."""
    entries: list[JsonObject] = [
        {"keys": [], "constant": True, "content": "常" * 60, "comment": "常"},
        {"keys": ["伞"], "content": "键" * 60, "comment": "键"},
    ]
    table, explained = await played_under(entries, "伞", constants=constants, budget=100)
    assert sorted(str(row["title"]) for row in explained.chosen) == told
    places = {str(row["title"]): row["place"] for row in explained.chosen}
    assert places.get("常", place) == place
    assert ("常常" in table.contents(0)[0][1]) == (constants == "resident")
    warned = [str(warning["code"]) for warning in explained.warnings]
    assert warned == (["constant_over_budget"] if constants == "budgeted" else [])
    notices = (await table.view(await load_last(table))).notices
    assert [notice.code for notice in notices if notice.code == "lore"] == ["lore"] * len(warned)


@pytest.mark.parametrize(
    ("delivery", "with_text", "place"),
    [("auto", True, "block"), ("text", True, "block"), ("titles", False, "title")],
)
async def test_lore_is_delivered_as_the_scenario_says(
    delivery: str, with_text: bool, place: str
) -> None:
    """With its text, or by its title for a model that likes to search."""
    entry: JsonObject = {"keys": ["umbrella"], "content": "It has bamboo ribs.", "comment": "旧伞"}
    table, explained = await played_under([entry], "The umbrella?", delivery=delivery)
    last = table.contents(0)[-1][1]
    assert ("It has bamboo ribs." in last) == with_text
    assert "旧伞" in last
    assert [row["place"] for row in explained.chosen] == [place]


@pytest.mark.parametrize(("selection", "reasons"), [("keys", []), ("hybrid", ["search"])])
async def test_a_hybrid_choice_adds_what_a_search_finds(selection: str, reasons: list[str]) -> None:
    """An entry that speaks of what was said, though none of its keys was."""
    entry: JsonObject = {"keys": ["船家"], "content": "摆渡人只在三更收船。", "comment": "船家"}
    other: JsonObject = {"keys": ["bell"], "content": "It has no clapper.", "comment": "Bell"}
    _, explained = await played_under([entry, other], "摆渡人在吗", selection=selection)
    assert [row["reason"] for row in explained.chosen] == reasons


async def load_last(table: Table) -> Turn:
    head = await table.house.store.head(table.project.id)
    assert head is not None
    return await load_turn(table.house, head.turn_id)
