"""How fast a library of 20,000 cards opens, shows its first page and is searched, over HTTP and on the real
store. Must: start 2 s, first page 100 ms, a search 200 ms, whatever is looked for."""

from __future__ import annotations

import asyncio
import statistics
import sys
import tempfile
import time
from contextlib import nullcontext
from pathlib import Path

import httpx

from huaben.adapters.db.store import open_store
from huaben.adapters.objects import FolderObjects
from huaben.adapters.system import SystemClock, SystemIds
from huaben.bootstrap import build
from huaben.config import Settings
from huaben.domain.project import StoredCard
from huaben.ports import Commit
from huaben.web.app import create_app

CARDS = 20_000
AT_ONCE = 500
ROUNDS = 9
ADDRESS = "http://127.0.0.1:8720"
MUST_S = {
    "start": 2.0,
    "/api/cards?limit=48": 0.1,
    "/api/cards?limit=48&sort=name": 0.2,
    "/api/cards?limit=48&q=card 12": 0.2,
    "/api/cards?limit=48&q=灯": 0.2,
    "/api/cards?limit=48&q=nobody at all": 0.2,
    "/api/cards?limit=48&tag=tag 77": 0.2,
    "/api/cards?limit=48&favourite=true": 0.2,
    "/api/cards/tags": 0.2,
}


async def fill(folder: Path) -> None:
    """Cards of about 6 kB, every 500th with a rare name."""
    store = open_store(folder, clock=SystemClock())
    ids = SystemIds()
    name_of_bytes = await FolderObjects(folder / "objects").put(b"a card")
    for start in range(0, CARDS, AT_ONCE):
        rows = tuple(a_card(ids.new(), n, name_of_bytes) for n in range(start, start + AT_ONCE))
        await store.commit(Commit(rows=rows))
    await store.close()


def a_card(card_id: str, n: int, object_hash: str) -> StoredCard:
    name = f"点灯人 {n}" if n % 500 == 0 else f"Card {n}"
    tags = [f"tag {n % 300}", "古风", "river"]
    data = {"name": name, "tags": tags, "creator": f"maker {n % 90}", "description": "雨" * 2000}
    return StoredCard(
        card_id, "local", name, object_hash, f"{n}.png", {"data": data}, {}, "2026-01-01T00:00:00Z"
    )


async def measure(folder: Path) -> dict[str, float]:
    found: dict[str, float] = {}
    settings = Settings(data=folder, port=8720)
    begun = time.perf_counter()
    async with build(settings) as theatre:
        app = create_app(settings, lambda _: nullcontext(theatre))
        async with (
            app.router.lifespan_context(app),
            httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url=ADDRESS) as client,
        ):
            (await client.get("/api/health")).raise_for_status()
            found["start"] = time.perf_counter() - begun
            for path in MUST_S:
                if path != "start":
                    found[path] = await median(client, path)
    return found


async def median(client: httpx.AsyncClient, path: str) -> float:
    times: list[float] = []
    for _ in range(ROUNDS):
        begun = time.perf_counter()
        (await client.get(path)).raise_for_status()
        times.append(time.perf_counter() - begun)
    return statistics.median(times)


def main() -> int:
    """Print each time; 1 when one is over what it must be."""
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place) / "data"
        folder.mkdir()
        asyncio.run(fill(folder))
        found = asyncio.run(measure(folder))
    for name, seconds in found.items():
        print(f"{name:<40} {seconds * 1000:7.1f} ms (must: <= {MUST_S[name] * 1000:.0f} ms)")
    return 1 if any(seconds > MUST_S[name] for name, seconds in found.items()) else 0


if __name__ == "__main__":
    sys.exit(main())
