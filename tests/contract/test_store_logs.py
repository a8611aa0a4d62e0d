"""What every store promises about the logs of turns and projects, about waiting for them, and about
due jobs."""

from __future__ import annotations

import asyncio
from dataclasses import replace

import pytest

from huaben.domain.events import (
    Answered,
    Asked,
    Captured,
    DraftChange,
    End,
    Failed,
    Final,
    Notice,
    ProjectEvent,
    Status,
    TextPiece,
    ThinkingPiece,
    ToolEnd,
    ToolStart,
    TurnEvent,
    UsageReported,
)
from huaben.domain.story import Turn
from huaben.errors import StorageFailed
from huaben.ports import Commit, Committed, Due, DueDone, DueJob, Row, Store
from huaben.testing.clock import ManualClock
from tests.builders.waiting import AWHILE_S
from tests.contract.samples import a_beginning, a_project, a_turn

EVERY_KIND: tuple[TurnEvent, ...] = (
    Status("running"),
    ThinkingPiece(0, 0, "先想想 🏮"),
    TextPiece(0, 0, "好，"),
    ToolStart(0, 0, "c1", "draft_write", '{"version":0,"content":"灯"}'),
    DraftChange(0, "write", 0, "灯", preview=True, offset=0),
    DraftChange(0, "retract", 0),
    DraftChange(1, "write", 0, "灯还亮着。"),
    DraftChange(2, "edit", 1, edits=({"start": 0, "end": 1, "text": "烛"},), reason="restore:v1"),
    ToolEnd(0, 0, "c1", "draft_write", True, '{"ok":true}', {"mode": "write", "seen": [1, 2]}),
    ToolEnd(0, 1, "c2", "draft_read", False, "旧版本", None),
    Asked(1, 0, "往哪走？", ("左", "Right")),
    Answered("左"),
    Captured(1, 3, "append", 12, tail=True),
    Notice("retry", "等两秒"),
    Final("烛还亮着。", 2, {"turn": "t", "version": 1}),
    UsageReported(1, "story", "rehearsal", 10, 2, None, 8, 0),
    Failed("provider", "502", "try again", 502, retryable=True, retry_after_s=1.5),
    End("failed"),
)


async def a_stored_turn(store: Store, **changes: object) -> Turn:
    project, greeting, beginning = a_beginning()
    turn = a_turn(project, parent=greeting.id, run="running", epoch=1, **changes)
    await store.commit(Commit(rows=(*beginning.rows, turn)))
    return turn


async def logged(store: Store, turn: Turn, *events: TurnEvent) -> tuple[int, ...]:
    answer = await store.commit(Commit(events=tuple((turn.id, event) for event in events)))
    assert isinstance(answer, Committed)
    return answer.seqs


# ---- events ------------------------------------------------------------------------------------


async def test_every_kind_of_event_comes_back_whole(store: Store) -> None:
    """A log gives back each event as it was, in order, with its epoch and time."""
    turn = await a_stored_turn(store)
    seqs = await logged(store, turn, *EVERY_KIND)
    log = await store.events(turn.id)
    assert [entry.event for entry in log] == list(EVERY_KIND)
    assert [entry.seq for entry in log] == list(seqs) == list(range(1, len(EVERY_KIND) + 1))
    assert {(entry.epoch, entry.at) for entry in log} == {(1, "2026-11-01T08:00:00.000Z")}


async def test_numbers_count_for_each_log_alone(store: Store) -> None:
    """Two turns number their events independently, and without gaps across commits."""
    one, two = await a_stored_turn(store), await a_stored_turn(store)
    answer = await store.commit(
        Commit(events=((one.id, Notice("a")), (two.id, Notice("b")), (one.id, Notice("c"))))
    )
    assert isinstance(answer, Committed)
    assert answer.seqs == (1, 1, 2)
    assert await logged(store, one, Notice("d")) == (3,)
    assert await logged(store, two, Notice("e")) == (2,)
    assert [entry.event for entry in await store.events(one.id)] == [Notice(x) for x in "acd"]


