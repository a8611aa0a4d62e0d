"""A house in memory whose jobs run inline, and die when a test says so."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Awaitable, Mapping
from dataclasses import dataclass, replace
from functools import partial

from huaben.domain.scenario import Scenario
from huaben.errors import HuabenError, NoConnection
from huaben.ports import Commit, Due, Model
from huaben.services import chores, importing
from huaben.services.chores import Kind
from huaben.services.house import House
from huaben.services.shelf import Shelf
from huaben.testing.clock import CountedIds, ManualClock
from huaben.testing.jobs import InlineJobs
from huaben.testing.objects import MemoryObjects
from huaben.testing.store import MemoryStore


class NoModels:
    """Nothing is connected: these jobs need no model."""

    def for_role(self, role: str, name: str = "") -> Model:
        raise NoConnection("no_connection", f"{role} {name}")


class OneScenario:
    def named(self, name: str) -> Scenario:
        return Scenario(name=name)

    def names(self) -> list[str]:
        return ["stage"]


@dataclass
class Yard:
    """The house, with its fakes in their own types."""

    house: House
    store: MemoryStore
    objects: MemoryObjects
    clock: ManualClock
    jobs: InlineJobs

    def start(self, **kinds: Kind) -> None:
        self.jobs.start(partial(chores.carry_out, self.house, kinds=kinds or chores.KINDS))

    async def restart(self, **kinds: Kind) -> None:
        """The next process on the same store, with what the last one's steps recorded."""
        await self.jobs.close()
        self.jobs = InlineJobs(self.store, self.jobs.records)
        self.house = replace(self.house, jobs=self.jobs)
        self.start(**kinds)

    async def due(self, *jobs: Due) -> None:
        await self.store.commit(Commit(due=jobs))
        self.jobs.nudge()

    async def outcome(self, lane: str, seq: int = 1) -> str:
        job = await self.store.job(lane, seq)
        assert job is not None
        return job.outcome

    async def patiently(self, waiting: Awaitable[None]) -> None:
        """Wait for it while time passes."""
        task = asyncio.ensure_future(waiting)
        for _ in range(1000):
            await self.clock.advance(1)
            if task.done():
                break
        await task


def card_bytes(name: str, **more: object) -> bytes:
    data = {"name": name, "description": "守渡口的人。", "first_mes": "「上船吗？」"}
    card = {"spec": "chara_card_v2", "spec_version": "2.0", "data": {**data, **more}}
    return json.dumps(card, ensure_ascii=False).encode()


BOOK = json.dumps(
    {"entries": {"0": {"uid": 0, "key": ["灯塔"], "content": "A lighthouse."}}}
).encode()


async def uploads(files: Mapping[str, bytes | HuabenError]) -> AsyncIterator[importing.Upload]:
    for name, content in files.items():
        yield importing.Upload(name, content)


def a_yard() -> Yard:
    clock = ManualClock()
    store = MemoryStore(clock)
    objects, jobs = MemoryObjects(), InlineJobs(store)
    house = House(
        store=store,
        objects=objects,
        clock=clock,
        ids=CountedIds(),
        models=NoModels(),
        scenarios=OneScenario(),
        shelf=Shelf(store),
        jobs=jobs,
        owner="first",
    )
    return Yard(house, store, objects, clock, jobs)
