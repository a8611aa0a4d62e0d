"""Edits made in another editor at any moment: none is lost, each is attributable."""

from __future__ import annotations

import asyncio

from huaben.domain.checkpoint import Changed
from huaben.services import playing
from huaben.services.writing import chapters
from huaben.services.writing.restoring import restore_files
from huaben.testing.script import call, reply, say, stall
from tests.builders.waiting import AWHILE_S
from tests.integration.writing.conftest import CHAPTERS, Desk, OpenDesk


async def begin(desk: Desk, words: str) -> str:
    """Post words and wait until the model has come to its pause."""
    turn = await playing.post_turn(desk.house, desk.company, desk.project.id, playing.Words(words))
    await asyncio.wait_for(desk.model.stalled.wait(), AWHILE_S)
    return turn.id


async def test_an_edit_while_the_agent_is_idle_is_the_user_s(open_desk: OpenDesk) -> None:
    """It gets its checkpoint before the turn begins, and the turn builds on it."""
    script = [
        call("edit", path="003-灯.md", oldText="快灭了", newText="灭了"),
        say("改好了。"),
    ]
    desk = await open_desk(script)
    desk.write("003-灯.md", "灯快灭了。\n")
    turn = await desk.say("让灯灭掉。")
    assert desk.files["003-灯.md"] == "灯灭了。\n"
    by_hand, by_agent = (await desk.history())[-2:]
    assert (by_hand.checkpoint.author, by_hand.checkpoint.changed) == (
        "user",
        Changed(modified=("003-灯.md",)),
    )
    assert (by_agent.checkpoint.author, by_agent.checkpoint.turn) == ("agent", turn.id)


async def test_an_edit_of_another_chapter_during_a_turn_is_kept_apart(open_desk: OpenDesk) -> None:
    """The turn's checkpoint names its own chapter, the user's names theirs."""
    script = [
        call("edit", path="001-雨夜.md", oldText="旧伞", newText="新伞"),
        reply(say("再看"), stall(), call("read", path="002-渡口.md")),
        say("好了。"),
    ]
    desk = await open_desk(script)
    turn_id = await begin(desk, "换伞。")
    desk.write("003-灯.md", "手改的灯。\n")
    desk.write("004-新.md", "手写的一章。\n")
    desk.model.release()
    await desk.over(turn_id)
    assert (await desk.told())[-2:] == [
        ("agent", Changed(modified=("001-雨夜.md",))),
        ("user", Changed(added=("004-新.md",), modified=("003-灯.md",))),
    ]
    assert desk.files["003-灯.md"] == "手改的灯。\n"
    assert "新伞" in desk.files["001-雨夜.md"]


async def test_an_edit_of_the_agent_s_own_chapter_during_a_turn_is_not_written_over(
    open_desk: OpenDesk,
) -> None:
    """What the agent had done until then is its checkpoint, then comes the user's, then the rest of the
    agent's work on the text as the user left it."""
    script = [
        call("edit", path="001-雨夜.md", oldText="旧伞", newText="新伞"),
        reply(
            say("接着"),
            stall(),
            call("edit", path="001-雨夜.md", oldText="出了门", newText="上了桥"),
        ),
        say("好了。"),
    ]
    desk = await open_desk(script)
    turn_id = await begin(desk, "换伞，上桥。")
    desk.write("001-雨夜.md", desk.files["001-雨夜.md"] + "\n作者添的一句。\n")
    desk.model.release()
    await desk.over(turn_id)
    assert (
        desk.files["001-雨夜.md"] == "雨下了一夜。\n\n他拿起那把新伞，上了桥。\n\n作者添的一句。\n"
    )
    authors = [author for author, _ in await desk.told()]
    assert authors[-3:] == ["agent", "user", "agent"]
    turns = [s.checkpoint.turn for s in await desk.history()]
    assert turns[-3:] == [turn_id, None, turn_id]


