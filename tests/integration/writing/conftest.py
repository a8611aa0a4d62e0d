"""A writing project around a scripted model, in memory or on real files: what the tests of a manuscript
work on."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

import pytest

from huaben.adapters.db.store import open_store
from huaben.adapters.folder import DataFolder
from huaben.adapters.manuscripts.folder import FolderManuscripts
from huaben.adapters.system import SystemClock
from huaben.domain.checkpoint import Changed, Snapshot
from huaben.domain.project import Project
from huaben.domain.scenario import Scenario
from huaben.domain.story import Turn
from huaben.domain.turnview import TurnView
from huaben.formats.scenario import Resolved, resolve
from huaben.ports import Model, Store
from huaben.ports.manuscripts import Manuscripts
from huaben.services import branching, founding, library, playing
from huaben.services.founding import Founding
from huaben.services.house import House
from huaben.services.performing import Company
from huaben.services.shelf import Shelf
from huaben.services.stories import load_turn, load_view
from huaben.services.writing.chapters import list_chapters
from huaben.services.writing.ending import recover
from huaben.testing.clock import CountedIds
from huaben.testing.jobs import InlineJobs
from huaben.testing.manuscripts import MemoryManuscripts
from huaben.testing.models import ScriptedModel
from huaben.testing.objects import MemoryObjects
from huaben.testing.script import Script
from huaben.testing.store import MemoryStore

CARD: dict[str, object] = {
    "spec": "chara_card_v2",
    "spec_version": "2.0",
    "data": {
        "name": "沈砚",
        "description": "{{char}}是渡口客栈的账房，话少，记性好。",
        "system_prompt": "用第三人称，每章不超过三千字。",
        "first_mes": "雨下了一夜。",
        "character_book": {
            "entries": [
                {
                    "id": 1,
                    "keys": ["旧伞"],
                    "content": "旧伞的伞骨是湘妃竹。",
                    "extensions": {},
                    "enabled": True,
                    "insertion_order": 1,
                    "comment": "旧伞",
                }
            ],
            "extensions": {},
        },
        "extensions": {},
    },
}
IDS = CountedIds()
CHAPTERS: Mapping[str, str] = {
    "001-雨夜.md": "雨下了一夜。\n\n他拿起那把旧伞，出了门。\n",
    "002-渡口.md": "渡口没有人。\n",
    "003-灯.md": "灯还亮着。\n",
}


class OneModel:
    def __init__(self, model: Model) -> None:
        self.model = model

    def for_role(self, role: str, name: str = "") -> Model:
        return self.model


class Scenarios:
    def __init__(self, limits: Mapping[str, int]) -> None:
        self._limits = limits

    def named(self, name: str) -> Scenario:
        found = resolve(("test", {"limits": dict(self._limits), "scribe": {"enabled": False}}))
        assert isinstance(found, Resolved), found
        return found.scenario

    def names(self) -> list[str]:
        return ["stage"]


@dataclass
class Desk:
    """A house with one writing project, and short words for what tests do with it."""

    house: House
    company: Company
    model: ScriptedModel
    project: Project
    folder: Path | None = None

    # ---- the user's hand -----------------------------------------------------------------------

    def write(self, name: str, content: str | bytes) -> None:
        """Edit a file as another editor does."""
        data = content.encode() if isinstance(content, str) else content
        if self.folder is not None:
            (self.folder / name).write_bytes(data)
        else:
            self._memory.desk(self.project.id).files[name] = data

    def remove(self, name: str) -> None:
        if self.folder is not None:
            (self.folder / name).unlink()
        else:
            del self._memory.desk(self.project.id).files[name]

    @property
    def files(self) -> dict[str, str]:
        """What lies in the folder."""
        if self.folder is not None:
            return {one.name: one.read_bytes().decode() for one in self.folder.iterdir()}
        files = self._memory.desk(self.project.id).files
        return {name: content.decode() for name, content in files.items()}

    @property
    def _memory(self) -> MemoryManuscripts:
        assert isinstance(self.house.manuscripts, MemoryManuscripts)
        return self.house.manuscripts

    # ---- turns ---------------------------------------------------------------------------------

    async def say(self, text: str) -> Turn:
        """Post words and wait for the run to be over."""
        words = playing.Words(text)
        turn = await playing.post_turn(self.house, self.company, self.project.id, words)
        return await self.over(turn.id)

    async def over(self, turn_id: str) -> Turn:
        await self.company.settled(turn_id)
        return await load_turn(self.house, turn_id)

    async def view(self, turn: Turn) -> TurnView:
        return await load_view(self.house, turn.id)

    async def undo(self, *, force: bool = False) -> branching.Moved:
        return await branching.undo(self.house, self.project.id, force=force)

    async def redo(self) -> branching.Moved:
        return await branching.redo(self.house, self.project.id)

    async def history(self) -> list[Snapshot]:
        """All checkpoints, oldest first."""
        return list(reversed(await self.house.store.snapshots(self.project.id, None, 200)))

    async def told(self) -> list[tuple[str, Changed]]:
        """Author and change of every checkpoint, oldest first."""
        return [(s.checkpoint.author, s.checkpoint.changed) for s in await self.history()]

    def contents(self, number: int) -> list[tuple[str, str]]:
        """Role and content of every message of a request."""
        body = json.loads(self.model.bodies[number])
        return [(m["role"], m.get("content") or "") for m in body["messages"]]

    def results(self, number: int) -> list[dict[str, object]]:
        """The results of tools among the messages of a request."""
        return [json.loads(text) for role, text in self.contents(number) if role == "tool"]

    async def restarted(self, model: ScriptedModel | None = None) -> Desk:
        """Another process on the same store and files, after the first one died."""
        await self.company.close()
        model = model or self.model
        home = self.house.manuscripts
        assert home is not None
        house = make_house(self.house.store, model, home, owner="second")
        await recover(house)
        company = Company(house)
        await company.recover()
        return Desk(house, company, model, self.project, self.folder)


def make_house(
    store: Store,
    model: Model,
    home: Manuscripts,
    *,
    owner: str = "first",
    limits: Mapping[str, int] | None = None,
) -> House:
    return House(
        store=store,
        objects=MemoryObjects(),
        clock=SystemClock(),
        ids=IDS,
        models=OneModel(model),
        scenarios=Scenarios(limits or {}),
        shelf=Shelf(store),
        jobs=InlineJobs(store),
        owner=owner,
        flush_s=0.01,
        manuscripts=home,
    )


class OpenDesk(Protocol):
    """Opens a desk around a script, with chapters that are in the history already; keyword arguments
    are limits of the scenario."""

    async def __call__(
        self, script: Script, chapters: Mapping[str, str] = CHAPTERS, /, **limits: int
    ) -> Desk: ...


@pytest.fixture(params=["memory", "files"])
async def open_desk(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[OpenDesk]:
    opened: list[tuple[Company, Store]] = []
    folder = DataFolder(tmp_path / "资料")

    async def make(
        script: Script, chapters: Mapping[str, str] = CHAPTERS, /, **limits: int
    ) -> Desk:
        model = ScriptedModel(script)
        if request.param == "memory":
            store: Store = MemoryStore(SystemClock())
            home: Manuscripts = MemoryManuscripts()
        else:
            store = open_store(folder.root, clock=SystemClock())
            home = FolderManuscripts(folder)
        house = make_house(store, model, home, limits=limits)
        company = Company(house)
        opened.append((company, store))
        card = await library.import_card(house, json.dumps(CARD).encode(), "shen.json")
        wish = Founding(title="渡口", mode="writing", card_id=card.id)
        project, _ = await founding.create_project(house, wish)
        place = folder.manuscript(project.id) if request.param == "files" else None
        desk = Desk(house, company, model, project, place)
        for name, text in chapters.items():
            desk.write(name, text)
        if chapters:
            await list_chapters(house, project.id)
        return desk

    yield make
    for company, store in opened:
        await company.close()
        await store.close()
