"""The process that the chaos test of planning kills: it plans after the first turns of many stories, and dies
by its own hand right behind a step, each job once and at another step.

What has died already is noted in a file, so that the next process goes further.
"""

from __future__ import annotations

import asyncio
import json
import os
import signal
import sys
from collections.abc import Mapping
from functools import partial
from itertools import count
from pathlib import Path

from huaben.adapters.db.store import open_store
from huaben.adapters.folder import DataFolder
from huaben.adapters.jobs.durable import DurableJobs
from huaben.adapters.jobs.journal import in_folder
from huaben.adapters.objects import FolderObjects
from huaben.adapters.system import SystemClock, SystemIds
from huaben.ports import Action, DueJob, Step
from huaben.services import chores, founding, library, playing
from huaben.services.founding import Founding
from huaben.services.house import House
from huaben.services.performing import Company
from huaben.services.planning import chore as planning
from huaben.services.shelf import Shelf
from huaben.testing.models import ScriptedModel
from tests.integration.planning.stage import ON, PERSONA, Fixed, Planners, Roles, told
from tests.integration.stage.conftest import CARD

BOUNDARIES = 8
"""Steps of a first turn's job behind which it can die: snapshot, route, two experts, route, director,
commit, end."""


def a_house(folder: Path) -> House:
    data = DataFolder(folder / "data")
    clock = SystemClock()
    store = open_store(data.root, clock=clock)
    roles = Roles(ScriptedModel(told, name="writer"), ScriptedModel(Planners(), name="planner"))
    return House(
        store=store,
        objects=FolderObjects(data.objects),
        clock=clock,
        ids=SystemIds(),
        models=roles,
        scenarios=Fixed(ON),
        shelf=Shelf(store),
        jobs=DurableJobs(store, in_folder(data.jobs_database)),
        owner="driver",
    )


async def tell(folder: Path, stories: int) -> None:
    """Play a first turn in each of so many stories; nothing is planned yet."""
    house = a_house(folder)
    company = Company(house)
    card = await library.import_card(house, json.dumps(CARD).encode(), "shen.json")
    for number in range(stories):
        wish = Founding(title=f"{number:04d}", card_id=card.id, persona=PERSONA)
        project, _ = await founding.create_project(house, wish)
        turn = await playing.post_turn(house, company, project.id, playing.Words("我推开门。"))
        await company.settled(turn.id)
    await company.close()
    await house.store.close()


async def plan(folder: Path) -> None:
    """Plan what is due, and die where it is this job's turn to die."""
    house = a_house(folder)
    kinds = {planning.KIND: partial(dying, folder)}
    house.jobs.start(partial(chores.carry_out, house, kinds=kinds))
    await house.jobs.idle()
    await house.jobs.close()
    await house.store.close()


async def dying(folder: Path, house: House, job: DueJob, step: Step) -> str:
    project = await house.store.project(job.lane.partition("/")[0])
    assert project is not None
    number = int(project.title)
    died = folder / f"died-{number}"
    taken = count(1)

    async def mortal(name: str, action: Action) -> Mapping[str, object]:
        given = await step(name, action)
        if next(taken) == number % BOUNDARIES + 1 and not died.exists():
            died.touch()
            os.sync()
            os.kill(os.getpid(), signal.SIGKILL)
        return given

    return await planning.carry_out(house, job, mortal)


if __name__ == "__main__":
    place = Path(sys.argv[2])
    if sys.argv[1] == "tell":
        asyncio.run(tell(place, int(sys.argv[3])))
    else:
        asyncio.run(plan(place))
