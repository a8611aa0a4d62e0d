"""Many turns streaming at once in one process, whole: adapter, log, store, events.

Run: python bench/streams.py [--streams 200] [--tokens 200] [--record]. Two figures of the design:
processor time per streamed token at most 3 × a bare relay of the same streams in the same run, and
no turn starved: the slowest finishes little later than the fastest. The endpoint runs in a process
of its own and sends a token every 50 ms to each stream. What follows a turn streams nothing, and is
off.
"""

from __future__ import annotations

import asyncio
import json
import multiprocessing
import platform
import shlex
import sys
import tempfile
import time
from argparse import ArgumentParser
from datetime import UTC, datetime
from multiprocessing.connection import Connection as Pipe
from pathlib import Path

from relay import Load, relay, token

from huaben import Studio
from huaben.adapters.models.openai_compatible import OpenAICompatible, open_client
from huaben.adapters.system import SystemClock
from huaben.config import load_settings
from huaben.domain.connection import Connection
from huaben.domain.messages import ModelRequest, User
from huaben.testing.endpoint import ScriptedEndpoint
from huaben.testing.script import Raw, ScriptedReply, Stall, Unit

GAP_S = 0.05
RESULTS = Path(__file__).parent / "results" / "streams.jsonl"
SCENARIO = """
name = "bench"
[scribe]
enabled = false
[memory]
sources = []
[compaction]
every = 0
"""
CARD: dict[str, object] = {"name": "渡船人", "first_mes": "「上船吗？」", "description": "摆渡。"}


def serve(tokens: int, pipe: Pipe) -> None:
    units: list[Unit] = []
    for n in range(tokens):
        units += [token("雨" if n % 2 else " rain"), Stall(GAP_S)]
    reply = ScriptedReply((*units, token("。", "stop"), Raw(b"data: [DONE]\n\n")))
    with ScriptedEndpoint.in_thread(lambda _: reply) as endpoint:
        pipe.send(endpoint.base_url)
        pipe.recv()


async def bare(load: Load, base_url: str) -> float:
    """Microseconds of processor time per token of the bare relay."""
    async with open_client() as client:
        connection = Connection("bench", base_url, "story-1")
        model = OpenAICompatible(connection, client=client, clock=SystemClock())
        wire = model.encode(ModelRequest((User("走"),)))
        before = time.process_time()
        heard = await asyncio.gather(*(relay(client, base_url, wire) for _ in range(load.streams)))
        used = time.process_time() - before
    expected = load.streams * (load.tokens + 1)
    assert sum(heard) == expected, f"{sum(heard)} tokens of {expected}"
    return used / (load.streams * load.tokens) * 1e6


async def turns(load: Load, base_url: str, folder: Path) -> tuple[float, float, float]:
    """Microseconds per token of whole turns, and the first and last turn's duration in seconds."""
    settings = load_settings(data=folder / "data", base_url=base_url, model="story-1")
    card = folder / "card.json"
    await asyncio.to_thread(card.write_text, json.dumps(CARD, ensure_ascii=False), "utf-8")
    async with Studio.open(settings=settings) as studio:
        imported = await studio.import_card(card)
        scenarios = folder / "data" / "scenarios"
        await asyncio.to_thread(scenarios.mkdir, exist_ok=True)
        await asyncio.to_thread((scenarios / "bench.toml").write_text, SCENARIO, "utf-8")
        projects = [
            await studio.create_project(card=imported.id, scenario="bench")
            for _ in range(load.streams)
        ]
        before, began = time.process_time(), time.perf_counter()

        async def one(project_id: str) -> float:
            kinds = [event.kind async for event in studio.play(project_id, "开船")]
            assert kinds[-1] == "end", kinds[-3:]
            return time.perf_counter() - began

        took = await asyncio.gather(*(one(project.id) for project in projects))
        used = time.process_time() - before
    return used / (load.streams * load.tokens) * 1e6, min(took), max(took)


async def measure(load: Load, base_url: str) -> tuple[float, float, float, float]:
    bare_us = await bare(load, base_url)
    with tempfile.TemporaryDirectory() as name:
        ours_us, fastest_s, slowest_s = await turns(load, base_url, Path(name))
    return bare_us, ours_us, fastest_s, slowest_s


def main() -> None:
    parser = ArgumentParser(description="Whole turns streaming at once beside a bare relay.")
    parser.add_argument("--streams", type=int, default=200)
    parser.add_argument("--tokens", type=int, default=400)
    parser.add_argument("--record", action="store_true")
    chosen = parser.parse_args()
    load = Load(chosen.streams, chosen.tokens)
    here, there = multiprocessing.Pipe()
    server = multiprocessing.get_context("spawn").Process(target=serve, args=(load.tokens, there))
    server.start()
    try:
        bare_us, ours_us, fastest_s, slowest_s = asyncio.run(measure(load, here.recv()))
    finally:
        here.send("stop")
        server.join()
    print(
        f"bare relay {bare_us:.0f} µs, whole turn {ours_us:.0f} µs per token: {ours_us / bare_us:.2f} ×"
    )
    print(f"{load.streams} turns: fastest {fastest_s:.2f} s, slowest {slowest_s:.2f} s")
    if chosen.record:
        result = {
            "date": datetime.now(UTC).date().isoformat(),
            "command": shlex.join(["python", "bench/streams.py", *sys.argv[1:]]),
            "python": platform.python_version(),
            "streams": load.streams,
            "tokens": load.tokens,
            "bare_us": round(bare_us, 1),
            "turn_us": round(ours_us, 1),
            "ratio": round(ours_us / bare_us, 2),
            "fastest_s": round(fastest_s, 2),
            "slowest_s": round(slowest_s, 2),
        }
        with RESULTS.open("a", encoding="utf-8") as file:
            file.write(json.dumps(result) + "\n")


if __name__ == "__main__":
    main()
