"""A turn of one generation, in the real house: what is sent, taken, asked again and gone on with."""

from __future__ import annotations

import json
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path

import pytest

from huaben.adapters.system import SystemClock
from huaben.bootstrap import ScenarioFiles
from huaben.domain.messages import Usage
from huaben.domain.pricing import Cost, Price, PriceTable
from huaben.domain.scenario import ModelRoles, PerformerSettings, SamplingSettings, Scenario
from huaben.services import founding, library, playing
from huaben.services.founding import Founding
from huaben.services.performing import Company
from huaben.testing.models import ScriptedModel
from huaben.testing.script import Script, ScriptedReply, call, fail, reply, say, stall, think
from huaben.testing.store import MemoryStore
from tests.integration.stage.conftest import CARD, Table, make_house

ACTOR = Scenario("actor", PerformerSettings("actor"))


class One:
    """One scenario under any name."""

    def __init__(self, scenario: Scenario) -> None:
        self._scenario = scenario

    def named(self, name: str) -> Scenario:
        return self._scenario

    def names(self) -> list[str]:
        return [self._scenario.name]


@asynccontextmanager
async def table(
    script: Script,
    scenario: Scenario = ACTOR,
    *,
    calls_tools: bool = True,
    prices: PriceTable | None = None,
) -> AsyncGenerator[Table]:
    model = ScriptedModel(script, calls_tools=calls_tools)
    house = make_house(MemoryStore(SystemClock()), model)
    house = replace(house, scenarios=One(scenario), prices=prices or PriceTable())
    company = Company(house)
    card = await library.import_card(house, json.dumps(CARD).encode(), "shen.json")
    project, _ = await founding.create_project(house, Founding(card_id=card.id))
    opened = Table(house, company, model, project)
    yield opened
    await company.close()


async def codes(opened: Table, turn_id: str) -> list[tuple[str, str]]:
    turn = await opened.over(turn_id)
    return [(note.code, note.detail) for note in (await opened.view(turn)).notices]


async def test_what_the_model_says_is_the_final_text() -> None:
    """One call, no tools; captured and sealed like any other prose."""
    async with table([reply(think("想"), say("雨停了。\n\n<status>晴</status>"))]) as opened:
        turn = await opened.say("我推门，带着旧伞。")
        view = await opened.view(turn)
    assert (turn.outcome, turn.final_text) == ("sealed", "雨停了。\n\n<status>晴</status>")
    assert [version.reason for version in view.versions] == ["capture"]
    request = opened.model.requests[0]
    assert request.tools == ()
    assert request.stable == len(request.messages) - 1
    assert len(opened.model.wires) == 1


async def test_the_model_is_told_all_that_it_cannot_look_up() -> None:
    """Texts of lore instead of titles, no index, who is who, the words last and once."""
    async with table([say("好。"), say("好。")]) as opened:
        await opened.say("我推门，带着旧伞。")
        await opened.say("去哪？")
    (system, sent), *_, (_, last) = opened.contents(1)
    assert system == "system"
    assert "没有工具" in sent
    assert "draft_write" not in sent
    first = opened.contents(0)[-1][1]
    assert "旧伞是沈砚的师父留下的" in first
    assert "设定集索引】" not in first
    assert "你讲的主要人物是沈砚；读者的人物是你" in first
    assert first.endswith("\n\n我推门，带着旧伞。")
    assert first.count("我推门") == 1
    assert [role for role, _ in opened.contents(1)][1:] == [
        "assistant",
        "user",
        "assistant",
        "user",
    ]
    assert last.endswith("去哪？")


async def test_a_later_turn_extends_an_earlier_one() -> None:
    """The prefix stays put here too."""
    async with table([say(f"第{n}拍。") for n in range(4)]) as opened:
        for n in range(4):
            await opened.say(f"话{n}")
    for former, later in zip(opened.model.wires, opened.model.wires[1:], strict=False):
        kept = former.parts[:-2]  # all but this turn's words and the end
        assert later.parts[: len(kept)] == kept


async def test_an_empty_reply_is_asked_for_once_more() -> None:
    """Then the turn yields nothing, and says so (T19)."""
    async with table([say(" "), say("来了。"), say(""), say("\n")]) as opened:
        first, second = await opened.say("一"), await opened.say("二")
        assert (await codes(opened, first.id)) == [("empty_reply", "")]
    assert (first.outcome, first.final_text) == ("sealed", "来了。")
    assert (second.outcome, second.code) == ("failed", "no_draft")
    assert len(opened.model.wires) == 4


async def test_a_call_that_nobody_offered_changes_nothing() -> None:
    """What was said counts; without words it is an empty reply."""
    async with table([reply(say("雨。"), call("draft_write", version=0, content="x"))]) as opened:
        turn = await opened.say("一")
    assert (turn.outcome, turn.final_text) == ("sealed", "雨。")


async def test_a_failed_call_is_made_again_by_retry() -> None:
    """Nothing of the first is kept twice."""
    async with table([fail(), say("雨停了。")]) as opened:
        turn = await opened.say("一")
        assert (turn.outcome, turn.code) == ("failed", "provider_unavailable")
        await playing.resume(opened.house, opened.company, turn.id)
        turn = await opened.over(turn.id)
    assert (turn.outcome, turn.final_text) == ("sealed", "雨停了。")
    assert opened.model.bodies[0] == opened.model.bodies[1]


