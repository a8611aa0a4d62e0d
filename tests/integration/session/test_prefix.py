"""A recorded session of 30 turns over HTTP: each request extends the one before it (`context.md` §1).

The bytes are those that the endpoint received, the house is the real one on SQLite.
"""

from __future__ import annotations

import asyncio
import json
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import cast

import pytest

from huaben import Studio
from huaben.config import load_settings
from huaben.domain.project import Project
from huaben.testing.endpoint import ScriptedEndpoint
from huaben.testing.script import Asked, ScriptedReply, call, reply, say, think

TURNS = 30
CARD: dict[str, object] = {
    "spec": "chara_card_v2",
    "spec_version": "2.0",
    "data": {
        "name": "阿迟",
        "description": "{{char}}守着一间旧书铺。今天的签是{{random::上::中::下}}。",
        "first_mes": "「{{user}}，要找什么书？」",
        "extensions": {},
        "character_book": {
            "extensions": {},
            "entries": [
                {
                    "id": number,
                    "keys": [f"书名{number}"],
                    "content": f"书名{number}放在第{number}架。",
                    "extensions": {},
                    "enabled": True,
                    "insertion_order": number,
                    "comment": f"书名{number}",
                }
                for number in range(1, 9)
            ],
        },
    },
}


def script(asked: Asked) -> ScriptedReply:
    """Look up, write, mend a sentence, seal with a status block; every seventh turn just speaks."""
    words = [m for m in asked.messages if m["role"] == "user"]
    turn = len(words)
    since = [m["role"] for m in asked.messages[asked.messages.index(words[-1]) :]].count("tool")
    if turn % 7 == 0:
        return reply(think("不必查。"), say(f"第{turn}拍，他只是点头。"))
    steps = (
        reply(think("先查。"), call("lorebook_search", query=f"书名{turn % 8 + 1}")),
        reply(
            call("draft_write", version=0, content=f"第{turn}拍。他从第{turn % 8 + 1}架取下书。")
        ),
        reply(call("draft_edit", version=1, edits=[{"old": "取下书", "new": "取下一册书"}])),
        reply(say(f"<status>第{turn}拍</status>"), call("draft_seal", version=2)),
    )
    return steps[since]


@dataclass(frozen=True)
class Request:
    """A received request as the design compares it: tool list, then messages, in bytes."""

    tools: bytes
    messages: tuple[bytes, ...]

    @property
    def stream(self) -> bytes:
        return self.tools + b"".join(self.messages)

    @property
    def words(self) -> int:
        """The place of this turn's user message."""
        roles = [cast("dict[str, str]", json.loads(m))["role"] for m in self.messages]
        return max(index for index, role in enumerate(roles) if role == "user")


def read(body: bytes) -> Request:
    """Cut the received bytes without re-encoding them: the decoder only finds where values end."""
    text = body.decode()
    decoder = json.JSONDecoder()
    _, after_tools = decoder.raw_decode(text, text.index('"tools":') + len('"tools":'))
    at = text.index('"messages":[', after_tools) + len('"messages":[')
    messages: list[bytes] = []
    while text[at] != "]":
        _, end = decoder.raw_decode(text, at)
        messages.append(text[at:end].encode())
        at = end + 1 if text[end] == "," else end
    return Request(text[text.index('"tools":') : after_tools].encode(), tuple(messages))


@pytest.fixture(scope="module")
def session(tmp_path_factory: pytest.TempPathFactory) -> list[Request]:
    """All requests of the session as they were received."""

    async def record(folder: Path) -> list[Request]:
        async with ScriptedEndpoint(script) as endpoint:
            settings = load_settings(
                data=folder / "data", base_url=endpoint.base_url, model="scripted", retries=0
            )
            card = folder / "achi.json"
            card.write_text(json.dumps(CARD, ensure_ascii=False), "utf-8")
            async with Studio.open(settings=settings) as studio:
                imported = await studio.import_card(card)
                project: Project = await studio.create_project(card=imported.id)
                for number in range(1, TURNS + 1):
                    async for event in studio.play(
                        project.id, f"找书名{number % 8 + 1}，第{number}次"
                    ):
                        assert event.kind != "error", event
                scribed = [received.body for received in endpoint.scribed]
                assert len(scribed) == TURNS
                await _check_stored(studio, project, "story", endpoint.bodies)
                await _check_stored(studio, project, "scribe", scribed)
            return [read(body) for body in endpoint.bodies]

    return asyncio.run(record(tmp_path_factory.mktemp("session")))


async def _check_stored(
    studio: Studio, project: Project, purpose: str, bodies: list[bytes]
) -> None:
    """What the trace rebuilds is what the endpoint received, byte for byte. The scribe reads each
    turn between the requests of the story, which extend each other all the same."""
    stored: list[bytes] = []
    for node in await studio.house.store.skeleton(project.id):
        for record in await studio.house.store.calls(node.id):
            if record.purpose != purpose:
                continue
            wire = await studio.house.store.request(record.id)
            assert wire is not None
            stored.append(wire.body)
    assert stored == bodies


def test_each_request_extends_the_one_before_it(session: list[Request]) -> None:
    """Up to this turn's user message of the former; inside a turn all of it."""
    assert len(session) > TURNS
    for former, later in pairwise(session):
        same_turn = former.words == later.words
        kept = former.messages if same_turn else former.messages[: former.words]
        assert later.tools == former.tools
        assert later.messages[: len(kept)] == kept


def test_the_tool_list_is_byte_identical(session: list[Request]) -> None:
    """One list for the whole session."""
    assert len({request.tools for request in session}) == 1


def test_history_holds_only_words_and_final_texts(session: list[Request]) -> None:
    """No thought, no call, no result, no block of an earlier turn."""
    last = session[-1]
    past = [cast("dict[str, object]", json.loads(m)) for m in last.messages[1 : last.words]]
    assert {str(m["role"]) for m in past} == {"user", "assistant"}
    assert all(set(m) == {"role", "content"} for m in past)
    assert not any("【" in str(m["content"]) for m in past)
    assert sum("<status>" in str(m["content"]) for m in past) > TURNS // 2


def test_a_volatile_macro_in_the_prefix_is_resolved_once(session: list[Request]) -> None:
    """The system text is the same bytes in every request."""
    systems = {request.messages[0] for request in session}
    assert len(systems) == 1
    assert b"{{" not in systems.pop()


def test_the_prefix_hit_is_the_arithmetic_limit(session: list[Request]) -> None:
    """Every byte that the design allows to repeat does repeat: the shared prefix of neighbours
    reaches the user message of the former, or its end."""
    shared = possible = 0
    for former, later in pairwise(session):
        same_turn = former.words == later.words
        kept = len(former.messages) if same_turn else former.words
        possible += len(former.tools) + sum(map(len, former.messages[:kept]))
        shared += _common(former.stream, later.stream)
    assert shared >= possible


def _common(left: bytes, right: bytes) -> int:
    low, high = 0, min(len(left), len(right))
    while low < high:
        middle = (low + high + 1) // 2
        if left[:middle] == right[:middle]:
            low = middle
        else:
            high = middle - 1
    return low
