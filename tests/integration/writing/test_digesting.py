"""Old chapters put in short: what a long manuscript's turn is sent."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator

import pytest

from huaben.services import branching
from huaben.testing.script import Asked, ScriptedReply, reply, say
from tests.integration.writing.resting import SETTINGS, OpenDesk

COMPACTING = {**SETTINGS, "compaction": {"every": 2, "keep": 1}}


@pytest.fixture
async def open_desk() -> AsyncIterator[OpenDesk]:
    opened = OpenDesk()
    yield opened
    await opened.close()


def speak(asked: Asked) -> ScriptedReply:
    """Puts a chapter in short by its name, and answers the author otherwise."""
    text = asked.last_text
    return reply(say(f"提要：{text.split()[0][3:]}" if text.startswith("【章】") else "好。"))


async def test_old_chapters_are_told_in_short_from_the_next_turn_on(open_desk: OpenDesk) -> None:
    """Each of its own, before the discussion, without the last ones; a chapter is paid for once, and going back
    before it was made leaves nothing of it."""
    desk = await open_desk(speak, settings=COMPACTING)
    await desk.say("开工。")
    for n in (1, 2, 3):
        await desk.save(f"{n:03}.md", f"第{n}章的正文。")
    await desk.rest()
    asked = len(desk.scribe.bodies)
    await desk.say("接着写。")
    messages: list[dict[str, str]] = json.loads(desk.scribe.bodies[asked])["messages"]
    texts = [one["content"] for one in messages]
    assert "提要：001.md" in texts[1]
    assert "提要：002.md" in texts[1]
    assert "003.md" not in texts[1]
    assert texts[2] == "开工。"
    assert not any("第1章的正文" in text for text in texts)
    made = [one for one in desk.scribe.bodies if "【章】" in one.decode()]
    assert len(made) == 2

    for n in (4, 5):
        await desk.save(f"{n:03}.md", f"第{n}章的正文。")
    await desk.rest()
    made = [one for one in desk.scribe.bodies if "【章】" in one.decode()]
    assert len(made) == 4  # the third and the fourth; the first two are known
    await branching.undo(desk.house, desk.project.id)
    await branching.undo(desk.house, desk.project.id)
    asked = len(desk.scribe.bodies)
    await desk.say("从头来。")
    assert "提要：" not in desk.scribe.bodies[asked].decode()