@pytest.mark.parametrize(
    ("said", "rest", "final"),
    [
        ("他推开门，看见", "一把旧伞。", "他推开门，看见一把旧伞。"),
        ("他推开门。", "门后有伞。", "他推开门。\n\n门后有伞。"),
    ],
    ids=["in mid-sentence", "after a sentence"],
)
async def test_a_stopped_turn_goes_on_where_it_broke_off(said: str, rest: str, final: str) -> None:
    """The model sees what stands there; the two join as one text."""
    script = [reply(say(said, chunk=0), stall()), say(rest)]
    async with table(script) as opened:
        words = playing.Words("一")
        turn = await playing.post_turn(opened.house, opened.company, opened.project.id, words)
        await opened.model.stalled.wait()
        await playing.stop(opened.house, opened.company, turn.id)
        await playing.resume(opened.house, opened.company, turn.id)
        turn = await opened.over(turn.id)
        *_, shown, asked = opened.contents(1)
    assert shown == ("assistant", said)
    assert asked[0] == "user"
    assert "接着讲完" in asked[1]
    assert (turn.outcome, turn.final_text) == ("sealed", final)


async def test_a_recorded_reply_is_not_paid_for_again() -> None:
    """A process that died between the reply and its capture takes it from the record."""
    async with table([say("雨停了。")]) as opened:
        turn = await opened.say("一")
        again = await opened.restarted(ScriptedModel([]))
        assert (await again.over(turn.id)).final_text == "雨停了。"
        await again.company.close()


# ---- when it is chosen -----------------------------------------------------------------------------


async def test_a_model_without_tools_acts_whatever_the_scenario_says() -> None:
    """With one visible notice a turn, also when the turn is run again."""
    stage = Scenario("stage", PerformerSettings("stage"))
    async with table([fail(), say("雨。")], stage, calls_tools=False) as opened:
        turn = await opened.say("一")
        await playing.resume(opened.house, opened.company, turn.id)
        assert (await opened.over(turn.id)).final_text == "雨。"
        told = await codes(opened, turn.id)
    assert told == [("performer_fallback", "stage → actor")]
    assert opened.model.requests[0].tools == ()


async def test_a_scenario_that_names_an_unknown_connection_says_who_played() -> None:
    """One notice, and the turn goes on."""
    named = replace(ACTOR, models=ModelRoles("somebody else's"))
    async with table([say("雨。")], named) as opened:
        turn = await opened.say("一")
        assert await codes(opened, turn.id) == [
            ("connection_fallback", "somebody else's → scripted")
        ]
    assert turn.outcome == "sealed"


# ---- samplers and costs ----------------------------------------------------------------------------


async def test_only_samplers_that_change_something_are_asked_for() -> None:
    """The neutral values of a scenario leave the fields out."""
    set_ = SamplingSettings(0.8, 0.9, 40, 0.05, 0.1, -0.2, 1.1, 7, 500, "low")
    async with table([say("雨。")], replace(ACTOR, sampling=set_)) as opened:
        await opened.say("一")
    sampling = opened.model.requests[0].sampling
    assert (sampling.temperature, sampling.top_p, sampling.top_k) == (0.8, 0.9, 40)
    assert (sampling.min_p, sampling.repetition_penalty, sampling.seed) == (0.05, 1.1, 7)
    assert (sampling.frequency_penalty, sampling.presence_penalty) == (0.1, -0.2)
    assert (sampling.max_tokens, sampling.reasoning_effort) == (500, "low")
    async with table([say("雨。")]) as plain:
        await plain.say("一")
    assert json.loads(plain.model.bodies[0])["sampling"] == {}


async def test_a_call_costs_what_the_table_says() -> None:
    """In the record, in the log and added up; an unknown price is no cost."""
    prices = PriceTable((Price("scripted", 2, 10, cached=0.5, currency="CNY"),))
    told = ScriptedReply((say("雨。"),), usage=Usage(1000, 10, cached=400))
    async with table([told], prices=prices) as opened:
        turn = await opened.say("一")
        (record,) = await opened.house.store.calls(turn.id)
        (event,) = (await opened.view(turn)).usage
        (spent,) = await opened.house.store.spent(opened.project.id)
    assert record.cost == Cost(1500, "CNY")
    assert (event.cost_micros, event.currency) == (1500, "CNY")
    assert (spent.cost_micros, spent.currency, spent.cached) == (1500, "CNY", 400)
    async with table([told]) as opened:
        turn = await opened.say("一")
        (record,) = await opened.house.store.calls(turn.id)
        (event,) = (await opened.view(turn)).usage
    assert record.cost is None
    assert (event.cost_micros, event.currency) == (None, "")


async def test_lore_that_decorates_stands_at_the_words_of_its_turn_alone() -> None:
    """The shipped scenario with actor, planner and worldbook: each entry is a block before the reader's words, the
    next turn sends the words without it, and the planner's route is asked beside the reply."""
    shipped = ScenarioFiles(Path("no-such-folder")).named("actor+planner+worldbook")
    assert (shipped.performer.kind, shipped.lore.placement, shipped.lore.budget) == (
        "actor",
        "decorate",
        2400,
    )
    assert (shipped.memory.sources, shipped.compaction.every, shipped.governance) == ((), 0, "off")
    async with table(lambda _: reply(say("他点头。")), shipped) as opened:
        await opened.say("我递过旧伞。")
        await opened.say("他接了吗？")
        first, second = (opened.contents(n) for n in (0, 1))
    said = first[-1][1]
    assert said.endswith("我递过旧伞。")
    assert said.index("【语言】") < said.index("【相关设定】") < said.index("我递过旧伞。")
    assert [text for _, text in second].count("我递过旧伞。") == 1
