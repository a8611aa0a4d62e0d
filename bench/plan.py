"""What a planner costs the reader, and whether plans are ever lost.

Run: python bench/plan.py [--turns 60] [--writers 8] [--commits 1000] [--record]. Two figures of the
design: with a planner the writer's request is sent at most 50 ms later (p95), measured from the user's
words to the moment at which the model is asked, beside the same story without one; and of 8 writers
that each add 1,000 lines to one plan, each by compare-and-swap, no line is lost.
"""

from __future__ import annotations

import asyncio
import json
import platform
import shlex
import sys
import tempfile
import time
from argparse import ArgumentParser
from collections.abc import AsyncGenerator
from dataclasses import asdict, dataclass, replace
from datetime import UTC, datetime
from pathlib import Path

from huaben import Studio
from huaben.adapters.db.store import open_store
from huaben.adapters.system import SystemClock, SystemIds
from huaben.config import load_settings
from huaben.domain.messages import ModelEvent, WireRequest
from huaben.domain.plan.revision import Plan, PlanRevision
from huaben.domain.plan.state import headings
from huaben.domain.project import Project
from huaben.domain.story import Turn
from huaben.ports import Commit, Committed, Model
from huaben.services.playing import Words, post_turn
from huaben.testing.models import ScriptedModel
from huaben.testing.script import Asked, ScriptedReply, call, reply, say

RESULTS = Path(__file__).parent / "results" / "plan.jsonl"
CARD = {
    "spec": "chara_card_v2",
    "spec_version": "2.0",
    "data": {"name": "沈砚", "description": "渡口客栈的账房。", "first_mes": "「打烊了。」"},
}


class Writer(ScriptedModel):
    """Notes when it is asked."""

    def __init__(self) -> None:
        super().__init__(_told, name="writer")
        self.at = 0.0

    async def stream(self, wire: WireRequest) -> AsyncGenerator[ModelEvent]:
        self.at = self.at or time.perf_counter()
        async for event in super().stream(wire):
            yield event


def _told(asked: Asked) -> ScriptedReply:
    if any(message["role"] == "tool" for message in asked.messages):
        return reply(say("他点头。"))
    return reply(
        call("draft_write", version=0, content="雨点顺着伞骨往下坠。" * 20),
        call("draft_seal", version=1),
    )


class Room:
    """A planner that always asks two experts and writes a new plan."""

    def __init__(self) -> None:
        self._plans = 0

    def __call__(self, asked: Asked) -> ScriptedReply:
        if asked.tool_names:
            names = ("update_director_state",) if len(asked.tool_names) == 1 else ("judge_npc",)
            return reply(*(call(name) for name in names))
        if "update_director_state" in asked.last_text:
            self._plans += 1
            lines = "\n".join(f"- 第 {self._plans} 版的一行 {n} [m1]" for n in range(20))
            return reply(say("\n".join(f"{heading}\n{lines}" for heading in headings("zh"))))
        return reply(say('{"notes": [{"text": "他在等人", "quote": "打烊了"}]}'))


@dataclass
class Roles:
    writer: Model
    planner: Model

    def for_role(self, role: str, name: str = "") -> Model:
        return self.planner if role in ("planner", "escalation") else self.writer


@dataclass(frozen=True, slots=True)
class Figures:
    turns: int
    without_p50_ms: float
    without_p95_ms: float
    with_p50_ms: float
    with_p95_ms: float
    added_p95_ms: float
    planned: int
    commits: int
    commits_per_s: float
    lost: int


async def first_requests(turns: int) -> tuple[list[float], list[float], int]:
    """How long each turn took to be sent, without and with a planner, turn about; and how many plans
    were made."""
    waits: dict[str, list[float]] = {"stage": [], "stage+planner": []}
    with tempfile.TemporaryDirectory() as folder:
        writer = Writer()
        roles = Roles(writer, ScriptedModel(Room(), name="planner"))
        settings = load_settings(data=Path(folder) / "data")
        async with Studio.open(settings=settings, models=roles) as studio:
            card = Path(folder) / "card.json"
            card.write_text(json.dumps(CARD), "utf-8")
            imported = await studio.import_card(card)
            stories = {
                name: await studio.create_project(card=imported.id, scenario=name) for name in waits
            }
            for number in range(turns):
                for name, project in stories.items():
                    writer.at = 0.0
                    began = time.perf_counter()
                    words = Words(f"我说第 {number} 句。")
                    turn = await post_turn(studio.house, studio.company, project.id, words)
                    await studio.company.settled(turn.id)
                    waits[name].append((writer.at - began) * 1000)
            await studio.house.jobs.idle()
            plans = await studio.house.store.plan_beats(stories["stage+planner"].id)
    return waits["stage"], waits["stage+planner"], len(plans)