async def test_an_edit_between_reading_and_writing_of_one_call_is_not_written_over(
    open_desk: OpenDesk,
) -> None:
    """The tool refuses, the model reads again; nothing of the user's is lost."""
    desk = await open_desk([])
    # The chapter changes when the change is about to be made, which a test can only stand in for by a
    # whole replacement that the model planned on an older text.
    desk.write("001-雨夜.md", "旧文。\n")
    await chapters.list_chapters(desk.house, desk.project.id)
    script = [
        reply(call("write", path="001-雨夜.md", content="模型的全文。\n"), stall()),
        say("好了。"),
    ]
    again = await desk.restarted(type(desk.model)(script))
    turn = await playing.post_turn(
        again.house, again.company, again.project.id, playing.Words("重写。")
    )
    await asyncio.wait_for(again.model.stalled.wait(), AWHILE_S)
    again.write("001-雨夜.md", "作者刚改的。\n")
    again.model.release()
    await again.over(turn.id)
    texts = [s.files["001-雨夜.md"] for s in await again.history()]
    home = again.house.manuscripts
    assert home is not None
    kept = [await home.object(again.project.id, sha256) for sha256 in texts]
    assert "作者刚改的。\n".encode() in kept


async def test_an_edit_just_before_a_restore_is_kept_first(open_desk: OpenDesk) -> None:
    """It can be come back to like any other state."""
    desk = await open_desk([])
    (first,) = await desk.history()
    desk.write("001-雨夜.md", "第二稿。\n")
    await chapters.list_chapters(desk.house, desk.project.id)
    desk.write("001-雨夜.md", "还没存过的第三稿。\n")
    desk.remove("003-灯.md")
    made = await restore_files(desk.house, desk.project.id, first.checkpoint.id)
    assert made is not None
    assert desk.files == CHAPTERS
    by_hand = (await desk.history())[-2]
    assert by_hand.checkpoint.changed == Changed(modified=("001-雨夜.md",), removed=("003-灯.md",))
    await restore_files(desk.house, desk.project.id, by_hand.checkpoint.id)
    assert desk.files["001-雨夜.md"] == "还没存过的第三稿。\n"
    assert "003-灯.md" not in desk.files


async def test_a_save_during_a_turn_is_recorded_between_the_agent_s_changes(
    open_desk: OpenDesk,
) -> None:
    """It is answered at once, with a checkpoint of its own."""
    script = [
        call("edit", path="001-雨夜.md", oldText="旧伞", newText="新伞"),
        reply(say("再"), stall(), call("write", path="005-尾.md", content="尾声。\n")),
        say("好了。"),
    ]
    desk = await open_desk(script)
    turn_id = await begin(desk, "换伞，再写尾声。")
    await chapters.save_chapter(desk.house, desk.project.id, "004-新.md", "作者的一章。\n", "new")
    assert (await desk.told())[-2:] == [
        ("agent", Changed(modified=("001-雨夜.md",))),
        ("user", Changed(added=("004-新.md",))),
    ]
    desk.model.release()
    await desk.over(turn_id)
    assert (await desk.told())[-1] == ("agent", Changed(added=("005-尾.md",)))


async def test_looking_during_a_turn_makes_no_checkpoint_of_its_work(open_desk: OpenDesk) -> None:
    """A page that lists the chapters does not cut the turn's work into pieces."""
    script = [
        call("edit", path="001-雨夜.md", oldText="旧伞", newText="新伞"),
        reply(say("再"), stall(), call("edit", path="002-渡口.md", oldText="没有", newText="有")),
        say("好了。"),
    ]
    desk = await open_desk(script)
    before = len(await desk.history())
    turn_id = await begin(desk, "改两章。")
    await chapters.list_chapters(desk.house, desk.project.id)
    assert len(await desk.history()) == before
    desk.model.release()
    await desk.over(turn_id)
    assert (await desk.told())[before:] == [
        ("agent", Changed(modified=("001-雨夜.md", "002-渡口.md")))
    ]
