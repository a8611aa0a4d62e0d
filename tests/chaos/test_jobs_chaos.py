"""`kill -9` in the middle of background jobs: each effect once, no recorded result made again, and an
import of thousands goes on where it was (`architecture.md` §1, `web.md` §2)."""

from __future__ import annotations

import asyncio
import json
import os
import random
import time
from collections import Counter
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import cast

import pytest

from huaben import Studio
from huaben.adapters.db.store import open_store
from huaben.adapters.system import SystemClock
from huaben.ports import Effect, Page, Store
from huaben.services import importing
from tests.chaos.jobs_driver import JOBS, LANES, STEPS
from tests.forking import Forked, fork

KILLS = max(3, int(os.environ.get("HUABEN_CHAOS_RUNS", "4")) // 4)
CARDS = 5_000
LONGEST_S = 240.0


def begin(*arguments: str) -> Forked:
    return fork("tests.chaos.jobs_driver", *arguments, streams=(0, 1, 2))


def kill_when(process: Forked, moment: Callable[[], bool]) -> None:
    """Kill it with no warning as soon as that holds, unless it ends before."""
    deadline = time.monotonic() + LONGEST_S
    while process.poll() is None and not moment():
        assert time.monotonic() < deadline
        time.sleep(0.01)
    process.kill()
    process.wait()


def finish(process: Forked) -> None:
    assert process.wait(LONGEST_S) == 0


def notes(folder: Path) -> list[list[object]]:
    """What was noted so far; a line that death cut in half is none."""
    file = folder / "notes"
    lines = file.read_bytes().splitlines(keepends=True) if file.exists() else []
    whole = [line for line in lines if line.endswith(b"\n")]
    return [cast("list[object]", json.loads(line)) for line in whole]


def count(folder: Path, what: str) -> int:
    return sum(note[0] == what for note in notes(folder))


# ---- jobs of three steps -----------------------------------------------------------------------


@pytest.mark.chaos
def test_each_effect_is_made_once_and_no_recorded_result_again(tmp_path: Path) -> None:
    """Two hundred jobs of three steps, killed in the middle several times."""
    dice = random.Random(20261130)
    total = JOBS * len(STEPS)
    for death in range(1, KILLS + 1):
        process = begin("jobs", str(tmp_path))
        enough = total * death // (KILLS + 1) + dice.randrange(20)
        kill_when(process, lambda enough=enough: count(tmp_path, "recorded") >= enough)
    finish(begin("jobs", str(tmp_path)))
    told = notes(tmp_path)
    check_nothing_was_redone(told)
    assert {(job, name) for what, job, name in told if what == "recorded"} == {
        (f"lane {lane}/post:{seq:010d}", name)
        for lane in range(LANES)
        for seq in range(1, JOBS // LANES + 1)
        for name in STEPS
    }
    effects = asyncio.run(effects_of(tmp_path / "data"))
    assert len(effects) == total
    for (job, name), result in effects.items():
        before = STEPS[STEPS.index(name) - 1] if name != STEPS[0] else None
        assert result["before"] == (effects[job, before]["id"] if before else None)


def check_nothing_was_redone(told: list[list[object]]) -> None:
    """A step whose result had been given back never began again; one that death found under way
    began anew, at most once for each death."""
    recorded: set[tuple[object, object]] = set()
    begun: Counter[tuple[object, object]] = Counter()
    for what, job, name in told:
        if what == "recorded":
            recorded.add((job, name))
        else:
            assert (job, name) not in recorded
            begun[job, name] += 1
    assert max(begun.values()) <= KILLS + 1
    again = sum(times - 1 for times in begun.values())
    assert again <= KILLS * LANES


async def effects_of(data: Path) -> dict[tuple[str, str], Mapping[str, object]]:
    store: Store = open_store(data, clock=SystemClock())
    found: list[Effect] = await store.effects("")
    jobs = [await store.job(f"lane {n % LANES}/post", n // LANES + 1) for n in range(JOBS)]
    assert [job.outcome for job in jobs if job is not None] == ["done"] * JOBS
    assert await store.due() == []
    assert [fault async for fault in store.audit()] == []
    await store.close()
    keys = [effect.key.partition("/post:") for effect in found]
    return {
        (f"{lane}/post:{rest.partition('/')[0]}", rest.partition("/")[2]): effect.result
        for (lane, _, rest), effect in zip(keys, found, strict=True)
    }


# ---- an import ---------------------------------------------------------------------------------


@pytest.mark.chaos
def test_five_thousand_cards_are_imported_through_deaths(tmp_path: Path) -> None:
    """One job with progress, killed in the middle and taken up again: every card once, every file
    with its result."""

    def progress() -> int:
        steps = [cast("int", done) for _, done, _ in notes(tmp_path)]
        return max(steps, default=0)

    for enough in (CARDS // 4, CARDS // 2):
        process = begin("import", str(tmp_path), str(CARDS))
        kill_when(process, lambda enough=enough: progress() >= enough)
    finish(begin("import", str(tmp_path), str(CARDS)))
    told = [cast("tuple[str, int, int]", tuple(note)) for note in notes(tmp_path)]
    assert {total for _, _, total in told} == {CARDS}
    done = [step for _, step, _ in told]
    assert done == sorted(done)  # across deaths too, nothing that was done is undone
    assert len(set(done)) > 10
    asyncio.run(check_cards(tmp_path / "data"))


async def check_cards(data: Path) -> None:
    async with Studio.open(data) as studio:
        (job,), _ = await importing.list_imports(studio.house, Page())
        assert job.outcome == "done"
        assert await importing.tally(studio.house, job) == importing.Tally(imported=CARDS)
        ids: dict[int, str] = {}
        after: str | None = None
        while True:
            items, after = await importing.items(studio.house, job, Page(after, 200))
            ids |= {item.n: item.id for item in items}
            if after is None:
                break
        names: dict[str, str] = {}
        while True:
            cards, after = await studio.house.store.cards("local", Page(after, 200))
            names |= {card.id: card.name for card in cards}
            if after is None:
                break
        assert len(names) == CARDS
        assert {n: names[card] for n, card in ids.items()} == {n: f"卡 {n}" for n in range(CARDS)}
