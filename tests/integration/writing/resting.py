"""A writing project in memory whose jobs run, with time in the test's hand: what the tests of care and of the
continuity check work on."""

from __future__ import annotations

import json
from dataclasses import dataclass, field

from huaben.domain.ledger import Ledger
from huaben.domain.project import Project
from huaben.domain.story import Tree
from huaben.services import chores, founding, playing
from huaben.services.founding import Founding
from huaben.services.house import House
from huaben.services.performing import Company
from huaben.services.shelf import Shelf
from huaben.services.standing import LedgerAt, ledger_at
from huaben.services.writing import chapters, doubting
from huaben.services.writing.doubting import Care
from huaben.services.writing.quiet import QUIET_S
from huaben.testing.clock import CountedIds, ManualClock
from huaben.testing.jobs import InlineJobs, Records
from huaben.testing.manuscripts import MemoryManuscripts
from huaben.testing.models import ScriptedModel
from huaben.testing.objects import MemoryObjects
from huaben.testing.script import Asked, Script, ScriptedReply, reply, say
from huaben.testing.store import MemoryStore
from tests.integration.aftermath.conftest import Fixed, Roles, Settings

SETTINGS: Settings = {
    "scribe": {"enabled": True},
    "memory": {"sources": ["diary", "tables"]},
}
PLACES = {"渡口": "他到了渡口", "城里": "他进了城里", "harbour": "He reached the harbour"}


def read(asked: Asked) -> ScriptedReply:
    """A scribe that enters the place which the passage names last."""
    prose = asked.last_text
    found = [(prose.rfind(said), place, said) for place, said in PLACES.items() if said in prose]
    if not found:
        return reply(say("{}"))
    _, place, said = max(found)
    told = {"patch": {"location": place}, "evidence": {"location": said}}
    return reply(say(json.dumps(told, ensure_ascii=False)))


@dataclass
class Desk:
    """A writing project whose jobs run, with time in the test's hand."""

    house: House
    company: Company
    clock: ManualClock
    scribe: ScriptedModel
    project: Project
    records: Records

    async def save(self, name: str, text: str) -> None:
        shown = await chapters.list_chapters(self.house, self.project.id)
        expected = shown.files.get(name, "new")
        await chapters.save_chapter(self.house, self.project.id, name, text, expected)

    async def rest(self) -> None:
        """Let the edits come to rest, and what follows be done."""
        await self.clock.advance(QUIET_S)
        self.house.jobs.nudge()  # as the timer of the running program does
        for _ in range(60):
            await self.clock.advance(1)
            if not await self.house.store.due():
                return

    async def say(self, text: str, *, wait: bool = True) -> str:
        words = playing.Words(text)
        turn = await playing.post_turn(self.house, self.company, self.project.id, words)
        await self.company.settled(turn.id)
        if wait:
            await self.house.jobs.idle()
        return turn.id

    async def ledger(self) -> LedgerAt:
        head = await self.house.store.head(self.project.id)
        assert head is not None
        tree = Tree(await self.house.store.skeleton(self.project.id))
        return await ledger_at(self.house, tree, head.turn_id)

    async def facts(self) -> Ledger:
        return (await self.ledger()).stood.standing.ledger

    async def care(self) -> Care:
        return await doubting.care_of(self.house, self.project.id)

    def passages(self) -> list[str]:
        """What the scribe was shown, a text for each of its calls."""
        return [Asked.read(wire.body).last_text for wire in self.scribe.scribed]


@dataclass
class OpenDesk:
    """Opens desks around scripts of the storyteller and the scribe."""

    desks: list[Desk] = field(default_factory=list[Desk])

    async def __call__(
        self, story: Script = (), scribe: Script = read, settings: Settings = SETTINGS
    ) -> Desk:
        clock, ids, records = ManualClock(), CountedIds(), Records()
        store = MemoryStore(clock)
        model = ScriptedModel(story, scribe=scribe)
        house = House(
            store=store,
            objects=MemoryObjects(),
            clock=clock,
            ids=ids,
            models=Roles({"story": model}),
            scenarios=Fixed(settings),
            shelf=Shelf(store),
            jobs=InlineJobs(store, records),
            owner="first",
            flush_s=0.01,
            manuscripts=MemoryManuscripts(),
        )
        project, _ = await founding.create_project(house, Founding(title="渡口", mode="writing"))
        await chores.begin(house)
        desk = Desk(house, Company(house), clock, model, project, records)
        self.desks.append(desk)
        return desk

    async def close(self) -> None:
        for desk in self.desks:
            await desk.house.jobs.close()
            await desk.company.close()
