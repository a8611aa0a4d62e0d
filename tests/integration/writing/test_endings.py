"""How a writing turn ends: done, stopped, failed, cut off; whatever it had changed has its checkpoint."""

from __future__ import annotations

import asyncio

import pytest

from huaben.domain.checkpoint import Changed
from huaben.errors import StorageFailed
from huaben.services import playing
from huaben.testing.manuscripts import MemoryManuscripts
from huaben.testing.models import ScriptedModel
from huaben.testing.script import call, fail, reply, say, stall
from huaben.testing.store import MemoryStore
from tests.builders.waiting import AWHILE_S
from tests.integration.writing.conftest import CHAPTERS, Desk, OpenDesk

EDIT = call("edit", path="001-雨夜.md", oldText="旧伞", newText="新伞")


async def begin(desk: Desk, words: str) -> str:
    turn = await playing.post_turn(desk.house, desk.company, desk.project.id, playing.Words(words))
    await asyncio.wait_for(desk.model.stalled.wait(), AWHILE_S)
    return turn.id


async def test_prose_that_was_only_spoken_becomes_no_chapter(open_desk: OpenDesk) -> None:
    """It is discussion, whatever it looks like; there is no checkpoint and no draft."""
    desk = await open_desk([say("雨停了。他走下台阶，没有回头。")])
    turn = await desk.say("写个结尾。")
    assert (turn.outcome, turn.final_text) == ("done", "雨停了。他走下台阶，没有回头。")
    assert desk.files == CHAPTERS
    assert len(await desk.history()) == 1
    view = await desk.view(turn)
    assert (view.versions, view.captured) == ((), ())


async def test_a_stopped_turn_keeps_what_it_changed_and_is_marked(open_desk: OpenDesk) -> None:
    """It can be gone on with, kept, or taken back."""
    desk = await open_desk([EDIT, reply(say("接下来"), stall())])
    turn_id = await begin(desk, "换伞。")
    turn = await playing.stop(desk.house, desk.company, turn_id)
    assert turn.outcome == "stopped"
    made = (await desk.history())[-1].checkpoint
    assert (made.author, made.turn, made.aborted) == ("agent", turn.id, True)
    assert made.changed == Changed(modified=("001-雨夜.md",))
    kept = await playing.seal(desk.house, desk.company, turn_id)
    assert (kept.outcome, kept.final_text) == ("done", "接下来")
    await desk.undo()
    assert desk.files == CHAPTERS


async def test_a_failed_turn_keeps_what_it_changed_and_is_retried(open_desk: OpenDesk) -> None:
    """The retry goes on from the record; its own changes are a checkpoint of their own, and undo takes
    both back."""
    desk = await open_desk([EDIT, fail()])
    turn = await desk.say("换伞，再添一章。")
    assert (turn.outcome, turn.code) == ("failed", "provider_unavailable")
    assert (await desk.history())[-1].checkpoint.aborted
    again = await desk.restarted(
        ScriptedModel([call("write", path="004-桥.md", content="桥。\n"), say("好了。")])
    )
    await playing.resume(again.house, again.company, turn.id)
    turn = await again.over(turn.id)
    assert turn.outcome == "done"
    assert (await again.told())[1:] == [
        ("agent", Changed(modified=("001-雨夜.md",))),
        ("agent", Changed(added=("004-桥.md",))),
    ]
    assert [r["path"] for r in again.results(0)] == ["manuscript/001-雨夜.md"]
    await again.undo()
    assert again.files == CHAPTERS


async def test_a_turn_that_its_process_left_is_interrupted_with_its_checkpoint(
    open_desk: OpenDesk,
) -> None:
    """At the next start its work is recorded as its own, and hand edits since as the user's."""
    desk = await open_desk([EDIT, reply(say("再"), stall())])
    turn_id = await begin(desk, "换伞。")
    await desk.company.close()
    desk.write("003-灯.md", "手改。\n")
    again = await desk.restarted(ScriptedModel([say("好了。")]))
    turn = await again.over(turn_id)
    assert turn.outcome == "interrupted"
    history = await again.history()
    assert [(s.checkpoint.author, s.checkpoint.aborted) for s in history[1:]] == [
        ("agent", True),
        ("user", False),
    ]
    await playing.resume(again.house, again.company, turn_id)
    assert (await again.over(turn_id)).outcome == "done"


async def test_a_question_holds_the_turn_between_its_changes(open_desk: OpenDesk) -> None:
    """What was changed before it stays; the answer goes on, and one checkpoint holds the whole."""
    script = [
        EDIT,
        call("ask", question="结尾要不要下雪？", options=["下", "不下"]),
        call("edit", path="003-灯.md", oldText="灯还亮着", newText="雪落下来，灯还亮着"),
        say("按你的意思改了。"),
    ]
    desk = await open_desk(script)
    turn = await desk.say("换伞，再改结尾。")
    assert turn.run == "waiting"
    await playing.answer(desk.house, desk.company, turn.id, "下")
    turn = await desk.over(turn.id)
    assert turn.outcome == "done"
    assert (turn.asked[0].question, turn.asked[0].answer) == ("结尾要不要下雪？", "下")
    assert (await desk.told())[1:] == [("agent", Changed(modified=("001-雨夜.md", "003-灯.md")))]


async def test_a_turn_that_works_in_silence_is_done_all_the_same(open_desk: OpenDesk) -> None:
    """Nothing is asked again of a model that has changed what it was told to."""
    desk = await open_desk([EDIT, say("")])
    turn = await desk.say("换伞。")
    assert (turn.outcome, turn.final_text) == ("done", "")


