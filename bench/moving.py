"""A whole old installation of full size: looked at, moved in, compared, and moved again.

Run: python bench/moving.py [--cards 2000] [--chats 300] [--books 50] [--rows 40] [--record]. The folder is
made first and is not counted. A chat counts as in when all its turns are there. Time in processors stands
beside waiting, for the machine may be shared.
"""

from __future__ import annotations

import asyncio
import json
import platform
import resource
import sys
import tempfile
import time
from argparse import ArgumentParser
from collections import Counter
from dataclasses import asdict
from datetime import UTC, datetime
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))  # the builders stand among the tests

from huaben.bootstrap import old_installation
from huaben.config import load_settings
from huaben.ports import Page
from huaben.services import moving
from huaben.services.moving import Moved
from huaben.services.stories import load_story
from huaben.studio import Studio
from tests.builders.installation import SECRET, Installed, Size, install

RESULTS = Path(__file__).parent / "results" / "moving.jsonl"


async def move_in(studio: Studio, root: Path) -> tuple[list[Moved], dict[str, float]]:
    """One move with all its chats: what became of each file, and the seconds that it took."""
    house = studio.house
    began_at, busy_at = time.perf_counter(), time.process_time()
    move_id = await moving.begin(house, old_installation(root))
    stored_at = time.perf_counter()
    await house.jobs.idle()
    times = {
        "stored_s": round(stored_at - began_at, 2),
        "all_s": round(time.perf_counter() - began_at, 2),
        "processor_s": round(time.process_time() - busy_at, 2),
    }
    job = await moving.load_move(house, move_id)
    assert job.outcome == "done", job.outcome
    found: list[Moved] = []
    after: str | None = None
    while True:
        page, after = await moving.moved(house, job, Page(after, 200))
        found += page
        if after is None:
            return found, times


async def faults(studio: Studio, old: Installed, moved: list[Moved]) -> list[str]:
    """What was there and is not here as it was, item by item."""
    wrong = [f"{one.place}: {one.item.code}" for one in moved if one.item.fate == "refused"]
    by_place = {one.place: one.item for one in moved}
    store = studio.house.store
    for name, content in old.cards.items():
        card = await store.card(by_place[f"characters/{name}.png"].id)
        same = card is not None and await studio.house.objects.get(card.object_hash) == content
        wrong += [] if same else [f"card {name}"]
    for name, content in old.books.items():
        book = await store.lorebook(by_place[f"worlds/{name}.json"].id)
        same = book is not None and await studio.house.objects.get(book.object_hash) == content
        wrong += [] if same else [f"lorebook {name}"]
    for place, texts in old.chats.items():
        wrong += [] if await told(studio, by_place[place].id) == texts else [f"chat {place}"]
    return wrong


async def told(studio: Studio, project_id: str) -> list[str]:
    """The texts of a story as they stand, from its beginning."""
    story = await load_story(studio.house, project_id)
    path = [node.id for node in story.tree.path(story.head.turn_id)]
    turns = await studio.house.store.turns(path)
    words = [(turns[turn_id].user_text, turns[turn_id].final_text) for turn_id in path]
    return [text for pair in words for text in pair if text]


async def measure(size: Size) -> dict[str, object]:
    with tempfile.TemporaryDirectory() as folder:
        old = install(Path(folder) / "old", size)
        looked_at = time.perf_counter()
        survey = await moving.look(old_installation(old.root))
        look_s = round(time.perf_counter() - looked_at, 2)
        data = Path(folder) / "library"
        async with Studio.open(settings=load_settings(data=data)) as studio:
            first, first_times = await move_in(studio, old.root)
            wrong = await faults(studio, old, first)
            again, again_times = await move_in(studio, old.root)
        kept = (path.read_bytes() for path in data.rglob("*") if path.is_file())
        return {
            "files": sum(len(part.files) for part in survey.parts),
            "look_s": look_s,
            "first": {**first_times, **Counter(one.item.fate for one in first)},
            "again": {**again_times, **Counter(one.item.fate for one in again)},
            "faults": wrong[:20],
            "key_found": any(SECRET.encode() in content for content in kept),
            "peak_mb": round(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024, 1),
        }


def main() -> None:
    parser = ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--cards", type=int, default=2000)
    parser.add_argument("--chats", type=int, default=300)
    parser.add_argument("--books", type=int, default=50)
    parser.add_argument("--rows", type=int, default=40)
    parser.add_argument("--record", action="store_true")
    given = parser.parse_args()
    size = Size(given.cards, given.chats, given.books, given.rows)
    measured = asyncio.run(measure(size))
    line = {
        "date": datetime.now(UTC).date().isoformat(),
        "command": f"python bench/{Path(__file__).name} {' '.join(sys.argv[1:])}".rstrip(),
        "python": platform.python_version(),
        **asdict(size),
        **measured,
    }
    print(json.dumps(line, indent=1, ensure_ascii=False))
    if given.record:
        with RESULTS.open("a", encoding="utf-8") as results:
            results.write(json.dumps(line, ensure_ascii=False) + "\n")


if __name__ == "__main__":
    main()
