"""The queue and the session tree (`turn.md` §1, `state.md` §1, §5)."""

from __future__ import annotations

import pytest

from huaben.domain.story import Turn
from huaben.errors import Conflict, NotFound, PreconditionFailed, PreconditionRequired
from huaben.services import branching, playing
from huaben.services.viewing import show_path, show_turn
from huaben.testing.script import Asked, ScriptedReply, call, reply, say, stall

from .conftest import OpenTable, Table


def echo(asked: Asked) -> ScriptedReply:
    return reply(say(f"应：{asked.last_text.splitlines()[-1]}"))


async def head_of(table: Table) -> str:
    head = await table.house.store.head(table.project.id)
    assert head is not None
    return head.turn_id


async def post(table: Table, text: str, parent: str | None = None) -> Turn:
    return await playing.post_turn(
        table.house, table.company, table.project.id, playing.Words(text, parent)
    )


async def ended(table: Table, turn: Turn) -> None:
    """Wait for a turn that may still be queued, by the project's own events."""
    seen = 0
    while (await table.over(turn.id)).run != "ended":
        await table.house.store.changed(table.project.id, seen, 1)
        logged = await table.house.store.project_events(table.project.id, seen)
        seen = logged[-1].seq if logged else seen


async def story(table: Table) -> list[str]:
    _, entries, _ = await show_path(table.house, table.project.id)
    return [entry.text.text for entry in entries[1:]]


async def test_input_during_a_turn_is_queued_in_order(open_table: OpenTable) -> None:
    """One turn runs; the others get their real parent when they start."""
    table = await open_table([reply(say("甲"), stall()), reply(say("乙")), reply(say("丙"))])
    first = await post(table, "一")
    second = await post(table, "二", first.id)
    third = await post(table, "三", second.id)
    assert (second.run, third.run) == ("queued", "queued")
    table.model.release()
    for turn in (first, second, third):
        await ended(table, turn)
    assert await story(table) == ["甲", "乙", "丙"]
    done = await table.over(third.id)
    assert done.parent == second.id


async def test_a_stale_parent_is_refused(open_table: OpenTable) -> None:
    """A tab that has not seen the end of the story may not write behind it (S04, S08)."""
    table = await open_table(echo)
    root = await head_of(table)
    await table.say("一")
    with pytest.raises(Conflict) as refused:
        await post(table, "二", root)
    assert refused.value.code == "head_moved"
    assert await story(table) == ["应：一"]


async def test_the_queue_pauses_behind_an_unfinished_turn(open_table: OpenTable) -> None:
    """It goes on when that turn is sealed or discarded; a post into an empty queue always runs."""
    table = await open_table(
        [
            reply(call("draft_write", version=0, content="半"), stall()),
            reply(say("")),
            reply(say("")),
            reply(say("二应")),
        ]
    )
    first = await post(table, "一")
    second = await post(table, "二")
    table.model.release()
    first = await table.over(first.id)
    assert first.outcome == "unsealed"
    assert (await table.over(second.id)).run == "queued"
    await playing.seal(table.house, table.company, first.id)
    second = await table.over(second.id)
    assert second.outcome == "sealed"


async def test_a_queued_turn_can_be_taken_back(open_table: OpenTable) -> None:
    """It never ran and leaves no trace in the story."""
    table = await open_table([reply(say("甲"), stall())])
    first = await post(table, "一")
    second = await post(table, "二")
    await playing.stop(table.house, table.company, second.id)
    table.model.release()
    await table.over(first.id)
    assert await story(table) == ["甲"]


async def test_the_same_request_id_is_one_turn(open_table: OpenTable) -> None:
    """A repeated post is answered with the turn it made; with other words it is refused."""
    table = await open_table(echo)
    first = await table.say("一", request_id="r1")
    again = await table.say("一", request_id="r1")
    assert first.id == again.id
    with pytest.raises(Conflict) as refused:
        await table.say("别的", request_id="r1")
    assert refused.value.code == "request_reused"


async def test_variants_share_a_beat_and_edits_do_not(open_table: OpenTable) -> None:
    """A reroll is a sibling of the same beat; edit and resend opens another."""
    table = await open_table(echo)
    first = await table.say("一")
    second = await playing.make_variant(table.house, table.company, first.id)
    second = await table.over(second.id)
    third = await playing.make_variant(table.house, table.company, first.id, "改")
    third = await table.over(third.id)
    assert first.parent == second.parent == third.parent
    assert first.beat == second.beat != third.beat
    assert (await show_turn(table.house, first.id)).variants == (first.id, second.id)
    assert await story(table) == ["应：改"]


async def test_deleting_a_variant_never_generates(open_table: OpenTable) -> None:
    """The head goes to the neighbour; one of one is left (H14)."""
    table = await open_table(echo)
    first = await table.say("一")
    second = await playing.make_variant(table.house, table.company, first.id)
    second = await table.over(second.id)
    calls = len(table.model.bodies)
    await branching.delete_variant(table.house, second.id)
    assert await head_of(table) == first.id
    assert (await show_turn(table.house, first.id)).variants == (first.id,)
    assert len(table.model.bodies) == calls
    with pytest.raises(Conflict) as refused:
        await branching.delete_variant(table.house, first.id)
    assert refused.value.code == "last_variant"


