"""What every store promises about folding the log of an ended turn."""

from __future__ import annotations

from dataclasses import replace

from huaben.domain.events import DraftChange, End, Status, TextPiece, TurnEvent
from huaben.domain.story import Turn
from huaben.domain.turnview import replay
from huaben.ports import Commit, Store
from tests.contract.samples import a_beginning, a_turn

LOG: tuple[TurnEvent, ...] = (
    Status("running"),
    *(TextPiece(0, n, "灯") for n in range(20)),
    *(DraftChange(0, "write", 0, "雨", preview=True, offset=n) for n in range(20)),
    DraftChange(1, "write", 0, "雨" * 20),
    *(DraftChange(1, "append", 1, "夜", preview=True, offset=n) for n in range(5)),
    Status("interrupted"),
    End("interrupted"),
)


async def a_logged_turn(store: Store) -> Turn:
    project, greeting, beginning = a_beginning()
    turn = a_turn(project, parent=greeting.id, run="running", epoch=1)
    await store.commit(Commit(rows=(*beginning.rows, turn)))
    for event in LOG:
        await store.commit(Commit(events=((turn.id, event),)))
    return turn


async def test_the_log_of_an_ended_turn_is_folded(store: Store) -> None:
    """Replay gives the same view, rows are fewer, the last number stays, new ones follow it."""
    turn = await a_logged_turn(store)
    before = await store.events(turn.id)
    await store.commit(Commit(rows=(replace(turn, run="ended", outcome="interrupted"),)))
    gone = await store.fold(turn.id)
    after = await store.events(turn.id)
    assert gone == len(before) - len(after) == 19 + 20 + 4
    assert replay(row.event for row in after) == replay(row.event for row in before)
    assert after[-1] == before[-1]
    answer = await store.commit(Commit(events=((turn.id, Status("running")),)))
    assert getattr(answer, "seqs", None) == (len(LOG) + 1,)


async def test_a_reader_in_the_middle_of_a_folded_run_ends_alike(store: Store) -> None:
    """Whatever number a client has seen, what follows it leads to the same view."""
    turn = await a_logged_turn(store)
    await store.commit(Commit(rows=(replace(turn, run="ended", outcome="interrupted"),)))
    await store.fold(turn.id)
    whole = replay(LOG)
    for seen in range(len(LOG) + 1):
        rest = await store.events(turn.id, after=seen)
        assert replay((row.event for row in rest), replay(LOG[:seen])) == whole


async def test_only_what_has_ended_is_folded(store: Store) -> None:
    """A running turn, a folded one and one that does not exist are left alone."""
    turn = await a_logged_turn(store)
    assert await store.fold(turn.id) == 0
    assert len(await store.events(turn.id)) == len(LOG)
    await store.commit(Commit(rows=(replace(turn, run="ended", outcome="sealed"),)))
    assert await store.fold(turn.id) > 0
    assert await store.fold(turn.id) == 0
    assert await store.fold("missing") == 0
