"""How long the map of a story takes at 10,000 turns.

Run: python bench/map.py [--turns 10000] [--rounds 30] [--record].
The tree forks every 40 turns, has an edit every 100 and a save every 200, and three variants at every
tenth turn. Measured is `show_map` from the outside, the reads of saves and words included, over a
skeleton that is in memory. The figure of the design: 20 ms. Beside it the same at 100 turns, and
processor time, because waiting says as much of what else the machine does.
"""

from __future__ import annotations

import asyncio
import json
import os
import platform
import shlex
import statistics
import sys
import tempfile
import time
from argparse import ArgumentParser
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

from huaben.adapters.db.store import open_store
from huaben.adapters.system import SystemClock, SystemIds
from huaben.domain.project import Project
from huaben.domain.saves import Save
from huaben.domain.scenario import Scenario
from huaben.domain.story import Revision, Turn
from huaben.errors import NoConnection
from huaben.ports import Commit, Committed, Head, Model, Row, Store
from huaben.services.house import House
from huaben.services.mapping import show_map
from huaben.services.shelf import Shelf
from huaben.testing.jobs import InlineJobs
from huaben.testing.objects import MemoryObjects

RESULTS = Path(__file__).with_name("results") / "map.jsonl"
NOW = "2026-11-30T08:00:00.000Z"


class Nothing:
    """No model and one scenario: a map needs neither."""

    def for_role(self, role: str, name: str = "") -> Model:
        raise NoConnection("no_connection", f"{role} {name}")

    def named(self, name: str) -> Scenario:
        return Scenario(name=name)

    def names(self) -> list[str]:
        return ["stage"]


def a_story(ids: SystemIds, turns: int) -> Iterator[Row]:
    """The rows of a story of so many turns on the way to its head, and what hangs beside them."""
    project = Project(ids.new(), "local", "长夜", "roleplay", "zh", NOW)
    yield project
    opening = a_turn(ids, project.id, None, 0)
    at = replace(opening, kind="greeting", user_text="")
    yield at
    for number in range(1, turns + 1):
        parent = at
        if number % 100 == 0:
            revision = Revision(parent.id, 2, "灯灭了。")
            at = replace(
                a_turn(ids, project.id, parent.id, number),
                kind="edit",
                outcome="revised",
                user_text="",
                revises=revision,
            )
        else:
            at = a_turn(ids, project.id, parent.id, number)
        yield at
        if number % 10 == 0:
            for _ in range(3):
                yield replace(a_turn(ids, project.id, parent.id, number), beat=at.beat)
        if number % 40 == 0:
            yield a_turn(ids, project.id, parent.id, number)
        if number % 200 == 0:
            yield Save(ids.new(), "local", project.id, at.id, f"第 {number} 拍", "user", NOW)
    yield Head(project.id, at.id)


def a_turn(ids: SystemIds, project: str, parent: str | None, depth: int) -> Turn:
    new = ids.new()
    return Turn(
        id=new,
        project_id=project,
        user_id="local",
        parent=parent,
        kind="turn",
        beat=new,
        depth=depth,
        created_at=NOW,
        run="ended",
        outcome="sealed",
        prose=True,
        user_text="我把旧伞递给她。",
        final_text="雨点顺着伞骨往下坠。" * 20,
    )


async def fill(store: Store, turns: int) -> str:
    rows = list(a_story(SystemIds(), turns))
    for start in range(0, len(rows), 2000):
        done = await store.commit(Commit(rows=tuple(rows[start : start + 2000])))
        assert isinstance(done, Committed)
    project = rows[0]
    assert isinstance(project, Project)
    return project.id


async def measure(turns: int, rounds: int) -> dict[str, float]:
    with tempfile.TemporaryDirectory() as folder:
        clock = SystemClock()
        store = open_store(Path(folder), clock=clock)
        try:
            project = await fill(store, turns)
            house = House(
                store=store,
                objects=MemoryObjects(),
                clock=clock,
                ids=SystemIds(),
                models=Nothing(),
                scenarios=Nothing(),
                shelf=Shelf(store),
                jobs=InlineJobs(store),
                owner="bench",
            )
            shown = await show_map(house, project)
            items = shown["items"]
            assert isinstance(items, list)
            waited: list[float] = []
            worked: list[float] = []
            for _ in range(rounds):
                begun, busy = time.perf_counter(), time.process_time()
                await show_map(house, project)
                waited.append((time.perf_counter() - begun) * 1000)
                worked.append((time.process_time() - busy) * 1000)
        finally:
            await store.close()
    waited.sort()
    return {
        "items": len(items),  # pyright: ignore[reportUnknownArgumentType] - of any kind
        "p50_ms": round(statistics.median(waited), 1),
        "p95_ms": round(waited[int(len(waited) * 0.95)], 1),
        "cpu_ms": round(statistics.median(worked), 1),
    }


def main() -> None:
    parser = ArgumentParser(description=__doc__)
    parser.add_argument("--turns", type=int, default=10_000)
    parser.add_argument("--rounds", type=int, default=30)
    parser.add_argument("--record", action="store_true")
    given = parser.parse_args()
    found = {n: asyncio.run(measure(n, given.rounds)) for n in (100, int(given.turns))}
    for turns, figures in found.items():
        print(f"{turns:>6} turns: {figures}")
    if given.record:
        told = {
            "date": f"{datetime.now(UTC):%Y-%m-%d}",
            "command": shlex.join(["python", *sys.argv]),
            "python": platform.python_version(),
            "load": round(os.getloadavg()[0], 1),
            "cores": os.cpu_count(),
            "turns": found,
        }
        with RESULTS.open("a") as file:
            file.write(json.dumps(told) + "\n")


if __name__ == "__main__":
    main()
