"""The durable engine in a process: when it comes and goes, and which records it trusts."""

from __future__ import annotations

import asyncio
import json
import sqlite3
import subprocess
import sys
from collections.abc import AsyncGenerator, Mapping
from contextlib import closing, suppress
from dataclasses import dataclass, field
from datetime import timedelta
from pathlib import Path

import pytest

from huaben.adapters.db.store import open_store
from huaben.adapters.jobs.durable import DurableJobs
from huaben.adapters.jobs.journal import in_folder
from huaben.errors import Conflict
from huaben.ports import Commit, Due, DueDone, Step, Store
from huaben.testing.clock import BEGINNING, ManualClock

LANE = "雨/post"
SOON_S = 60.0


@dataclass
class Shop:
    """A library in a folder, its jobs, and what their one step noted."""

    store: Store
    jobs: DurableJobs
    noted: list[str] = field(default_factory=list[str])
    stalls: bool = False
    stalled: asyncio.Event = field(default_factory=asyncio.Event)
    begun: asyncio.Event = field(default_factory=asyncio.Event)
    """Some jobs are under way, of however many."""

    async def work(self, lane: str, seq: int, step: Step) -> None:
        """A step that notes, and one that stalls while it is told to."""

        async def note() -> Mapping[str, object]:
            self.noted.append(f"{lane}:{seq}")
            if len(self.noted) == 5:
                self.begun.set()
            return {}

        async def stall() -> Mapping[str, object]:
            if self.stalls:
                self.stalled.set()
                await asyncio.Event().wait()
            return {}

        await step("note", note)
        await step("stall", stall)
        await self.store.commit(Commit(rows=(DueDone(lane, seq),)))

    async def due(self, lane: str = LANE) -> None:
        await self.store.commit(Commit(due=(Due(lane, "测", {}),)))
        self.jobs.nudge()

    async def run(self) -> list[str]:
        """Run what is due; gives what was noted."""
        self.jobs.start(self.work)
        async with asyncio.timeout(SOON_S):
            await self.jobs.idle()
        await self.jobs.close()
        return self.noted

    async def has_its_turn(self) -> None:
        """Wait for all that is due, also where another library's engine has yet to go first."""
        async with asyncio.timeout(SOON_S):
            while await self.store.due():
                with suppress(Conflict):
                    await self.jobs.idle()
                await asyncio.sleep(0.05)

    async def run_until_it_stalls(self) -> None:
        self.stalls = True
        self.jobs.start(self.work)
        async with asyncio.timeout(SOON_S):
            await self.stalled.wait()
        await self.jobs.close()
        self.noted.clear()

    async def close(self) -> None:
        await self.jobs.close()
        await self.store.close()


class OpenShop:
    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._opened: list[Shop] = []

    def __call__(self, library: str = "a", *, journal: str = "a", linger_s: float = 30.0) -> Shop:
        """A shop on a library and a journal of these names; they may be opened again."""
        places = [self._folder / library, self._folder / journal]
        for place in places:
            place.mkdir(exist_ok=True)
        # A second library of one journal is of another time.
        clock = ManualClock(BEGINNING + timedelta(minutes=len(self._opened)))
        store = open_store(places[0], clock=clock)
        jobs = DurableJobs(store, in_folder(places[1] / "jobs.db"), linger_s=linger_s)
        self._opened.append(Shop(store, jobs))
        return self._opened[-1]

    async def close(self) -> None:
        for shop in self._opened:
            await shop.close()


@pytest.fixture
async def open_shop(tmp_path: Path) -> AsyncGenerator[OpenShop]:
    opener = OpenShop(tmp_path)
    yield opener
    await opener.close()


def in_journal(tmp_path: Path, statement: str) -> None:
    """Change the engine's own records behind its back."""
    with closing(sqlite3.connect(tmp_path / "a" / "jobs.db")) as connection, connection:
        connection.execute(statement)


async def test_a_library_restored_from_a_backup_is_not_taken_for_its_later_self(
    open_shop: OpenShop,
) -> None:
    """A number that is given out again is another job: nothing of the first one's is read back."""
    first = open_shop("a")
    await first.due()
    assert await first.run() == [f"{LANE}:1"]
    second = open_shop("b", journal="a")
    await second.due()
    await second.due()
    assert await second.run() == [f"{LANE}:1", f"{LANE}:2"]


