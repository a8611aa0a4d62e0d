"""A house in memory with a storyteller and a planner, each with a script of its own, whose jobs run when the
test says so."""

from __future__ import annotations

import json
import re
from collections.abc import AsyncGenerator, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from functools import partial
from typing import TypeAlias, cast

from huaben.adapters.system import SystemClock
from huaben.domain.events import Planned
from huaben.domain.plan.trace import PlanTrace
from huaben.domain.project import Language, Persona, Project
from huaben.domain.scenario import Scenario
from huaben.domain.story import Turn
from huaben.domain.turnview import TurnView
from huaben.errors import NoConnection
from huaben.formats.scenario import Resolved, resolve
from huaben.ports import Clock, Model, Store
from huaben.services import chores, founding, library, playing
from huaben.services.founding import Founding
from huaben.services.house import House
from huaben.services.performing import Company
from huaben.services.planning.standing import lane_of
from huaben.services.shelf import Shelf
from huaben.services.stories import load_turn, load_view
from huaben.testing.clock import CountedIds
from huaben.testing.jobs import InlineJobs
from huaben.testing.models import ScriptedModel
from huaben.testing.objects import MemoryObjects
from huaben.testing.script import Asked, Script, ScriptedReply, Step, call, reply, say
from huaben.testing.store import MemoryStore
from tests.integration.stage.conftest import CARD
from tests.unit.domain.plan.states import a_state

Settings: TypeAlias = Mapping[str, object]
Says: TypeAlias = Mapping[str, object]
ON: Settings = {"planner": {"enabled": True}}
PERSONA = Persona("林", "一个写旧案的记者，随身带着录音笔。")
NOTES = '{"notes": [{"text": "他在等人", "quote": "雨下了一夜"}, {"text": "船不会来"}]}'
_ROLE = re.compile(r"(?:现在轮到|the turn of) (\w+)")


def told(asked: Asked) -> Step:
    """A storyteller who always writes and seals."""
    if any(message["role"] == "tool" for message in asked.messages):
        return reply(say("他点头。"))
    return reply(
        call("draft_write", version=0, content="他看了伞一眼。"), call("draft_seal", version=1)
    )


def role_of(asked: Asked) -> str:
    """Which planner a request is for."""
    if asked.tool_names:
        return "second" if asked.tool_names == ["update_director_state"] else "route"
    found = _ROLE.search(asked.last_text)
    return found[1] if found else ""


@dataclass
class Planners:
    """What the planner's model says, by role: calls for a route, text for the others, or a whole
    reply."""

    says: dict[str, object] = field(default_factory=dict[str, object])
    states: int = 0

    def __call__(self, asked: Asked) -> ScriptedReply:
        role = role_of(asked)
        given = self.says.get(role)
        if isinstance(given, ScriptedReply):
            return given
        if role in ("route", "second"):
            names = cast("list[str]", given or [])  # as tests write it
            return reply(*(call(name) for name in names)) if names else reply(say("维持原样"))
        if role == "update_director_state":
            self.states += 1
            return reply(say(str(given) if given else state(self.states)))
        return reply(say(str(given) if given else NOTES))


def state(number: int, **lines: str) -> str:
    return a_state("zh", s0=f"- 第 {number} 版 [m1]\n- 视角：沈砚 [m1]", **lines)


@dataclass
class Roles:
    """A model for each role; `gone` roles have none."""

    story: Model
    planner: Model
    escalation: Model | None = None
    gone: set[str] = field(default_factory=set[str])

    def for_role(self, role: str, name: str = "") -> Model:
        if role in self.gone:
            raise NoConnection("no_connection", f"No model is connected for {role}.")
        if role == "escalation" and self.escalation is not None:
            return self.escalation
        return self.planner if role in ("planner", "escalation") else self.story


@dataclass
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
    """A house with one project. Its jobs start with `plan()`, unless they run all the time."""

    house: House
    company: Company
    story: ScriptedModel
    planner: ScriptedModel
    planners: Planners
    roles: Roles
    project: Project
    jobs: InlineJobs

    async def say(self, text: str, *, plan: bool = True) -> Turn:
        """Post words and wait for the run to be over, and for its planning."""
        turn = await playing.post_turn(
            self.house, self.company, self.project.id, playing.Words(text)
        )
        await self.company.settled(turn.id)
        if plan:
            await self.plan()
        return await load_turn(self.house, turn.id)

    async def plan(self) -> None:
        """Let everything run that is due."""
        self.start()
        await self.jobs.idle()

    def start(self) -> None:
        self.jobs.start(partial(chores.carry_out, self.house))

    async def restart(self) -> None:
        """The next process on the same store, with what the steps of the last one recorded."""
        await self.jobs.close()
        await self.company.close()
        self.jobs = InlineJobs(self.house.store, self.jobs.records)
        self.house = replace(self.house, jobs=self.jobs, owner="second")
        self.company = Company(self.house)

    @property
    def lane(self) -> str:
        return lane_of(self.project.id)

    async def trace(self, number: int = 0) -> PlanTrace:
        """The trace of a job, by default of the newest."""
        traces = await self.house.store.plan_traces(self.project.id)
        return next(one for one in traces if number in (0, one.seq))

    async def outcome(self, number: int = 0) -> str:
        return (await self.trace(number)).outcome

    async def due(self) -> list[str]:
        """The turns whose planning is due."""
        return [str(job.payload["turn"]) for job in await self.house.store.due(self.lane)]

    async def view(self, turn: Turn) -> TurnView:
        return await load_view(self.house, turn.id)

    async def planned(self, turn: Turn) -> Planned | None:
        return (await self.view(turn)).plan

    def roles_asked(self) -> list[str]:
        """Who was asked, in order."""
        return [role_of(Asked.read(body)) for body in self.planner.bodies]

    def sent(self, number: int = -1) -> str:
        """Everything that a request of the planner said, as one text."""
        return _text(self.planner.bodies[number])

    def written_to(self, number: int = -1) -> str:
        """Everything that a request of the writer said."""
        return _text(self.story.bodies[number])


def _text(body: bytes) -> str:
    messages = json.loads(body)["messages"]
    return "\n".join(message.get("content") or "" for message in messages)


@asynccontextmanager
async def a_room(
    says: Says | None = None,
    *,
    settings: Settings = ON,
    story: Script = told,
    store: Store | None = None,
    clock: Clock | None = None,
    language: Language = "zh",
    card: Mapping[str, object] = CARD,
    wrap: Callable[[Model], Model] = lambda model: model,
) -> AsyncGenerator[Room]:
    """`says` is what the planner's model says by role; `wrap` puts something between it and the
    house."""
    time = clock or SystemClock()
    planners = Planners(dict(says or {}))
    writer, planner = ScriptedModel(story, name="writer"), ScriptedModel(planners, name="planner")
    kept = store or MemoryStore(time)
    jobs = InlineJobs(kept)
    roles = Roles(writer, wrap(planner))
    house = House(
        store=kept,
        objects=MemoryObjects(),
        clock=time,
        ids=CountedIds(),
        models=roles,
        scenarios=Fixed(settings),
        shelf=Shelf(kept),
        jobs=jobs,
        owner="first",
        flush_s=0.01,
    )
    company = Company(house)
    imported = await library.import_card(house, json.dumps(card).encode(), "shen.json")
    wish = Founding(card_id=imported.id, persona=PERSONA, language=language)
    project, _ = await founding.create_project(house, wish)
    room = Room(house, company, writer, planner, planners, roles, project, jobs)
    try:
        yield room
    finally:
        await room.company.close()
        await room.jobs.close()
