"""Queue and tree: states that cannot be left (each of these failed when it was written)."""

from __future__ import annotations

import signal
from collections.abc import Generator
from contextlib import contextmanager

import pytest

from huaben.domain.story import Turn
from huaben.errors import HuabenError
from huaben.services import branching, playing
from huaben.services.stories import load_story
from huaben.services.viewing import show_path
from huaben.testing.script import Asked, ScriptedReply, call, fail, reply, say, stall
from tests.builders.waiting import come_to_rest, until

from .conftest import OpenTable, Table


@contextmanager
def at_most(seconds: int) -> Generator[None]:
    """A loop without an end holds the event loop, so that no asyncio timeout would see it."""

    def out(*_: object) -> None:
        raise AssertionError(f"did not come back within {seconds} s")

    before = signal.signal(signal.SIGALRM, out)
    signal.alarm(seconds)
    try:
        yield
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, before)


def echo(asked: Asked) -> ScriptedReply:
    words = asked.last_text.splitlines()[-1]
    if "坏" in words:
        return reply(fail(http_status=400, retryable=False))
    if "慢" in words:
        return reply(say("慢慢"), stall())
    return reply(say(f"应：{words}"))


async def post(table: Table, text: str) -> Turn:
    return await playing.post_turn(
        table.house, table.company, table.project.id, playing.Words(text)
    )


async def story(table: Table) -> list[str]:
    _, entries, _ = await show_path(table.house, table.project.id)
    return [entry.turn.user_text for entry in entries[1:]]


async def quiet(table: Table) -> None:
    async def over() -> bool:
        found = await load_story(table.house, table.project.id)
        return found.active is None and not table.company.running

    await until(over)


async def paused_queue(table: Table, *words: str) -> tuple[Turn, list[Turn]]:
    """A stopped turn at the head and turns queued behind it."""
    await table.say("零")
    first = await post(table, "慢")
    queued = [await post(table, text) for text in words]
    await come_to_rest()
    await playing.stop(table.house, table.company, first.id)
    return first, queued


async def test_a_queued_turn_cannot_be_told_again(open_table: OpenTable) -> None:
    """It has no place yet: a variant of it would put the head on a queued turn, which then becomes
    its own parent, and every walk to the root goes on for ever (also after a restart)."""
    table = await open_table(echo)
    _, (_one, two) = await paused_queue(table, "一", "二")
    with at_most(60), pytest.raises(HuabenError):
        await playing.make_variant(table.house, table.company, two.id)


async def test_a_reroll_runs_before_what_is_queued(open_table: OpenTable) -> None:
    """A reroll of the stopped turn is its sibling, whatever waits in the queue."""
    table = await open_table(echo)
    first, (one,) = await paused_queue(table, "一")
    again = await playing.make_variant(table.house, table.company, first.id, "改")
    await quiet(table)
    await come_to_rest()
    await quiet(table)
    again = await table.over(again.id)
    assert again.parent == first.parent
    assert await story(table) == ["零", "改", "一"], one.id


async def test_a_deleted_variant_is_no_place_to_undo_to(open_table: OpenTable) -> None:
    """After a variant was put aside its descendants are no place to stand, or Undo must pass it."""
    table = await open_table(echo)
    a = await table.say("甲")
    b = await table.say("乙")
    other = await playing.make_variant(table.house, table.company, a.id, "别")
    await table.over(other.id)
    other2 = await playing.make_variant(table.house, table.company, a.id)
    await table.over(other2.id)
    await branching.delete_variant(table.house, a.id)
    try:
        await branching.go_to(table.house, table.project.id, b.id)
    except HuabenError:
        return  # refusing is right as well
    await branching.undo(table.house, table.project.id)
    await branching.undo(table.house, table.project.id)


async def test_a_discarded_turn_is_not_told_again_nor_returned_to(open_table: OpenTable) -> None:
    """A reroll that yields nothing must not put the head on a turn that was given up."""
    table = await open_table(
        [
            reply(call("draft_write", version=0, content="半")),
            reply(say("")),
            reply(say("")),
            reply(fail(http_status=400, retryable=False)),
        ]
    )
    first = await table.say("一")
    second = await playing.make_variant(table.house, table.company, first.id)
    second = await table.over(second.id)
    # The reroll failed, so the head is at the first again; it is given up, then the second retried.
    await playing.discard(table.house, table.company, first.id)
    await playing.discard(table.house, table.company, second.id)
    found = await load_story(table.house, table.project.id)
    assert found.head_node.outcome != "discarded"


async def below_a_deleted_one(table: Table, words: str) -> Turn:
    """A turn whose parent is a variant that was put aside."""
    a = await table.say("甲")
    below = await table.say(words)
    await branching.undo(table.house, table.project.id)
    other = await playing.make_variant(table.house, table.company, a.id)
    await table.over(other.id)
    await branching.delete_variant(table.house, a.id)
    return below


async def test_what_lies_below_a_deleted_turn_is_not_told_again(open_table: OpenTable) -> None:
    """It would put the head on a deleted turn, from where Undo finds no way back."""
    table = await open_table(echo)
    below = await below_a_deleted_one(table, "乙")
    with pytest.raises(HuabenError):
        await playing.make_variant(table.house, table.company, below.id)


async def test_what_lies_below_a_deleted_turn_is_not_resumed(open_table: OpenTable) -> None:
    """Likewise."""
    table = await open_table(echo)
    below = await below_a_deleted_one(table, "坏")
    with pytest.raises(HuabenError):
        await playing.resume(table.house, table.company, below.id)
