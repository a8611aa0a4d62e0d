"""`kill -9` at every step of a change of chapters, over disk and store together: never half a manuscript, no
work under a wrong name, and what is verified afterwards is whole."""

from __future__ import annotations

import asyncio
import os
import random
import shutil
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

from huaben import Studio
from huaben.cli.verifying import faults
from huaben.config import Settings, load_settings
from huaben.domain.story import UNFINISHED
from huaben.ports import Page
from huaben.services.founding import Founding, create_project
from huaben.services.playing import Words, post_turn
from huaben.services.writing.chapters import list_chapters
from huaben.testing.endpoint import ScriptedEndpoint
from huaben.testing.script import Asked, ScriptedReply, call, reply, say
from tests import forking
from tests.chaos.manuscript_driver import DIED, NAME

DEATHS = max(2, int(os.environ.get("HUABEN_CHAOS_RUNS", "10")) // 5)
"""Of each kind of change."""
MOST = {"save": 26, "restore": 40, "undo": 40, "turn": 40}
"""About how many operations each takes; beyond them it comes to its end."""
BEGUN = {NAME: "雨下了一夜。\n", "002-渡口.md": "渡口没有人。\n"}
CHANGED = {NAME: "雨下了两天。\n", "002-渡口.md": "渡口没有人。\n", "003-桥.md": "桥。\n"}


def script(asked: Asked) -> ScriptedReply:
    """Change a chapter and write another; later change the first once more."""
    since = [m for m in asked.messages if m["role"] == "user"][-1]
    results = [m["role"] for m in asked.messages[asked.messages.index(since) :]].count("tool")
    first = "两天" in str(since["content"])
    if first and results == 0:
        return reply(
            call("edit", path=NAME, oldText="一夜", newText="两天"),
            call("write", path="003-桥.md", content="桥。\n"),
        )
    if not first and results == 0:
        return reply(call("edit", path=NAME, oldText="两天", newText="三天"))
    return reply(say("改好了。"))


@dataclass(frozen=True)
class Book:
    """A data folder with a manuscript whose first turn has changed two files."""

    data: Path
    base_url: str

    @property
    def settings(self) -> Settings:
        return load_settings(data=self.data, base_url=self.base_url, model="scripted", retries=0)

    @property
    def files(self) -> dict[str, str]:
        (project,) = (self.data / "projects").iterdir()
        return {one.name: one.read_text("utf-8") for one in (project / "manuscript").iterdir()}

    def copy(self, place: Path) -> Book:
        shutil.copytree(self.data, place)
        return Book(place, self.base_url)

    def killed(self, last: int, kind: str) -> int:
        words = (str(self.data), str(last), kind, self.base_url)
        return forking.run("tests.chaos.manuscript_driver", *words, timeout=120)


async def begin(book: Book) -> None:
    async with Studio.open(settings=book.settings) as studio:
        house = studio.house
        wish = Founding(title="渡口", mode="writing", language="zh")
        project, _ = await create_project(house, wish)
        folder = book.data / "projects" / project.id / "manuscript"
        for name, text in BEGUN.items():
            (folder / name).write_text(text, "utf-8")
        await list_chapters(house, project.id)
        turn = await post_turn(house, studio.company, project.id, Words("雨下两天。"))
        async for _ in studio.follow(turn.id):
            pass


async def looked_at(book: Book) -> list[tuple[str, tuple[str, ...]]]:
    """Open the folder as the next start does, go on with what was cut off, and say who changed what."""
    async with Studio.open(settings=book.settings) as studio:
        house = studio.house
        (project,), _ = await house.store.projects(house.user_id, Page())
        head = await house.store.head(project.id)
        node = await house.store.turn(head.turn_id) if head else None
        if node is not None and node.outcome in UNFINISHED:
            await studio.resume(node.id)
        if node is not None and (node.run != "ended" or node.outcome in UNFINISHED):
            async for _ in studio.follow(node.id):
                pass
        await list_chapters(house, project.id)
        found = [one async for one in faults(house)]
        assert found == []
        last = await house.store.latest_snapshot(project.id)
        assert last is not None
        assert sorted(last.files) == sorted(book.files)
        records = await house.store.checkpoints(project.id)
        return [(one.author, tuple(one.delta)) for one in records]


@pytest.mark.chaos
@pytest.mark.parametrize("kind", ["save", "restore", "undo", "turn"])
def test_death_in_the_middle_leaves_a_whole_manuscript(tmp_path: Path, kind: str) -> None:
    """As before or as after, with a history that says the same and names nobody wrongly."""
    before, after = CHANGED, EXPECTED[kind](CHANGED)
    dice = random.Random(kind)
    with ScriptedEndpoint.in_thread(script) as endpoint:
        begun = Book(tmp_path / "begun", endpoint.base_url)
        asyncio.run(begin(begun))
        assert begun.files == before
        died = 0
        for number, last in enumerate(sorted(dice.sample(range(MOST[kind]), DEATHS))):
            book = begun.copy(tmp_path / str(number))
            died += book.killed(last, kind) == DIED
            told = asyncio.run(looked_at(book))
            assert book.files in (before, after), f"after {last} operations"
            assert told[:2] == [("user", tuple(BEGUN)), ("agent", (NAME, "003-桥.md"))]
            author = "agent" if kind == "turn" else "user"
            assert {one for one, _ in told[2:]} <= {author}, f"after {last} operations"
            assert len(told) - 2 == (book.files == after), f"after {last} operations"
        assert died


def _turned(files: dict[str, str]) -> dict[str, str]:
    return {**files, NAME: "雨下了三天。\n"}


EXPECTED: dict[str, Callable[[dict[str, str]], dict[str, str]]] = {
    "save": lambda files: {**files, NAME: "存下的一稿。\n"},
    "restore": lambda _: BEGUN,
    "undo": lambda _: BEGUN,
    "turn": _turned,
}