async def test_a_log_is_read_from_where_a_reader_left_off(store: Store) -> None:
    """`after` is the last number that was seen; `limit` bounds one answer."""
    turn = await a_stored_turn(store)
    await logged(store, turn, *(Notice(str(n)) for n in range(1, 8)))
    assert [entry.seq for entry in await store.events(turn.id, after=3)] == [4, 5, 6, 7]
    assert [entry.seq for entry in await store.events(turn.id, after=3, limit=2)] == [4, 5]
    assert await store.events(turn.id, after=7) == []
    assert await store.events("missing") == []


async def test_rows_and_events_are_one_commit(store: Store) -> None:
    """A refused event takes the rows with it: no effect without its event."""
    turn = await a_stored_turn(store)
    with pytest.raises(StorageFailed):
        await store.commit(
            Commit(
                rows=(replace(turn, run="ended"),),
                events=((turn.id, Notice("n")), ("missing", Notice("n"))),
            )
        )
    found = await store.turn(turn.id)
    assert found is not None
    assert found.run == "running"
    assert await logged(store, turn, Notice("next")) == (1,)


async def test_a_project_has_a_log_of_its_own(store: Store) -> None:
    """The project's events come back whole, numbered apart from those of its turns."""
    turn = await a_stored_turn(store)
    events = (
        ProjectEvent("turn_began", turn.id),
        ProjectEvent("head_moved", turn.id, {"by": "用户", "from": None}),
        ProjectEvent("project_changed"),
    )
    for event in events:
        await store.commit(
            Commit(events=((turn.id, Notice("n")),), project_events=((turn.project_id, event),))
        )
    log = await store.project_events(turn.project_id)
    assert [(entry.seq, entry.event) for entry in log] == list(enumerate(events, start=1))
    later = await store.project_events(turn.project_id, after=1, limit=1)
    assert [entry.seq for entry in later] == [2]
    with pytest.raises(StorageFailed):
        await store.commit(Commit(project_events=(("missing", events[0]),)))


# ---- waiting -----------------------------------------------------------------------------------


async def test_a_waiting_reader_wakes_when_the_log_has_grown(store: Store) -> None:
    """Whoever waits for a turn's log is told after the commit, and finds the event there."""
    turn = await a_stored_turn(store)
    waiting = asyncio.ensure_future(store.changed(turn.id, 0, timeout_s=AWHILE_S))
    await asyncio.sleep(0.02)
    assert not waiting.done()
    await logged(store, turn, Notice("n"))
    assert await asyncio.wait_for(waiting, AWHILE_S)
    assert [entry.seq for entry in await store.events(turn.id)] == [1]


async def test_a_waiting_reader_wakes_for_a_project(store: Store) -> None:
    """The log of a project can be waited for like a turn's."""
    turn = await a_stored_turn(store)
    waiting = asyncio.ensure_future(store.changed(turn.project_id, 0, timeout_s=AWHILE_S))
    await asyncio.sleep(0.02)
    event = ProjectEvent("turn_began", turn.id)
    await store.commit(Commit(project_events=((turn.project_id, event),)))
    assert await asyncio.wait_for(waiting, AWHILE_S)


async def test_nobody_waits_for_what_is_there(store: Store) -> None:
    """An event that is already stored answers at once, also long after it was committed."""
    turn = await a_stored_turn(store)
    await logged(store, turn, Notice("a"), Notice("b"))
    assert await store.changed(turn.id, 1, timeout_s=0)
    assert not await store.changed(turn.id, 2, timeout_s=0)
    assert not await store.changed("missing", 0, timeout_s=0)
    assert await store.last_seq(turn.id) == 2
    assert await store.last_seq("missing") == 0


async def test_waiting_ends_with_the_time(store: Store) -> None:
    """Another log's growth is no answer; when the time is over it is False."""
    turn, other = await a_stored_turn(store), await a_stored_turn(store)
    waiting = asyncio.ensure_future(store.changed(turn.id, 0, timeout_s=0.15))
    await asyncio.sleep(0.02)
    await logged(store, other, Notice("n"))
    assert not await waiting


