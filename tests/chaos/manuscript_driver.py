"""The process that dies in the middle of a change of files: opens a data folder, does one thing to its
manuscript, and ends itself just before the n-th operation on a file of the project.

Run: python manuscript_driver.py DATA N save|restore|undo|turn [BASE_URL]
"""

from __future__ import annotations

import asyncio
import os
import sys
from collections.abc import Callable
from pathlib import Path

from huaben import Studio
from huaben.config import load_settings
from huaben.ports import Page
from huaben.services import branching
from huaben.services.playing import Words, post_turn
from huaben.services.writing.chapters import list_chapters, save_chapter
from huaben.services.writing.restoring import restore_files

DIED = 9
COUNTED = ("open", "os.rename", "os.link", "os.remove", "os.mkdir", "os.rmdir", "os.chmod")
NAME = "001-雨夜.md"


def dies_before(last: int, folder: str) -> Callable[[str, tuple[object, ...]], None]:
    """An audit hook: it sees every operation on files, and nothing can catch what it does."""
    seen = 0

    def count(event: str, facts: tuple[object, ...]) -> None:
        nonlocal seen
        if event in COUNTED and folder in str(facts[0]):
            seen += 1
            if seen > last:
                os._exit(DIED)

    return count


async def act(studio: Studio, kind: str) -> None:
    house = studio.house
    (project,), _ = await house.store.projects(house.user_id, Page())
    if kind == "save":
        seen = (await list_chapters(house, project.id)).files[NAME]
        await save_chapter(house, project.id, NAME, "存下的一稿。\n", seen)
    elif kind == "restore":
        first = (await house.store.snapshots(project.id, 2, 1))[0]
        await restore_files(house, project.id, first.checkpoint.id)
    elif kind == "undo":
        await branching.undo(house, project.id)
    else:
        turn = await post_turn(house, studio.company, project.id, Words("雨下三天。"))
        async for _ in studio.follow(turn.id):
            pass


async def main(data: Path, last: int, kind: str, base_url: str) -> None:
    settings = load_settings(data=data, base_url=base_url, model="scripted", retries=0)
    async with Studio.open(settings=settings) as studio:
        sys.addaudithook(dies_before(last, str(data / "projects")))
        await act(studio, kind)


if __name__ == "__main__":
    address = sys.argv[4] if len(sys.argv) > 4 else "http://127.0.0.1:9"
    asyncio.run(main(Path(sys.argv[1]), int(sys.argv[2]), sys.argv[3], address))
