"""Short words for tests of memory: scenarios that remember, and looking at what is kept from a node."""

from __future__ import annotations

import json
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import replace

from huaben.domain.notes import SOURCES, Note, NoteSource, Vantage
from huaben.domain.scenario import Scenario
from huaben.domain.story import Node, Tree, Turn
from huaben.domain.turnview import TurnView
from huaben.formats.scenario import Resolved, flat, resolve
from huaben.ports import Commit, Committed, Page, Row, Store
from huaben.services import chores, founding, library
from huaben.services.performing import Company
from huaben.testing.jobs import Records
from huaben.testing.models import ScriptedModel
from huaben.testing.script import Asked, Script, ScriptedReply, Step, reply, say
from tests.integration.aftermath.conftest import Room, Settings, make_house
from tests.integration.stage.conftest import CARD

SCRIBE: Settings = {"scribe": {"enabled": True, "wait_s": 30}}
DIARY: Settings = {"memory": {"sources": ["diary"]}}
ALL: Settings = {**SCRIBE, "memory": {"sources": ["diary", "tables", "store"]}}
SHORT: Settings = {**DIARY, "compaction": {"keep": 1, "every": 1, "min_chars": 0}}
"""All but the latest turn leave what is sent."""


def told(text: str) -> ScriptedReply:
    return reply(say(text))


def teller(asked: Asked) -> Step:
    """Writes a summary where one is asked for, and prose elsewhere."""
    system = str(asked.messages[0]["content"])
    if "前情提要的人" in system or "keep the story so far" in system:
        return say("提要：他们还在渡口。")
    return say(f"雨还在下。（{asked.last_text[-6:]}）")


async def path_to(room: Room, at: str) -> list[Node]:
    return Tree(await room.house.store.skeleton(room.project.id)).path(at)


async def head_of(room: Room) -> str:
    head = await room.house.store.head(room.project.id)
    assert head is not None
    return head.turn_id


async def notes(room: Room, at: Turn | str, *sources: NoteSource) -> list[Note]:
    """What is in force from a node, the newest note first."""
    node = at if isinstance(at, str) else at.id
    vantage = Vantage(room.project.id, node, room.project.card_id)
    found, after = await room.house.store.notes(vantage, Page(limit=200), sources or SOURCES)
    assert after is None
    return found


async def table(room: Room, at: Turn | str) -> dict[tuple[str, str], Note]:
    """The rows of the tables by kind and title."""
    return {(note.kind, note.title): note for note in await notes(room, at, "tables")}


async def proposed(room: Room, at: Turn | str) -> list[Note]:
    node = at if isinstance(at, str) else at.id
    vantage = Vantage(room.project.id, node, room.project.card_id)
    return (await room.house.store.proposals(vantage, Page()))[0]


async def write(room: Room, *rows: Row) -> None:
    assert isinstance(await room.house.store.commit(Commit(rows=rows)), Committed)


async def play_on(room: Room, settings: Settings) -> None:
    """From now on the story is played with other settings."""
    project = await room.house.store.project(room.project.id)
    assert project is not None
    await write(room, replace(project, config=flat(scenario(settings))))


def scenario(settings: Settings) -> Scenario:
    found = resolve(("test", settings))
    assert isinstance(found, Resolved), found
    return found.scenario


def codes(view: TurnView) -> dict[str, str]:
    """The notices of a turn by their codes."""
    return {notice.code: notice.detail for notice in view.notices}


async def plant(room: Room, count: int) -> list[Turn]:
    """Turns that nobody played here, as an import makes them; the story then stands at the last one."""
    head = await room.house.store.head(room.project.id)
    assert head is not None
    parent, turns = head.turn_id, list[Turn]()
    for n in range(count):
        made = room.house.ids.new()
        turns.append(
            Turn(
                made, room.project.id, room.project.user_id, parent, "turn", made, n + 1, "",
                run="ended", outcome="sealed", user_text=f"旧话{n}", final_text=f"旧事{n}。", prose=True,
                config=room.project.config,
            )
        )  # fmt: skip
        parent = made
    await write(room, *turns, replace(head, turn_id=parent))
    return turns


async def beside(room: Room) -> Room:
    """Another story of the same card in the same house."""
    wish = founding.Founding(card_id=room.project.card_id, title="另一个故事")
    project, _ = await founding.create_project(room.house, wish)
    return replace(room, project=project)


@asynccontextmanager
async def room_on(
    store: Store, story: Script, settings: Settings, keeper: Script = ()
) -> AsyncGenerator[Room]:
    """A room on a store of the test's own; `keeper` writes what all stories of the card share."""
    models = {"story": ScriptedModel(story, name="teller"), "scribe": ScriptedModel(keeper)}
    records: Records = {}
    house = make_house(store, models, settings, records)
    company = Company(house)
    await chores.begin(house)
    card = await library.import_card(house, json.dumps(CARD).encode(), "shen.json")
    project, _ = await founding.create_project(house, founding.Founding(card_id=card.id))
    yield Room(house, company, models, project, records)
    await company.close()
    await house.jobs.close()
