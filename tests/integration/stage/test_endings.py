"""Stop, failure, interruption and going on (`turn.md` §1): what was written is always kept."""

from __future__ import annotations

import asyncio
from dataclasses import replace

import pytest

from huaben.domain.events import DraftChange
from huaben.domain.story import Turn
from huaben.errors import Conflict, StorageFailed
from huaben.ports import Commit
from huaben.services import playing
from huaben.services.viewing import show_turn
from huaben.testing.models import ScriptedModel
from huaben.testing.script import Asked, ScriptedReply, Unit, call, drop, fail, reply, say, stall
from huaben.testing.store import MemoryStore
from tests.builders.waiting import AWHILE_S, come_to_rest

from .conftest import OpenTable, Table

LONG = "雨点顺着伞骨往下坠，一滴一滴敲在青石板上。"
SEAL = reply(call("draft_seal", version=1))


def writing(*after: Unit) -> ScriptedReply:
    return reply(call("draft_write", version=0, content=LONG), *after)


async def running(table: Table, text: str = "走") -> Turn:
    turn = await playing.post_turn(
        table.house, table.company, table.project.id, playing.Words(text)
    )
    await asyncio.wait_for(table.model.stalled.wait(), AWHILE_S)
    await come_to_rest()
    return turn


async def test_stop_keeps_the_streamed_part_as_a_version(open_table: OpenTable) -> None:
    """The part of a write whose version matched becomes a version with the reason partial."""
    table = await open_table([writing(stall())])
    turn = await running(table)
    assert (await show_turn(table.house, turn.id)).partial is not None
    stopped = await playing.stop(table.house, table.company, turn.id)
    view = await table.view(turn)
    assert stopped.outcome == "stopped"
    assert view.versions[-1].reason == "partial"
    assert view.draft.text
    assert LONG.startswith(view.draft.text)


async def test_stop_with_an_empty_draft_keeps_what_was_spoken(open_table: OpenTable) -> None:
    """Spoken text becomes the draft."""
    table = await open_table([reply(say(LONG), stall())])
    turn = await running(table)
    await playing.stop(table.house, table.company, turn.id)
    assert (await table.view(turn)).draft.text == LONG


async def test_a_preview_of_another_version_never_shows(open_table: OpenTable) -> None:
    """Text of a call that will be refused is not story."""
    table = await open_table([reply(call("draft_write", version=3, content=LONG), stall())])
    turn = await running(table)
    assert (await show_turn(table.house, turn.id)).partial is None
    await playing.stop(table.house, table.company, turn.id)
    assert (await table.view(turn)).draft.text == ""


async def test_a_refused_write_takes_its_preview_back(open_table: OpenTable) -> None:
    """A write that was shown and then refused is retracted in the log."""
    table = await open_table(
        [reply(call("draft_write", version=0, content=LONG, mood="calm")), reply(say("好。"))]
    )
    turn = await table.say("走")
    ops = [
        e.event.op
        for e in await table.house.store.events(turn.id)
        if isinstance(e.event, DraftChange)
    ]
    assert "retract" in ops or ops == ["capture"]
    assert turn.final_text == "好。"


async def test_continue_after_a_stop_tells_the_model_where_the_sheet_is(
    open_table: OpenTable,
) -> None:
    """The user's Continue is one visible note; recorded calls are not paid again."""
    table = await open_table(
        [reply(call("card_read")), writing(stall()), reply(call("draft_seal", version=1))]
    )
    turn = await running(table)
    await playing.stop(table.house, table.company, turn.id)
    await playing.resume(table.house, table.company, turn.id)
    turn = await table.over(turn.id)
    assert turn.outcome == "sealed"
    assert len(table.model.bodies) == 3
    assert "版本 1" in table.contents(2)[-1][1]
    notices = (await table.view(turn)).notices
    assert [n.code for n in notices] == ["continue"]


@pytest.mark.parametrize(
    "broken",
    [
        drop(),
        fail("provider_error", "The provider answered 500.", http_status=500, retryable=True),
    ],
)
async def test_a_provider_that_dies_keeps_prose_and_can_be_retried(
    open_table: OpenTable, broken: Unit
) -> None:
    """Prose kept as a preview, the status shown, Retry makes the failed call alone again."""
    table = await open_table([reply(call("card_read")), writing(broken), writing(), SEAL])
    turn = await table.say("走")
    shown = await show_turn(table.house, turn.id)
    assert turn.outcome == "failed"
    assert turn.message
    assert shown.view.error is not None
    assert turn.prose
    assert shown.partial
    assert LONG.startswith(shown.partial)
    await playing.resume(table.house, table.company, turn.id)
    turn = await table.over(turn.id)
    assert (turn.outcome, turn.final_text) == ("sealed", LONG)
    assert len(table.model.bodies) == 4
    assert table.model.bodies[1] == table.model.bodies[2]


async def test_keep_turns_the_partial_into_a_version_and_seals(open_table: OpenTable) -> None:
    """Seal on a failed turn keeps what had arrived."""
    table = await open_table([writing(drop())])
    turn = await table.say("走")
    partial = (await show_turn(table.house, turn.id)).partial
    sealed = await playing.seal(table.house, table.company, turn.id)
    assert (sealed.outcome, sealed.final_text) == ("sealed", partial)


