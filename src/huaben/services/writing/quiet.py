"""When the scribe looks at an edited manuscript: after each turn at once, after edits by hand when they have
come to rest. Apart from the reading, because whoever makes a checkpoint makes this due."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from datetime import datetime
from typing import Final

from huaben.domain.checkpoint import Checkpoint
from huaben.domain.project import Project
from huaben.domain.scenario import Scenario
from huaben.formats.scenario import scenario_of
from huaben.ports import Commit, Due, DueDone, DueJob, Head
from huaben.services.house import House

KIND: Final = "care"
QUIET_S: Final = 20.0
"""So long nothing was saved by hand: then a scribe reads what was added."""
LOOK_S: Final = 1.0
WAIT_LOOK_S: Final = 0.1
SUPERSEDED: Final = "superseded"


def cares(scenario: Scenario) -> bool:
    """Whether anybody reads what is added to a manuscript."""
    return scenario.scribe.enabled or "diary" in scenario.memory.sources


async def with_care(
    house: House, project: Project, checkpoint: Checkpoint, commit: Commit, node: str | None
) -> Commit:
    """The commit of a checkpoint with the job that it makes due, in place of earlier ones that have not begun:
    however often an author saves, one waits. None for a checkpoint that goes back to an earlier text, or is
    made with a move of the head, as the ledger moves along then. `node` is where the story stands, None where
    that has yet to be looked up."""
    moves = any(isinstance(row, Head) for row in commit.rows)
    if moves or checkpoint.restored_from or not checkpoint.delta:
        return commit
    if not cares(scenario_of(project.config)):
        return commit
    if node is None and (head := await house.store.head(project.id)) is not None:
        node = head.turn_id
    if node is None:
        return commit
    by_hand = checkpoint.author == "user"
    payload = {"checkpoint": checkpoint.id, "node": node, "by_hand": by_hand}
    lane = f"{project.id}/post"
    over = [
        DueDone(lane, one.seq, SUPERSEDED)
        for one in await house.store.due(lane)
        if _waits_at(one, node) and one.id not in house.jobs.running
    ]
    due = Due(lane, KIND, payload)
    return replace(commit, due=(*commit.due, due), rows=(*commit.rows, *over))


def _waits_at(job: DueJob, node: str) -> bool:
    """Whether a job is for edits by hand at that node; one that the user asked for is not for them alone."""
    own = job.kind == KIND and job.payload.get("by_hand") is True and "asked" not in job.payload
    return own and job.payload["node"] == node


async def rested(house: House, job: DueJob) -> Mapping[str, object]:
    """Wait until the edits by hand have come to rest, or something else is to be read. `over` is
    `superseded` when a later job, which knows more, reads at the same node in place of this one."""
    while True:
        later = await _later(house, job)
        if job.payload["node"] in later and "asked" not in job.payload:
            return {"over": SUPERSEDED}
        if job.payload.get("by_hand") is not True or later or _age_s(house, job) >= QUIET_S:
            return {}
        await house.clock.sleep(LOOK_S)


def wake(house: House, due: Sequence[Due]) -> None:
    """Have the job begun that a checkpoint made due: at once, or after edits by hand when they have come to rest,
    so that nobody who saves again and again keeps an engine busy. What a process that ends leaves due is taken up
    by the next one."""
    by_hand = [one.lane for one in due if one.payload.get("by_hand") is True]
    for lane in by_hand:
        house.rests.stir(lane, QUIET_S, house.jobs.nudge)
    if len(by_hand) < len(due):
        house.jobs.nudge()


def _age_s(house: House, job: DueJob) -> float:
    return (house.clock.now() - datetime.fromisoformat(job.made_at)).total_seconds()


async def _later(house: House, job: DueJob) -> list[object]:
    """The nodes at which later jobs of the lane are to read."""
    due = await house.store.due(job.lane)
    return [one.payload.get("node") for one in due if one.kind == KIND and one.seq > job.seq]


async def read_in_time(house: House, project_id: str, wait_s: float) -> None:
    """Wait, at most `wait_s` seconds, until the scribe has read what earlier turns have written. Edits by hand
    that have not come to rest are not waited for."""
    with suppress(TimeoutError):
        async with asyncio.timeout(wait_s):
            reading = await _reads(house, project_id)
            while reading:
                await asyncio.sleep(WAIT_LOOK_S)
                reading = await _reads(house, project_id)


async def _reads(house: House, project_id: str) -> bool:
    if not house.jobs.begun:
        return False
    due = await house.store.due(f"{project_id}/post")
    return any(one.kind == KIND and one.payload.get("by_hand") is not True for one in due)
