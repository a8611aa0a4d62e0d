"""A whole house in memory around a scripted model: what the tests of a turn play in."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Mapping
from dataclasses import dataclass
from typing import Protocol

import pytest

from huaben.adapters.system import SystemClock
from huaben.domain.project import Project
from huaben.domain.scenario import Scenario
from huaben.domain.story import Turn
from huaben.domain.turnview import TurnView
from huaben.errors import NoConnection
from huaben.formats.scenario import Resolved, resolve
from huaben.ports import Model, Store
from huaben.services import founding, library, playing
from huaben.services.founding import Founding
from huaben.services.house import House
from huaben.services.performing import Company
from huaben.services.shelf import Shelf
from huaben.services.stories import load_turn, load_view
from huaben.testing.clock import CountedIds
from huaben.testing.jobs import InlineJobs
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
        "personality": "冷静，护短",
        "scenario": "雨夜，{{user}}推开了客栈的门。",
        "first_mes": "雨下了一夜。{{char}}抬起头：「{{user}}，打烊了。」",
        "alternate_greetings": ["天将亮未亮，{{char}}在门口扫水。"],
        "mes_example": "<START>\n{{user}}: 有空房吗\n{{char}}: 有一间。",
        "character_book": {
            "name": "渡口",
            "extensions": {},
            "entries": [
                {
                    "id": 1,
                    "keys": ["旧伞"],
                    "content": "旧伞是沈砚的师父留下的，伞骨是湘妃竹。",
                    "extensions": {},
                    "enabled": True,
                    "insertion_order": 10,
                    "comment": "旧伞",
                    "use_regex": False,
                },
                {
                    "id": 2,
                    "keys": [],
                    "content": "渡口镇只有一家客栈。",
                    "extensions": {},
                    "enabled": True,
                    "insertion_order": 1,
                    "comment": "渡口镇",
                    "constant": True,
                    "use_regex": False,
                },
            ],
        },
        "extensions": {},
    },
}


class OneModel:
    """One model for every role; `broken` lets it vanish once a turn has been posted."""

    def __init__(self, model: Model) -> None:
        self.model = model
        self.broken = False
        self._asked = 0

    def for_role(self, role: str, name: str = "") -> Model:
        self._asked += 1
        if self.broken and self._asked > 1:
            raise NoConnection("no_connection", "No model is connected.")
        return self.model


class Shipped:
    def __init__(self, limits: Mapping[str, int]) -> None:
        self._limits = limits

    def named(self, name: str) -> Scenario:
        found = resolve(("test", {"limits": dict(self._limits)}))
        assert isinstance(found, Resolved)
        return found.scenario

    def names(self) -> list[str]:
        return ["stage"]


@dataclass
class Table:
    """A house with one project, and short words for what tests do with it."""

    house: House
    company: Company
    model: ScriptedModel
    project: Project

    async def say(self, text: str, *, request_id: str | None = None) -> Turn:
        """Post words and wait for the run to be over."""
        turn = await playing.post_turn(
            self.house, self.company, self.project.id, playing.Words(text, request_id=request_id)
        )
        return await self.over(turn.id)

    async def over(self, turn_id: str) -> Turn:
        await self.company.settled(turn_id)
        return await load_turn(self.house, turn_id)

    async def view(self, turn: Turn) -> TurnView:
        return await load_view(self.house, turn.id)

    async def restarted(self, model: ScriptedModel | None = None) -> Table:
        """Another process on the same store, after the first one died."""
        await self.company.close()
        model = model or self.model
        house = make_house(self.house.store, model, owner="second")
        company = Company(house)
        await company.recover()
        return Table(house, company, model, self.project)

    def contents(self, number: int) -> list[tuple[str, str]]:
        """Role and content of every message of a request."""
        body = json.loads(self.model.bodies[number])
        return [(m["role"], m.get("content") or "") for m in body["messages"]]


def make_house(
    store: Store, model: Model, *, owner: str = "first", limits: Mapping[str, int] | None = None
) -> House:
    return House(
        store=store,
        objects=MemoryObjects(),
        clock=SystemClock(),
        ids=SharedIds,
        models=OneModel(model),
        scenarios=Shipped(limits or {}),
        shelf=Shelf(store),
        jobs=InlineJobs(store),
        owner=owner,
        flush_s=0.01,
    )


SharedIds = CountedIds()


class OpenTable(Protocol):
    """Opens a table around a script; keyword arguments are limits of the scenario."""

    async def __call__(self, script: Script, **limits: int) -> Table: ...


@pytest.fixture
async def open_table() -> AsyncIterator[OpenTable]:
    opened: list[Table] = []

    async def make(script: Script, **limits: int) -> Table:
        model = ScriptedModel(script)
        house = make_house(MemoryStore(SystemClock()), model, limits=limits)
        company = Company(house)
        card = await library.import_card(house, json.dumps(CARD).encode(), "shen.json")
        project, _ = await founding.create_project(house, Founding(card_id=card.id))
        table = Table(house, company, model, project)
        opened.append(table)
        return table

    yield make
    for table in opened:
        await table.company.close()
