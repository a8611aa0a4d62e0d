"""How long a search takes among 100,000 notes on a branch of 10,000 turns.

Run: python bench/memory.py [--notes 100000] [--turns 10000] [--searches 40] [--postgresql URL] [--record].
Half of the notes are Chinese, half English; the newest tenth belongs to another branch. Measured is
`search_notes` from the outside, threads and connections included; "cold" is the first search from a
node far from any that was looked from before. The figure of the design: a name of two characters, an
English word, and a phrase across both within 50 ms. Processor time is told too, because waiting says as
much of what else the machine does. `--record` adds the result to bench/results.
"""

from __future__ import annotations

import asyncio
import json
import os
import platform
import random
import shlex
import sys
import tempfile
import time
from argparse import ArgumentParser
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import TypeAlias

from huaben.adapters.db.store import open_store
from huaben.adapters.system import SystemClock, SystemIds
from huaben.domain.notes import Note, NoteKind, Vantage
from huaben.domain.project import Project
from huaben.domain.story import Turn
from huaben.ports import Commit, Committed, Page, Store

RESULTS = Path(__file__).with_name("results") / "memory.jsonl"
HAN = (
    "灯雨夜门桥河风雪茶酒剑书信影声路城山海云月星花树石火烟水人心手眼言笑泪梦旧新远近冷暖一不是了在有他"
    "她我你来去说道见得知天地的上下出入开关过还给问答走停等"
)
PROSE = (
    "the a of and to in she he river lantern door window rain night boat bridge letter promise old new"
    " road city captain silver harbour tide waits leaves knows gives takes"
)
ENGLISH = PROSE.split()
NAMES = [a + b for a in "沈林阿顾陆江苏叶程白" for b in "砚迟舟墨青衡瑶川禾野"]
WORDS = ("Shen", "Lin", "Marlow", "Ines", "Tobias", "umbrella", "heron", "ferry", "ledger")
KINDS: tuple[NoteKind, ...] = ("event", "event", "event", "person", "item", "promise", "note")
ASKED = {
    "a name of two characters": "沈砚",
    "an English word": "umbrella",
    "a phrase across both": "沈砚的 umbrella",
    "a single character": "的",
    "a frequent word": "the",
    "a frequent pair": "灯雨",
    "a sentence": "沈砚把旧伞还给渡口的老船工，日子定在立冬，the river still waits",
    "what nobody wrote": "白鹭 quetzal",
}


Row: TypeAlias = tuple[float, float, float]


@dataclass(frozen=True, slots=True)
class Library:
    vantage: Vantage
    project: Project
    path: list[str]
    aside: list[str]


def prose(chance: random.Random) -> str:
    if chance.random() < 0.5:
        clauses = ("".join(chance.choices(HAN, k=chance.randint(5, 14))) for _ in range(6))
        return f"{chance.choice(NAMES)}，{'，'.join(clauses)}。{chance.choice(WORDS)}"
    words = " ".join(chance.choices(ENGLISH, k=35))
    return f"{chance.choice(WORDS)} {words}. {chance.choice(NAMES)}"


def a_turn(ids: SystemIds, project: Project, parent: str | None, depth: int) -> Turn:
    made = ids.new()
    return Turn(
        made, project.id, "local", parent, "turn", made, depth, "", run="ended", outcome="sealed"
    )


