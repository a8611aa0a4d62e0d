"""A server that has no tools for its model: the turn goes on by the JSON protocol, and the connection
that nobody tested has learnt it."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path

import pytest

from huaben import Studio
from huaben.config import load_settings
from huaben.services import connecting
from huaben.services.connecting import Wish
from huaben.services.stories import load_turn, load_view
from huaben.testing.endpoint import ScriptedEndpoint
from huaben.testing.script import Asked, Status, Step, call, reply
from tests.builders.jsonscript import json_reply

CARD = {"spec": "chara_card_v2", "data": {"name": "阿迟", "first_mes": "「来了？」"}}
REFUSALS = {
    "en": "registry.ollama.ai/library/tiny:1b does not support tools",
    "zh": "模型 tiny 不支持工具调用",
}


def without_tools(said: str) -> Step:
    return Status(400, body=json.dumps({"error": {"message": said}}, ensure_ascii=False))


@dataclass
class Table:
    """A studio and the one project that is played in it."""

    studio: Studio
    project_id: str

    async def play(self, words: str) -> tuple[str, str, str]:
        """One turn: how it ended, its text or its message, and the notices of its log."""
        async for _ in self.studio.play(self.project_id, words):
            pass
        head = await self.studio.house.store.head(self.project_id)
        assert head is not None
        turn = await load_turn(self.studio.house, head.turn_id)
        view = await load_view(self.studio.house, turn.id)
        notices = " ".join(notice.code for notice in view.notices)
        return turn.code or turn.outcome or "", turn.final_text or turn.message, notices


async def seated(studio: Studio, folder: Path) -> Table:
    card = folder / "card.json"
    card.write_text(json.dumps(CARD, ensure_ascii=False), "utf-8")
    imported = await studio.import_card(card)
    project = await studio.create_project(card=imported.id)
    return Table(studio, project.id)


async def keep(studio: Studio, endpoint: ScriptedEndpoint, **settings: str) -> None:
    usual = {"base_url": endpoint.base_url, "model": "tiny"}
    wish = Wish("mine", {**usual, **settings})
    await connecting.keep(studio.house, studio.theatre.switchboard, wish, 0)


@pytest.mark.parametrize("said", REFUSALS.values(), ids=REFUSALS)
@pytest.mark.parametrize("kind", ["openai", "anthropic"])
async def test_a_turn_goes_on_without_tools(tmp_path: Path, kind: str, said: str) -> None:
    """The first call is refused, its second form seals; the next turn needs no refusal."""

    def answer(asked: Asked) -> Step:
        if "tools" in asked.body:
            return without_tools(said)
        written = call("draft_write", version=0, content="雨停了。")
        return json_reply(reply(written, call("draft_seal", version=1)))

    async with ScriptedEndpoint(answer) as endpoint:
        async with Studio.open(settings=load_settings(data=tmp_path / "data")) as studio:
            await keep(studio, endpoint, kind=kind)
            table = await seated(studio, tmp_path)
            assert await table.play("雨停了吗？") == ("sealed", "雨停了。", "reshaped")
            assert await table.play("走吧。") == ("sealed", "雨停了。", "")
        with_tools = ["tools" in received.asked.body for received in endpoint.received]
    assert with_tools == [True, False, False]


async def test_the_environments_connection_learns_it_too(tmp_path: Path) -> None:
    """Nothing is kept of it, so it is learnt once in each process."""

    def answer(asked: Asked) -> Step:
        if "tools" in asked.body:
            return without_tools(REFUSALS["en"])
        written = call("draft_write", version=0, content="Rain.")
        return json_reply(reply(written, call("draft_seal", version=1)))

    async with ScriptedEndpoint(answer) as endpoint:
        settings = load_settings(data=tmp_path / "data", base_url=endpoint.base_url, model="tiny")
        async with Studio.open(settings=settings) as studio:
            table = await seated(studio, tmp_path)
            assert (await table.play("Go on."))[:2] == ("sealed", "Rain.")


async def test_who_asked_for_function_calling_is_told_what_to_do(tmp_path: Path) -> None:
    """`tools = native` is somebody's will: the turn fails by name and nothing else is tried."""
    settings = load_settings(data=tmp_path / "data")
    async with (
        ScriptedEndpoint([without_tools(REFUSALS["en"])]) as endpoint,
        Studio.open(settings=settings) as studio,
    ):
        await keep(studio, endpoint, tools="native")
        table = await seated(studio, tmp_path)
        code, message, _ = await table.play("走。")
    assert code == "tools_refused"
    assert "does not support tools" in message
