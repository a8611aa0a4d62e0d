"""Recompute after an earlier text was changed: a difference first, applied on the user's word, at the head alone."""

from __future__ import annotations

import re

import pytest

from huaben.errors import Conflict, NotFound
from huaben.services import branching, chores
from huaben.services.aftermath.recomputing import proposal, recompute, settle_proposal
from huaben.services.bookkeeping import Edit, edit_ledger, revision_of, show_ledger
from huaben.testing.jobs import InlineJobs
from huaben.testing.script import Asked, Step, say
from tests.integration.aftermath.conftest import KEPT, OpenRoom, Room, make_house, patch


def teller(asked: Asked) -> Step:
    found = re.search(r"取(\S+)$", asked.last_text)
    return say(f"他取出{found[1] if found else '空手'}。")


def scribe(asked: Asked) -> Step:
    """Adds what was taken out to what is carried already."""
    ledger, _, rest = asked.last_text.partition("【读者的话】")
    thing = re.search(r"他取出(\S+?)。", rest)
    assert thing is not None
    carried = re.findall(r'"((?:灯|伞|剑|书))"', ledger)
    return say(patch({"inventory": thing[1]}, inventory=[*dict.fromkeys([*carried, thing[1]])]))


async def a_story(open_room: OpenRoom) -> Room:
    room = await open_room(teller, scribe)
    for thing in ("灯", "伞", "剑"):
        await room.say(f"取{thing}")
    return room


async def path(room: Room) -> list[str]:
    story = await room.house.store.skeleton(room.project.id)
    return [node.id for node in sorted(story, key=lambda one: one.depth) if node.kind == "turn"]


async def test_a_changed_text_is_read_again_and_applied_on_the_users_word(
    open_room: OpenRoom,
) -> None:
    """The ledger says which turn changed; reading again shows a difference; only applying it changes
    the ledger, and then nothing is marked any more."""
    room = await a_story(open_room)
    turns = await path(room)
    await branching.rewrite_final(room.house, turns[1], "他取出书。", 1)
    before = await room.ledger()
    assert before.changed == (turns[1],)
    assert before.stood.standing.ledger.inventory == ("灯", "伞", "剑")
    await recompute(room.house, turns[1])
    await room.house.jobs.idle()
    found = await proposal(room.house, room.project.id)
    assert found is not None
    assert (found.state, found.done, found.total) == ("ready", 2, 2)
    assert {"path": ["inventory"], "before": ["灯", "伞", "剑"], "after": ["灯", "书", "剑"]} in (
        found.changes
    )
    assert (await room.facts()).inventory == ("灯", "伞", "剑")
    applied = await settle_proposal(room.house, room.project.id, apply=True)
    assert applied.stood.standing.ledger.inventory == ("灯", "书", "剑")
    assert (applied.changed, applied.behind, applied.stood.reason) == ((), (), "recompute")
    await branching.undo(room.house, room.project.id)
    assert (await room.facts()).inventory == ("灯", "伞", "剑")
    await branching.redo(room.house, room.project.id)
    turn = await room.say("取书")
    assert (await room.facts(turn)).inventory == ("灯", "书", "剑")


async def test_what_the_user_wrote_on_the_way_is_laid_over_again(open_room: OpenRoom) -> None:
    """An edit of the user's in a turn that is read again holds in the proposal."""
    room = await a_story(open_room)
    turns = await path(room)
    seen = revision_of((await show_ledger(room.house, room.project.id)).stood)
    await edit_ledger(room.house, room.project.id, Edit(seen, {"time": "子时"}))
    await branching.rewrite_final(room.house, turns[0], "他取出书。", 1)
    await recompute(room.house, turns[0])
    await room.house.jobs.idle()
    applied = await settle_proposal(room.house, room.project.id, apply=True)
    assert applied.stood.standing.ledger.time == "子时"
    assert applied.stood.standing.ledger.inventory == ("书", "伞", "剑")


async def test_a_proposal_is_dropped_or_out_of_date(open_room: OpenRoom) -> None:
    """Dropped, nothing changes; once the story went on it is refused, and a second word finds none."""
    room = await a_story(open_room)
    turns = await path(room)
    await recompute(room.house, turns[1])
    await room.house.jobs.idle()
    await settle_proposal(room.house, room.project.id, apply=False)
    with pytest.raises(NotFound):
        await settle_proposal(room.house, room.project.id, apply=True)
    await recompute(room.house, turns[1])
    await room.house.jobs.idle()
    await room.say("取书")
    with pytest.raises(Conflict):
        await settle_proposal(room.house, room.project.id, apply=True)
    await branching.undo(room.house, room.project.id)
    with pytest.raises(Conflict):
        await recompute(room.house, (await path(room))[-1])


@pytest.mark.parametrize("steps", range(6))
async def test_dying_on_the_way_pays_nothing_twice(open_room: OpenRoom, steps: int) -> None:
    """Whichever step was the last that was recorded, the proposal comes and each turn was read once."""
    room = await a_story(open_room)
    turns = await path(room)
    asked = len(room.models["scribe"].scribed)
    await room.house.jobs.close()
    dying = make_house(room.house.store, room.models, KEPT, room.records)
    assert isinstance(dying.jobs, InlineJobs)
    await chores.begin(dying)
    dying.jobs.die_after(steps)
    await recompute(dying, turns[0])
    await dying.jobs.idle()
    await dying.jobs.close()
    house = make_house(room.house.store, room.models, KEPT, room.records)
    await chores.begin(house)
    await house.jobs.idle()
    found = await proposal(house, room.project.id)
    assert found is not None
    assert found.state == "ready"
    assert len(room.models["scribe"].scribed) == asked + 3
    await house.jobs.close()
