"""Building what a story lacks that was not played here: the scribe reads its turns from the first on and a
summary takes up the old ones, as one job that is resumed and whose cost is told before it starts."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import cast

from huaben.domain.events import ProjectEvent
from huaben.domain.messages import Usage
from huaben.domain.pricing import Cost
from huaben.domain.standing import unread
from huaben.domain.story import Turn
from huaben.errors import Conflict, HuabenError
from huaben.formats.scenario import scenario_of
from huaben.ports import Commit, Due, DueJob, Effect, Page, Step
from huaben.services.aftermath.chain import lane_of
from huaben.services.aftermath.compacting import compact, what_leaves
from huaben.services.aftermath.scribing import Reading, read_turn
from huaben.services.effects import Made, once
from huaben.services.house import House
from huaben.services.standing import stood_at
from huaben.services.stories import load_project, load_story, load_turn

KIND = "build"
FRAME_TOKENS = 1600
"""What a call of the scribe takes beside the turn: its duty, and a ledger of usual size."""
ANSWER_TOKENS = 250


@dataclass(frozen=True, slots=True)
class Estimate:
    """What building would take: calls of the scribe, one for each of `turns`, and about how many tokens.
    `cost` is None where the model's price is not known."""

    turns: int
    prompt_tokens: int
    completion_tokens: int
    model: str
    cost: Cost | None


@dataclass(frozen=True, slots=True)
class Building:
    """The newest job: `done` of `turns` are read; `state` is `running`, `done` or `failed`, and
    `outcome` the job's own words once it is over."""

    job: str
    state: str
    done: int
    turns: int
    outcome: str


async def estimate(house: House, project_id: str) -> Estimate:
    """What the story lacks up to its head, and what that would take."""
    project = await load_project(house, project_id)
    scenario = scenario_of(project.config)
    model = house.models.for_role("scribe", scenario.models.scribe or scenario.models.story)
    estimator = await house.gauge.estimator(house.store, project_id, model.name)
    lacking = await _lacking(house, project_id)
    told = await house.store.told(lacking)
    texts = sum(estimator.tokens(f"{one.user_text}{one.final_text}") for one in told.values())
    prompt = texts + FRAME_TOKENS * len(lacking)
    answer = ANSWER_TOKENS * len(lacking)
    cost = house.prices.cost(model.origin, Usage(prompt=prompt, completion=answer))
    return Estimate(len(lacking), prompt, answer, model.name, cost)


async def build(house: House, project_id: str) -> DueJob:
    """Make the job due. Raises `Conflict` (`nothing_to_build`, `building`)."""
    async with house.lock(project_id):
        project = await load_project(house, project_id)
        lane = lane_of(project.id)
        if any(job.kind == KIND for job in await house.store.due(lane)):
            raise Conflict("building", "The ledger is being built already.", "Wait for it.")
        lacking = await _lacking(house, project_id)
        if not lacking:
            raise Conflict("nothing_to_build", "The ledger has every turn of this branch.")
        head = await house.store.head(project_id)
        payload = {"head": "" if head is None else head.turn_id, "turns": len(lacking)}
        await house.store.commit(Commit(due=(Due(lane, KIND, payload),)))
        job = next(job for job in reversed(await house.store.due(lane)) if job.kind == KIND)
    house.jobs.nudge()
    return job


async def building(house: House, project_id: str) -> Building | None:
    """How far the newest job of the project has come."""
    await load_project(house, project_id)
    job = await newest_job(house, project_id, KIND)
    if job is None:
        return None
    done = await house.store.count_effects(f"{job.id}/ledger/")
    state = "running" if not job.outcome else "failed" if "failed" in job.outcome else "done"
    turns = job.payload.get("turns")
    return Building(job.id, state, done, turns if isinstance(turns, int) else 0, job.outcome)


async def newest_job(house: House, project_id: str, kind: str) -> DueJob | None:
    """The newest job of a kind in the project's lane, over or not."""
    after: str | None = None
    while True:
        jobs, after = await house.store.jobs(Page(after, 100), kind)
        found = next((job for job in jobs if job.lane == lane_of(project_id)), None)
        if found is not None or after is None:
            return found


async def _lacking(house: House, project_id: str) -> list[str]:
    story = await load_story(house, project_id)
    path = story.tree.path(story.head.turn_id)
    return unread(path, await stood_at(house, path))


# ---- the job -----------------------------------------------------------------------------------


async def carry_out(house: House, job: DueJob, step: Step) -> str:
    """Read turn after turn, then let a summary take up what is old. A turn that cannot be read is
    passed over and named."""
    head = str(job.payload["head"])
    given = await step("lacking", lambda: _listed(house, head))
    passed: list[str] = []
    for turn in cast("list[str]", given["turns"]):  # as `_listed` gives it
        reading = Reading(job.id, head, turn)
        try:
            await step(f"read {turn}", lambda reading=reading: read_turn(house, reading))
        except HuabenError as fault:
            passed.append(f"{turn}: {fault.code}")
    try:
        await step("summary", lambda: _summary(house, job, head))
    except HuabenError as fault:
        passed.append(f"summary: {fault.code}")
    await step("told", lambda: _told(house, job, head))
    return "; ".join(["done", *(f"failed {one}" for one in passed)])


async def _listed(house: House, head: str) -> Mapping[str, object]:
    turn = await load_turn(house, head)
    return {"turns": await _lacking(house, turn.project_id)}


async def _summary(house: House, job: DueJob, head: str) -> Mapping[str, object]:
    turn = await _as_played(house, await load_turn(house, head))

    async def decide() -> Made:
        return Commit(), {"turns": await what_leaves(house, turn)}

    left = cast("list[str]", (await once(house, f"{job.id}/leaving", decide))["turns"])
    return await compact(house, job.id, turn, left) if left else {}


async def _as_played(house: House, turn: Turn) -> Turn:
    """An imported turn was run with no scenario; what is built for it follows the project's."""
    if turn.config:
        return turn
    return replace(turn, config=(await load_project(house, turn.project_id)).config)


async def _told(house: House, job: DueJob, head: str) -> Mapping[str, object]:
    turn = await load_turn(house, head)
    event = ProjectEvent("ledger_changed", head, {"built": job.id})
    await house.store.commit(
        Commit(rows=(Effect(f"{job.id}/told", {}),), project_events=((turn.project_id, event),))
    )
    return {}


def estimate_json(found: Estimate) -> dict[str, object]:
    cost = found.cost
    return {
        "turns": found.turns,
        "prompt_tokens": found.prompt_tokens,
        "completion_tokens": found.completion_tokens,
        "model": found.model,
        "cost": None if cost is None else {"amount": cost.micros / 1e6, "currency": cost.currency},
    }