async def test_a_job_that_is_just_being_taken_does_not_fail_at_closing(
    open_shop: OpenShop, caplog: pytest.LogCaptureFixture
) -> None:
    """Whatever is taken from the queue while the program ends is left for the next launch, quietly."""
    shop = open_shop()
    lanes = [Due(f"{number}/post", "测", {}) for number in range(60)]
    await shop.store.commit(Commit(due=tuple(lanes)))
    shop.jobs.start(shop.work)
    async with asyncio.timeout(SOON_S):
        await shop.begun.wait()
    with caplog.at_level("ERROR", logger="dbos"):
        await shop.jobs.close()
    assert [record.getMessage() for record in caplog.records if record.name == "dbos"] == []
    assert len(set(await shop.run())) == len(lanes)


async def test_a_job_whose_records_are_another_jobs_starts_over(open_shop: OpenShop) -> None:
    """Also when the earlier one had come only half way."""
    first = open_shop("a")
    await first.due()
    await first.run_until_it_stalls()
    await first.store.close()
    second = open_shop("b", journal="a")
    await second.store.commit(Commit(due=(Due(LANE, "another kind", {}),)))
    assert await second.run() == [f"{LANE}:1"]


async def test_lost_records_only_cost_steps(open_shop: OpenShop, tmp_path: Path) -> None:
    """Without its journal a job starts over; the library still knows that it is due."""
    shop = open_shop()
    await shop.due()
    await shop.run_until_it_stalls()
    for file in (tmp_path / "a").glob("jobs.db*"):
        file.unlink()
    shop.stalls = False
    assert await shop.run() == [f"{LANE}:1"]


async def test_records_are_used_after_an_orderly_end(open_shop: OpenShop) -> None:
    """The counterpart: with its journal the job goes on after its recorded step."""
    shop = open_shop()
    await shop.due()
    await shop.run_until_it_stalls()
    shop.stalls = False
    assert await shop.run() == []
    assert await shop.store.due() == []


async def test_records_of_another_order_of_steps_are_not_read(
    open_shop: OpenShop, tmp_path: Path
) -> None:
    """After an upgrade that changed the steps of jobs, what is due starts over."""
    shop = open_shop()
    await shop.due()
    await shop.run_until_it_stalls()
    in_journal(tmp_path, "UPDATE workflow_status SET application_version = '0'")
    shop.stalls = False
    assert await shop.run() == [f"{LANE}:1"]


async def test_what_another_order_of_steps_had_begun_holds_up_no_lane(
    open_shop: OpenShop, tmp_path: Path
) -> None:
    """Killed after a job was done and before that was recorded, then upgraded: the lane goes on."""
    shop = open_shop()
    await shop.due()
    await shop.run()
    in_journal(tmp_path, "UPDATE workflow_status SET application_version = '0', status = 'PENDING'")
    await shop.due()
    assert await shop.run() == [f"{LANE}:1", f"{LANE}:2"]


async def test_the_end_of_a_job_is_recorded_before_the_engine_goes(
    open_shop: OpenShop, tmp_path: Path
) -> None:
    """Whoever closes as soon as nothing is due leaves no job that looks begun."""
    shop = open_shop()
    for _ in range(3):
        await shop.due()
        await shop.run()
        with closing(sqlite3.connect(tmp_path / "a" / "jobs.db")) as journal:
            states = journal.execute("SELECT DISTINCT status FROM workflow_status").fetchall()
        assert states == [("SUCCESS",)]


async def test_a_job_that_always_ends_the_program_is_given_up(
    open_shop: OpenShop, tmp_path: Path
) -> None:
    """After too many starts without an end the job fails, visibly, and the next ones come."""
    shop = open_shop()
    await shop.due()
    await shop.due()
    await shop.run_until_it_stalls()
    in_journal(
        tmp_path,
        "UPDATE workflow_status SET status = 'MAX_RECOVERY_ATTEMPTS_EXCEEDED'"
        f" WHERE workflow_uuid = '{LANE}:0000000001'",
    )
    shop.stalls = False
    assert await shop.run() == [f"{LANE}:2"]
    job = await shop.store.job(LANE, 1)
    assert job is not None
    assert job.outcome.startswith("failed: gave_up: ")


async def test_records_of_finished_jobs_are_dropped_at_the_next_launch(
    open_shop: OpenShop, tmp_path: Path
) -> None:
    """The journal does not grow with the years; outcomes are the library's."""
    shop = open_shop()
    await shop.due()
    await shop.run()
    await shop.due("灯/post")
    await shop.run()
    with closing(sqlite3.connect(tmp_path / "a" / "jobs.db")) as journal:
        names = journal.execute("SELECT workflow_uuid FROM workflow_status").fetchall()
        steps = journal.execute("SELECT DISTINCT workflow_uuid FROM operation_outputs").fetchall()
    assert names == steps == [("灯/post:0000000001",)]


