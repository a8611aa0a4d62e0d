"""A house in memory whose turns are directed: one scripted control model, one scripted writer."""

from __future__ import annotations

import json
from collections.abc import AsyncGenerator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from functools import partial

from huaben.adapters.system import SystemClock
from huaben.domain.project import Project
from huaben.domain.scenario import Scenario
from huaben.domain.story import Turn
from huaben.domain.turnview import TurnView
from huaben.formats.scenario import Resolved, resolve
from huaben.ports import Model, Store
from huaben.services import chores, founding, library, playing
from huaben.services.founding import Founding
from huaben.services.house import House
from huaben.services.performing import Company
from huaben.services.stories import load_turn, load_view
from huaben.testing.jobs import InlineJobs
from huaben.testing.models import ScriptedModel
from huaben.testing.script import Script
from huaben.testing.store import MemoryStore
from tests.integration.images.easel import Easels, Painter, png
from tests.integration.stage.conftest import CARD, make_house


@dataclass
class TwoModels:
    """The control model for the roles of control, another for everything else."""

    control: Model
    story: Model

    def for_role(self, role: str, name: str = "") -> Model:
        return self.control if role == "control" else self.story


class Directed:
    """The showrunner with these settings, and nothing behind its seals."""

    def __init__(self, settings: Mapping[str, object]) -> None:
        self._settings = settings

    def named(self, name: str) -> Scenario:
        found = resolve(("test", {"performer": {"kind": "showrunner"}, **self._settings}))
        assert isinstance(found, Resolved), found
        return found.scenario

    def names(self) -> list[str]:
        return ["showrunner"]


@dataclass
class Set:
    """A directed house with one project."""

    house: House
    company: Company
    control: ScriptedModel
    story: ScriptedModel
    project: Project
    painter: Painter

    async def say(self, text: str) -> Turn:
        turn = await playing.post_turn(
            self.house, self.company, self.project.id, playing.Words(text)
        )
        return await self.over(turn.id)

    async def over(self, turn_id: str) -> Turn:
        await self.company.settled(turn_id)
        return await load_turn(self.house, turn_id)

    async def view(self, turn: Turn) -> TurnView:
        return await load_view(self.house, turn.id)

    async def codes(self, turn: Turn) -> list[str]:
        return [notice.code for notice in (await self.view(turn)).notices]

    def asked(self, model: ScriptedModel, number: int) -> list[tuple[str, str]]:
        """Role and content of every message of a request."""
        body = json.loads(model.bodies[number])
        return [(m["role"], m.get("content") or "") for m in body["messages"]]

    def begin(self) -> None:
        """Let jobs run."""
        self.house.jobs.start(partial(chores.carry_out, self.house))


@asynccontextmanager
async def directed(
    control: Script,
    story: Script,
    settings: Mapping[str, object] | None = None,
    *,
    draws: bool = True,
    store: Store | None = None,
) -> AsyncGenerator[Set]:
    models = TwoModels(ScriptedModel(control, name="control"), ScriptedModel(story))
    painter = Painter([png()])
    store = store or MemoryStore(SystemClock())
    house = replace(
        make_house(store, models.story),
        models=models,
        scenarios=Directed(settings or {}),
        painters=Easels(painter if draws else None),
        jobs=InlineJobs(store),
    )
    company = Company(house)
    card = await library.import_card(house, json.dumps(CARD).encode(), "shen.json")
    project, _ = await founding.create_project(house, Founding(card_id=card.id))
    assert isinstance(models.control, ScriptedModel)
    assert isinstance(models.story, ScriptedModel)
    yield Set(house, company, models.control, models.story, project, painter)
    await company.close()
    await house.jobs.close()
