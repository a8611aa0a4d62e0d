"""Jobs of several processes and several libraries on one PostgreSQL server: who takes up what."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from sqlalchemy import Engine, create_engine, text

from huaben.adapters.db.store import open_store
from huaben.adapters.jobs.durable import DurableJobs
from huaben.adapters.jobs.engine import FORMAT
from huaben.adapters.jobs.journal import Journal, on_server, schema_of
from huaben.adapters.jobs.presence import Presence
from huaben.errors import Conflict
from huaben.ports import Commit, Due, DueDone, Step, Store
from huaben.testing.clock import ManualClock

pytestmark = pytest.mark.postgres

LANE = "雨夜/post"
SOON_S = 60.0
AWHILE_S = 1.5
"""Several times what a job takes to be begun."""


@dataclass
class Machine:
    """A process that runs the jobs of a library; its one job has a step that notes and one that
    stalls as long as it is told to."""

    name: str
    store: Store
    journal: Journal
    noted: list[str] = field(default_factory=list[str])
    stalls: bool = False
    stalled: asyncio.Event = field(default_factory=asyncio.Event)

    def __post_init__(self) -> None:
        self.jobs = DurableJobs(self.store, self.journal)

    async def work(self, lane: str, seq: int, step: Step) -> None:
        async def note() -> Mapping[str, object]:
            self.noted.append(f"{self.name} {lane}:{seq}")
            return {}

        async def stall() -> Mapping[str, object]:
            if self.stalls:
                self.stalled.set()
                await asyncio.Event().wait()
            return {}

        await step("note", note)
        await step("stall", stall)
        await self.store.commit(Commit(rows=(DueDone(lane, seq),)))

    async def due(self) -> None:
        await self.store.commit(Commit(due=(Due(LANE, "测", {}),)))
        self.jobs.nudge()

    async def run(self) -> list[str]:
        """Run what is due and leave; gives what was noted here."""
        self.jobs.start(self.work)
        async with asyncio.timeout(SOON_S):
            await self.jobs.idle()
        await self.jobs.close()
        return self.noted

    async def leave_half_done(self) -> None:
        """Run until the second step of a job, and leave for good."""
        self.stalls = True
        self.jobs.start(self.work)
        async with asyncio.timeout(SOON_S):
            await self.stalled.wait()
        await self.jobs.close()


class Server:
    """Opens machines on libraries of one server, and the journals behind their backs."""

    def __init__(self, places: Callable[[str], str | Path], clock: ManualClock, folder: Path):
        self._places = places
        self._clock = clock
        self._folder = folder
        self._opened: list[Machine] = []
        self._engines: list[Engine] = []

    def library(self) -> str:
        return str(self._places("postgresql"))

    def machine(self, name: str, library: str) -> Machine:
        store = open_store(library, clock=self._clock)
        made = Machine(name, store, on_server(library, self._folder / name))
        self._opened.append(made)
        return made

    def engine(self, journal: Journal) -> Engine:
        made = create_engine(journal.url)
        self._engines.append(made)
        return made

    def rewrite(self, journal: Journal, change: str) -> None:
        engine = self.engine(journal)
        table = f"{schema_of(journal, engine)}.workflow_status"
        with engine.begin() as connection:
            connection.execute(text(f"UPDATE {table} SET {change}"))

    async def close(self) -> None:
        for machine in self._opened:
            await machine.jobs.close()
            await machine.store.close()
        for engine in self._engines:
            engine.dispose()


@pytest.fixture
async def server_of(
    places: Callable[[str], str | Path], clock: ManualClock, tmp_path: Path
) -> AsyncGenerator[Server]:
    made = Server(places, clock, tmp_path)
    yield made
    await made.close()


async def test_libraries_of_one_database_do_not_hold_each_other_up(server_of: Server) -> None:
    """A job that another library began in a lane of the same name is no concern of this one."""
    one, other = (server_of.machine(name, server_of.library()) for name in ("甲", "other"))
    await one.due()
    await one.leave_half_done()
    await other.due()
    assert await other.run() == [f"other {LANE}:1"]


async def test_what_a_lost_machine_began_is_taken_up_where_it_stood(server_of: Server) -> None:
    """Another process goes on with the job and with what its steps had recorded, then with the rest
    of the lane."""
    library = server_of.library()
    lost, other = (server_of.machine(name, library) for name in ("甲", "other"))
    await lost.due()
    await lost.due()
    await lost.leave_half_done()
    assert await other.run() == [f"other {LANE}:2"]
    assert await other.store.due() == []


async def test_what_a_lost_machine_finished_unrecorded_holds_nobody_up(server_of: Server) -> None:
    """Killed between the commit of a job and its record, it leaves a lane that looks busy."""
    library = server_of.library()
    lost, other = (server_of.machine(name, library) for name in ("甲", "other"))
    await lost.due()
    assert await lost.run() == [f"甲 {LANE}:1"]
    server_of.rewrite(lost.journal, "status = 'PENDING', completed_at = NULL")
    await other.due()
    assert await other.run() == [f"other {LANE}:2"]


async def test_what_a_living_machine_has_begun_is_left_to_it(server_of: Server) -> None:
    """Two never do the same job at once; it is taken over as soon as the first is gone."""
    library = server_of.library()
    slow, other = (server_of.machine(name, library) for name in ("甲", "other"))
    await slow.due()
    await slow.leave_half_done()
    engine = server_of.engine(slow.journal)
    alive = Presence(engine, schema_of(slow.journal, engine), FORMAT, slow.journal.executor)
    other.stalls = True
    other.jobs.start(other.work)
    with pytest.raises(TimeoutError):
        await asyncio.wait_for(other.stalled.wait(), AWHILE_S)
    alive.close()
    other.jobs.nudge()
    async with asyncio.timeout(SOON_S):
        await other.stalled.wait()


@pytest.mark.parametrize("status", ["PENDING", "ENQUEUED"])
async def test_records_of_another_order_of_steps_wait_for_their_readers(
    server_of: Server, status: str
) -> None:
    """While a process of the other version lives, in a rolling upgrade, its jobs are its own; after
    it what is due starts over."""
    library = server_of.library()
    older, newer = (server_of.machine(name, library) for name in ("甲", "newer"))
    await older.due()
    await older.leave_half_done()
    server_of.rewrite(older.journal, f"application_version = '0', status = '{status}'")
    engine = server_of.engine(older.journal)
    alive = Presence(engine, schema_of(older.journal, engine), "0", "yet another")
    newer.jobs.start(newer.work)
    await asyncio.sleep(AWHILE_S)
    assert newer.noted == []
    alive.close()
    newer.jobs.nudge()
    async with asyncio.timeout(SOON_S):
        await newer.jobs.idle()
    assert newer.noted == [f"newer {LANE}:1"]


async def test_a_server_that_was_started_anew_finds_the_process_alive(server_of: Server) -> None:
    """Its locks went with its connection; with the next look they are there again."""
    machine = server_of.machine("甲", server_of.library())
    engine = server_of.engine(machine.journal)
    place = schema_of(machine.journal, engine)
    alive = Presence(engine, place, FORMAT, "one")
    other = Presence(engine, place, FORMAT, "other")
    with engine.begin() as connection:
        cut = "SELECT pg_terminate_backend(pid) FROM pg_locks WHERE locktype = 'advisory'"
        connection.execute(text(cut))
    with alive.turn(), alive.gone("other") as gone:
        assert gone
    with other.turn(), other.gone("one") as gone:
        assert not gone
    alive.close()
    other.close()


async def test_two_processes_of_one_name_do_not_both_run_jobs(server_of: Server) -> None:
    """Each would take up at its start what the other is doing; the second says so and tries again."""
    library = server_of.library()
    first, second = (server_of.machine("甲", library) for _ in range(2))
    engine = server_of.engine(first.journal)
    alive = Presence(engine, schema_of(first.journal, engine), FORMAT, first.journal.executor)
    await second.due()
    second.jobs.start(second.work)
    with pytest.raises(Conflict, match="same name"):
        async with asyncio.timeout(SOON_S):
            await second.jobs.idle()
    alive.close()
    second.jobs.nudge()
    async with asyncio.timeout(SOON_S):
        while second.noted == []:
            with suppress(Conflict):  # until it has looked again, the old answer stands
                await second.jobs.idle()


@pytest.mark.parametrize("library", ["public", "渡口", "a" * 60, "渡" * 20])
def test_every_library_has_a_journal_of_its_own_name(server: str, library: str) -> None:
    """The name of its schema fits what the server keeps of names; a plain one stays as it was."""
    engine = create_engine(on_server(server, Path("x")).url)
    with engine.begin() as connection:
        connection.execute(text(f'CREATE SCHEMA IF NOT EXISTS "{library}"'))
    engine.dispose()
    journal = on_server(f"{server}&options=-csearch_path%3D{library}", Path("x"))
    engine = create_engine(journal.url)
    name = schema_of(journal, engine)
    engine.dispose()
    assert len(name.encode()) <= 63
    assert name.startswith("dbos")
    assert (name == "dbos") == (library == "public")
