"""What is decided before a call: whether the request fits, who plays, which samplers are sent."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from huaben import Studio
from huaben.config import load_settings
from huaben.domain.connection import Capabilities
from huaben.domain.turnview import TurnView
from huaben.formats.connections import capabilities_to
from huaben.ports import Commit
from huaben.services import connecting
from huaben.services.connecting import Wish
from huaben.services.stories import load_turn, load_view
from huaben.testing.endpoint import ScriptedEndpoint
from huaben.testing.script import say

CARD = {
    "spec": "chara_card_v2",
    "data": {"name": "阿迟", "description": "他很旧。" * 900, "first_mes": "「来了？」"},
}
SCENARIO = """
extends = "stage"
[models]
story = "{story}"
[sampling]
temperature = 0.7
min_p = 0.1
top_k = 40
"""


async def play(studio: Studio, folder: Path, story: str = "") -> tuple[str, str, TurnView]:
    """One turn with a scenario of the user's own; its outcome, its message and its log."""
    (folder / "data" / "scenarios").mkdir(exist_ok=True)
    (folder / "data" / "scenarios" / "own.toml").write_text(SCENARIO.format(story=story))
    card = folder / "card.json"
    card.write_text(json.dumps(CARD, ensure_ascii=False), "utf-8")
    imported = await studio.import_card(card)
    project = await studio.create_project(card=imported.id, scenario="own")
    async for _ in studio.play(project.id, "走"):
        pass
    head = await studio.house.store.head(project.id)
    assert head is not None
    turn = await load_turn(studio.house, head.turn_id)
    return turn.code or turn.outcome or "", turn.message, await load_view(studio.house, turn.id)


async def keep(studio: Studio, endpoint: ScriptedEndpoint, name: str, **settings: object) -> None:
    usual = {"base_url": endpoint.base_url, "model": "m"}
    wish = Wish(name, {**usual, **settings})
    await connecting.keep(studio.house, studio.theatre.switchboard, wish, 0)


def told(view: TurnView) -> list[tuple[str, str]]:
    return [(notice.code, notice.detail) for notice in view.notices]


async def test_what_does_not_fit_is_refused_with_sizes_before_any_call(tmp_path: Path) -> None:
    """The endpoint hears nothing; each part is named with what it takes."""
    async with ScriptedEndpoint([]) as endpoint:
        settings = load_settings(
            data=tmp_path / "data", base_url=endpoint.base_url, model="m", context_window=4096
        )
        async with Studio.open(settings=settings) as studio:
            code, message, view = await play(studio, tmp_path)
    assert code == "too_large"
    assert "window 4096" in message
    assert "description" in message
    assert "tools" in message
    assert "output" in message
    assert endpoint.received == []
    assert view.usage == ()


async def test_the_window_that_an_endpoint_lists_is_used(tmp_path: Path) -> None:
    """Where nobody set one, what a test found is what the request has to fit into."""
    settings = load_settings(data=tmp_path / "data")
    async with (
        ScriptedEndpoint([say("好。")]) as endpoint,
        Studio.open(settings=settings) as studio,
    ):
        await keep(studio, endpoint, "small")
        (row,) = await studio.house.store.connections("local")
        one = studio.theatre.switchboard.connections.named("small")
        found = Capabilities("2026-11-01", reachable=True, window=2048)
        values = capabilities_to(found, one.connection.origin)
        await studio.house.store.commit(Commit(rows=(replace(row, capabilities=values),)))
        await connecting.refresh(studio.house, studio.theatre.switchboard)
        code, message, _ = await play(studio, tmp_path)
    assert code == "too_large"
    assert "window 2048" in message


@pytest.mark.parametrize("tools", ["none", "native"])
async def test_samplers_that_are_withheld_are_named_once(tmp_path: Path, tools: str) -> None:
    """What a connection does not accept is not sent, and the turn says so; a model without tools
    acts, and that is said too."""
    settings = load_settings(data=tmp_path / "data")
    async with (
        ScriptedEndpoint([say(""), say("雨停了。")]) as endpoint,
        Studio.open(settings=settings) as studio,
    ):
        await keep(studio, endpoint, "mine", tools=tools, accepts=["temperature"])
        code, _, view = await play(studio, tmp_path)
    assert code == "sealed"
    bodies = [received.asked.body for received in endpoint.received]
    assert [body.get("temperature") for body in bodies] == [0.7, 0.7]
    assert not any("min_p" in body or "top_k" in body for body in bodies)
    expected = [("withheld", "min_p, top_k"), ("empty_reply", "")]
    if tools == "none":
        expected.insert(0, ("performer_fallback", "stage → actor"))
        assert not any("tools" in body for body in bodies)
    assert told(view) == expected


async def test_a_scenario_names_its_connection(tmp_path: Path) -> None:
    """The one that it names, whatever else there is; for an unknown name another, and one notice."""
    settings = load_settings(data=tmp_path / "data")
    async with (
        ScriptedEndpoint([say("甲。")]) as first,
        ScriptedEndpoint([say("乙。")]) as second,
        Studio.open(settings=settings) as studio,
    ):
        await keep(studio, first, "甲")
        await keep(studio, second, "乙")
        _, _, view = await play(studio, tmp_path, story="乙")
        assert view.draft.text == "乙。"
        assert "connection_fallback" not in dict(told(view))
        _, _, view = await play(studio, tmp_path, story="丙")
        assert view.draft.text == "甲。"
        assert dict(told(view))["connection_fallback"] == "丙 → 甲"
