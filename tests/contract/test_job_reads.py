"""What every store promises about jobs and the effects of their steps, when they are read."""

from __future__ import annotations

from huaben.ports import Commit, Committed, Due, DueDone, DueJob, Effect, Page, Store
from huaben.testing.clock import ManualClock


async def made_due(store: Store, *jobs: Due) -> None:
    assert isinstance(await store.commit(Commit(due=jobs)), Committed)


def a_due(lane: str, kind: str = "scribe", **payload: object) -> Due:
    return Due(lane, kind, {"turn": "拍", **payload})


async def test_a_job_comes_back_whole_and_keeps_its_outcome(
    store: Store, clock: ManualClock
) -> None:
    """A job can be read by lane and number, before and after it was carried out."""
    await made_due(store, a_due("雨/post", n=1))
    job = await store.job("雨/post", 1)
    assert job == DueJob(
        "雨/post", 1, "scribe", {"turn": "拍", "n": 1}, "", "2026-11-01T08:00:00.000Z"
    )
    assert job is not None
    assert job.id == "雨/post:0000000001"
    await store.commit(Commit(rows=(DueDone("雨/post", 1, "failed: gone: 没了"),)))
    job = await store.job("雨/post", 1)
    assert job is not None
    assert job.outcome == "failed: gone: 没了"
    assert await store.job("雨/post", 2) is None
    assert await store.job("elsewhere", 1) is None


async def test_jobs_are_paged_from_the_newest_to_the_oldest(
    store: Store, clock: ManualClock
) -> None:
    """Every job is listed once, done or not, whatever lanes became due at one moment."""
    made: list[str] = []
    for moment in range(4):
        lanes = ["a", "a/b", "a:b", "雨"]
        await made_due(store, *(a_due(lane, "plan" if moment == 1 else "scribe") for lane in lanes))
        made.extend(f"{lane}:{moment + 1:010d}" for lane in lanes)
        await clock.advance(1)
    await store.commit(Commit(rows=(DueDone("a", 1),)))
    listed: list[str] = []
    after: str | None = None
    while True:
        found, after = await store.jobs(Page(after, 3))
        listed.extend(job.id for job in found)
        if after is None:
            break
    assert sorted(listed) == sorted(made)
    assert [name[-1] for name in listed] == ["4"] * 4 + ["3"] * 4 + ["2"] * 4 + ["1"] * 4
    plans, more = await store.jobs(Page(), "plan")
    assert [job.kind for job in plans] == ["plan"] * 4
    assert more is None


async def test_effects_are_found_by_the_beginning_of_their_key(store: Store) -> None:
    """The effects of one job are read in the order of their keys and counted, and no neighbour's."""
    keys = ["j:1/000000", "j:1/000001", "j:1/000010", "j:10/000000", "j:1", "j:2/000000", "J:1/0"]
    await store.commit(Commit(rows=tuple(Effect(key, {"名": key}) for key in reversed(keys))))
    found = await store.effects("j:1/")
    assert found == [Effect(key, {"名": key}) for key in keys[:3]]
    assert await store.count_effects("j:1/") == 3
    assert await store.effects("j:1/", "j:1/000000", 1) == [Effect(keys[1], {"名": keys[1]})]
    assert await store.effects("none/") == []
    assert await store.count_effects("") == len(keys)
