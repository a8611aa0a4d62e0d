"""A story that wears a preset, an author's note or a persona: what the model is sent, turn after turn."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import cast

import pytest

from huaben.adapters.system import SystemClock
from huaben.domain.dressing import AuthorsNote
from huaben.domain.persona import Link, SavedPersona
from huaben.errors import BadInput, Conflict, NotFound
from huaben.ports import CallRecord
from huaben.services import founding, library, notes_author, personas, playing, presets
from huaben.services.founding import Founding
from huaben.services.performing import Company
from huaben.services.prefix import Sent, sent_before, shared_head
from huaben.services.presets_worn import dressing_of
from huaben.testing.models import ScriptedModel
from huaben.testing.script import Asked, ScriptedReply, reply, say
from huaben.testing.store import MemoryStore
from tests.integration.stage.conftest import CARD, Table, make_house

MARKERS = [
    "worldInfoBefore",
    "personaDescription",
    "charDescription",
    "charPersonality",
    "scenario",
]
ORDER = ["main", *MARKERS, "worldInfoAfter", "dialogueExamples", "deep", "chatHistory", "jailbreak"]
PRESET: dict[str, object] = {
    "temperature": 0.9,
    "openai_max_tokens": 300,
    "reasoning_effort": "auto",
    "prompts": [
        {"identifier": "main", "content": "{{setvar::tone::冷}}讲{{char}}的故事。", "name": "Main"},
        {
            "identifier": "deep",
            "content": "语气：{{getvar::tone}}；{{user}}刚说：{{lastUserMessage}}",
            "injection_position": 1,
            "injection_depth": 2,
        },
        {"identifier": "jailbreak", "content": "Stay in the scene.", "role": "system"},
    ],
    "prompt_order": [
        {"character_id": 100001, "order": [{"identifier": one, "enabled": True} for one in ORDER]}
    ],
}


def echo(asked: Asked) -> ScriptedReply:
    del asked
    return reply(say("他点头。"))


async def a_table(card: Mapping[str, object] = CARD, **scenario: int) -> Table:
    model = ScriptedModel(echo)
    house = make_house(MemoryStore(SystemClock()), model, limits=scenario)
    imported = await library.import_card(house, json.dumps(card).encode(), "shen.png")
    project, _ = await founding.create_project(house, Founding(card_id=imported.id))
    return Table(house, Company(house), model, project)


async def wear(table: Table, value: object = PRESET) -> str:
    data = json.dumps(value).encode()
    done = await library.import_any(table.house, data, "preset.json")
    await presets.choose_preset(table.house, table.project.id, done.id)
    return done.id


def card_with(**fields: object) -> dict[str, object]:
    data = cast("dict[str, object]", CARD["data"])
    return {**CARD, "data": {**data, **fields}}


def body(table: Table, number: int) -> dict[str, object]:
    return cast("dict[str, object]", json.loads(table.model.bodies[number]))


async def outline(table: Table, turn_id: str) -> list[Mapping[str, object]]:
    calls: list[CallRecord] = await table.house.store.calls(turn_id)
    story = [call for call in calls if call.purpose == "story"]
    return list(story[0].outline)


async def left_out(table: Table, turn_id: str) -> dict[str, str]:
    rows = [row for row in await outline(table, turn_id) if "left_out" in row]
    listed = cast("list[dict[str, str]]", rows[0]["left_out"]) if rows else []
    return {row["source"]: row["reason"] for row in listed}


async def test_p01_the_cards_post_history_text_is_last_before_the_reply() -> None:
    """P01: and the preset's main is untouched; the preset's order is kept."""
    table = await a_table(card_with(post_history_instructions="X；{{original}}"))
    await wear(table)
    await table.say("我推门。")
    sent = table.contents(0)
    assert [role for role, _ in sent][-2:] == ["user", "system"]
    assert sent[-1][1] == "X；Stay in the scene."
    system = sent[0][1]
    assert "讲沈砚的故事。" in system
    assert system.index("讲沈砚的故事。") < system.index("渡口客栈的账房")
    assert "X；" not in system


async def test_the_cards_system_prompt_takes_the_place_of_main() -> None:
    """With what it replaces inside, unless the preset forbids it."""
    table = await a_table(card_with(system_prompt="[{{original}}]"))
    await wear(table)
    await table.say("我推门。")
    assert "[讲沈砚的故事。]" in table.contents(0)[0][1]


async def test_in_chat_prompts_are_resolved_for_the_turn_and_stand_before_the_words() -> None:
    """They know what the system text set, and what was just said."""
    table = await a_table()
    await wear(table)
    await table.say("我推门。")
    words = table.contents(0)[-2][1]
    assert words.endswith("语气：冷；你刚说：我推门。\n\n我推门。")


async def test_the_log_repeats_and_the_tail_alone_changes() -> None:
    """P10: each request extends the one before it up to that turn's words."""
    table = await a_table()
    await wear(table)
    for number in range(4):
        await table.say(f"第{number}句")
    for number in range(3):
        former, later = (table.contents(n) for n in (number, number + 1))
        assert later[: len(former) - 2] == former[:-2]


