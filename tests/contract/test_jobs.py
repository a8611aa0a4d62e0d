"""What every implementation of `Jobs` promises, on the durable engine and inline."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from huaben.adapters.db.store import open_store
from huaben.adapters.jobs.durable import DurableJobs
from huaben.adapters.jobs.journal import in_folder, on_server
from huaben.errors import Conflict
from huaben.ports import Commit, Due, DueDone, Jobs, Step, Store, Work
from huaben.testing.clock import ManualClock
from huaben.testing.jobs import InlineJobs, Records
from huaben.testing.store import MemoryStore

SOON_S = 60.0
POSTGRESQL = pytest.param("postgresql", marks=pytest.mark.postgres)


@dataclass
class Workshop:
    """A store and the jobs on it, which can be closed and opened again as by a new process."""

    store: Store
    make: Callable[[], Jobs]
    jobs: Jobs
    done: list[str] = field(default_factory=list[str])

    async def due(self, *lanes: str) -> None:
        await self.store.commit(Commit(due=tuple(Due(lane, "测", {}) for lane in lanes)))
        self.jobs.nudge()

    async def restart(self, work: Work) -> None:
        await self.jobs.close()
        self.jobs = self.make()
        self.jobs.start(work)

    async def idle(self, lane: str | None = None) -> None:
        async with asyncio.timeout(SOON_S):
            await self.jobs.idle(lane)

    async def finish(self, lane: str, seq: int) -> None:
        await self.store.commit(Commit(rows=(DueDone(lane, seq),)))

    async def note(self, what: str) -> Mapping[str, object]:
        self.done.append(what)
        return {"did": what}

    async def plain(self, lane: str, seq: int, step: Step) -> None:
        """Work of one step."""
        await step("only", lambda: self.note(f"{lane}:{seq}"))
        await self.finish(lane, seq)


def on_engine(store: Store, place: str | Path, folder: Path) -> Callable[[], Jobs]:
    journal = in_folder(place / "jobs.db") if isinstance(place, Path) else on_server(place, folder)
    return lambda: DurableJobs(store, journal)


def inline(store: Store) -> Callable[[], Jobs]:
    records: Records = {}
    return lambda: InlineJobs(store, records)


@pytest.fixture(params=["inline", "sqlite", POSTGRESQL])
async def shop(
    request: pytest.FixtureRequest,
    places: Callable[[str], str | Path],
    clock: ManualClock,
    tmp_path: Path,
) -> AsyncGenerator[Workshop]:
    if request.param == "inline":
        store: Store = MemoryStore(clock)
        make = inline(store)
    else:
        place = places(str(request.param))
        store = open_store(place, clock=clock)
        make = on_engine(store, place, tmp_path)
    opened = Workshop(store, make, make())
    yield opened
    await opened.jobs.close()
    await store.close()


async def test_what_is_due_is_carried_out_in_the_order_of_its_lane(shop: Workshop) -> None:
    """Jobs of one lane never overlap and keep their order."""
    at_once: list[int] = []

    async def work(lane: str, seq: int, step: Step) -> None:
        async def act() -> Mapping[str, object]:
            at_once.append(len(shop.jobs.running))
            await asyncio.sleep(0.01)
            return await shop.note(str(seq))

        await step("act", act)
        await shop.finish(lane, seq)

    shop.jobs.start(work)
    await shop.due("雨夜/post", "雨夜/post", "雨夜/post")
    await shop.idle()
    assert shop.done == ["1", "2", "3"]
    assert set(at_once) == {1}
    assert shop.jobs.running == frozenset()


async def test_lanes_run_side_by_side(shop: Workshop) -> None:
    """A job that waits in one lane keeps no other lane waiting; each lane can be waited for."""
    open_door = asyncio.Event()

    async def work(lane: str, seq: int, step: Step) -> None:
        async def act() -> Mapping[str, object]:
            if lane == "a/plan":
                await open_door.wait()
            return await shop.note(lane)

        await step("act", act)
        await shop.finish(lane, seq)

    shop.jobs.start(work)
    await shop.due("a/plan", "a/post")
    await shop.idle("a/post")
    assert shop.done == ["a/post"]
    assert shop.jobs.running == frozenset({"a/plan:0000000001"})
    open_door.set()
    await shop.idle()
    assert shop.done == ["a/post", "a/plan"]


async def test_a_job_that_was_cut_short_goes_on_with_what_was_recorded(shop: Workshop) -> None:
    """Closing puts a running job back; its recorded steps are not taken again, the one that was
    under way is."""
    begun = asyncio.Event()

    async def work(lane: str, seq: int, step: Step) -> None:
        async def stall() -> Mapping[str, object]:
            begun.set()
            await shop.note("second")
            if shop.done.count("second") == 1:
                await asyncio.Event().wait()
            return {}

        first = await step("first", lambda: shop.note("first"))
        assert first == {"did": "first"}
        await step("second", stall)
        await step("third", lambda: shop.note("third"))
        await shop.finish(lane, seq)

    shop.jobs.start(work)
    await shop.due("a/post")
    async with asyncio.timeout(SOON_S):
        await begun.wait()
    await shop.restart(work)
    await shop.idle()
    assert shop.done == ["first", "second", "second", "third"]


async def test_steps_taken_side_by_side_are_found_again(shop: Workshop) -> None:
    """Steps that run at the same time are recorded each under its own place in the order."""
    begun = asyncio.Event()
    results: list[list[object]] = []

    async def work(lane: str, seq: int, step: Step) -> None:
        async def expert(name: str) -> Mapping[str, object]:
            # Later ones end first.
            await asyncio.sleep(0.05 if name == "剧情" else 0)
            return await shop.note(name)

        async def stall() -> Mapping[str, object]:
            if not begun.is_set():
                begun.set()
                await asyncio.Event().wait()
            return {}

        names = ("剧情", "npc", "world")
        advice = await asyncio.gather(
            *(step(name, lambda name=name: expert(name)) for name in names)
        )
        results.append([one["did"] for one in advice])
        await step("stall", stall)
        await shop.finish(lane, seq)

    shop.jobs.start(work)
    await shop.due("a/plan")
    async with asyncio.timeout(SOON_S):
        await begun.wait()
    await shop.restart(work)
    await shop.idle()
    assert results == [["剧情", "npc", "world"]] * 2
    assert sorted(shop.done) == ["npc", "world", "剧情"]


async def test_what_is_due_before_the_start_is_carried_out(shop: Workshop) -> None:
    """The due rows that an earlier process left are the first work of the next."""
    await shop.due("a/post", "b/post")
    with pytest.raises(Conflict, match="do not run"):
        await shop.jobs.idle()
    shop.jobs.start(shop.plain)
    await shop.idle()
    assert sorted(shop.done) == ["a/post:1", "b/post:1"]


async def test_a_result_reads_the_same_when_it_is_recorded_and_when_it_is_read_back(
    shop: Workshop,
) -> None:
    """Any JSON survives, also what databases refuse in texts: NUL and halves of characters."""
    odd: dict[str, object] = {"话": ["灯\0", "\ud83d", None, 1.5, True, {"深": []}], "n": 2**60}
    seen: list[Mapping[str, object]] = []
    begun = asyncio.Event()

    async def work(lane: str, seq: int, step: Step) -> None:
        async def give() -> Mapping[str, object]:
            return odd

        async def stall() -> Mapping[str, object]:
            if not begun.is_set():
                begun.set()
                await asyncio.Event().wait()
            return {}

        seen.append(await step("灯 step", give))
        await step("stall", stall)
        await shop.finish(lane, seq)

    shop.jobs.start(work)
    await shop.due("a/post")
    async with asyncio.timeout(SOON_S):
        await begun.wait()
    await shop.restart(work)
    await shop.idle()
    assert seen == [odd, odd]


async def test_work_that_raises_is_told_to_who_waits(shop: Workshop) -> None:
    """A job that cannot even record its failure stays due, and is carried out once it can be."""
    broken = [RuntimeError("没有记下")]

    async def work(lane: str, seq: int, step: Step) -> None:
        if broken:
            raise broken[0]
        await shop.plain(lane, seq, step)

    shop.jobs.start(work)
    await shop.due("a/post")
    with pytest.raises(RuntimeError, match="没有记下"):
        await shop.idle()
    broken.clear()
    await shop.restart(work)
    await shop.idle()
    assert shop.done == ["a/post:1"]


async def test_closing_early_and_twice_is_harmless(shop: Workshop) -> None:
    """Whatever was or was not begun, closing ends it."""
    await shop.jobs.close()
    await shop.restart(shop.plain)
    await shop.jobs.close()
    await shop.jobs.close()
