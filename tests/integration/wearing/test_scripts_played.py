"""Regex scripts in a story: stored, shown and sent texts, consent, limits, and what the trace tells of them."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import cast

import pytest

from huaben.adapters.system import SystemClock
from huaben.errors import BadInput, Conflict, NotFound
from huaben.services import branching, founding, library, playing, presets, scripts
from huaben.services.founding import Founding
from huaben.services.performing import Company
from huaben.services.prefix import Sent, sent_before, shared_head
from huaben.services.stories import load_turn
from huaben.testing.models import ScriptedModel
from huaben.testing.script import Asked, ScriptedReply, call, reply, say
from huaben.testing.store import MemoryStore
from tests.integration.stage.conftest import CARD, Table, make_house

Raw = Mapping[str, object]


def script(name: str, find: str, replace: str = "", **changes: object) -> Raw:
    return {
        "id": name,
        "scriptName": name,
        "findRegex": find,
        "replaceString": replace,
        "trimStrings": [],
        "placement": [1, 2],
        "disabled": False,
        "markdownOnly": False,
        "promptOnly": False,
        "runOnEdit": False,
        "substituteRegex": 0,
        "minDepth": None,
        "maxDepth": None,
        **changes,
    }


def writing(text: str) -> object:
    def answer(asked: Asked) -> ScriptedReply:
        del asked
        return reply(call("draft_write", version=0, content=text), call("draft_seal", version=1))

    return answer


def echo(asked: Asked) -> ScriptedReply:
    del asked
    return reply(say("他点头。<状态>冷</状态>"))


async def a_table(
    global_scripts: Sequence[Raw] = (),
    card_scripts: Sequence[Raw] = (),
    answer: object = echo,
) -> Table:
    model = ScriptedModel(answer)  # pyright: ignore[reportArgumentType] - a script
    house = make_house(MemoryStore(SystemClock()), model)
    data = cast("dict[str, object]", CARD["data"])
    card = {**CARD, "data": {**data, "extensions": {"regex_scripts": list(card_scripts)}}}
    imported = await library.import_card(house, json.dumps(card).encode(), "shen.png")
    if global_scripts:
        raw = json.dumps(list(global_scripts)).encode()
        await library.import_any(house, raw, "mine.json")
    project, _ = await founding.create_project(house, Founding(card_id=imported.id))
    return Table(house, Company(house), model, project)


async def allow(table: Table, owner: str) -> None:
    card = await table.house.shelf.card(table.project.card_id or "", "local")
    sets = await scripts.sets_in(table.house, table.project, card)
    digest = next(one.digest for one in sets if one.owner == owner)
    await scripts.consent(table.house, owner, digest)


async def notices(table: Table, turn_id: str) -> list[tuple[str, str]]:
    view = await table.view(await load_turn(table.house, turn_id))
    return [(one.code, one.detail) for one in view.notices]


# ---- stored ------------------------------------------------------------------------------------


async def test_an_unmarked_script_changes_what_is_stored_and_keeps_what_came() -> None:
    """The words as they were typed are in the log, the reply as it was written is a draft version."""
    table = await a_table([script("温和", "/呸/g", "嗯"), script("tidy", "/<状态>.*<\\/状态>/")])
    turn = await table.say("呸，呸。")
    assert turn.user_text == "嗯，嗯。"
    assert turn.final_text == "他点头。"
    told = await notices(table, turn.id)
    assert ("scripts_changed", "user: 温和") in told
    assert ("scripts_original", "呸，呸。") in told
    assert ("scripts_changed", "reply: tidy") in told
    view = await table.view(turn)
    assert "<状态>" in view.versions[0].text
    assert table.contents(0)[-1][1].endswith("嗯，嗯。")


async def test_the_same_post_twice_is_one_turn_whatever_scripts_made_of_it() -> None:
    """Its words are compared as they were typed."""
    table = await a_table([script("温和", "/呸/g", "嗯")])
    first = await table.say("呸", request_id="r")
    again = await table.say("呸", request_id="r")
    assert first.id == again.id
    with pytest.raises(Conflict, match="other words"):
        await table.say("哼", request_id="r")


async def test_a_script_never_leaves_a_turn_without_words() -> None:
    """The text stays, and the script is named."""
    table = await a_table([script("清空", "/[^]*/")])
    turn = await table.say("我推门。")
    assert (turn.user_text, turn.final_text) == ("我推门。", "他点头。<状态>冷</状态>")
    assert ("scripts_emptied", "user: 清空") in await notices(table, turn.id)


async def test_an_edit_meets_only_scripts_that_ask_for_it() -> None:
    """`runOnEdit`; a reroll of the same words changes nothing a second time."""
    table = await a_table(
        [script("eager", "/雨/g", "雪", runOnEdit=True), script("lazy", "/灯/g", "烛")]
    )
    turn = await table.say("雨")
    edit = await branching.rewrite_final(table.house, turn.id, "雨里有灯。", turn.version)
    assert edit.revises is not None
    assert edit.revises.text == "雪里有灯。"
    assert edit.message == "reply: eager"


async def test_words_sent_again_with_a_change_are_new_words() -> None:
    """They meet the scripts as any others do."""
    table = await a_table([script("温和", "/呸/g", "嗯")])
    turn = await table.say("好")
    new = await playing.make_variant(table.house, table.company, turn.id, "呸")
    assert new.user_text == "嗯"


# ---- sent --------------------------------------------------------------------------------------


async def test_a_prompt_script_changes_what_is_sent_alone() -> None:
    """P07: and an unmarked display script does not; the trace names it per message."""
    table = await a_table(
        [
            script("藏状态", "/<状态>.*<\\/状态>/g", promptOnly=True),
            script("pretty", "/点头/g", "<b>点头</b>", markdownOnly=True),
        ]
    )
    first = await table.say("一")
    second = await table.say("二")
    assert first.final_text == "他点头。<状态>冷</状态>"
    assert ("assistant", "他点头。") in table.contents(1)
    calls = await table.house.store.calls(second.id)
    rows = [row for row in calls[0].outline if row.get("zone") == "log"]
    reasons = [cast("list[dict[str, str]]", row["pieces"])[-1].get("reason", "") for row in rows]
    assert reasons == ["", "", "scripts: 藏状态"]


async def test_p07_depth_leaves_the_last_message_alone() -> None:
    """P07: min depth 1; the user's words are depth 0, the reply before them 1."""
    table = await a_table([script("old", "/字/g", "□", promptOnly=True, minDepth=2)])
    await table.say("字一")
    await table.say("字二")
    await table.say("字三")
    texts = [text for role, text in table.contents(2) if role == "user"]
    assert [text.splitlines()[-1] for text in texts] == ["□一", "□二", "字三"]
    assert table.contents(1)[-1][1].endswith("字二")


