"""Stop against commits that are under way (each of these failed when it was written)."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Callable
from dataclasses import replace

import pytest

from huaben.adapters.system import SystemClock
from huaben.domain.events import End, Status, ToolEnd, TurnEvent
from huaben.domain.story import Turn
from huaben.ports import Commit, Committed, Stale
from huaben.services import founding, library, playing
from huaben.services.founding import Founding
from huaben.services.performing import Company
from huaben.services.stories import load_turn
from huaben.testing.models import ScriptedModel
from huaben.testing.script import call, reply, say, stall
from huaben.testing.store import MemoryStore
from tests.builders.waiting import until

from .conftest import CARD, Table, make_house


class SlowStore(MemoryStore):
    """A disk that takes its time: a commit is visible to readers only `delay_s` after it began, in
    the order in which they came, and is not taken back when who waits for it leaves."""

    delay_s = 0.0

    def __init__(self) -> None:
        super().__init__(SystemClock())
        self._order = asyncio.Lock()
        self.began = asyncio.Event()
        self.wanted: Callable[[Commit], bool] = lambda _: True
        self._tasks: set[asyncio.Task[Committed | Stale]] = set()

    async def commit(self, commit: Commit) -> Committed | Stale:
        task = asyncio.ensure_future(self._late(commit))
        self._tasks.add(task)
        return await asyncio.shield(task)

    async def _late(self, commit: Commit) -> Committed | Stale:
        if self.wanted(commit):
            self.began.set()
        async with self._order:
            await asyncio.sleep(self.delay_s)
            return await super().commit(commit)


@pytest.fixture
async def table() -> AsyncIterator[Table]:
    store = SlowStore()
    model = ScriptedModel([])
    house = make_house(store, model)
    company = Company(house)
    card = await library.import_card(house, json.dumps(CARD).encode(), "shen.json")
    project, _ = await founding.create_project(house, Founding(card_id=card.id))
    yield Table(house, company, model, project)
    await company.close()


def scripted(table: Table, *script: object) -> Table:
    model = ScriptedModel(list(script))  # pyright: ignore[reportArgumentType] - a test's script
    house = replace(table.house, models=type(table.house.models)(model))  # pyright: ignore
    return Table(house, Company(house), model, table.project)


def watch(store: SlowStore, kind: type[TurnEvent], turn_id: str = "") -> None:
    """Have `began` set when a commit with such an event is under way."""

    def wanted(commit: Commit) -> bool:
        return any(isinstance(e, kind) and turn_id in ("", t) for t, e in commit.events)

    store.wanted = wanted
    store.began.clear()


async def post(table: Table, text: str) -> Turn:
    return await playing.post_turn(
        table.house, table.company, table.project.id, playing.Words(text)
    )


async def test_stop_keeps_what_was_being_committed(table: Table) -> None:
    """The model's write is on its way to the disk when Stop is pressed: it stays version 1, and what
    was merely spoken does not take its place."""
    table = scripted(
        table,
        reply(say("只是说话"), call("draft_write", version=0, content="正文。")),
        reply(stall()),
    )
    store = table.house.store
    assert isinstance(store, SlowStore)
    store.delay_s = 0.05
    turn = await post(table, "写")
    watch(store, ToolEnd)
    await store.began.wait()
    await asyncio.sleep(0.01)
    await playing.stop(table.house, table.company, turn.id)
    view = await table.view(turn)
    assert [v.version for v in view.versions] == sorted({v.version for v in view.versions})
    assert view.draft.text == "正文。"


async def test_a_queued_turn_that_is_stopped_while_it_starts_does_not_run(table: Table) -> None:
    """Stop of a queued turn and its start at the same moment: stopped means that no call is made."""
    table = scripted(table, reply(say("甲"), stall(0.2)), reply(say("乙"), stall(0.3), say("乙乙")))
    store = table.house.store
    assert isinstance(store, SlowStore)
    await post(table, "一")
    second = await post(table, "二")
    store.delay_s = 0.05
    watch(store, Status, second.id)
    await store.began.wait()  # its start is on its way to the disk
    await asyncio.sleep(0.01)
    await playing.stop(table.house, table.company, second.id)

    async def over() -> bool:
        return (await load_turn(table.house, second.id)).outcome is not None

    await until(over)
    stored = await load_turn(table.house, second.id)
    assert second.id not in table.company.running
    assert stored.outcome in ("stopped", "discarded"), stored.outcome


async def test_stop_at_the_very_end_lets_the_queue_go_on(table: Table) -> None:
    """The turn ended by itself while Stop was on its way: that is no error, and the queue goes on."""
    table = scripted(table, reply(say("甲")), reply(say("乙")))
    store = table.house.store
    assert isinstance(store, SlowStore)
    store.delay_s = 0.02
    first = await post(table, "一")
    second = await post(table, "二")
    watch(store, End)
    await store.began.wait()
    await asyncio.sleep(0.005)
    try:
        await playing.stop(table.house, table.company, first.id)
    finally:

        async def over() -> bool:
            return (await load_turn(table.house, second.id)).run == "ended"

        await until(over)