async def test_a_dead_process_leaves_the_turn_interrupted(open_table: OpenTable) -> None:
    """After a restart it can be resumed; the unfinished write is dropped, finished calls are
    taken from the record."""
    table = await open_table([reply(call("card_read")), writing(stall())])
    turn = await running(table)
    again = await table.restarted(ScriptedModel([writing(), SEAL]))
    turn = await again.over(turn.id)
    assert turn.outcome == "interrupted"
    shown = await show_turn(again.house, turn.id)
    assert shown.partial
    await playing.resume(again.house, again.company, turn.id)
    turn = await again.over(turn.id)
    assert (turn.outcome, turn.final_text) == ("sealed", LONG)
    assert len(again.model.bodies) == 2
    assert again.model.bodies[0] == table.model.bodies[1]


async def test_a_turn_without_a_call_runs_by_itself_after_a_restart(open_table: OpenTable) -> None:
    """Nothing was paid, so nothing needs a decision."""
    table = await open_table([reply(say("好。"))])
    head = await table.house.store.head(table.project.id)
    assert head is not None
    left = Turn(
        id=table.house.ids.new(),
        project_id=table.project.id,
        user_id="local",
        parent=head.turn_id,
        kind="turn",
        beat="b",
        depth=1,
        created_at=table.house.now(),
        run="running",
        user_text="走",
        owner="a process that died",
        epoch=1,
        config=table.project.config,
    )
    await table.house.store.commit(Commit(rows=(left, replace(head, turn_id=left.id))))
    again = await table.restarted()
    turn = await again.over(left.id)
    assert (turn.outcome, turn.final_text) == ("sealed", "好。")


async def test_stop_and_interruption_close_their_open_calls(open_table: OpenTable) -> None:
    """No call stays open in the record of a stopped turn."""
    table = await open_table([writing(stall())])
    turn = await running(table)
    await playing.stop(table.house, table.company, turn.id)
    assert [c.state for c in await table.house.store.calls(turn.id)] == ["failed"]


async def test_a_second_stop_is_refused(open_table: OpenTable) -> None:
    table = await open_table([reply(say("好。"))])
    turn = await table.say("走")
    with pytest.raises(Conflict) as refused:
        await playing.stop(table.house, table.company, turn.id)
    assert refused.value.code == "not_running"


async def test_discard_gives_the_words_back(open_table: OpenTable) -> None:
    """The head returns to the parent; the turn leaves the story."""
    table = await open_table([writing(), reply(say("")), reply(say(""))])
    turn = await table.say("走")
    assert turn.outcome == "unsealed"
    gone = await playing.discard(table.house, table.company, turn.id)
    head = await table.house.store.head(table.project.id)
    assert gone.outcome == "discarded"
    assert head is not None
    assert head.turn_id == turn.parent


async def test_sealing_with_descendants_is_refused(open_table: OpenTable) -> None:
    """An unfinished turn that the story went on from stays out of it."""
    table = await open_table([writing(), reply(say("")), reply(say("")), reply(say("好。"))])
    turn = await table.say("走")
    await table.say("算了，继续")
    past = [text for _, text in table.contents(-1)]
    assert not any("雨点" in text for text in past)
    assert not any(text == "走" for text in past)
    for verb in (playing.seal, playing.resume):
        with pytest.raises(Conflict) as refused:
            await verb(table.house, table.company, turn.id)
        assert refused.value.code == "has_children"


async def test_a_failed_store_changes_nothing_and_the_end_is_recorded_later(
    open_table: OpenTable,
) -> None:
    """What cannot be recorded did not happen: no version, no counter moves; once the store works
    again the turn ends and can be retried."""
    table = await open_table([reply(call("card_read"), stall()), writing(), SEAL])
    store = table.house.store
    assert isinstance(store, MemoryStore)
    turn = await running(table)
    store.break_with(StorageFailed("disk_full", "The disk is full."))
    table.model.release()
    while turn.id not in table.company.unrecorded:  # noqa: ASYNC110 - the company has no event for it
        await asyncio.sleep(0.01)
    assert (await table.view(turn)).draft.version == 0
    store.break_with(None)
    turn = await table.over(turn.id)
    assert (turn.outcome, turn.code) == ("failed", "disk_full")
    await playing.resume(table.house, table.company, turn.id)
    assert (await table.over(turn.id)).outcome == "sealed"


async def test_what_cannot_be_prepared_ends_the_turn(open_table: OpenTable) -> None:
    """A card that vanished, a connection that is gone: the turn fails with the reason, it does not
    run for ever."""
    table = await open_table([reply(say("好。"))])
    table.house.models.broken = True  # pyright: ignore[reportAttributeAccessIssue] - OneModel
    turn = await playing.post_turn(
        table.house, table.company, table.project.id, playing.Words("走")
    )
    turn = await table.over(turn.id)
    assert (turn.outcome, turn.code) == ("failed", "no_connection")


async def test_a_fault_of_the_program_ends_the_turn(open_table: OpenTable) -> None:
    """Even then the words are kept and the turn can be retried."""

    def broken(asked: Asked) -> ScriptedReply:
        raise ZeroDivisionError

    table = await open_table(broken)
    turn = await table.say("走")
    assert (turn.outcome, turn.code, turn.user_text) == ("failed", "internal_error", "走")


async def test_a_reroll_that_yields_nothing_returns_to_the_variant(open_table: OpenTable) -> None:
    """The failed node stays outside the variants; no prose is stored."""
    table = await open_table([reply(say("甲。")), reply(say("")), reply(say(""))])
    first = await table.say("走")
    new = await playing.make_variant(table.house, table.company, first.id)
    new = await table.over(new.id)
    head = await table.house.store.head(table.project.id)
    assert (new.outcome, new.code) == ("failed", "no_draft")
    assert head is not None
    assert head.turn_id == first.id
    assert (await show_turn(table.house, first.id)).variants == (first.id,)