async def test_what_a_prompt_script_sends_stays_sent_unless_it_counts() -> None:
    """The prefix property; a script that counts messages is named as the cause of the break."""
    codes: list[str | None] = []
    for limit in (None, 1):
        table = await a_table(
            [script("状态", "/<状态>/", "[", promptOnly=True, minDepth=limit and 3)]
        )
        for words in ("一", "二", "三"):
            turn = await table.say(words)
        record = (await table.house.store.calls(turn.id))[0]
        before = await sent_before(table.house, table.project.id, record)
        request = await table.house.store.request(record.id)
        assert before is not None
        assert request is not None
        ended = shared_head(before, Sent(record, request)).ended
        codes.append(None if ended is None else ended.code)
    assert codes == [None, "scripts"]


async def test_p08_a_message_that_scripts_empty_for_the_model_is_flagged() -> None:
    """P08: in the trace of every turn in which it is."""
    table = await a_table([script("忘", "/[^]*/", promptOnly=True, minDepth=1, placement=[2])])
    await table.say("一")
    turn = await table.say("二")
    calls = await table.house.store.calls(turn.id)
    rows = [row for row in calls[0].outline if "left_out" in row]
    told = cast("list[dict[str, str]]", rows[0]["left_out"])
    emptied = [one for one in told if one["reason"] == "emptied by scripts: 忘"]
    assert len(emptied) == 2


async def test_lore_is_changed_by_scripts_for_lore_alone() -> None:
    """Placement 5, and what it empties is dropped."""
    table = await a_table([script("伞", "/湘妃竹/g", "油纸", promptOnly=True, placement=[5])])
    await table.say("旧伞")
    assert "伞骨是油纸" in table.contents(0)[-1][1]


async def test_l25_a_hostile_script_is_off_for_the_turn_and_named() -> None:
    """L25: the turn is played without it, the others run."""
    hostile = script("恶", "/^(.*?,){13}龙/", "x", promptOnly=True)
    table = await a_table([hostile, script("ok", "/一/g", "壹", promptOnly=True)])
    turn = await table.say("1,2,3,4," * 60 + "一")
    assert turn.outcome == "sealed"
    assert table.contents(0)[-1][1].endswith("壹")
    told = await notices(table, turn.id)
    assert next(detail for code, detail in told if code == "script_off").startswith("恶: ")


# ---- consent -----------------------------------------------------------------------------------


async def test_a_cards_scripts_wait_for_consent() -> None:
    """They are listed as waiting until then, and again when it is taken back."""
    table = await a_table(card_scripts=[script("card's", "/点头/g", "摇头")])
    owner = table.project.card_id or ""
    card = await table.house.shelf.card(owner, "local")
    waiting = await scripts.sets_in(table.house, table.project, card)
    assert [(one.scope, one.state) for one in waiting] == [("card", "waiting")]
    first = await table.say("一")
    assert first.final_text.startswith("他点头")
    await allow(table, owner)
    second = await table.say("二")
    assert second.final_text.startswith("他摇头")
    await scripts.consent(table.house, owner, None)
    third = await table.say("三")
    assert third.final_text.startswith("他点头")


async def test_consent_is_for_the_scripts_that_were_seen() -> None:
    """Other scripts of the same owner are not meant by it."""
    table = await a_table(card_scripts=[script("a", "/x/")])
    with pytest.raises(BadInput, match="not the scripts"):
        await scripts.consent(table.house, table.project.card_id or "", "another digest")
    with pytest.raises(NotFound):
        await scripts.consent(table.house, "nobody", None)


async def test_global_then_preset_then_card() -> None:
    """Each with its own consent, each on what the one before left."""
    table = await a_table([script("1", "/他/", "1")], card_scripts=[script("3", "/2/", "3")])
    preset = {
        "prompts": [{"identifier": "main", "content": "x"}],
        "openai_max_tokens": 1,
        "extensions": {"regex_scripts": [script("2", "/1/", "2")]},
    }
    done = await library.import_any(table.house, json.dumps(preset).encode(), "p.json")
    await presets.choose_preset(table.house, table.project.id, done.id)
    owner = table.project.card_id or ""
    await allow(table, owner)
    assert (await table.say("一")).final_text.startswith("1点头")
    await allow(table, done.id)
    assert (await table.say("二")).final_text.startswith("3点头")
