"""Every field of a turn comes back from the store as it went in."""

from __future__ import annotations

from dataclasses import fields, replace

from huaben.domain.story import Exchange, Revision, Turn
from huaben.ports import Commit, Store
from tests.contract.samples import a_beginning


async def test_every_field_of_a_turn_is_kept(store: Store) -> None:
    """A turn read again is the turn that was written, so that rules which look at it hold after a
    reload as they did before."""
    project, greeting, beginning = a_beginning()
    await store.commit(beginning)
    turn = Turn(
        id="t-1", project_id=project.id, user_id=project.user_id, parent=greeting.id, kind="turn",
        beat="t-1", depth=1, created_at="2026-11-30T00:00:00+00:00", run="ended", outcome="failed",
        code="c", message="m", title="t", user_text="words", asked=(Exchange("q", "a"),),
        final_text="f", version=3, prose=True, at_once=True, rerolls=greeting.id,
        revises=Revision(greeting.id, 2, "r"), request_id="rq", owner="o", epoch=2,
        config={"a": 1}, ended_at="2026-11-30T00:00:01+00:00",
    )  # fmt: skip
    await store.commit(Commit(rows=(turn,)))
    found = await store.turn(turn.id)
    assert found is not None
    lost = [
        f.name for f in fields(Turn)
        if f.name != "revision" and getattr(found, f.name) != getattr(turn, f.name)
    ]  # fmt: skip
    assert lost == []
    assert replace(found, revision=0) == turn
