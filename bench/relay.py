"""What a streamed token costs in processor time: through the adapter, and through a bare relay.

Run: python bench/relay.py [--streams 20] [--tokens 400] [--record]. The endpoint runs in a process of
its own and sends one packet per token, as providers do; the relay hands on the bytes of the same
stream by the same client. The figure of the design: at most 3 × the relay. Waiting costs nothing
here: only this process's processor time is counted. `--record` adds the result to bench/results.
"""

from __future__ import annotations

import asyncio
import json
import multiprocessing
import platform
import shlex
import sys
import time
from argparse import ArgumentParser
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from multiprocessing.connection import Connection as Pipe
from pathlib import Path

import httpx

from huaben.adapters.models.openai_compatible import OpenAICompatible, open_client
from huaben.adapters.system import SystemClock
from huaben.domain.connection import Connection
from huaben.domain.messages import ModelRequest, User, WireRequest
from huaben.testing.endpoint import ScriptedEndpoint
from huaben.testing.script import Raw, ScriptedReply, Stall, Unit

GAP_S = 0.004
RESULTS = Path(__file__).parent / "results" / "relay.jsonl"


@dataclass(frozen=True, slots=True)
class Load:
    streams: int
    tokens: int


# ---- the endpoint, in its own process ------------------------------------------------------------


def token(text: str, finish: str | None = None) -> Raw:
    """A chunk with the fields that a large provider sends."""
    choice = {"index": 0, "delta": {"content": text}, "logprobs": None, "finish_reason": finish}
    chunk = {
        "id": "chatcmpl-0123456789abcdefghijklmn",
        "object": "chat.completion.chunk",
        "created": 1793520000,
        "model": "story-1-2026-11-01",
        "service_tier": "default",
        "system_fingerprint": "fp_0123456789",
        "choices": [choice],
    }
    return Raw(b"data: " + json.dumps(chunk, ensure_ascii=False).encode() + b"\n\n")


def a_reply(tokens: int) -> ScriptedReply:
    units: list[Unit] = []
    for n in range(tokens):
        units += [token("雨" if n % 2 else " rain"), Stall(GAP_S)]
    return ScriptedReply((*units, token("。", "stop"), Raw(b"data: [DONE]\n\n")))


def serve(tokens: int, pipe: Pipe) -> None:
    scripted = a_reply(tokens)
    with ScriptedEndpoint.in_thread(lambda _: scripted) as endpoint:
        pipe.send(endpoint.base_url)
        pipe.recv()


# ---- what is measured ----------------------------------------------------------------------------


async def relay(client: httpx.AsyncClient, url: str, wire: WireRequest) -> int:
    """Hand on the bytes as they come; nothing is looked at."""
    handed_on = bytearray()
    async with client.stream("POST", f"{url}/chat/completions", content=wire.body) as response:
        async for data in response.aiter_raw():
            handed_on += data
    return handed_on.count(b"data: {")


async def listen(model: OpenAICompatible, wire: WireRequest) -> int:
    heard = 0
    async for _ in model.stream(wire):
        heard += 1
    return heard - 1  # the last event is the finished reply


async def cost_us(load: Load, call: Callable[[], Awaitable[int]]) -> float:
    """Processor time of this process per token, in microseconds."""
    # Afterwards connections and code paths are warm, for the first of both as for the second.
    await asyncio.gather(*(call() for _ in range(load.streams)))
    before = time.process_time()
    counted = await asyncio.gather(*(call() for _ in range(load.streams)))
    used = time.process_time() - before
    expected = load.streams * (load.tokens + 1)
    assert sum(counted) == expected, f"{sum(counted)} tokens of {expected}"
    return used / expected * 1e6


async def measure(load: Load, base_url: str) -> tuple[float, float]:
    async with open_client() as client:
        connection = Connection("bench", base_url, "story-1")
        model = OpenAICompatible(connection, client=client, clock=SystemClock())
        wire = model.encode(ModelRequest((User("走"),)))
        bare_us = await cost_us(load, lambda: relay(client, base_url, wire))
        ours_us = await cost_us(load, lambda: listen(model, wire))
    return bare_us, ours_us


def main() -> None:
    parser = ArgumentParser(description="Processor time per streamed token beside a bare relay.")
    parser.add_argument("--streams", type=int, default=20)
    parser.add_argument("--tokens", type=int, default=400)
    parser.add_argument("--record", action="store_true")
    chosen = parser.parse_args()
    load = Load(chosen.streams, chosen.tokens)
    here, there = multiprocessing.Pipe()
    server = multiprocessing.get_context("spawn").Process(target=serve, args=(load.tokens, there))
    server.start()
    try:
        bare_us, ours_us = asyncio.run(measure(load, here.recv()))
    finally:
        here.send("stop")
        server.join()
    ratio = ours_us / bare_us
    print(f"bare relay {bare_us:.0f} µs, adapter {ours_us:.0f} µs per token: {ratio:.2f} ×")
    if chosen.record:
        record(load, bare_us, ours_us)


def record(load: Load, bare_us: float, ours_us: float) -> None:
    result = {
        "date": datetime.now(UTC).date().isoformat(),
        "command": shlex.join(["python", "bench/relay.py", *sys.argv[1:]]),
        "python": platform.python_version(),
        "streams": load.streams,
        "tokens": load.tokens,
        "bare_us": round(bare_us, 1),
        "adapter_us": round(ours_us, 1),
        "ratio": round(ours_us / bare_us, 2),
    }
    RESULTS.parent.mkdir(exist_ok=True)
    with RESULTS.open("a", encoding="utf-8") as file:
        file.write(json.dumps(result) + "\n")


if __name__ == "__main__":
    main()
