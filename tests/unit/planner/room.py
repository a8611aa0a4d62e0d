"""A planning room around a script: voices that say what a test wants, one plan, steps that are remembered."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TypeAlias, cast

from huaben.domain.messages import ToolCall
from huaben.domain.plan.material import Material, material_to_json
from huaben.domain.plan.notes import check
from huaben.domain.plan.revision import Plan, plan_to_json
from huaben.domain.plan.settings import PlannerSection
from huaben.domain.plan.trace import TraceNode
from huaben.errors import HuabenError
from huaben.planner.desk import Candidate, Desk, Done, Errand, Heard
from huaben.planner.job import run_job
from huaben.ports import Action
from huaben.testing.clock import ManualClock
from tests.unit.domain.plan.states import a_state
from tests.unit.prompt.plan_scenes import MATERIALS

Said: TypeAlias = str | Sequence[str] | HuabenError | None
"""Text, functions to call, a fault, or None: the call never ends by itself."""
Script: TypeAlias = Mapping[str, Said | Sequence[Said]]
NEW_STATE = a_state(s0="- 雨夜 [m1]\n- 视角：沈砚 [m1]", s3="- 旧伞要还 [m2]")
NOTES = '{"notes": [{"text": "他在等人", "quote": "沈砚抬起头"}, {"text": "船不会来"}]}'
QUIET: Script = {"route:1": []}


def first_turn() -> Material:
    return MATERIALS["zh"]


def later_turn() -> Material:
    """An ordinary continuation that brings no new name."""
    before = MATERIALS["zh"]
    said = replace(before.words, number=4, text="我点点头。")
    told = replace(before.words, number=3, role="assistant", text="他没有说话。")
    messages = (*before.messages, before.words, told)
    plan = Plan(a_state(s0="- 雨夜 [m1]"), next_note=1)
    return replace(before, messages=messages, words=said, turn=2, plan=plan)


class Died(BaseException):
    """The process is gone."""


@dataclass
class Room:
    """`script` maps a node to what its call says: one thing each time, or a list of things in turn
    when it holds a list of lists. What was paid is remembered across deaths, as the store does."""

    script: Script
    material: Material = field(default_factory=first_turn)
    section: PlannerSection = field(default_factory=lambda: PlannerSection(enabled=True))
    clock: ManualClock = field(default_factory=ManualClock)
    records: dict[str, str] = field(default_factory=dict[str, str])
    paid: dict[str, Heard] = field(default_factory=dict[str, Heard])
    made: list[str] = field(default_factory=list[str])
    errands: list[Errand] = field(default_factory=list[Errand])
    commits: list[Candidate] = field(default_factory=list[Candidate])
    told: list[tuple[TraceNode, ...]] = field(default_factory=list[tuple[TraceNode, ...]])
    serial: int = 0
    others: int = 0
    """How many other writers come between before each commit."""
    steps_left: int | None = None
    tools: bool = True
    day_tokens: int = 0
    cancelled: asyncio.Event = field(default_factory=asyncio.Event)
    in_flight: int = 0
    most_in_flight: int = 0

    async def run(self) -> Done:
        return await run_job(self.desk(), self.section)

    def desk(self) -> Desk:
        return Desk(
            step=self._step,
            clock=self.clock,
            voices=self,
            plans=self,
            open=self._open,
            quoted=self._quoted,
            told=self._told,
            cancelled=self.cancelled,
        )

    async def patiently(self) -> Done:
        """Run while time passes."""
        task = asyncio.create_task(self.run())
        for _ in range(3000):
            if task.done():
                break
            await self.clock.advance(1)
        return await task

    def node(self, done: Done, node_id: str) -> TraceNode:
        return next(node for node in done.nodes if node.id == node_id)

    # ---- steps ---------------------------------------------------------------------------------

    async def _step(self, name: str, action: Action) -> Mapping[str, object]:
        if name not in self.records:
            text = json.dumps(await action(), default=dict)
            if self.steps_left == 0:
                raise Died
            if self.steps_left is not None:
                self.steps_left -= 1
            self.records[name] = text
        return cast("Mapping[str, object]", json.loads(self.records[name]))

    async def _open(self) -> Mapping[str, object]:
        material = material_to_json(self.material)
        return {"material": material, "base": self.serial, "day_tokens": self.day_tokens}

    async def _quoted(self, quotes: Sequence[str]) -> Sequence[bool]:
        return check(quotes, [one.text for one in (*self.material.messages, self.material.words)])

    async def _told(self, nodes: Sequence[TraceNode]) -> None:
        self.told.append(tuple(nodes))

    # ---- voices --------------------------------------------------------------------------------

    def calls_tools(self, *, escalated: bool) -> bool:
        return self.tools

    async def call(self, errand: Errand) -> Heard:
        if errand.node in self.paid:
            return self.paid[errand.node]
        self.errands.append(errand)
        self.made.append(errand.node)
        self.in_flight += 1
        self.most_in_flight = max(self.most_in_flight, self.in_flight)
        try:
            await asyncio.sleep(0)
            heard = await self._say(errand.node)
        finally:
            self.in_flight -= 1
        self.paid[errand.node] = heard
        return heard

    async def _say(self, node: str) -> Heard:
        said = self._next(node)
        if said is None:
            await asyncio.Event().wait()
        if isinstance(said, HuabenError):
            raise said
        if isinstance(said, str):
            return Heard(said, (), "model", f"call-{node}", 100, 10)
        calls = tuple(ToolCall(f"c{n}", name, "{}") for n, name in enumerate(said or ()))
        return Heard("", calls, "model", f"call-{node}", 100, 10)

    def _next(self, node: str) -> Said:
        if node in self.script:
            said = self.script[node]
            if isinstance(said, list) and said and not isinstance(said[0], str):
                turns = cast("list[Said]", said)
                return turns[min(self.made.count(node), len(turns)) - 1]
            return cast("Said", said)
        kind = node.partition(":")[0]
        return {"route": ["update_director_state"], "expert": NOTES, "director": NEW_STATE}[kind]

    # ---- plans ---------------------------------------------------------------------------------

    async def commit(self, base: int, candidate: Candidate) -> Mapping[str, object]:
        if self.others:
            self.others -= 1
            self.serial += 1
        if self.serial != base:
            ours = self.commits and self.commits[-1] == candidate
            return {"serial": self.serial} if ours else {"moved": True}
        self.serial += 1
        self.commits.append(candidate)
        return {"serial": self.serial}

    async def latest(self) -> Mapping[str, object]:
        plan = Plan(a_state(s1="- 别人写的"), self.material.plan.notes, next_note=9)
        return {"base": self.serial, "plan": plan_to_json(plan)}


def planner(**changes: object) -> PlannerSection:
    return PlannerSection(enabled=True, **changes)  # pyright: ignore[reportArgumentType] - a builder