async def lost_updates(writers: int, commits: int) -> tuple[int, float]:
    """How many of the lines that writers added to one plan are not there, and commits a second."""
    clock, ids = SystemClock(), SystemIds()
    with tempfile.TemporaryDirectory() as folder:
        store = open_store(Path(folder) / "data", clock=clock)
        project = Project(ids.new(), "local", "bench", "roleplay", "zh", clock.now().isoformat())
        turn = Turn(ids.new(), project.id, "local", None, "turn", "beat", 1, "")
        await store.commit(Commit(rows=(project, turn)))
        key = ("plan", project.id)

        async def write(name: int) -> None:
            for number in range(commits):
                while True:
                    found = await store.plan_at(project.id, ["beat"])
                    serial, plan = (0, Plan()) if found is None else (found.serial, found.plan)
                    counts = [int(one) for one in plan.state.split()] or [0] * writers
                    assert counts[name] == number, "somebody has overwritten this writer's line"
                    counts[name] += 1
                    after = replace(plan, state=" ".join(map(str, counts)))
                    row = PlanRevision(
                        project.id, "beat", turn.id, serial + 1, serial, "planner", "director", "", after
                    )  # fmt: skip
                    if isinstance(
                        await store.commit(Commit({key: serial}, rows=(row,))), Committed
                    ):
                        break

        began = time.perf_counter()
        await asyncio.gather(*(write(name) for name in range(writers)))
        took = time.perf_counter() - began
        last = await store.plan_at(project.id, ["beat"])
        assert last is not None
        there = sum(int(one) for one in last.plan.state.split())
        await store.close()
    return writers * commits - there, writers * commits / took


async def measure(turns: int, writers: int, commits: int) -> Figures:
    without, with_planner, plans = await first_requests(turns)
    lost, per_s = await lost_updates(writers, commits)
    (bare50, bare95), (full50, full95) = _p50_p95(without), _p50_p95(with_planner)
    return Figures(
        turns=turns,
        without_p50_ms=round(bare50, 2),
        without_p95_ms=round(bare95, 2),
        with_p50_ms=round(full50, 2),
        with_p95_ms=round(full95, 2),
        added_p95_ms=round(full95 - bare95, 2),
        planned=plans,
        commits=writers * commits,
        commits_per_s=round(per_s, 1),
        lost=lost,
    )


def _p50_p95(waits: list[float]) -> tuple[float, float]:
    kept = sorted(waits[2:])  # the first ones load what later ones have
    return kept[len(kept) // 2], kept[int(len(kept) * 0.95)]


def main() -> None:
    options = ArgumentParser(description=__doc__)
    options.add_argument("--turns", type=int, default=60)
    options.add_argument("--writers", type=int, default=8)
    options.add_argument("--commits", type=int, default=1000)
    options.add_argument("--record", action="store_true")
    chosen = options.parse_args()
    figures = asyncio.run(measure(chosen.turns, chosen.writers, chosen.commits))
    for name, value in asdict(figures).items():
        print(f"{name:<16} {value}")
    if chosen.record:
        command = shlex.join(["python", "bench/plan.py", *sys.argv[1:]])
        row = {"date": f"{datetime.now(UTC):%Y-%m-%d}", "command": command}
        row |= {"python": platform.python_version(), **asdict(figures)}
        with RESULTS.open("a", encoding="utf-8") as file:
            file.write(json.dumps(row) + "\n")
    if figures.lost or figures.added_p95_ms > 50:
        sys.exit("the figures of the design do not hold")


if __name__ == "__main__":
    main()
