"""A house in memory whose jobs run: a storyteller and a scribe, each with a script of its own."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol, TypeAlias

import pytest

from huaben.adapters.db.store import open_store
from huaben.adapters.system import SystemClock
from huaben.domain.ledger import Ledger
from huaben.domain.project import Project
from huaben.domain.scenario import Scenario
from huaben.domain.story import Tree, Turn
from huaben.domain.turnview import TurnView
from huaben.formats.scenario import Resolved, resolve
from huaben.ports import Model, Store
from huaben.services import chores, founding, library, playing
from huaben.services.founding import Founding
from huaben.services.house import House
from huaben.services.performing import Company
from huaben.services.shelf import Shelf
from huaben.services.standing import LedgerAt, ledger_at
from huaben.services.stories import load_turn, load_view
from huaben.testing.clock import CountedIds
from huaben.testing.jobs import InlineJobs, Records
from huaben.testing.models import ScriptedModel
from huaben.testing.objects import MemoryObjects
from huaben.testing.script import Script
from huaben.testing.store import MemoryStore
from tests.integration.stage.conftest import CARD

Settings: TypeAlias = Mapping[str, Mapping[str, object]]
KEPT: Settings = {"scribe": {"enabled": True, "wait_s": 30}}
_IDS = CountedIds()
on_both = pytest.mark.parametrize("open_room", ["memory", "sqlite"], indirect=True)


@dataclass
class Roles:
    """A model for each role; a role without one is the storyteller's."""

    models: Mapping[str, Model]

    def for_role(self, role: str, name: str = "") -> Model:
        return self.models.get(role, self.models["story"])


@dataclass(frozen=True)
class Fixed:
    settings: Settings

    def named(self, name: str) -> Scenario:
        found = resolve(("test", self.settings))
        assert isinstance(found, Resolved), found
        return found.scenario

    def names(self) -> list[str]:
        return ["stage"]


@dataclass
class Room:
    """A house with one project, whose jobs run."""

    house: House
    company: Company
    models: Mapping[str, ScriptedModel]
    project: Project
    records: Records = field(default_factory=dict[str, dict[int, tuple[str, str]]])

    async def say(self, text: str, *, wait: bool = True) -> Turn:
        """Post words, wait for the run to be over, and for all that follows."""
        turn = await playing.post_turn(
            self.house, self.company, self.project.id, playing.Words(text)
        )
        await self.company.settled(turn.id)
        if wait:
            await self.house.jobs.idle()
        return await load_turn(self.house, turn.id)

    async def view(self, turn: Turn) -> TurnView:
        return await load_view(self.house, turn.id)

    async def ledger(self, at: Turn | None = None) -> LedgerAt:
        tree = Tree(await self.house.store.skeleton(self.project.id))
        head = await self.house.store.head(self.project.id)
        assert head is not None
        return await ledger_at(self.house, tree, head.turn_id if at is None else at.id)

    async def facts(self, at: Turn | None = None) -> Ledger:
        return (await self.ledger(at)).stood.standing.ledger

    def bodies(self, role: str) -> list[bytes]:
        """The requests of a role."""
        model = self.models[role]
        return model.bodies if role == "story" else [wire.body for wire in model.scribed]

    def sent(self, role: str, number: int = -1) -> str:
        """Everything that a request said, as one text."""
        body = json.loads(self.bodies(role)[number])
        return "\n".join(m.get("content") or "" for m in body["messages"])

    def last(self, role: str, number: int = -1) -> str:
        """The last message of a request."""
        content: str = json.loads(self.bodies(role)[number])["messages"][-1]["content"]
        return content


def make_house(
    store: Store, models: Mapping[str, Model], settings: Settings, records: Records
) -> House:
    return House(
        store=store,
        objects=MemoryObjects(),
        clock=SystemClock(),
        ids=_IDS,
        models=Roles(models),
        scenarios=Fixed(settings),
        shelf=Shelf(store),
        jobs=InlineJobs(store, records),
        owner=_IDS.new(),
        flush_s=0.01,
    )


class OpenRoom(Protocol):
    async def __call__(
        self, story: Script, scribe: Script | None = None, settings: Settings = KEPT
    ) -> Room: ...


@pytest.fixture
async def open_room(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[OpenRoom]:
    """Tests that ask for both stores by `on_both` are played on the fake and on the real one: what one
    keeps, the other has to keep too."""
    opened: list[Room] = []

    def make_store() -> Store:
        if getattr(request, "param", "memory") == "sqlite":
            return open_store(tmp_path / f"data{len(opened)}", clock=SystemClock())
        return MemoryStore(SystemClock())

    async def make(story: Script, scribe: Script | None = None, settings: Settings = KEPT) -> Room:
        teller = ScriptedModel(story, name="teller")
        models = {"story": teller, "scribe": ScriptedModel([], name="scribe", scribe=scribe)}
        records: Records = {}
        house = make_house(make_store(), models, settings, records)
        company = Company(house)
        await chores.begin(house)
        card = await library.import_card(house, json.dumps(CARD).encode(), "shen.json")
        project, _ = await founding.create_project(house, Founding(card_id=card.id))
        room = Room(house, company, models, project, records)
        opened.append(room)
        return room

    yield make
    for room in opened:
        await room.company.close()
        await room.house.jobs.close()
        await room.house.store.close()


def patch(evidence: Mapping[str, str], **sections: object) -> str:
    """A scribe's answer."""
    return json.dumps({"patch": sections, "evidence": evidence}, ensure_ascii=False)
