"""What a turn costs before the provider hears of it.

Run: python bench/turn.py [--record]. Two figures of the design: from the user's words to the first
byte at the provider at most 60 ms (p95), and assembly of a turn with a long past, beside the same
with a short one; both with the scribe at rest and the memory off. Words are posted through the
Python face; the endpoint is on loopback in this process and notes when a request has arrived. `post`
is the share until the words are acknowledged.
"""

from __future__ import annotations

import asyncio
import json
import platform
import shlex
import statistics
import sys
import tempfile
import time
from argparse import ArgumentParser
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path

from huaben import Studio
from huaben.config import load_settings
from huaben.domain.ledger import Character, Ledger
from huaben.domain.ledgerversion import Standing, Version
from huaben.domain.project import Project
from huaben.domain.standing import Stood, stood_to_json
from huaben.domain.story import Tree, Turn
from huaben.domain.summary import Summary, summary_to_json
from huaben.domain.turnview import TurnView
from huaben.ports import Commit, NodeState
from huaben.services.context import prepare
from huaben.services.playing import Words, post_turn
from huaben.testing.endpoint import ScriptedEndpoint
from huaben.testing.script import Asked, ScriptedReply, reply, say

LIVE = 20
"""Turns that stand behind the summary of a long story."""
SCENARIO = 'name = "bench"\n[memory]\nsources = []\n'
RESULTS = Path(__file__).parent / "results" / "turn.jsonl"
PROSE = "雨点顺着伞骨往下坠，一滴一滴敲在青石板上。" * 12


def card(entries: int) -> dict[str, object]:
    rows: list[dict[str, object]] = [
        {"id": n, "keys": [f"条目{n}"], "content": f"第{n}条的内容。" * 8, "comment": f"条目{n}"}
        for n in range(entries)
    ]
    data: dict[str, object] = {
        "name": "沈砚",
        "description": "渡口客栈的账房。",
        "first_mes": "「打烊了。」",
        "character_book": {"entries": rows},
    }
    return {"spec": "chara_card_v2", "spec_version": "2.0", "data": data}


@dataclass(frozen=True, slots=True)
class Figures:
    first_byte_p50_ms: float
    first_byte_p95_ms: float
    post_p50_ms: float
    assembly_short_ms: float
    assembly_long_ms: float


class Watch:
    """Notes when the endpoint has a request in hand."""

    def __init__(self) -> None:
        self.arrived = asyncio.Event()
        self.at = 0.0

    def __call__(self, asked: Asked) -> ScriptedReply:
        self.at = time.perf_counter()
        self.arrived.set()
        return reply(say("他点头。"))


async def grow(studio: Studio, project: Project, turns: int) -> None:
    """A past of sealed turns, written straight to the store, with the ledger and the summary that a
    story of that length has: its last turns are sent word for word."""
    store, house = studio.house.store, studio.house
    head = await store.head(project.id)
    assert head is not None
    parent = head.turn_id
    for start in range(0, turns, 500):
        grown: list[Turn] = []
        for n in range(start, min(start + 500, turns)):
            turn_id = house.ids.new()
            grown.append(
                Turn(
                    id=turn_id,
                    project_id=project.id,
                    user_id="local",
                    parent=parent,
                    kind="turn",
                    beat=turn_id,
                    depth=n + 1,
                    created_at=house.now(),
                    run="ended",
                    outcome="sealed",
                    user_text=f"第{n}句话，我看着那把伞。",
                    final_text=PROSE,
                    version=1,
                    prose=True,
                    config=project.config,
                )
            )
            parent = turn_id
        await store.commit(Commit(rows=tuple(grown)))
    tree = Tree(await store.skeleton(project.id))
    covers = tree.path(parent)[-LIVE].id
    summary = Summary(PROSE * 6, covers, turns - LIVE)
    standing = Standing(Ledger("子时", "渡口", {"沈砚": Character(12, "站着")}, ("旧伞",)))
    stood = Stood(standing, node=parent, through=parent)
    rows: list[NodeState] = [
        NodeState("summary", project.id, parent, "scribe", house.now(), summary_to_json(summary)),
        NodeState(
            "ledger",
            project.id,
            parent,
            "scribe",
            house.now(),
            stood_to_json(stood, Version("scribe", standing)),
        ),
    ]
    await store.commit(Commit(rows=(replace(head, turn_id=parent), *rows)))