async def test_undo_and_redo_walk_the_same_way(open_table: OpenTable) -> None:
    """Three turns back, three turns forward; nothing is lost."""
    table = await open_table(echo)
    for text in ("一", "二", "三"):
        await table.say(text)
    words = [(await branching.undo(table.house, table.project.id)).words for _ in range(3)]
    assert words == ["三", "二", "一"]
    with pytest.raises(Conflict):
        await branching.undo(table.house, table.project.id)
    for _ in range(3):
        await branching.redo(table.house, table.project.id)
    assert await story(table) == ["应：一", "应：二", "应：三"]
    with pytest.raises(Conflict):
        await branching.redo(table.house, table.project.id)


async def test_redo_goes_to_the_child_that_was_last_visited(open_table: OpenTable) -> None:
    """Going to another branch and undoing there makes Redo return there."""
    table = await open_table(echo)
    first = await table.say("一")
    left = await table.say("左")
    await branching.undo(table.house, table.project.id)
    right = await table.say("右")
    await branching.go_to(table.house, table.project.id, left.id)
    await branching.undo(table.house, table.project.id)
    assert await head_of(table) == first.id
    moved = await branching.redo(table.house, table.project.id)
    assert moved.head.turn_id == left.id != right.id


async def test_the_greeting_changes_only_before_the_first_turn(open_table: OpenTable) -> None:
    """Alternate greetings are sibling roots."""
    table = await open_table(echo)
    moved = await branching.choose_greeting(table.house, table.project.id, 1)
    shown = await show_turn(table.house, moved.head.turn_id)
    assert "扫水" in shown.text.text
    assert len(shown.variants) == 2
    await table.say("一")
    with pytest.raises(Conflict) as refused:
        await branching.choose_greeting(table.house, table.project.id, 0)
    assert refused.value.code == "story_begun"
    assert "扫水" in table.contents(0)[1][1]


async def test_the_users_own_edit_is_a_revision_on_this_branch(open_table: OpenTable) -> None:
    """It needs the version that was seen (S02); undo brings the old text back."""
    table = await open_table(echo)
    first = await table.say("一")
    with pytest.raises(PreconditionRequired):
        await branching.rewrite_final(table.house, first.id, "改过", None)
    with pytest.raises(PreconditionFailed):
        await branching.rewrite_final(table.house, first.id, "改过", 9)
    await branching.rewrite_final(table.house, first.id, "改过", 1)
    assert (await show_turn(table.house, first.id)).text.text == "改过"
    await table.say("二")
    assert ("assistant", "改过") in table.contents(-1)
    await branching.undo(table.house, table.project.id)
    await branching.undo(table.house, table.project.id)
    assert (await show_turn(table.house, first.id)).text.text == "应：一"


async def test_a_move_during_a_turn_is_refused(open_table: OpenTable) -> None:
    """What runs is stopped first, by the user."""
    table = await open_table([reply(say("甲"), stall())])
    turn = await post(table, "一")
    with pytest.raises(Conflict) as refused:
        await branching.undo(table.house, table.project.id)
    assert refused.value.code == "turn_running"
    table.model.release()
    await table.over(turn.id)


async def test_unknown_and_foreign_things_look_alike(open_table: OpenTable) -> None:
    """A turn of another project cannot be reached through this one (S04)."""
    table, other = await open_table(echo), await open_table(echo)
    theirs = await other.say("一")
    with pytest.raises(Exception, match="There is no turn"):
        await branching.go_to(table.house, table.project.id, theirs.id)


async def test_the_head_does_not_move_away_from_queued_words(open_table: OpenTable) -> None:
    """Words that wait were written for this end; they are taken back first."""
    table = await open_table(
        [
            reply(call("draft_write", version=0, content="半"), stall()),
            reply(say("")),
            reply(say("")),
        ]
    )
    first = await post(table, "一")
    second = await post(table, "二")
    table.model.release()
    assert (await table.over(first.id)).outcome == "unsealed"
    with pytest.raises(Conflict) as refused:
        await branching.undo(table.house, table.project.id)
    assert refused.value.code == "queue_waiting"
    await playing.stop(table.house, table.company, second.id)
    moved = await branching.undo(table.house, table.project.id)
    assert moved.words == "一"


async def test_what_lies_below_a_deleted_turn_is_put_aside_with_it(open_table: OpenTable) -> None:
    """No way leads onto a path with a hole in it."""
    table = await open_table(echo)
    first = await table.say("一")
    below = await table.say("二")
    other = await playing.make_variant(table.house, table.company, first.id)
    await table.over(other.id)
    await branching.delete_variant(table.house, first.id)
    with pytest.raises(NotFound):
        await branching.go_to(table.house, table.project.id, below.id)


async def test_a_variant_goes_before_words_that_wait(open_table: OpenTable) -> None:
    """Rerolling the turn that the queue pauses behind runs the variant first, then the queue."""
    table = await open_table(
        [
            reply(call("draft_write", version=0, content="半"), stall()),
            reply(say("")),
            reply(say("")),
            reply(say("重来")),
            reply(say("二应")),
        ]
    )
    first = await post(table, "一")
    second = await post(table, "二")
    table.model.release()
    await table.over(first.id)
    again = await playing.make_variant(table.house, table.company, first.id)
    await table.over(again.id)
    await ended(table, second)
    assert await story(table) == ["重来", "二应"]
