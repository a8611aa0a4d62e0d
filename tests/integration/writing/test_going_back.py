"""Undo, redo and moves in a writing project: files and discussion go together, hand edits are never lost."""

from __future__ import annotations

import pytest

from huaben.domain.checkpoint import Changed
from huaben.errors import Conflict, StorageFailed
from huaben.services import branching, playing
from huaben.services.writing.restoring import restore_files
from huaben.testing.manuscripts import MemoryManuscripts
from huaben.testing.script import call, fail, reply, say
from tests.integration.writing.conftest import CHAPTERS, Desk, OpenDesk

EDIT = call("edit", path="001-雨夜.md", oldText="旧伞", newText="新伞")
ADD = call("write", path="004-桥.md", content="桥上没有灯。\n")
SECOND = call("edit", path="001-雨夜.md", oldText="新伞", newText="花伞")


async def test_undo_takes_files_and_discussion_back_and_redo_brings_them_again(
    open_desk: OpenDesk,
) -> None:
    """The words return to the box, an added chapter goes; redo brings all of it again. Each is a checkpoint
    by the user."""
    desk = await open_desk([reply(EDIT, ADD), say("改好了。")])
    start = await desk.house.store.head(desk.project.id)
    assert start is not None
    turn = await desk.say("换伞，添一章桥。")
    after = desk.files
    undone = await desk.undo()
    assert undone.words == "换伞，添一章桥。"
    assert undone.head.turn_id == start.turn_id
    assert desk.files == CHAPTERS
    redone = await desk.redo()
    assert redone.head.turn_id == turn.id
    assert desk.files == after
    assert (await desk.told())[-2:] == [
        ("user", Changed(modified=("001-雨夜.md",), removed=("004-桥.md",))),
        ("user", Changed(added=("004-桥.md",), modified=("001-雨夜.md",))),
    ]
    history = await desk.history()
    assert history[-2].checkpoint.restored_from == history[0].checkpoint.id
    assert history[-1].checkpoint.restored_from == history[1].checkpoint.id


async def test_undo_touches_only_the_files_of_its_turn(open_desk: OpenDesk) -> None:
    """Other chapters that were edited by hand since stay, and are kept first."""
    desk = await open_desk([EDIT, say("改好了。")])
    await desk.say("换伞。")
    desk.write("002-渡口.md", "手改的渡口。\n")
    desk.write("009-手.md", "手写。\n")
    await desk.undo()
    assert desk.files == {**CHAPTERS, "002-渡口.md": "手改的渡口。\n", "009-手.md": "手写。\n"}
    assert [author for author, _ in await desk.told()] == ["user", "agent", "user", "user"]


async def test_a_file_edited_by_hand_since_is_a_conflict_that_force_overrides(
    open_desk: OpenDesk,
) -> None:
    """Nothing is touched and the edit has its checkpoint; with force it can still be come back to."""
    desk = await open_desk([EDIT, say("改好了。")])
    turn = await desk.say("换伞。")
    by_hand = desk.files["001-雨夜.md"] + "手添。\n"
    desk.write("001-雨夜.md", by_hand)
    with pytest.raises(Conflict) as refused:
        await desk.undo()
    assert (refused.value.code, refused.value.facts["files"]) == ("conflict", ("001-雨夜.md",))
    assert desk.files["001-雨夜.md"] == by_hand
    head = await desk.house.store.head(desk.project.id)
    assert head is not None
    assert head.turn_id == turn.id
    kept = (await desk.history())[-1]
    assert (kept.checkpoint.author, kept.checkpoint.changed.modified) == ("user", ("001-雨夜.md",))
    undone = await desk.undo(force=True)
    assert undone.words == "换伞。"
    assert desk.files == CHAPTERS
    await restore_files(desk.house, desk.project.id, kept.checkpoint.id)
    assert desk.files["001-雨夜.md"] == by_hand


async def test_several_turns_are_taken_back_at_once(open_desk: OpenDesk) -> None:
    """To before the first of them; redo goes on turn by turn."""
    desk = await open_desk([EDIT, say("一。"), SECOND, say("二。")])
    first = await desk.say("换伞。")
    await desk.say("再换成花伞。")
    moved = await branching.undo_from(desk.house, desk.project.id, first.id)
    assert moved.words == "换伞。"
    assert desk.files == CHAPTERS
    await desk.redo()
    assert "新伞" in desk.files["001-雨夜.md"]
    await desk.redo()
    assert "花伞" in desk.files["001-雨夜.md"]


