"""One session told in three ways: by function calling, by the JSON protocol, in Anthropic's dialect. The
story and the ledger of calls are the same, and in each the prefix stays put."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

import pytest

from huaben import Studio
from huaben.config import load_settings
from huaben.domain.messages import WireRequest
from huaben.domain.turnview import ToolView
from huaben.ports import CallRecord
from huaben.services import connecting
from huaben.services.connecting import Wish
from huaben.services.stories import load_view
from huaben.testing.endpoint import ScriptedEndpoint
from huaben.testing.script import Script, Step, call, raw_call, reply, say, think
from tests.builders.jsonscript import as_json

CARD: dict[str, object] = {
    "spec": "chara_card_v2",
    "spec_version": "2.0",
    "data": {
        "name": "阿迟",
        "description": "{{char}}守着一间旧书铺。",
        "first_mes": "「{{user}}，要找什么书？」",
        "extensions": {},
        "character_book": {
            "extensions": {},
            "entries": [
                {
                    "id": 1,
                    "keys": ["旧伞"],
                    "content": "旧伞挂在门后。",
                    "extensions": {},
                    "enabled": True,
                    "insertion_order": 1,
                    "comment": "旧伞",
                }
            ],
        },
    },
}

WORDS = (
    "找旧伞。",
    "等一等。",
    "往哪走？",
    "写长一点。",
    "你先看看。",
    "上一拍改得平静些。",
    "想好再写。",
    "边说边写。",
    "随便。",
    "走吧。",
)
SESSION: tuple[Sequence[Step], ...] = (
    (
        reply(think("先查。"), call("lorebook_search", query="旧伞")),
        reply(call("draft_write", version=0, content="他取下旧伞。\n\n“雨停了。”")),
        reply(call("draft_edit", version=1, edits=[{"old": "取下", "new": "轻轻取下"}])),
        reply(say("<status>晴 | 书铺</status>"), call("draft_seal", version=2)),
    ),
    (reply(say("他只是点头：「好。」")),),
    (
        reply(say("岔路在前。"), call("ask", question="往哪走？", options=["左", "right"])),
        reply(call("draft_append", version=1, content="他往左。", separator="")),
        reply(call("draft_seal", version=2)),
    ),
    (
        reply(raw_call("draft_write", '{"version":0,"content":"半')),
        reply(call("draft_write", version=3, content="旧版本")),
        reply(call("draft_write", version=0, content="第一段。🌧 \\ \"引\"")),
        reply(call("draft_append", version=1, content="第二段。")),
        reply(call("draft_seal", version=2)),
    ),
    (
        reply(call("draft_read"), call("lorebook_list")),
        reply(call("draft_write", version=0, content="他看了一圈。"), call("draft_seal", version=1)),
    ),
    (
        reply(call("previous_draft_read")),
        reply(call("previous_draft_edit", version=1, edits=[{"old": "一圈", "new": "一眼"}])),
    ),
    (
        reply(call("turn_plan", mode="explore", steps=["看卡"])),
        reply(call("card_read"), call("draft_write", version=0, content="太早")),
        reply(call("turn_plan", mode="write", steps=["写"])),
        reply(call("draft_write", version=0, content="想好了。"), call("draft_seal", version=1)),
    ),
    (
        reply(say("我写着。"), call("draft_write", version=0, content="灯亮了。")),
        reply(call("draft_seal", version=1)),
    ),
    (
        reply(call("no_such_tool", x=1)),
        reply(call("draft_write", version=0, content="算了。", mood="?")),
        reply(call("draft_write", version=0, content="算了。"), call("draft_seal", version=1)),
    ),
    (say(""), say("门在身后合上。")),
)  # fmt: skip


@dataclass(frozen=True)
class Told:
    """One turn as it ended: what it left and what it called."""

    outcome: str
    text: str
    versions: tuple[tuple[int, str, str], ...]
    asked: tuple[tuple[str, str], ...]
    tools: tuple[tuple[str, str, bool, str], ...]
    captured: int
    thought: tuple[str, ...]


@dataclass(frozen=True)
class Sent:
    turn: str
    record: CallRecord
    wire: WireRequest

    @property
    def parts(self) -> list[bytes]:
        pairs = zip(self.wire.parts, self.wire.shape, strict=True)
        return [part for part, shape in pairs if shape != "mark"]


@dataclass(frozen=True)
class Session:
    told: tuple[Told, ...]
    sent: tuple[Sent, ...]


def _ledger(tool: ToolView) -> tuple[str, str, bool, str]:
    return (tool.name, tool.arguments or "{}", tool.ok is True, tool.result)


async def _tell(folder: Path, kind: str, tools: str) -> Session:
    steps: Script = [step for turn in SESSION for step in turn]
    script = as_json(steps) if tools == "json" else steps
    async with ScriptedEndpoint(script) as endpoint:
        async with Studio.open(settings=load_settings(data=folder / "data")) as studio:
            board = studio.theatre.switchboard
            settings = {"base_url": endpoint.base_url, "model": "m", "kind": kind, "tools": tools}
            await connecting.keep(studio.house, board, Wish("mine", settings), 0)
            card = folder / "achi.json"
            card.write_text(json.dumps(CARD, ensure_ascii=False), "utf-8")
            imported = await studio.import_card(card)
            project = await studio.create_project(card=imported.id)
            sent: list[Sent] = []
            told = [await _turn(studio, project.id, words, sent) for words in WORDS]
        assert endpoint.overrun == 0
        assert len(endpoint.received) == sum(map(len, SESSION))
        assert len(endpoint.scribed) == sum(one.outcome == "sealed" for one in told)
        assert [one.wire.body for one in sent] == endpoint.bodies
    return Session(tuple(told), tuple(sent))


async def _turn(studio: Studio, project_id: str, words: str, sent: list[Sent]) -> Told:
    async for _ in studio.play(project_id, words):
        pass
    project = await studio.house.store.head(project_id)
    assert project is not None
    turn = await studio.house.store.turn(project.turn_id)
    assert turn is not None
    if turn.run == "waiting":
        await studio.answer(turn.id, "左")
        async for _ in studio.follow(turn.id):
            pass
        turn = await studio.house.store.turn(turn.id)
        assert turn is not None
    view = await load_view(studio.house, turn.id)
    for record in await studio.house.store.calls(turn.id):
        if record.purpose != "story":
            continue  # the scribe's: no part of what this session is about
        wire = await studio.house.store.request(record.id)
        assert wire is not None
        sent.append(Sent(turn.id, record, wire))
    return Told(
        turn.outcome or "",
        turn.final_text or (turn.revises.text if turn.revises else ""),
        tuple((v.version, v.reason, v.text) for v in view.versions),
        tuple((one.question, one.answer) for one in turn.asked),
        tuple(map(_ledger, view.tools)),
        len(view.captured),
        tuple(view.thinking.values()),
    )


WAYS = {"native": ("openai", "native"), "json": ("openai", "json"), "anthropic": ("anthropic", "native")}  # fmt: skip


@pytest.fixture(scope="module")
def sessions(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Session]:
    return {
        way: asyncio.run(_tell(tmp_path_factory.mktemp(way), kind, tools))
        for way, (kind, tools) in WAYS.items()
    }


def test_the_session_is_told_as_it_was_written(sessions: dict[str, Session]) -> None:
    """Every turn ends as its replies mean it to, whatever they got wrong on the way."""
    told = sessions["native"].told
    assert [one.outcome for one in told] == ["sealed"] * 5 + ["revised"] + ["sealed"] * 4
    assert told[0].text == "他轻轻取下旧伞。\n\n“雨停了。”\n\n<status>晴 | 书铺</status>"
    assert told[2].text == "岔路在前。他往左。"
    assert told[2].asked == (("往哪走？", "左"),)
    assert told[3].text == '第一段。🌧 \\ "引"\n\n第二段。'
    assert [ok for _, _, ok, _ in told[3].tools] == [False, False, True, True, True]
    assert (told[5].text, told[9].text) == ("他看了一眼。", "门在身后合上。")


@pytest.mark.parametrize("way", ["json", "anthropic"])
def test_the_story_and_the_ledger_of_calls_are_the_same(
    sessions: dict[str, Session], way: str
) -> None:
    """Texts, versions, questions, each call with its arguments and its result, and thought."""
    for expected, found in zip(sessions["native"].told, sessions[way].told, strict=True):
        assert found == expected


@pytest.mark.parametrize("way", WAYS)
def test_each_request_extends_the_one_before_it(sessions: dict[str, Session], way: str) -> None:
    """Inside a turn all of it, from turn to turn up to the user's message; but for the turn after an
    earlier text was changed."""
    changed = 0
    for former, later in pairwise(sessions[way].sent):
        kept = len(former.parts) - 1
        if former.turn != later.turn:
            zones = [row.get("zone") for row in former.record.outline if "zone" in row]
            kept = 1 + sum(zone != "tail" for zone in zones)
        extends = later.parts[:kept] == former.parts[:kept]
        changed += not extends
    assert changed == 1


def test_the_json_protocol_sends_no_tool_list(sessions: dict[str, Session]) -> None:
    """Nor does a provider's cache see anything but stable text."""
    bodies = [json.loads(one.wire.body) for one in sessions["json"].sent]
    assert not any("tools" in body or "tool_choice" in body for body in bodies)
    assert all("response_format" in body for body in bodies)
    systems = {body["messages"][0]["content"] for body in bodies}
    assert len(systems) == 1


def test_the_marks_stand_where_they_are_specified(sessions: dict[str, Session]) -> None:
    """Four in each request: tools, system, the last message that stays, the newest."""
    for one in sessions["anthropic"].sent:
        body = json.loads(one.wire.body)
        messages = body["messages"]
        marked = [n for n, m in enumerate(messages) if "cache_control" in m["content"][-1]]
        zones = [row.get("zone") for row in one.record.outline if "zone" in row]
        stable = sum(zone == "log" for zone in zones)
        # Before a greeting stands the opening that the API demands.
        assert marked == [stable, len(messages) - 1]
        assert "cache_control" in body["tools"][-1]
        assert "cache_control" in body["system"][-1]
        assert one.wire.body.count(b"cache_control") == 4