async def test_samplers_of_the_preset_are_sent_and_those_that_would_cut_a_draft_are_named() -> None:
    """P02: `auto` sends nothing."""
    table = await a_table()
    await wear(table)
    turn = await table.say("我推门。")
    assert body(table, 0)["sampling"] == {"temperature": 0.9}
    assert "max_tokens" in (await left_out(table, turn.id))["preset.sampling"]


async def test_l22_a_preset_without_slots_leaves_their_texts_out_and_says_so() -> None:
    """L22: a book seems dead only to who does not look."""
    table = await a_table()
    order = [{"identifier": one, "enabled": True} for one in ("main", "chatHistory")]
    await wear(table, {**PRESET, "prompt_order": [{"character_id": 1, "order": order}]})
    turn = await table.say("旧伞")
    sent = "".join(text for _, text in table.contents(0))
    assert "湘妃竹" not in sent
    assert "渡口镇只有一家客栈" not in sent
    told = await left_out(table, turn.id)
    assert "no such slot" in told["preset:worldInfoAfter"]
    assert any(source.startswith("lore:") for source in told)


async def test_taking_a_preset_off_gives_the_former_bytes_back() -> None:
    """And a project that never wore one is not touched by any of this."""
    bare, dressed = await a_table(), await a_table()
    await wear(dressed)
    await presets.choose_preset(dressed.house, dressed.project.id, None)
    await bare.say("我推门。")
    await dressed.say("我推门。")
    assert bare.contents(0) == dressed.contents(0)


async def test_changing_the_preset_is_named_as_the_cause_of_a_new_prefix() -> None:
    """The pieces that differ are told."""
    table = await a_table()
    await table.say("一")
    await wear(table)
    turn = await table.say("二")
    record = next(c for c in await table.house.store.calls(turn.id) if c.purpose == "story")
    before = await sent_before(table.house, table.project.id, record)
    request = await table.house.store.request(record.id)
    assert before is not None
    assert request is not None
    ended = shared_head(before, Sent(record, request)).ended
    assert ended is not None
    assert ended.code == "system"
    assert "preset:main" in ended.pieces


async def test_volatile_macros_of_the_system_text_are_resolved_once_and_flagged() -> None:
    """M14 in a preset: one value for the session."""
    table = await a_table()
    prompts = [{"identifier": "main", "content": "签：{{random::上::中::下}}"}]
    await wear(table, {**PRESET, "prompts": prompts})
    first, second = await table.say("一"), await table.say("二")
    assert table.contents(0)[0] == table.contents(1)[0]
    for turn in (first, second):
        rows = [row for row in await outline(table, turn.id) if "volatile" in row]
        assert rows == [{"volatile": ["random"]}]


async def test_only_what_is_played_with_can_be_put_on() -> None:
    """A template for text completion is kept, and refused by name; the wrong revision too."""
    table = await a_table()
    data = json.dumps({"input_sequence": "a", "output_sequence": "b"}).encode()
    template = await library.import_any(table.house, data, "t.json")
    with pytest.raises(BadInput, match="text completion"):
        await presets.choose_preset(table.house, table.project.id, template.id)
    with pytest.raises(NotFound):
        await presets.choose_preset(table.house, table.project.id, "nothing")
    with pytest.raises(Conflict):
        await presets.choose_preset(table.house, table.project.id, None, revision=7)


# ---- the author's note -------------------------------------------------------------------------


async def note(table: Table, note: AuthorsNote) -> None:
    worn = await dressing_of(table.house, table.project.id)
    await notes_author.write_note(table.house, table.project.id, note, worn.revision)


async def test_the_authors_note_stands_before_the_words_when_it_is_due() -> None:
    """Every second message of the user's; its macros are resolved; nothing before it moves."""
    table = await a_table()
    await note(table, AuthorsNote("写慢些，{{char}}少说话。", interval=2))
    for words in ("一", "二", "三", "四"):
        await table.say(words)
    lasts = [table.contents(number)[-1][1] for number in range(4)]
    assert ["写慢些，沈砚少说话。" in last for last in lasts] == [False, True, False, True]
    assert lasts[1].endswith("写慢些，沈砚少说话。\n\n二")
    assert table.contents(3)[: len(table.contents(2)) - 1] == table.contents(2)[:-1]


async def test_a_note_with_interval_0_is_never_sent() -> None:
    """Nor one without words."""
    table = await a_table()
    await note(table, AuthorsNote("x" * 9, interval=0))
    await table.say("一")
    assert "x" * 9 not in table.contents(0)[-1][1]
    with pytest.raises(BadInput):
        await note(table, AuthorsNote("x", interval=-1))


async def test_the_note_tells_in_the_inspector_where_it_would_have_stood() -> None:
    """Depth and role are mapped, and named so."""
    table = await a_table()
    await note(table, AuthorsNote("n", depth=3, role="user"))
    turn = await table.say("一")
    pieces = cast("list[dict[str, str]]", (await outline(table, turn.id))[-2]["pieces"])
    reasons = {one["source"]: one.get("reason", "") for one in pieces}
    assert reasons["authors_note"] == "depth 3, role user: mapped to before the words"