async def tell(store: Store, turns: int) -> Library:
    """A story: a long branch, and a short one beside it."""
    ids = SystemIds()
    project = Project(ids.new(), "local", "bench", "roleplay", "zh", "")
    path: list[str] = []
    aside: list[str] = []
    rows: list[Turn] = []
    for depth in range(turns):
        rows.append(a_turn(ids, project, path[-1] if path else None, depth))
        path.append(rows[-1].id)
    for depth in range(turns // 10):
        rows.append(a_turn(ids, project, aside[-1] if aside else path[turns // 2], depth))
        aside.append(rows[-1].id)
    await store.commit(Commit(rows=(project, *rows)))
    return Library(Vantage(project.id, path[-1]), project, path, aside)


def notes(library: Library, count: int, chance: random.Random) -> Iterator[Note]:
    ids = SystemIds()
    nodes = library.path + library.aside
    for n in range(count):
        title = f"{chance.choice(NAMES)}{chance.choice(HAN)}" if n % 2 else chance.choice(WORDS)
        yield Note(
            ids.new(), "local", chance.choice(KINDS), title, prose(chance), "model", "",
            project_id=library.project.id, node=nodes[n * len(nodes) // count],
        )  # fmt: skip


async def fill(store: Store, library: Library, count: int) -> None:
    chance = random.Random(20261130)
    listed = list(notes(library, count, chance))
    for at in range(0, count, 1000):
        answer = await store.commit(Commit(rows=tuple(listed[at : at + 1000])))
        assert isinstance(answer, Committed)


async def timed(store: Store, vantages: Sequence[Vantage], query: str) -> Row:
    """The median wait, the wait of the 95th of a hundred and the median of processor time, in ms."""
    waits: list[float] = []
    worked: list[float] = []
    for vantage in vantages:
        began, busy = time.perf_counter(), time.process_time()
        await store.search_notes(vantage, query)
        waits.append((time.perf_counter() - began) * 1000)
        worked.append((time.process_time() - busy) * 1000)
    waits.sort()
    worked.sort()
    middle = len(waits) // 2
    return waits[middle], waits[int(len(waits) * 0.95)], worked[middle]


async def measure(where: str | Path, count: int, turns: int, times: int) -> dict[str, object]:
    store = open_store(where, clock=SystemClock())
    library = await tell(store, turns)
    began = time.monotonic()
    await fill(store, library, count)
    each_us = (time.monotonic() - began) / count * 1e6
    print(f"{count} notes on {turns} turns, written in {each_us:.0f} µs each")
    if isinstance(where, Path):
        size = (where / "huaben.db").stat().st_size
        print(f"stored in {size / 1e6:.0f} MB, {size / count:.0f} bytes a note")
    rows: dict[str, object] = {"write_us": round(each_us)}
    here = [library.vantage] * times
    far = [replace(library.vantage, at=at) for at in library.path[-2 : -2 - 2 * times : -2]]
    rows["cold"] = told("a name, cold", await timed(store, far, "沈砚"))
    for name, query in ASKED.items():
        rows[name] = told(name, await timed(store, here, query))
    began = time.perf_counter()
    await store.notes(library.vantage, Page())
    rows["newest page"] = round((time.perf_counter() - began) * 1000, 1)
    print(f"{'the newest page of all':<26} {rows['newest page']:6} ms")
    await store.close()
    return rows


def told(name: str, row: Row) -> list[float]:
    print(f"{name:<26} p50 {row[0]:6.1f} ms   p95 {row[1]:6.1f} ms   processor {row[2]:6.1f} ms")
    return [round(one, 1) for one in row]


def record(rows: dict[str, object]) -> None:
    result = {
        "date": datetime.now(UTC).date().isoformat(),
        "command": shlex.join(["python", "bench/memory.py", *sys.argv[1:]]),
        "python": platform.python_version(),
        "load": round(os.getloadavg()[0], 1),
        "cores": os.cpu_count(),
        "p50_p95_cpu_ms": rows,
    }
    RESULTS.parent.mkdir(exist_ok=True)
    with RESULTS.open("a", encoding="utf-8") as file:
        file.write(json.dumps(result, ensure_ascii=False) + "\n")


def main() -> None:
    options = ArgumentParser(description=__doc__)
    options.add_argument("--notes", type=int, default=100_000)
    options.add_argument("--turns", type=int, default=10_000)
    options.add_argument("--searches", type=int, default=40)
    options.add_argument("--postgresql", default="")
    options.add_argument("--record", action="store_true")
    chosen = options.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        where = chosen.postgresql or Path(folder) / "data"
        rows = asyncio.run(measure(where, chosen.notes, chosen.turns, chosen.searches))
    if chosen.record:
        record(rows)


if __name__ == "__main__":
    main()