async def test_a_move_to_another_branch_brings_its_files(open_desk: OpenDesk) -> None:
    """From one way of doing it to the other and back."""
    other = call("edit", path="001-雨夜.md", oldText="旧伞", newText="斗笠")
    desk = await open_desk([EDIT, say("一。"), other, say("二。")])
    first = await desk.say("换伞。")
    await desk.undo()
    second = await desk.say("换斗笠。")
    assert "斗笠" in desk.files["001-雨夜.md"]
    await branching.go_to(desk.house, desk.project.id, first.id)
    assert "新伞" in desk.files["001-雨夜.md"]
    await branching.go_to(desk.house, desk.project.id, second.id)
    assert "斗笠" in desk.files["001-雨夜.md"]


async def test_another_telling_of_a_turn_begins_from_before_it(open_desk: OpenDesk) -> None:
    """The first telling's changes are taken back before the second begins, and stay behind its node."""
    other = call("edit", path="001-雨夜.md", oldText="旧伞", newText="斗笠")
    desk = await open_desk([EDIT, say("一。"), other, say("二。")])
    first = await desk.say("换一样东西。")
    variant = await playing.make_variant(desk.house, desk.company, first.id)
    await desk.over(variant.id)
    assert "斗笠" in desk.files["001-雨夜.md"]
    await branching.go_to(desk.house, desk.project.id, first.id)
    assert "新伞" in desk.files["001-雨夜.md"]


async def test_discarding_an_unfinished_turn_takes_its_work_back(open_desk: OpenDesk) -> None:
    """What it had written before it failed goes with it."""
    desk = await open_desk([EDIT, fail()])
    turn = await desk.say("换伞。")
    assert turn.outcome == "failed"
    assert "新伞" in desk.files["001-雨夜.md"]
    await playing.discard(desk.house, desk.company, turn.id)
    assert desk.files == CHAPTERS


async def test_restoring_files_leaves_the_discussion_where_it_is(open_desk: OpenDesk) -> None:
    """Only the manuscript goes back."""
    desk = await open_desk([EDIT, say("改好了。")])
    turn = await desk.say("换伞。")
    first = (await desk.history())[0]
    made = await restore_files(desk.house, desk.project.id, first.checkpoint.id)
    assert made is not None
    assert (made.checkpoint.restored_from, made.checkpoint.author) == (first.checkpoint.id, "user")
    assert desk.files == CHAPTERS
    head = await desk.house.store.head(desk.project.id)
    assert head is not None
    assert head.turn_id == turn.id
    assert await restore_files(desk.house, desk.project.id, first.checkpoint.id) is None


async def test_undo_of_a_turn_whose_files_were_restored_already_only_moves(
    open_desk: OpenDesk,
) -> None:
    """What is as before the turn needs nothing, and makes no checkpoint."""
    desk = await open_desk([EDIT, say("改好了。")])
    await desk.say("换伞。")
    first = (await desk.history())[0]
    await restore_files(desk.house, desk.project.id, first.checkpoint.id)
    count = len(await desk.history())
    await desk.undo()
    assert desk.files == CHAPTERS
    assert len(await desk.history()) == count


async def test_a_turn_of_discussion_moves_without_a_checkpoint(open_desk: OpenDesk) -> None:
    """Neither its end nor undo nor redo makes one."""
    desk = await open_desk([say("我觉得第二章太短。")])
    turn = await desk.say("你怎么看第二章？")
    assert (turn.outcome, turn.final_text) == ("done", "我觉得第二章太短。")
    await desk.undo()
    await desk.redo()
    assert len(await desk.history()) == 1


def lose(desk: Desk, sha256: str) -> None:
    if desk.folder is not None:
        (desk.folder.parent / "history" / "objects" / sha256).unlink()
    else:
        assert isinstance(desk.house.manuscripts, MemoryManuscripts)
        del desk.house.manuscripts.desk(desk.project.id).objects[sha256]


async def test_a_missing_object_refuses_undo_before_anything_is_touched(
    open_desk: OpenDesk,
) -> None:
    """Files and head stay."""
    desk = await open_desk([EDIT, say("改好了。")])
    turn = await desk.say("换伞。")
    before = (await desk.history())[0].files["001-雨夜.md"]
    lose(desk, before)
    with pytest.raises(StorageFailed) as refused:
        await desk.undo()
    assert refused.value.code == "object_missing"
    assert "新伞" in desk.files["001-雨夜.md"]
    head = await desk.house.store.head(desk.project.id)
    assert head is not None
    assert head.turn_id == turn.id
