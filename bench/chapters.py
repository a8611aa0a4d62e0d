"""What a checkpoint of one changed chapter costs beside git on the same tree, and whether it grows.

Run: python bench/chapters.py [--chapters 1000] [--checkpoints 10000] [--times 80] [--record].
A manuscript of so many chapters of 3,000 characters lies on a real disk. In each round one chapter is
changed in another editor; measured are noticing it with its checkpoint, durable in SQLite, as a save of
a page or the beginning of a turn does it, and `git add -A && git commit` of the very same change in the
same tree, one after the other, each as often first; git as two processes and as one shell by turns. So
whatever else the machine does hits both. Processor time is told too: waiting says as much of others.
It is measured with a young history and with an old one; the checkpoints between are made in the same
way, and without git, whose history stays young. The figures of the design: faster than git, one file
read, flat. `--record` adds the result to bench/results.
"""

from __future__ import annotations

import asyncio
import json
import os
import platform
import random
import resource
import shlex
import shutil
import subprocess
import sys
import tempfile
import time
from argparse import ArgumentParser
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path

from huaben import Studio
from huaben.config import load_settings
from huaben.domain.project import Project
from huaben.services.founding import Founding, create_project
from huaben.services.house import House
from huaben.services.writing.chapters import list_chapters
from huaben.services.writing.history import list_checkpoints
from huaben.services.writing.restoring import restore_files

RESULTS = Path(__file__).with_name("results") / "chapters.jsonl"
HAN = "灯雨夜门桥河风雪茶酒剑书信影声路城山海云月星花树石火烟水人心手眼言笑泪的了在是他她不有"
CHARS = 3000


@dataclass(frozen=True, slots=True)
class Book:
    """A writing project on disk, and the folder of its chapters."""

    house: House
    project: Project
    folder: Path

    def change(self, draw: random.Random) -> None:
        """Another editor saves a chapter, with another character somewhere."""
        names = sorted(one.name for one in self.folder.glob("*.md"))
        name = draw.choice(names)
        text = (self.folder / name).read_text("utf-8")
        at = draw.randrange(len(text))
        other = draw.choice(HAN.replace(text[at], ""))
        (self.folder / name).write_text(text[:at] + other + text[at + 1 :], "utf-8")

    async def notice(self) -> None:
        await list_chapters(self.house, self.project.id)