async def test_two_libraries_of_one_process_cannot_both_run_jobs(open_shop: OpenShop) -> None:
    """The second is told why; when the first has closed, the second's jobs run."""
    first, second = open_shop("a"), open_shop("b", journal="b")
    first.stalls = True
    await first.due()
    await second.due()
    first.jobs.start(first.work)
    async with asyncio.timeout(SOON_S):
        await first.stalled.wait()
    second.jobs.start(second.work)
    with pytest.raises(Conflict, match="in this process"):
        async with asyncio.timeout(SOON_S):
            await second.jobs.idle()
    await first.jobs.close()
    second.jobs.nudge()
    await asyncio.sleep(0)  # until it has looked again, the old answer stands
    await second.has_its_turn()
    assert second.noted == [f"{LANE}:1"]


async def test_an_engine_without_work_goes_and_comes_again(open_shop: OpenShop) -> None:
    """An idle engine leaves the process after a while, so that another library may have one; it is
    launched anew for what becomes due."""
    first, second = open_shop("a", linger_s=0.2), open_shop("b", journal="b", linger_s=0.2)
    first.jobs.start(first.work)
    second.jobs.start(second.work)
    for shop in (first, second, first):
        await shop.due()
        await shop.has_its_turn()
    assert first.noted == [f"{LANE}:1", f"{LANE}:2"]
    assert second.noted == [f"{LANE}:1"]


async def test_an_engine_that_was_expected_in_vain_goes_too(open_shop: OpenShop) -> None:
    """It is launched for what is to come; when nothing comes, another library may have one."""
    first, second = open_shop("a", linger_s=0.2), open_shop("b", journal="b", linger_s=0.2)
    first.jobs.start(first.work)
    second.jobs.start(second.work)
    first.jobs.expect()
    await asyncio.sleep(1.0)
    await second.due()
    await second.has_its_turn()
    assert (first.noted, second.noted) == ([], [f"{LANE}:1"])


async def test_the_engine_leaves_the_loop_its_threads(open_shop: OpenShop) -> None:
    """Work in threads goes on as before, while jobs run and after they have ended."""
    shop = open_shop()
    await shop.due()
    await shop.run()
    assert await asyncio.to_thread(lambda: 7) == 7
    assert await asyncio.to_thread(lambda: 8) == 8


async def test_the_engine_says_nothing_on_the_terminal(
    open_shop: OpenShop, capfd: pytest.CaptureFixture[str]
) -> None:
    """Standard output belongs to the story, standard error to what the user must know."""
    shop = open_shop()
    await shop.due()
    await shop.run_until_it_stalls()
    shop.stalls = False
    await shop.run()
    assert capfd.readouterr() == ("", "")


WITHOUT = """
import asyncio, json, sys
from huaben import Studio

async def main():
    async with Studio.open(sys.argv[1]) as studio:
        await studio.house.jobs.idle()
        studio.house.jobs.nudge()
        await asyncio.sleep(0.05)

asyncio.run(main())
import huaben.cli.main
print(json.dumps([name for name in ("dbos", "psycopg") if name in sys.modules]))
"""


def test_a_start_with_nothing_due_does_not_load_the_engine(tmp_path: Path) -> None:
    """Help, playing and serving do not wait for an import of half a second."""
    run = subprocess.run(
        [sys.executable, "-c", WITHOUT, str(tmp_path / "data")],
        capture_output=True,
        text=True,
        check=True,
    )
    assert json.loads(run.stdout) == []


EXPECTED = """
import asyncio, sys
from huaben import Studio

async def main():
    async with Studio.open(sys.argv[1]) as studio:
        studio.house.jobs.expect()
        while "dbos" not in sys.modules:
            await asyncio.sleep(0.01)

asyncio.run(main())
"""


def test_what_is_expected_loads_the_engine_before_it_is_due(tmp_path: Path) -> None:
    """While a turn runs there is time for it; a program that ends meanwhile ends in good order."""
    line = [sys.executable, "-W", "error", "-c", EXPECTED, str(tmp_path / "data")]
    run = subprocess.run(line, capture_output=True, text=True, check=False, timeout=SOON_S)
    assert (run.returncode, run.stdout, run.stderr) == (0, "", "")
