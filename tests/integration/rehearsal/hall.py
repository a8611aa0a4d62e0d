"""A hall in memory where the rehearsal is played: the real services, the real model, no pacing."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from huaben.adapters.models.rehearsal.engine import Rehearsal
from huaben.adapters.system import SystemClock
from huaben.bootstrap import ScenarioFiles
from huaben.domain.messages import ModelEvent, ModelRequest, WireRequest
from huaben.domain.project import Language, Project
from huaben.domain.story import Turn
from huaben.domain.turnview import TurnView
from huaben.ports import Model, Store
from huaben.services import playing, rehearsing
from huaben.services.house import House
from huaben.services.performing import Company
from huaben.services.shelf import Shelf
from huaben.services.stories import load_turn, load_view
from huaben.testing.clock import CountedIds
from huaben.testing.jobs import InlineJobs
from huaben.testing.objects import MemoryObjects
from huaben.testing.store import MemoryStore


class Watched:
    """The rehearsal with a record of what it was sent."""

    def __init__(self) -> None:
        self._inner = Rehearsal(SystemClock(), pace_s=0)
        self.wires: list[WireRequest] = []

    @property
    def name(self) -> str:
        return self._inner.name

    @property
    def window(self) -> int:
        return self._inner.window

    @property
    def origin(self) -> str:
        return self._inner.origin

    @property
    def calls_tools(self) -> bool:
        return self._inner.calls_tools

    def encode(self, request: ModelRequest) -> WireRequest:
        return self._inner.encode(request)

    def cue(self, language: Language, history: Sequence[tuple[str, str]]) -> str:
        return self._inner.cue(language, history)

    def stream(self, wire: WireRequest) -> AsyncIterator[ModelEvent]:
        self.wires.append(wire)
        return self._inner.stream(wire)


@dataclass(slots=True)
class Everywhere:
    """One model for every role; a test may put another in its place."""

    model: Model

    def for_role(self, role: str, name: str = "") -> Model:
        return self.model


@dataclass
class Hall:
    """A house with a rehearsal project, and short words for what tests do in it."""

    house: House
    company: Company
    project: Project
    models: Everywhere

    async def say(self, words: str) -> Turn:
        """Post words and wait until the turn has ended or asks."""
        posted = await playing.post_turn(
            self.house, self.company, self.project.id, playing.Words(words)
        )
        return await self.over(posted.id)

    async def answer(self, turn: Turn, words: str) -> Turn:
        await playing.answer(self.house, self.company, turn.id, words)
        return await self.over(turn.id)

    async def over(self, turn_id: str) -> Turn:
        await self.company.settled(turn_id)
        return await load_turn(self.house, turn_id)

    async def cue(self) -> str:
        return await rehearsing.next_cue(self.house, self.project.id)

    async def view(self, turn: Turn) -> TurnView:
        return await load_view(self.house, turn.id)

    async def play(self, ways: Sequence[int], most: int = 99) -> list[Turn]:
        """Say the cues and take these options at the forks, until the end or for `most` turns."""
        turns: list[Turn] = []
        forks = list(ways)
        while len(turns) < most and (cue := await self.cue()):
            turn = await self.say(cue)
            if turn.run == "waiting":
                asked = (await self.view(turn)).open_ask
                assert asked is not None
                turn = await self.answer(turn, asked.options[forks.pop(0)])
            turns.append(turn)
        return turns

    async def restarted(self) -> Hall:
        """Another process on the same store, after the first one died."""
        await self.company.close()
        models = Everywhere(Watched())
        house = replace(self.house, models=models, owner="second")
        company = Company(house)
        await company.recover()
        return Hall(house, company, self.project, models)


def make_house(store: Store, models: Everywhere) -> House:
    return House(
        store=store,
        objects=MemoryObjects(),
        clock=SystemClock(),
        ids=CountedIds(),
        models=models,
        scenarios=ScenarioFiles(Path("no-such-folder")),
        shelf=Shelf(store),
        jobs=InlineJobs(store),
        owner="first",
        flush_s=0.01,
    )


async def open_hall(language: Language, model: Model | None = None) -> Hall:
    models = Everywhere(model or Watched())
    house = make_house(MemoryStore(SystemClock()), models)
    project, _ = await rehearsing.found_rehearsal(house, language)
    return Hall(house, Company(house), project, models)
