"""What stands at any node of a long story, and opening it.

Run: python bench/state.py [--record]. Two figures of the design: the state at a node (ledger, roster and
summary) at most 20 ms, and opening a story at its end at most 200 ms, at 10,000 turns, beside the same at
100 turns in the same run. Every turn has a ledger of its own, as in a story that was played.
"""

from __future__ import annotations

import asyncio
import json
import platform
import random
import shlex
import statistics
import sys
import tempfile
import time
from argparse import ArgumentParser
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path

from huaben import Studio
from huaben.config import load_settings
from huaben.domain.ledger import Character, Ledger, Roster
from huaben.domain.ledgerversion import Standing, Version
from huaben.domain.project import Project
from huaben.domain.standing import Stood, stood_to_json
from huaben.domain.story import Turn
from huaben.ports import Commit, NodeState
from huaben.services.bookkeeping import show_ledger
from huaben.services.summarising import show_summary
from huaben.services.viewing import show_path

RESULTS = Path(__file__).parent / "results" / "state.jsonl"
PROSE = "雨点顺着伞骨往下坠，一滴一滴敲在青石板上。" * 12
CARD = {"spec": "chara_card_v2", "spec_version": "2.0", "data": {"name": "A", "first_mes": "Hi."}}
PEOPLE = [f"人物{n}" for n in range(30)]


@dataclass(frozen=True, slots=True)
class Figures:
    state_p50_ms: float
    state_p95_ms: float
    opening_ms: float


def standing(n: int) -> Standing:
    """A ledger of usual size after turn `n`."""
    people = {name: Character(n % 100, "站着", "渡口", "话少") for name in PEOPLE}
    ledger = Ledger(f"第{n}夜", "渡口", people, ("旧伞", "灯笼"), {"暗号": "三长两短"})
    return Standing(ledger, Roster(dict.fromkeys(PEOPLE, "第一夜")))


async def grow(studio: Studio, project: Project, turns: int) -> list[str]:
    """A story of sealed turns, each with its ledger; the ids of its nodes."""
    store, house = studio.house.store, studio.house
    head = await store.head(project.id)
    assert head is not None
    nodes = [head.turn_id]
    for start in range(0, turns, 500):
        rows: list[Turn | NodeState] = []
        for n in range(start, min(start + 500, turns)):
            made = _turn(project, house.ids.new(), nodes[-1], n + 1, house.now())
            stood = Stood(standing(n), node=made.id, through=made.id)
            data = stood_to_json(stood, Version("scribe", stood.standing))
            row = NodeState("ledger", project.id, made.id, "scribe", house.now(), data)
            rows += [made, row]
            nodes.append(made.id)
        await store.commit(Commit(rows=tuple(rows)))
    await store.commit(Commit(rows=(replace(head, turn_id=nodes[-1]),)))
    return nodes


def _turn(project: Project, turn_id: str, parent: str, depth: int, now: str) -> Turn:
    return Turn(
        id=turn_id,
        project_id=project.id,
        user_id="local",
        parent=parent,
        kind="turn",
        beat=turn_id,
        depth=depth,
        created_at=now,
        run="ended",
        outcome="sealed",
        user_text="我看着那把伞。",
        final_text=PROSE,
        version=1,
        prose=True,
        config=project.config,
    )


async def timed(work: Callable[[], Awaitable[object]]) -> float:
    began = time.perf_counter()
    await work()
    return (time.perf_counter() - began) * 1000


async def figures(studio: Studio, project: Project, nodes: list[str], rounds: int) -> Figures:
    chance = random.Random(7)
    house = studio.house

    async def state(node: str) -> None:
        await show_ledger(house, project.id, node)
        await show_summary(house, project.id, node)

    await state(nodes[-1])
    places = [chance.choice(nodes) for _ in range(rounds)]
    taken = [await timed(lambda node=node: state(node)) for node in places]
    openings = [await timed(lambda: show_path(house, project.id)) for _ in range(9)]
    return Figures(
        statistics.median(taken),
        statistics.quantiles(taken, n=20)[-1],
        statistics.median(openings),
    )


async def measure(turns: int, rounds: int) -> tuple[Figures, Figures]:
    with tempfile.TemporaryDirectory() as name:
        settings = load_settings(data=Path(name) / "data")
        async with Studio.open(settings=settings) as studio:
            file = Path(name) / "card.json"
            await asyncio.to_thread(file.write_text, json.dumps(CARD), "utf-8")
            card = await studio.import_card(file)
            found: list[Figures] = []
            for size in (100, turns):
                project = await studio.create_project(card=card.id)
                nodes = await grow(studio, project, size)
                found.append(await figures(studio, project, nodes, rounds))
            return found[0], found[1]


def main() -> None:
    parser = ArgumentParser(description="What stands at any node of a long story, and opening it.")
    parser.add_argument("--turns", type=int, default=10_000)
    parser.add_argument("--rounds", type=int, default=100)
    parser.add_argument("--record", action="store_true")
    chosen = parser.parse_args()
    short, long = asyncio.run(measure(chosen.turns, chosen.rounds))
    for size, one in ((100, short), (chosen.turns, long)):
        print(
            f"{size} turns: state p50 {one.state_p50_ms:.1f} ms, p95 {one.state_p95_ms:.1f} ms,"
            f" opening {one.opening_ms:.1f} ms"
        )
    if chosen.record:
        result: dict[str, object] = {
            "date": datetime.now(UTC).date().isoformat(),
            "command": shlex.join(["python", "bench/state.py", *sys.argv[1:]]),
            "python": platform.python_version(),
            "turns": chosen.turns,
        }
        for name in Figures.__dataclass_fields__:
            result[f"short_{name}"] = round(getattr(short, name), 2)
            result[f"long_{name}"] = round(getattr(long, name), 2)
        with RESULTS.open("a", encoding="utf-8") as file:
            file.write(json.dumps(result, ensure_ascii=False) + "\n")


if __name__ == "__main__":
    main()
