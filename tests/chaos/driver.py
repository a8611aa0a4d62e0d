"""The process that the chaos test kills: plays turns on a data folder and says what it was told.

Each line on standard output is one acknowledgement, in JSON: words that were stored, or an event
that a client would have seen. What was printed must be there after any death.
"""

from __future__ import annotations

import asyncio
import json
import sys
from pathlib import Path

from huaben import Studio
from huaben.config import load_settings
from huaben.domain.events import to_data
from huaben.domain.project import Project
from huaben.domain.story import UNFINISHED
from huaben.ports import Page
from huaben.services.playing import Words, post_turn


def tell(**facts: object) -> None:
    sys.stdout.write(json.dumps(facts, ensure_ascii=False) + "\n")
    sys.stdout.flush()


async def follow(studio: Studio, turn_id: str) -> None:
    async for logged in studio.follow(turn_id):
        tell(turn=turn_id, seq=logged.seq, kind=logged.event.kind, data=to_data(logged.event))


async def the_project(studio: Studio, folder: Path) -> Project:
    projects, _ = await studio.house.store.projects("local", Page())
    if projects:
        return projects[0]
    imported = await studio.import_card(folder / "card.json")
    return await studio.create_project(card=imported.id)


async def play(folder: Path, base_url: str, start: int) -> None:
    settings = load_settings(data=folder / "data", base_url=base_url, model="scripted", retries=0)
    async with Studio.open(settings=settings) as studio:
        project = await the_project(studio, folder)
        head = await studio.house.store.head(project.id)
        assert head is not None
        node = await studio.house.store.turn(head.turn_id)
        assert node is not None
        if node.run == "running":
            await follow(studio, node.id)
        elif node.outcome in UNFINISHED:
            tell(resumed=node.id)
            await studio.resume(node.id)
            await follow(studio, node.id)
        for number in range(start, start + 1000):
            words = f"第{number}句话"
            turn = await post_turn(studio.house, studio.company, project.id, Words(words))
            tell(turn=turn.id, words=words)
            await follow(studio, turn.id)


if __name__ == "__main__":
    asyncio.run(play(Path(sys.argv[1]), sys.argv[2], int(sys.argv[3])))