def chapter(draw: random.Random) -> str:
    return "\n\n".join("".join(draw.choices(HAN, k=120)) for _ in range(CHARS // 120))


async def open_book(studio: Studio, data: Path, chapters: int) -> Book:
    house = studio.house
    project, _ = await create_project(house, Founding(title="长篇", mode="writing", language="zh"))
    folder = data / "projects" / project.id / "manuscript"
    draw = random.Random(1)
    for number in range(1, chapters + 1):
        (folder / f"{number:04d}-章.md").write_text(chapter(draw), "utf-8")
    book = Book(house, project, folder)
    await book.notice()
    git(folder, "init", "-q")
    git(folder, "add", "-A")
    git(folder, "commit", "-q", "-m", "begin")
    return book


def git(folder: Path, *arguments: str) -> None:
    identity = ["-c", "user.name=bench", "-c", "user.email=bench@localhost", "-c", "gc.auto=0"]
    subprocess.run(["git", *identity, *arguments], cwd=folder, check=True)


@dataclass(slots=True)
class Times:
    """How long something took again and again: waiting and at work, in milliseconds."""

    waits: list[float] = field(default_factory=list[float])
    worked: list[float] = field(default_factory=list[float])

    async def measure(self, work: Callable[[], Awaitable[None]]) -> None:
        began, busy = time.perf_counter(), processor_s()
        await work()
        self.waits.append((time.perf_counter() - began) * 1000)
        self.worked.append((processor_s() - busy) * 1000)

    def told(self) -> dict[str, float]:
        waits, middle = sorted(self.waits), len(self.waits) // 2
        return {
            "p50": round(waits[middle], 1),
            "p95": round(waits[int(len(waits) * 0.95)], 1),
            "processor_p50": round(sorted(self.worked)[middle], 1),
        }


def processor_s() -> float:
    """The seconds of all processors that this process and those that it has waited for have used."""
    spent = (resource.getrusage(of) for of in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return sum(one.ru_utime + one.ru_stime for one in spent)


def committed(book: Book) -> None:
    git(book.folder, "add", "-A")
    git(book.folder, "commit", "-q", "--allow-empty", "-m", "a change")


def committed_in_one_shell(book: Book) -> None:
    """Without what it costs Python to start a second process."""
    command = "git add -A && git commit -q --allow-empty -m 'a change'"
    names = ("GIT_AUTHOR_NAME", "GIT_COMMITTER_NAME", "GIT_AUTHOR_EMAIL", "GIT_COMMITTER_EMAIL")
    environment = os.environ | dict.fromkeys(names, "bench")
    subprocess.run(["sh", "-c", command], cwd=book.folder, check=True, env=environment)


def in_a_thread(commit: Callable[[Book], None], book: Book) -> Callable[[], Awaitable[None]]:
    async def work() -> None:
        await asyncio.to_thread(commit, book)

    return work


async def compare(book: Book, times: int, seed: int, label: str) -> dict[str, object]:
    """Huaben and git, each with the same changes, by turns first."""
    draw = random.Random(seed)
    gits: Sequence[tuple[str, Callable[[Book], None]]] = (
        ("git, two processes", committed),
        ("git, one shell", committed_in_one_shell),
    )
    measured = {name: Times() for name in ("huaben", *(name for name, _ in gits))}
    await book.notice()
    committed(book)  # what lay there before is not measured
    for number in range(times):
        name, commit = gits[number % 2]
        cases = [("huaben", book.notice), (name, in_a_thread(commit, book))]
        book.change(draw)
        for case, work in cases if number % 4 < 2 else reversed(cases):
            await measured[case].measure(work)
    rows: dict[str, object] = {name: one.told() for name, one in measured.items()}
    for name, one in rows.items():
        print(f"{label:<10} {name:<20} {one}")
    own = measured["huaben"].told()["p50"]
    ratio = min(measured[name].told()["p50"] for name, _ in gits) / own
    print(f"{label:<10} faster than the faster git by the factor {ratio:.2f}")
    return rows | {"factor": round(ratio, 2)}


async def grow(book: Book, count: int) -> list[float]:
    """Make so many checkpoints; of every thousand the processor time of one on average, in milliseconds."""
    draw = random.Random(9)
    each: list[float] = []
    for first in range(0, count, 1000):
        some = min(1000, count - first)
        spent = 0.0
        for _ in range(some):
            book.change(draw)
            busy = processor_s()
            await book.notice()
            spent += processor_s() - busy
        each.append(round(spent / some * 1000, 1))
    return each


async def measure(data: Path, chapters: int, checkpoints: int, times: int) -> dict[str, object]:
    settings = load_settings(data=data)
    async with Studio.open(settings=settings) as studio:
        book = await open_book(studio, data, chapters)
        rows: dict[str, object] = {"young": await compare(book, times, 2, "young")}
        each = await grow(book, checkpoints)
        print(f"{checkpoints} checkpoints more; processor ms of each, by thousands: {each}")
        rows["each_processor_by_thousands"] = each
        rows["old"] = await compare(book, times, 3, "old")
        began = time.perf_counter()
        page, _ = await list_checkpoints(studio.house, book.project.id, None, 50)
        rows["page_ms"] = round((time.perf_counter() - began) * 1000, 1)
        oldest = (await studio.house.store.snapshots(book.project.id, 2, 1))[0]
        began = time.perf_counter()
        await restore_files(studio.house, book.project.id, oldest.checkpoint.id)
        rows["restore_all_ms"] = round((time.perf_counter() - began) * 1000, 1)
        print(
            f"a page of {len(page)}: {rows['page_ms']} ms; restoring all: {rows['restore_all_ms']} ms"
        )
        rows["database_bytes"] = (data / "huaben.db").stat().st_size
        print(f"the database has {(data / 'huaben.db').stat().st_size / 1e6:.1f} MB")
    return rows


def record(rows: Mapping[str, object]) -> None:
    result = {
        "date": datetime.now(UTC).date().isoformat(),
        "command": shlex.join(["python", "bench/chapters.py", *sys.argv[1:]]),
        "python": platform.python_version(),
        "load": round(os.getloadavg()[0], 1),
        "cores": os.cpu_count(),
        "ms": rows,
    }
    RESULTS.parent.mkdir(exist_ok=True)
    with RESULTS.open("a", encoding="utf-8") as file:
        file.write(json.dumps(result, ensure_ascii=False) + "\n")


def main() -> None:
    options = ArgumentParser(description=__doc__)
    options.add_argument("--chapters", type=int, default=1000)
    options.add_argument("--checkpoints", type=int, default=10_000)
    options.add_argument("--times", type=int, default=80)
    options.add_argument("--record", action="store_true")
    chosen = options.parse_args()
    if shutil.which("git") is None:
        sys.exit("This measurement needs git.")
    with tempfile.TemporaryDirectory() as folder:
        data = Path(folder) / "data"
        rows = asyncio.run(measure(data, chosen.chapters, chosen.checkpoints, chosen.times))
    if chosen.record:
        record(rows)


if __name__ == "__main__":
    main()
