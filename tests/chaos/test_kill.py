"""`kill -9` at random moments of scripted turns: no acknowledged word is lost, the data verify clean,
and the turn goes on (`product.md`, first promise)."""

from __future__ import annotations

import asyncio
import json
import os
import random
import signal
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import cast

import pytest

from huaben import Studio
from huaben.config import load_settings
from huaben.domain.events import DraftChange, Final, from_data
from huaben.domain.story import UNFINISHED
from huaben.domain.turnview import TurnView, replay
from huaben.ports import Page
from huaben.services.viewing import show_turn
from huaben.testing.endpoint import ScriptedEndpoint
from huaben.testing.script import Asked, ScriptedReply, call, reply, say, stall
from tests.forking import fork

KILLS = int(os.environ.get("HUABEN_CHAOS_RUNS", "5"))
CARD: dict[str, object] = {
    "spec": "chara_card_v2",
    "spec_version": "2.0",
    "data": {"name": "渡船人", "first_mes": "「上船吗？」", "extensions": {}},
}


def script(asked: Asked) -> ScriptedReply:
    """Three calls a turn with pauses in the middle of their streams, so that death finds them."""
    words = [m for m in asked.messages if m["role"] == "user"]
    since = [m["role"] for m in asked.messages[asked.messages.index(words[-1]) :]].count("tool")
    told = str(words[-1]["content"]).splitlines()[-1]
    pause = stall(0.01)
    if since == 0:
        return reply(say("想一想。"), pause, call("card_read"))
    if since == 1:
        prose = f"船离了岸。{told}，水声一下一下。" * 3
        return reply(pause, call("draft_write", version=0, content=prose), pause)
    return reply(pause, call("draft_seal", version=1))


@dataclass
class Acknowledged:
    """What the dead process had told: words by turn, and events by turn and number."""

    words: dict[str, str] = field(default_factory=dict[str, str])
    events: dict[str, dict[int, tuple[str, Mapping[str, object]]]] = field(
        default_factory=dict[str, dict[int, tuple[str, Mapping[str, object]]]]
    )

    def take(self, line: str) -> None:
        fact = cast("dict[str, object]", json.loads(line))
        turn = str(fact.get("turn", ""))
        if "words" in fact:
            self.words[turn] = str(fact["words"])
        elif "kind" in fact:
            told = (str(fact["kind"]), cast("Mapping[str, object]", fact["data"]))
            self.events.setdefault(turn, {})[cast("int", fact["seq"])] = told

    def view(self, turn: str) -> TurnView:
        told = self.events.get(turn, {})
        return replay([from_data(*told[seq]) for seq in sorted(told)])


def run_until_killed(folder: Path, base_url: str, start: int, dice: random.Random) -> list[str]:
    """Start the driver, kill it a little after some acknowledgement, and return the whole lines
    that it told. Counted in lines and not in seconds, so that a slow machine dies as variously."""
    reading, writing = os.pipe()
    words = (str(folder), base_url, str(start))
    process = fork("tests.chaos.driver", *words, streams=(0, writing, 2))
    os.close(writing)
    with os.fdopen(reading, encoding="utf-8") as told:
        lines = [told.readline() for _ in range(dice.randint(1, 30))]
        time.sleep(dice.uniform(0.0, 0.03))
        process.kill()
        lines += told.readlines()
    assert process.wait() == -signal.SIGKILL, "".join(lines)[-2000:]
    return [line for line in lines if line.endswith("\n")]


async def check(folder: Path, base_url: str, told: Acknowledged) -> None:
    settings = load_settings(data=folder / "data", base_url=base_url, model="scripted")
    async with Studio.open(settings=settings, read_only=True) as studio:
        assert [fault async for fault in studio.house.store.audit()] == []
        for turn_id, words in told.words.items():
            shown = await show_turn(studio.house, turn_id)
            assert shown.turn.user_text == words
            check_turn(told, turn_id, shown.view)


def check_turn(told: Acknowledged, turn_id: str, stored: TurnView) -> None:
    """Every version and final text that was told stands as it was told; what was shown of an
    unfinished write is still shown unless a later run took it back."""
    last_run = told.view(turn_id)
    for _, (kind, data) in sorted(told.events.get(turn_id, {}).items()):
        event = from_data(kind, data)
        if isinstance(event, Final):
            assert stored.final is not None
            assert stored.final.text == event.text
        if isinstance(event, DraftChange) and not event.preview and event.op != "retract":
            known, version = last_run.version(event.version), stored.version(event.version)
            assert version is not None
            assert known is not None
            assert version.text == known.text
    if last_run.preview is not None and not stored.versions:
        assert stored.preview is not None
        assert stored.preview.content.startswith(last_run.preview.content)


@pytest.mark.chaos
def test_no_acknowledged_word_is_lost(tmp_path: Path) -> None:
    """One data folder through many deaths; at the end the story is whole and goes on."""
    dice = random.Random(20261130)
    (tmp_path / "card.json").write_text(json.dumps(CARD, ensure_ascii=False), "utf-8")
    told = Acknowledged()
    with ScriptedEndpoint.in_thread(script) as endpoint:
        for death in range(KILLS):
            for line in run_until_killed(tmp_path, endpoint.base_url, death * 1000, dice):
                told.take(line)
            asyncio.run(check(tmp_path, endpoint.base_url, told))
        asyncio.run(finish(tmp_path, endpoint.base_url))
    assert len(told.words) >= KILLS // 2


async def finish(folder: Path, base_url: str) -> None:
    """The last turn can be resumed, and the story continues."""
    settings = load_settings(data=folder / "data", base_url=base_url, model="scripted")
    async with Studio.open(settings=settings) as studio:
        project = (await studio.house.store.projects("local", Page()))[0][0]
        head = await studio.house.store.head(project.id)
        assert head is not None
        await studio.company.settled(head.turn_id)
        turn = await studio.house.store.turn(head.turn_id)
        assert turn is not None
        if turn.outcome in UNFINISHED:
            await studio.resume(turn.id)
            await studio.company.settled(turn.id)
            turn = await studio.house.store.turn(turn.id)
            assert turn is not None
        assert turn.outcome == "sealed"
        kinds = [event.kind async for event in studio.play(project.id, "最后一句")]
        assert kinds[-1] == "end"
