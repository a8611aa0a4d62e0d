"""What a commit of 200 running streams costs: together, and one by one.

Run: python bench/commits.py [--streams 200] [--seconds 5]. Each stream appends a piece of text every
100 ms, waits until it is durable, and goes on. "One by one" allows one commit in flight at a time,
as a store without grouping would. The figure of the design: p95 within 100 ms for 200 streams.
"""

from __future__ import annotations

import asyncio
import resource
import sys
import tempfile
import time
from argparse import ArgumentParser
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from huaben.adapters.db.store import open_store
from huaben.adapters.system import SystemClock, SystemIds
from huaben.domain.events import TextPiece
from huaben.domain.project import Project
from huaben.domain.story import Turn
from huaben.ports import Commit, Fence, Store

PIECE = "灯还亮着，雨没有停。She looked up. "
EVERY_S = 0.1


@dataclass(frozen=True, slots=True)
class Measured:
    waits_ms: Sequence[float]
    cpu_s: float
    seconds: float


async def a_stream(
    store: Store, turn_id: str, until: float, gate: asyncio.Semaphore
) -> list[float]:
    """Append a piece at each tick; how long each commit took, in milliseconds."""
    waits: list[float] = []
    offset = 0
    tick = time.monotonic() + EVERY_S * (hash(turn_id) % 100) / 100
    while tick < until:
        await asyncio.sleep(max(0.0, tick - time.monotonic()))
        began = time.monotonic()
        piece = TextPiece(0, offset, PIECE)
        async with gate:
            await store.commit(Commit(fence=Fence(turn_id, 1), events=((turn_id, piece),)))
        waits.append((time.monotonic() - began) * 1000)
        offset += len(PIECE)
        tick = max(tick + EVERY_S, time.monotonic())
    return waits


async def measure(streams: int, seconds: float, at_once: int) -> Measured:
    clock, ids = SystemClock(), SystemIds()
    with tempfile.TemporaryDirectory() as folder:
        store = open_store(Path(folder) / "data", clock=clock)
        project = Project(ids.new(), "local", "bench", "roleplay", "zh", clock.now().isoformat())
        turns = [
            Turn(ids.new(), project.id, "local", None, "turn", "b", 1, "", run="running", epoch=1)
            for _ in range(streams)
        ]
        await store.commit(Commit(rows=(project, *turns)))
        gate = asyncio.Semaphore(at_once)
        until = time.monotonic() + seconds
        before = _cpu_s()
        waits = await asyncio.gather(*(a_stream(store, t.id, until, gate) for t in turns))
        used = _cpu_s() - before
        await store.close()
    return Measured(sorted(wait for some in waits for wait in some), used, seconds)


def _cpu_s() -> float:
    used = resource.getrusage(resource.RUSAGE_SELF)
    return used.ru_utime + used.ru_stime


def show(name: str, measured: Measured) -> None:
    waits = measured.waits_ms
    p50, p95 = waits[len(waits) // 2], waits[int(len(waits) * 0.95)]
    print(
        f"{name:<12} {len(waits) / measured.seconds:7.0f} commits/s   p50 {p50:7.1f} ms   "
        f"p95 {p95:7.1f} ms   max {waits[-1]:7.1f} ms   "
        f"{measured.cpu_s / len(waits) * 1e6:6.0f} µs of CPU each"
    )


def main() -> None:
    options = ArgumentParser(description=__doc__)
    options.add_argument("--streams", type=int, default=200)
    options.add_argument("--seconds", type=float, default=5.0)
    chosen = options.parse_args()
    for name, at_once in (("grouped", sys.maxsize), ("one by one", 1)):
        show(name, asyncio.run(measure(chosen.streams, chosen.seconds, at_once)))


if __name__ == "__main__":
    main()
