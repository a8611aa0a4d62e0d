"""The process that the chaos test of jobs kills: carries out jobs of three steps, or imports cards, and
notes each thing at the moment it happens.

Notes are lines appended to one file, so their order is the order of what happened, across deaths.
"""

from __future__ import annotations

import asyncio
import json
import os
import sys
from collections.abc import AsyncIterator, Mapping
from functools import partial
from pathlib import Path

from huaben import Studio
from huaben.adapters.db.store import open_store
from huaben.adapters.folder import DataFolder
from huaben.adapters.jobs.durable import DurableJobs
from huaben.adapters.jobs.journal import in_folder
from huaben.adapters.objects import FolderObjects
from huaben.adapters.system import SystemClock, SystemIds
from huaben.ports import Commit, Due, DueJob, Page, Step
from huaben.services import chores, importing
from huaben.services.effects import once
from huaben.services.house import House
from huaben.services.shelf import Shelf
from tests.integration.jobs.yard import NoModels, OneScenario

JOBS, LANES, STEPS = 200, 10, ("一", "二", "three")


class Notes:
    def __init__(self, file: Path) -> None:
        self._file = os.open(file, os.O_CREAT | os.O_APPEND | os.O_WRONLY)

    def note(self, *words: object) -> None:
        os.write(self._file, (json.dumps(words) + "\n").encode())


# ---- jobs of three steps -----------------------------------------------------------------------


async def three_steps(notes: Notes, house: House, job: DueJob, step: Step) -> str:
    """Each step makes one effect that holds what the step before gave."""
    before: object = None
    for name in STEPS:
        given = await step(name, partial(take, notes, house, job, name, before))
        notes.note("recorded", job.id, name)
        before = given["id"]
    return "done"


async def take(
    notes: Notes, house: House, job: DueJob, name: str, before: object
) -> Mapping[str, object]:
    notes.note("begun", job.id, name)

    async def make() -> tuple[Commit, Mapping[str, object]]:
        return Commit(), {"id": house.ids.new(), "before": before}

    return await once(house, f"{job.id}/{name}", make)


async def carry_out_jobs(folder: Path) -> None:
    notes = Notes(folder / "notes")
    data = DataFolder(folder / "data")
    clock = SystemClock()
    store = open_store(data.root, clock=clock)
    jobs = DurableJobs(store, in_folder(data.jobs_database))
    house = House(
        store=store,
        objects=FolderObjects(data.objects),
        clock=clock,
        ids=SystemIds(),
        models=NoModels(),
        scenarios=OneScenario(),
        shelf=Shelf(store),
        jobs=jobs,
        owner="driver",
    )
    if await store.job("lane 0/post", 1) is None:
        due = tuple(Due(f"lane {n % LANES}/post", "three", {}) for n in range(JOBS))
        await store.commit(Commit(due=due))
    kinds = {"three": partial(three_steps, notes)}
    jobs.start(partial(chores.carry_out, house, kinds=kinds))
    await jobs.idle()
    await jobs.close()
    await store.close()


# ---- an import ---------------------------------------------------------------------------------


async def cards(count: int) -> AsyncIterator[importing.Upload]:
    for n in range(count):
        data = {"name": f"卡 {n}", "description": "守渡口的人。" * 20, "first_mes": "「上船吗？」"}
        card = {"spec": "chara_card_v2", "spec_version": "2.0", "data": data}
        yield importing.Upload(f"{n}.json", json.dumps(card, ensure_ascii=False).encode())


async def import_cards(folder: Path, count: int) -> None:
    """Begin an import or go on with it, and note how far it has come."""
    notes = Notes(folder / "notes")
    async with Studio.open(folder / "data") as studio:
        jobs, _ = await importing.list_imports(studio.house, Page())
        import_id = (
            importing.id_of(jobs[0]) if jobs else await importing.begin(studio.house, cards(count))
        )
        job = await importing.load_import(studio.house, import_id)
        while not (await importing.load_import(studio.house, import_id)).outcome:
            shown = await chores.show_job(studio.house, job)
            notes.note("progress", shown.done, shown.total)
            await asyncio.sleep(0.2)


if __name__ == "__main__":
    place = Path(sys.argv[2])
    if sys.argv[1] == "jobs":
        asyncio.run(carry_out_jobs(place))
    else:
        asyncio.run(import_cards(place, int(sys.argv[3])))
