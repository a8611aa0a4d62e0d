"""`kill -9` behind every commit and every recorded step of what follows a sealed turn: each effect exists once,
and no recorded call is paid again (`turn.md` §1, `state.md`)."""

from __future__ import annotations

import asyncio
import json
from collections import Counter
from pathlib import Path

import pytest

from huaben.adapters.db.store import open_store
from huaben.adapters.system import SystemClock
from huaben.domain.story import Tree
from huaben.domain.turnview import replay
from huaben.ports import Page, Store
from huaben.testing.endpoint import ScriptedEndpoint
from huaben.testing.script import Asked, ScriptedReply, call, reply, say
from tests import forking

MOST_DEATHS = 80
LONGEST_S = 120.0
PROSE = "沈砚把旧伞递过来。「拿着，别淋雨。」"
PATCH = {"inventory": ["旧伞"], "location": "渡口"}
EVIDENCE = {"inventory": "把旧伞递过来", "location": "别淋雨"}


def script(asked: Asked) -> ScriptedReply:
    """A turn that wishes for a save; where no tools are, a summary that names all that must survive."""
    if not asked.tool_names:
        return reply(say("沈砚在渡口把旧伞借给了客人。"))
    write = call("draft_write", version=0, content=PROSE)
    return reply(call("save_create", name="借伞"), write, call("draft_seal", version=1))


def books(_: Asked) -> ScriptedReply:
    return reply(say(json.dumps({"patch": PATCH, "evidence": EVIDENCE}, ensure_ascii=False)))


def run(*arguments: str) -> int:
    return forking.run("tests.chaos.chain_driver", *arguments, timeout=LONGEST_S)


@pytest.mark.chaos
def test_what_follows_a_turn_survives_death_behind_every_commit(tmp_path: Path) -> None:
    """One process after the other, until there is nothing left to die behind."""
    with ScriptedEndpoint.in_thread(script, scribe=books) as endpoint:
        assert run("play", str(tmp_path), endpoint.base_url) == 0
        deaths = 0
        while (code := run("follow", str(tmp_path), endpoint.base_url)) != 0:
            assert code == -9
            deaths += 1
            assert deaths <= MOST_DEATHS
        told = [path.read_text("utf-8") for path in tmp_path.glob("died-*")]
        assert deaths == len(told)
        check_deaths(told)
        asyncio.run(check(tmp_path / "data", endpoint))


def check_deaths(told: list[str]) -> None:
    """They were everywhere: behind each link's step, and between what was paid for and what came of
    it."""
    steps = {one for one in told if one.startswith("('step'")}
    for name in ("read ", "saves", "summary", "recap", "remembering", "end"):
        assert any(f": {name}" in one for one in steps), name
    commits = "\n".join(one for one in told if one.startswith("('commit'"))
    for trait in (
        "CallOpened",
        "CallClosed",
        "/scribe/",
        "'ledger'",
        "/summary",
        "/diary/",
        "'end'",
    ):
        assert trait in commits, trait


async def check(data: Path, endpoint: ScriptedEndpoint) -> None:
    store = open_store(data, clock=SystemClock())
    assert await store.due() == []
    assert [fault async for fault in store.audit()] == []
    ((project,), _) = await store.projects("local", Page())
    head = await store.head(project.id)
    assert head is not None
    await check_turn(store, head.turn_id)
    calls = await store.calls(head.turn_id)
    paid = Counter(one.purpose for one in calls if one.state == "done")
    assert paid == {"story": 1, "scribe": 1, "summary": 1, "memory": 1}
    assert len(endpoint.scribed) == 1
    assert len(endpoint.received) == 3
    saves, _ = await store.saves(project.id, Page())
    assert [(save.name, save.node) for save in saves] == [("借伞", head.turn_id)]
    path = [node.id for node in reversed(Tree(await store.skeleton(project.id)).path(head.turn_id))]
    for kind in ("ledger", "summary"):
        assert len(await store.states(kind, path)) == 1
    await store.close()


async def check_turn(store: Store, turn_id: str) -> None:
    """The log tells of each thing once, and ends."""
    events = [one.event for one in await store.events(turn_id)]
    kinds = Counter(event.kind for event in events)
    assert {kind: kinds[kind] for kind in ("final", "ledger", "compaction", "end")} == {
        "final": 1,
        "ledger": 1,
        "compaction": 1,
        "end": 1,
    }
    view = replay(events)
    assert view.ended
    assert view.ledger is not None
    assert (view.ledger.node, view.ledger.revision) == (turn_id, 1)
    assert Counter(one.purpose for one in view.usage) == {
        "story": 1,
        "scribe": 1,
        "summary": 1,
        "memory": 1,
    }