async def assembly_ms(studio: Studio, project: Project, rounds: int = 7) -> float:
    """The median time from a turn to its encoded first request."""
    head = await studio.house.store.head(project.id)
    assert head is not None
    taken: list[float] = []
    for _ in range(rounds):
        turn_id = studio.house.ids.new()
        turn = Turn(
            id=turn_id,
            project_id=project.id,
            user_id="local",
            parent=head.turn_id,
            kind="turn",
            beat=turn_id,
            depth=1,
            created_at=studio.house.now(),
            user_text="我问起条目7和条目42。",
            config=project.config,
        )
        await studio.house.store.commit(Commit(rows=(turn,)))
        began = time.perf_counter()
        await prepare(studio.house, turn, TurnView())
        taken.append((time.perf_counter() - began) * 1000)
    return statistics.median(taken)


async def first_bytes(
    studio: Studio, project: Project, watch: Watch, rounds: int
) -> tuple[list[float], list[float]]:
    posts: list[float] = []
    firsts: list[float] = []
    for n in range(rounds):
        watch.arrived.clear()
        began = time.perf_counter()
        words = Words(f"第{n}次问。")
        turn = await post_turn(studio.house, studio.company, project.id, words)
        posts.append((time.perf_counter() - began) * 1000)
        await watch.arrived.wait()
        firsts.append((watch.at - began) * 1000)
        await studio.company.settled(turn.id)
        await studio.house.jobs.idle()  # the next one finds the scribe at rest
    return firsts[5:], posts[5:]


async def measure(rounds: int, turns: int, entries: int) -> Figures:
    watch = Watch()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        async with ScriptedEndpoint(watch) as endpoint:
            settings = load_settings(data=folder / "data", base_url=endpoint.base_url, model="m")
            async with Studio.open(settings=settings) as studio:
                file = folder / "card.json"
                text = json.dumps(card(entries), ensure_ascii=False)
                await asyncio.to_thread(file.write_text, text, "utf-8")
                imported = await studio.import_card(file)
                scenarios = folder / "data" / "scenarios"
                await asyncio.to_thread(scenarios.mkdir, exist_ok=True)
                await asyncio.to_thread((scenarios / "bench.toml").write_text, SCENARIO, "utf-8")
                played = await studio.create_project(card=imported.id, scenario="bench")
                firsts, posts = await first_bytes(studio, played, watch, rounds)
                short = await studio.create_project(card=imported.id, scenario="bench")
                await grow(studio, short, 100)
                long = await studio.create_project(card=imported.id, scenario="bench")
                await grow(studio, long, turns)
                return Figures(
                    statistics.median(firsts),
                    statistics.quantiles(firsts, n=20)[-1],
                    statistics.median(posts),
                    await assembly_ms(studio, short),
                    await assembly_ms(studio, long),
                )


def main() -> None:
    parser = ArgumentParser(description="What a turn costs before the provider hears of it.")
    parser.add_argument("--rounds", type=int, default=60)
    parser.add_argument("--turns", type=int, default=10_000)
    parser.add_argument("--entries", type=int, default=10_000)
    parser.add_argument("--record", action="store_true")
    chosen = parser.parse_args()
    found = asyncio.run(measure(chosen.rounds, chosen.turns, chosen.entries))
    print(
        f"first byte p50 {found.first_byte_p50_ms:.1f} ms, p95 {found.first_byte_p95_ms:.1f} ms"
        f" (acknowledged after {found.post_p50_ms:.1f} ms), {chosen.entries} entries"
    )
    print(
        f"assembly: 100 turns {found.assembly_short_ms:.1f} ms,"
        f" {chosen.turns} turns {found.assembly_long_ms:.1f} ms:"
        f" {found.assembly_long_ms / found.assembly_short_ms:.2f} ×"
    )
    if chosen.record:
        result: dict[str, object] = {
            "date": datetime.now(UTC).date().isoformat(),
            "command": shlex.join(["python", "bench/turn.py", *sys.argv[1:]]),
            "python": platform.python_version(),
        }
        for field in Figures.__dataclass_fields__:
            result[field] = round(getattr(found, field), 2)
        with RESULTS.open("a", encoding="utf-8") as file:
            file.write(json.dumps(result) + "\n")


if __name__ == "__main__":
    main()
