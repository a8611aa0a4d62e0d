"""The post-turn chain as a background job: scribe, wished-for save, compaction, memory, then the end of the
turn's log (`turn.md` §1.5). One per sealed turn, in the project's `post` lane.

A link that fails does not hold up the others: it says so in the turn's log and is caught up later.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import cast

from huaben.domain.events import End, Notice
from huaben.domain.scenario import Scenario
from huaben.domain.story import Turn
from huaben.domain.turnview import TurnView
from huaben.errors import HuabenError
from huaben.formats.scenario import scenario_of
from huaben.ports import Action, Commit, Due, DueJob, Step
from huaben.services.aftermath.compacting import compact, what_leaves
from huaben.services.aftermath.recapping import recap
from huaben.services.aftermath.remembering import remember
from huaben.services.aftermath.scribing import UNREADABLE, Reading, failed, read_turn, to_read
from huaben.services.aftermath.wishing import make_wished, wished
from huaben.services.effects import Made, once
from huaben.services.house import House
from huaben.services.stories import load_turn

KIND = "aftermath"
AGAIN = "scribe"
"""The kind of the job that tries once more to read what the scribe's answer did not tell."""


def lane_of(project_id: str) -> str:
    return f"{project_id}/post"


def follows(scenario: Scenario) -> bool:
    """Whether anything follows a sealed turn."""
    return bool(scenario.scribe.enabled or scenario.memory.sources or scenario.compaction.every)


def due_after(turn: Turn, view: TurnView) -> tuple[Due, ...]:
    """The job that a sealed turn makes due."""
    if not follows(scenario_of(turn.config)) and not wished(view):
        return ()
    return (Due(lane_of(turn.project_id), KIND, {"turn": turn.id}),)


async def carry_out(house: House, job: DueJob, step: Step) -> str:
    """Take the links in their order. The outcome names what failed, if anything."""
    turn_id = str(job.payload["turn"])
    turn = await load_turn(house, turn_id)
    scenario = scenario_of(turn.config)
    faults: list[str] = []
    link = _Link(house, job, turn, step)
    if scenario.scribe.enabled:
        faults += await _scribe(house, job, turn_id, step, once_more=True)
    faults += await link("saves", lambda: _saves(house, turn))
    if scenario.compaction.every:
        faults += await link("summary", lambda: _compact(house, job, turn))
    if scenario.memory.sources:
        faults += await link("recap", lambda: recap(house, turn))
        faults += await link("remembering", lambda: remember(house, turn))
    await step("end", lambda: _end(house, job, turn))
    return "; ".join(["done", *faults])


@dataclass(frozen=True, slots=True)
class _Link:
    """Takes a link of the chain as one step; what fails is said in the turn's log."""

    house: House
    job: DueJob
    turn: Turn
    step: Step

    async def __call__(self, name: str, action: Action) -> list[str]:
        """What failed, if anything."""
        try:
            await self.step(name, action)
        except HuabenError as fault:
            told = f"{fault.code}: {fault.message}"
            await self.step(f"{name} failed", lambda: self._failed(name, told))
            return [f"{name}: {fault.code}"]
        return []

    async def _failed(self, name: str, told: str) -> Mapping[str, object]:
        async def make() -> Made:
            return Commit(events=((self.turn.id, Notice(f"{name}_failed", told)),)), {}

        return await once(self.house, f"{self.job.id}/failed/{name}", make)


async def _saves(house: House, turn: Turn) -> Mapping[str, object]:
    await make_wished(house, turn.project_id, turn.id)
    return {}


async def _compact(house: House, job: DueJob, turn: Turn) -> Mapping[str, object]:
    """What is to be taken up is decided once, however often the step runs."""

    async def decide() -> Made:
        return Commit(), {"turns": await what_leaves(house, turn)}

    left = await once(house, f"{job.id}/leaving", decide)
    turns = cast("list[str]", left["turns"])  # as `decide` gives it
    return await compact(house, job.id, turn, turns) if turns else {}


async def carry_out_again(house: House, job: DueJob, step: Step) -> str:
    """Only the scribe, once more."""
    faults = await _scribe(house, job, str(job.payload["turn"]), step, once_more=False)
    return "; ".join(["done", *faults])


async def _scribe(house: House, job: DueJob, at: str, step: Step, *, once_more: bool) -> list[str]:
    """Read what is to be read, each turn in a step of its own; what failed. Behind a model that does
    not answer the rest is left for the next time: every turn would wait for it in vain."""
    given = await step("to read", lambda: _listed(house, at))
    faults: list[str] = []
    for turn in cast("list[str]", given["turns"]):  # as `_listed` gives it
        reading = Reading(job.id, at, turn)
        try:
            await step(f"read {reading.turn}", lambda reading=reading: read_turn(house, reading))
        except HuabenError as fault:
            code, message = fault.code, fault.message
            faults.append(f"scribe {reading.turn}: {code}")
            await step(
                f"failed {reading.turn}",
                lambda reading=reading, code=code, message=message: _failed(
                    house, reading, code, message
                ),
            )
            if not code.startswith(UNREADABLE):
                break
    if faults and once_more:
        await step("again", lambda: _again(house, job, at))
    return faults


async def _listed(house: House, at: str) -> dict[str, object]:
    return {"turns": await to_read(house, await load_turn(house, at))}


async def _failed(house: House, reading: Reading, code: str, message: str) -> dict[str, object]:
    await failed(house, reading, code, message)
    return {}


async def _again(house: House, job: DueJob, at: str) -> dict[str, object]:
    async def make() -> Made:
        lane = job.lane
        return Commit(due=(Due(lane, AGAIN, {"turn": at}),)), {}

    await once(house, f"{job.id}/again", make)
    house.jobs.nudge()
    return {}


async def _end(house: House, job: DueJob, turn: Turn) -> dict[str, object]:
    async def make() -> Made:
        return Commit(events=((turn.id, End("sealed")),)), {}

    await once(house, f"{job.id}/end", make)
    return {}
