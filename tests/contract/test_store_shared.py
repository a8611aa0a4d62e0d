"""What two processes on one PostgreSQL may rely on: compare-and-set, numbering and waiting hold
between stores that know nothing of each other."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator

import pytest
from sqlalchemy import text

from huaben.adapters.db import engines
from huaben.adapters.db.store import open_store
from huaben.domain.events import Notice, ProjectEvent
from huaben.ports import Commit, Committed, Due, Effect, Head, Stale, Store
from huaben.testing.clock import ManualClock
from tests.contract.postgres import a_schema
from tests.contract.samples import a_beginning, a_request, a_turn, an_opened_call

pytestmark = pytest.mark.postgres


@pytest.fixture
async def stores(server: str, clock: ManualClock) -> AsyncGenerator[tuple[Store, Store]]:
    address = a_schema(server)
    one, two = open_store(address, clock=clock), open_store(address, clock=clock)
    yield one, two
    await one.close()
    await two.close()


async def test_no_update_is_lost_between_processes(stores: tuple[Store, Store]) -> None:
    """Eight writers over two stores that compare and set one head: none overwrites another."""
    project, greeting, beginning = a_beginning()
    await stores[0].commit(beginning)

    async def write(store: Store, times: int) -> None:
        while times:
            head = await store.head(project.id)
            assert head is not None
            answer = await store.commit(
                Commit(
                    {("head", project.id): head.revision},
                    rows=(Head(project.id, greeting.id),),
                    events=((greeting.id, Notice(str(head.revision))),),
                    project_events=((project.id, ProjectEvent("head_moved")),),
                )
            )
            times -= isinstance(answer, Committed)

    await asyncio.gather(*(write(stores[n % 2], 10) for n in range(8)))
    log = await stores[1].events(greeting.id)
    assert [row.event for row in log] == [Notice(str(n)) for n in range(1, 81)]
    assert [row.seq for row in await stores[0].project_events(project.id)] == list(range(1, 81))


async def test_a_race_for_one_request_makes_one_turn(stores: tuple[Store, Store]) -> None:
    """The same request posted to two processes at once: one turn, one refusal."""
    project, greeting, beginning = a_beginning()
    await stores[0].commit(beginning)
    for n in range(20):
        request = f"r{n}"
        answers = await asyncio.gather(
            *(
                store.commit(
                    Commit(rows=(a_turn(project, parent=greeting.id, request_id=request),))
                )
                for store in stores
            )
        )
        assert sorted(type(answer).__name__ for answer in answers) == ["Committed", "Stale"]
        assert Stale("request", request, 0, 1) in answers


async def test_a_race_for_one_effect_records_it_once(stores: tuple[Store, Store]) -> None:
    """A job that two workers ran has one effect."""
    for n in range(20):
        answers = await asyncio.gather(
            *(store.commit(Commit(rows=(Effect(f"e{n}", {"n": n}),))) for store in stores)
        )
        assert Stale("effect", f"e{n}", 0, 1) in answers
        assert Committed({}, ()) in answers


async def test_a_race_for_a_new_row_makes_it_once(stores: tuple[Store, Store]) -> None:
    """What must not exist yet is made by one of two."""
    for _ in range(20):
        project, _, _ = a_beginning()
        answers = await asyncio.gather(
            *(
                store.commit(Commit({("project", project.id): 0}, rows=(project,)))
                for store in stores
            )
        )
        assert Stale("project", project.id, 0, 1) in answers
        assert Committed({("project", project.id): 1}, ()) in answers


async def test_lanes_and_calls_are_numbered_without_gaps(stores: tuple[Store, Store]) -> None:
    """Two processes that make jobs due and open calls at once share one order."""
    project, greeting, beginning = a_beginning()
    await stores[0].commit(beginning)
    commits = [
        Commit(
            rows=(an_opened_call(greeting, a_request("雨", str(n)), n=n),),
            due=(Due("p/post", "scribe", {"n": n}),),
        )
        for n in range(40)
    ]
    answers = await asyncio.gather(
        *(stores[n % 2].commit(commit) for n, commit in enumerate(commits))
    )
    assert all(isinstance(answer, Committed) for answer in answers)
    assert [job.seq for job in await stores[0].due("p/post")] == list(range(1, 41))
    calls = await stores[1].calls(greeting.id)
    assert sorted(call.n for call in calls) == list(range(40))
    for call in calls:
        assert await stores[0].request(call.id) == a_request("雨", str(call.n))
    assert await stores[0].latest_calls(project.id, "story") == [calls[-1]]


async def test_commits_that_lock_in_opposite_orders_all_succeed(
    stores: tuple[Store, Store],
) -> None:
    """A deadlock between processes is resolved and repeated, not answered with an error."""
    pairs = [a_beginning(), a_beginning()]
    for _, _, beginning in pairs:
        await stores[0].commit(beginning)
    heads = [Head(project.id, greeting.id) for project, greeting, _ in pairs]
    answers = await asyncio.gather(
        *(
            store.commit(Commit(rows=(order[0], order[1])))
            for _ in range(15)
            for store, order in ((stores[0], heads), (stores[1], heads[::-1]))
        )
    )
    assert all(isinstance(answer, Committed) for answer in answers)
    found = await stores[0].head(pairs[0][0].id)
    assert found is not None
    assert found.revision == 31


async def test_a_reader_sees_what_another_process_committed(
    stores: tuple[Store, Store],
) -> None:
    """Nobody can wake it, so it looks: within seconds, not only when the time is over."""
    _, greeting, beginning = a_beginning()
    await stores[0].commit(beginning)
    await stores[1].commit(Commit(events=((greeting.id, Notice("own")),)))
    waiting = asyncio.ensure_future(stores[1].changed(greeting.id, 1, timeout_s=30))
    await asyncio.sleep(0.05)
    await stores[0].commit(Commit(events=((greeting.id, Notice("other")),)))
    assert await asyncio.wait_for(waiting, 10)


async def test_two_processes_may_start_at_once(server: str, clock: ManualClock) -> None:
    """Opening an empty database from several processes makes its schema once."""
    address = a_schema(server)
    opened = await asyncio.gather(
        *(asyncio.to_thread(open_store, address, clock=clock) for _ in range(4))
    )
    for store in opened:
        assert [fault async for fault in store.audit()] == []
        await store.close()


async def test_a_server_that_went_away_comes_back(server: str, clock: ManualClock) -> None:
    """Connections that the server has closed are replaced; commits and reads go on."""
    address = a_schema(server)
    store = open_store(address, clock=clock)
    project, _, beginning = a_beginning()
    await store.commit(beginning)
    other = engines.postgresql_writer(server)
    with other.begin() as connection:
        connection.execute(
            text(
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid <> pg_backend_pid()"
            )
        )
    other.dispose()
    assert await store.project(project.id) is not None
    assert isinstance(await store.commit(Commit(rows=(project,))), Committed)
    await store.close()