async def test_nobody_keeps_waiting_for_a_closed_store(store: Store) -> None:
    """Closing lets readers go at once, so that a shutdown does not wait for their time to be over."""
    turn = await a_stored_turn(store)
    waiting = asyncio.ensure_future(store.changed(turn.id, 0, timeout_s=2 * AWHILE_S))
    await asyncio.sleep(0.05)
    await store.close()
    assert not await asyncio.wait_for(waiting, AWHILE_S)


async def test_a_tailing_reader_sees_every_event_once_and_in_order(store: Store) -> None:
    """Four writers and a reader that follows: nothing is skipped, nothing comes twice."""
    turn = await a_stored_turn(store)

    async def write(name: str) -> None:
        for n in range(15):
            await logged(store, turn, Notice(f"{name}{n}"), Notice(f"{name}{n}'"))

    async def follow() -> list[int]:
        seen: list[int] = []
        while len(seen) < 120:
            after = seen[-1] if seen else 0
            assert await store.changed(turn.id, after, timeout_s=AWHILE_S)
            seen += [entry.seq for entry in await store.events(turn.id, after)]
        return seen

    seen, *_ = await asyncio.gather(follow(), *(write(name) for name in "甲乙cd"))
    assert seen == list(range(1, 121))


# ---- due jobs ----------------------------------------------------------------------------------


async def due(store: Store, *jobs: Due, rows: tuple[Row, ...] = ()) -> None:
    assert isinstance(await store.commit(Commit(rows=rows, due=jobs)), Committed)


async def test_jobs_of_a_lane_come_in_the_order_in_which_they_became_due(
    store: Store, clock: ManualClock
) -> None:
    """A lane numbers its jobs from 1; all lanes together are read oldest first."""
    await due(store, Due("p/post", "scribe", {"turn": "t1"}), Due("p/post", "compact", {"n": 1}))
    await clock.advance(1)
    await due(store, Due("p/plan", "plan", {"拍": "t1"}))
    await clock.advance(1)
    await due(store, Due("p/post", "scribe", {"turn": "t2"}))
    lane = await store.due("p/post")
    assert [replace(job, made_at="") for job in lane] == [
        DueJob("p/post", 1, "scribe", {"turn": "t1"}, ""),
        DueJob("p/post", 2, "compact", {"n": 1}, ""),
        DueJob("p/post", 3, "scribe", {"turn": "t2"}, ""),
    ]
    assert [job.made_at[17:19] for job in lane] == ["00", "00", "02"]
    assert [(job.lane, job.seq) for job in await store.due()] == [
        ("p/post", 1),
        ("p/post", 2),
        ("p/plan", 1),
        ("p/post", 3),
    ]
    assert await store.due("other") == []


async def test_a_job_that_is_done_is_not_due(store: Store) -> None:
    """Its number is not given out again, and of two outcomes the first stands."""
    await due(store, Due("p/post", "scribe", {}))
    await due(store, rows=(DueDone("p/post", 1),))
    await due(store, rows=(DueDone("p/post", 1, "given up"),))
    assert await store.due() == []
    await due(store, Due("p/post", "scribe", {}))
    assert [job.seq for job in await store.due()] == [2]
    with pytest.raises(StorageFailed):
        await store.commit(Commit(rows=(DueDone("p/post", 9),)))


async def test_a_refused_commit_makes_nothing_due(store: Store) -> None:
    """A seal and the jobs that it makes due are one commit."""
    turn = await a_stored_turn(store)
    stale = Commit({("turn", turn.id): 9}, rows=(turn,), due=(Due("p/post", "scribe", {}),))
    await store.commit(stale)
    assert await store.due() == []


async def test_a_value_that_json_cannot_hold_is_refused(store: Store) -> None:
    """A mistake of the program is told to whoever made it, and the store goes on."""
    with pytest.raises((TypeError, ValueError)):
        await store.commit(Commit(due=(Due("p/post", "scribe", {"n": float("nan")}),)))
    with pytest.raises((TypeError, ValueError)):
        await store.commit(Commit(rows=(a_project(config={"x": object()}),)))
    await due(store, Due("p/post", "scribe", {}))
    assert [job.seq for job in await store.due()] == [1]