async def test_a_model_that_says_and_does_nothing_is_asked_once_more(open_desk: OpenDesk) -> None:
    """Then the turn has failed, with a code."""
    desk = await open_desk([say(""), say("")])
    turn = await desk.say("写。")
    assert (turn.outcome, turn.code) == ("failed", "no_reply")


async def test_the_same_failing_change_three_times_ends_the_turn(open_desk: OpenDesk) -> None:
    """With the error shown."""
    wrong = call("edit", path="001-雨夜.md", oldText="没有这句", newText="x")
    desk = await open_desk([wrong, wrong, wrong])
    turn = await desk.say("改。")
    assert (turn.outcome, turn.code) == ("failed", "repeated_failure")
    assert "没有这句" in turn.message
    assert len(await desk.history()) == 1


async def test_after_the_last_round_tools_are_forbidden(open_desk: OpenDesk) -> None:
    """The list itself stays, so that the prefix stays; one last word ends the turn."""
    read = call("read", path="001-雨夜.md")
    desk = await open_desk([read, EDIT, say("到这里。")], CHAPTERS, rounds=2)
    turn = await desk.say("改。")
    assert (turn.outcome, turn.final_text) == ("done", "到这里。")
    assert desk.model.requests[2].tool_choice == "none"
    assert desk.model.requests[2].tools == desk.model.requests[0].tools


async def test_a_repeated_read_with_the_same_result_gets_a_receipt(open_desk: OpenDesk) -> None:
    """One after a change gets the new text in full."""
    read = call("read", path="001-雨夜.md")
    desk = await open_desk([read, read, EDIT, read, read, say("好。")])
    await desk.say("看看，改，再看看。")
    results = desk.results(5)
    assert ["content" in one for one in results] == [True, False, False, True, False]
    assert "新伞" in str(results[3]["content"])


async def test_malformed_and_unknown_calls_are_answered_and_do_nothing(open_desk: OpenDesk) -> None:
    """The turn goes on."""
    script = [
        reply(
            call("draft_write", version=0, content="雨"),
            call("edit", path="001-雨夜.md", oldText=3),
        ),
        call("shell", command="rm -rf /"),
        call("write", path="../outside.md", content="x"),
        say("不做了。"),
    ]
    desk = await open_desk(script)
    turn = await desk.say("试试。")
    assert turn.outcome == "done"
    assert [one["ok"] for one in desk.results(3)] == [False] * 4
    assert desk.files == CHAPTERS


async def test_lore_and_card_can_be_looked_up_at_the_desk(open_desk: OpenDesk) -> None:
    """The stage's reading tools are there, its draft tools are not."""
    script = [reply(call("lorebook_search", query="旧伞"), call("card_read")), say("查到了。")]
    desk = await open_desk(script)
    await desk.say("旧伞什么样？")
    lore, card = desk.results(1)
    assert "湘妃竹" in str(lore)
    assert card["name"] == "沈砚"
    names = [tool.name for tool in desk.model.requests[0].tools]
    assert names[:8] == ["read", "grep", "find", "ls", "edit", "write", "rename", "remove"]
    assert {"ask", "lorebook_search", "card_read"} <= set(names)
    assert not [name for name in names if name.startswith(("draft_", "previous_", "turn_plan"))]


async def test_a_file_the_disk_will_not_take_is_told_to_the_model(open_desk: OpenDesk) -> None:
    """A read-only chapter stays, and the turn goes on."""
    desk = await open_desk([EDIT, say("那一章是只读的，没有改。")])
    if desk.folder is not None:
        (desk.folder / "001-雨夜.md").chmod(0o444)
    else:
        assert isinstance(desk.house.manuscripts, MemoryManuscripts)
        desk.house.manuscripts.desk(desk.project.id).read_only.add("001-雨夜.md")
    turn = await desk.say("换伞。")
    assert turn.outcome == "done"
    (result,) = desk.results(1)
    assert result["ok"] is False
    assert "只读" in str(result["error"])
    assert desk.files == CHAPTERS


async def test_a_manuscript_whose_folder_is_gone_fails_the_turn_and_loses_nothing(
    open_desk: OpenDesk,
) -> None:
    """It says what to do; no deletion is recorded."""
    desk = await open_desk([say("不会说到。")])
    if desk.folder is not None:
        desk.folder.rename(desk.folder.with_name("away"))
    else:
        assert isinstance(desk.house.manuscripts, MemoryManuscripts)
        desk.house.manuscripts.desk(desk.project.id).gone = True
    turn = await desk.say("写。")
    assert (turn.outcome, turn.code) == ("failed", "manuscript_gone")
    assert len(await desk.history()) == 1


@pytest.mark.parametrize("open_desk", ["memory"], indirect=True)
async def test_a_change_that_the_store_cannot_record_is_taken_back(open_desk: OpenDesk) -> None:
    """Neither file nor log has it, and the turn's end waits for the store."""
    desk = await open_desk([reply(say("好"), stall(), EDIT), say("好了。")])
    assert isinstance(desk.house.store, MemoryStore)
    turn_id = await begin(desk, "换伞。")
    desk.house.store.break_with(StorageFailed("disk_full", "The disk is full."))
    desk.model.release()
    while turn_id not in desk.company.unrecorded:  # noqa: ASYNC110 - the company has no event for it
        await asyncio.sleep(0.01)
    assert desk.files == CHAPTERS
    desk.house.store.break_with(None)
    turn = await desk.over(turn_id)
    assert (turn.outcome, turn.code) == ("failed", "disk_full")
    assert len(await desk.history()) == 1