# ---- personas ----------------------------------------------------------------------------------


async def put_on(table: Table, persona: SavedPersona) -> personas.PutOn:
    item = await personas.make_persona(table.house, persona)
    return await personas.put_on_persona(table.house, table.project.id, item.id)


@pytest.mark.parametrize(
    ("place", "in_system", "in_last"),
    [
        ("in_prompt", True, False),
        ("at_depth", False, True),
        ("none", False, False),
        ("note_top", False, True),
        ("note_bottom", False, True),
    ],
)
async def test_a_persona_stands_where_it_wants_to(
    place: str, in_system: bool, in_last: bool
) -> None:
    """In the system text, before the words, or nowhere; its name is told in every case."""
    table = await a_table()
    saved = SavedPersona("林", "借伞的人。", place=place)  # pyright: ignore[reportArgumentType] - parametrised
    await put_on(table, saved)
    await table.say("我推门。")
    system, last = table.contents(0)[0][1], table.contents(0)[-1][1]
    assert ("借伞的人。" in system, "借伞的人。" in last) == (in_system, in_last)
    assert "林" in system


async def test_a_changed_persona_holds_from_the_next_turn_on() -> None:
    """And every former writing of it is kept."""
    table = await a_table()
    item = await personas.make_persona(table.house, SavedPersona("林", "旧的。"))
    await personas.put_on_persona(table.house, table.project.id, item.id)
    await table.say("一")
    await personas.change_persona(
        table.house, item.id, SavedPersona("林", "换了伞。"), item.revision
    )
    await table.say("二")
    assert "旧的。" in table.contents(0)[0][1]
    assert "换了伞。" in table.contents(1)[0][1]
    kept = await table.house.store.item_versions(item.id)
    assert [one.content["description"] for one in kept] == ["旧的。", "换了伞。"]
    await personas.put_on_persona(table.house, table.project.id, None)
    await table.say("三")
    assert "换了伞。" not in table.contents(2)[0][1]


async def test_a_personas_lorebook_comes_along() -> None:
    """Found by its name; one that is not there is named."""
    table = await a_table()
    book = {"entries": {"0": {"uid": 0, "key": ["灯"], "content": "灯塔在北。"}}}
    added = await library.import_lorebook(table.house, json.dumps(book).encode(), "灯塔.json")
    done = await put_on(table, SavedPersona("林", lorebook="灯塔"))
    assert done.lorebook == added.id
    await table.say("灯")
    assert "灯塔在北。" in table.contents(0)[-1][1]
    absent = await put_on(table, SavedPersona("林", lorebook="没有"))
    assert absent.missing == "没有"


async def test_a_linked_persona_is_found_for_a_card() -> None:
    """By the card's id or by the file of its picture; else the default one."""
    table = await a_table()
    house, card_id = table.house, table.project.card_id or ""
    card = await house.shelf.card(card_id, house.user_id)
    assert await personas.persona_for(house, card_id, card, "shen.json") is None
    usual = await personas.make_persona(house, SavedPersona("Ann", default=True, avatar="a.png"))
    found = await personas.persona_for(house, card_id, card, "shen.json")
    assert found is not None
    assert found.id == usual.id
    linked = SavedPersona("林", links=(Link("character", "shen.png"),))
    own = await personas.make_persona(house, linked)
    found = await personas.persona_for(house, card_id, card, "shen.json")
    assert found is not None
    assert found.id == own.id
    by_avatar = await personas.persona_by_avatar(house, "a.png")
    assert by_avatar is not None
    assert by_avatar.id == usual.id


# ---- directions --------------------------------------------------------------------------------


async def test_h20_telling_again_uses_the_same_direction() -> None:
    """H20: what the user asked for, and what stood beside it, is sent again with a reroll."""
    table = await a_table()
    await wear(table)
    await note(table, AuthorsNote("旁白要近。"))
    first = await table.say("（以旁白的口吻）写雨。")
    again = await playing.make_variant(table.house, table.company, first.id)
    await table.over(again.id)
    assert again.user_text == first.user_text
    assert table.contents(1)[-2:] == table.contents(0)[-2:]


async def test_a_presets_own_choices_take_the_place_of_ask() -> None:
    """`turn.md` §7: the reader is not asked in two ways. The tool is not listed, the rules of the turn
    say nothing of it, and the inspector says why."""
    table = await a_table()
    prompts = cast("list[dict[str, object]]", PRESET["prompts"])
    box = {"identifier": "jailbreak", "name": "选项框", "content": "末尾给出四个选项。"}
    await wear(table, {**PRESET, "prompts": [*prompts, box]})
    turn = await table.say("我推门。")
    tools = cast("list[dict[str, dict[str, str]]]", body(table, 0)["tools"])
    assert "ask" not in [tool["function"]["name"] for tool in tools]
    system = table.contents(0)[0][1]
    assert "`ask`" not in system
    assert "照预设定下的格式" in system
    assert "选项框" in (await left_out(table, turn.id))["tool:ask"]
