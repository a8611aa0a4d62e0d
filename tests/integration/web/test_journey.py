"""Whole journeys over HTTP, as a script or a page makes them."""

from __future__ import annotations

import asyncio
from pathlib import Path

from huaben.domain.events import from_data
from huaben.domain.turnview import TurnView, replay
from huaben.testing.endpoint import ScriptedEndpoint
from huaben.testing.script import call, reply, say, stall, think
from tests.builders.waiting import AWHILE_S
from tests.integration.web.table import Screen, Table, problem, read, serve

BODY = "沈砚合上账本。\n\n「只剩一间。」"
WRITE = call("draft_write", version=0, content=BODY)
SEAL = call("draft_seal", version=1)


async def test_a_card_becomes_a_story(tmp_path: Path) -> None:
    """Import, found, say, follow: the final text is what the model wrote on the draft sheet."""
    async with ScriptedEndpoint([WRITE, SEAL]) as endpoint, serve(tmp_path, endpoint) as table:
        project = await table.found()
        turn_id = await table.say(project.id, "我推开门：「有空房吗？」", parent=project.head)
        screen = await table.over(turn_id)
        turn = await table.turn(turn_id)
        whole = await table.project(project.id)
    assert turn.status == "sealed"
    assert turn.final_text == BODY
    assert turn.user_text == "我推开门：「有空房吗？」"
    assert turn.parent == project.head
    assert whole.head == turn_id
    assert screen.kinds[-1] == "end"
    assert screen.view.final is not None
    assert screen.view.final.text == BODY


async def test_a_stream_taken_up_anywhere_shows_what_was_seen_live(tmp_path: Path) -> None:
    """Cut after every single event, a reader who comes back with `Last-Event-ID` sees in the end
    what one who never left has seen."""
    script = [
        reply(think("旧伞……", chunk=2), call("lorebook_list")),
        reply(say("先想想。", chunk=2), WRITE),
        reply(call("draft_edit", version=1, edits=[{"old": "只剩一间", "new": "还有两间"}])),
        reply(call("draft_seal", version=2), say("<status>雨</status>")),
    ]
    async with ScriptedEndpoint(script) as endpoint, serve(tmp_path, endpoint) as table:
        project = await table.found()
        path = f"/api/turns/{await table.say(project.id, '有空房吗？')}/events"
        live = [heard async for heard in table.listen(path)]
        expected = replay(from_data(heard.kind, heard.data) for heard in live)
        for cut in range(len(live) + 1):
            screen = Screen()
            for heard in live[:cut]:
                screen.show(heard)
            again = {"last-event-id": str(screen.last)}
            async for heard in table.listen(path, headers=again):
                screen.show(heard)
            assert screen.view == expected, f"cut after {cut} events"
    assert expected.draft.text.startswith("沈砚合上账本。\n\n「还有两间。」")
    assert expected.thinking


async def test_a_stream_taken_up_while_the_turn_runs(tmp_path: Path) -> None:
    """S05: a reader who comes back in the middle gets the rest, live, and the same in the end."""
    script = [reply(say("雨下大了。", chunk=1), stall(), say("他抬起头。", chunk=1))]
    async with ScriptedEndpoint(script) as endpoint, serve(tmp_path, endpoint) as table:
        project = await table.found()
        turn_id = await table.say(project.id, "我等着。")
        left = await table.until(turn_id, "text")
        back = asyncio.create_task(_rest(table, turn_id, left))
        stayed = asyncio.create_task(table.over(turn_id))
        endpoint.release()
        assert (await back).view == (await stayed).view
        assert (await stayed).view.draft.text == "雨下大了。他抬起头。"


async def _rest(table: Table, turn_id: str, screen: Screen) -> Screen:
    async for heard in table.listen(f"/api/turns/{turn_id}/events?after={screen.last}"):
        screen.show(heard)
    return screen


async def test_a_reader_who_leaves_stops_nothing(tmp_path: Path) -> None:
    """S10: a phone that drops its connection in mid-stream finds the turn finished."""
    script = [reply(say("雨下大了。"), stall(), say("他抬起头。"))]
    async with ScriptedEndpoint(script) as endpoint, serve(tmp_path, endpoint) as table:
        project = await table.found()
        turn_id = await table.say(project.id, "我等着。")
        await table.until(turn_id, "text")  # hangs up there
        assert (await table.turn(turn_id)).status == "running"
        endpoint.release()
        await table.theatre.company.settled(turn_id)  # nobody listens
        turn = await table.turn(turn_id)
        assert (turn.status, turn.final_text) == ("sealed", "雨下大了。他抬起头。")
        assert (await table.over(turn_id)).view.final is not None  # and it can be seen again


async def test_what_was_said_to_be_final_is_stored(tmp_path: Path) -> None:
    """S14: the moment a reader hears `final`, another program that opens the data reads it."""
    async with ScriptedEndpoint([WRITE, SEAL]) as endpoint, serve(tmp_path, endpoint) as table:
        project = await table.found()
        turn_id = await table.say(project.id, "有空房吗？")
        await table.until(turn_id, "final")
        stored = await table.theatre.house.store.turn(turn_id)
        assert stored is not None
        assert stored.final_text == BODY
        assert (await table.turn(turn_id)).final_text == BODY


async def test_variants_undo_and_redo(tmp_path: Path) -> None:
    """Another telling, its sibling, back and forth: words return to the box, nothing is lost."""
    script = [say("一间。"), say("两间。"), say("没有了。")]
    async with ScriptedEndpoint(script) as endpoint, serve(tmp_path, endpoint) as table:
        project = await table.found()
        first = await table.play(project.id, "有空房吗？")
        second_id = str((await table.told(f"/api/turns/{first.id}/variants"))["id"])
        await table.over(second_id)
        second = await table.turn(second_id)
        assert second.variants == [first.id, second.id]
        assert second.beat == first.beat

        undone = await table.told(f"/api/projects/{project.id}/undo")
        assert undone == {"head": project.head, "text": "有空房吗？"}
        redone = await table.told(f"/api/projects/{project.id}/redo")
        assert redone == {"head": second.id, "text": ""}
        moved = await table.told(f"/api/projects/{project.id}/head", {"turn": first.id})
        assert moved["head"] == first.id

        edited = await table.told(f"/api/turns/{first.id}/variants", {"text": "有两间空房吗？"})
        await table.over(str(edited["id"]))
        resent = await table.turn(str(edited["id"]))
        assert (resent.user_text, resent.final_text) == ("有两间空房吗？", "没有了。")
        assert resent.parent == first.parent
        assert resent.beat != first.beat

        gone = await table.client.delete(f"/api/turns/{second.id}")
        assert read(gone)["head"] == resent.id  # it stood elsewhere
        assert (await table.turn(first.id)).variants == [first.id]
        assert endpoint.overrun == 0  # deleting generated nothing


async def test_only_one_of_two_answers_counts(tmp_path: Path) -> None:
    """Two devices answer one question: the first wins, the other is told what was answered."""
    ask = call("ask", question="往哪边走？", options=["上楼", "出门"])
    script = [ask, say("你上了楼。")]
    async with ScriptedEndpoint(script) as endpoint, serve(tmp_path, endpoint) as table:
        project = await table.found()
        turn_id = await table.say(project.id, "我站起来。")
        watching = asyncio.create_task(table.over(turn_id))
        await table.until(turn_id, "ask")
        await _until_status(table, turn_id, "waiting")
        assert not watching.done()  # the stream stays open while the question does
        turn = await table.turn(turn_id)
        assert turn.ask is not None
        assert (turn.ask.question, turn.ask.options) == ("往哪边走？", ["上楼", "出门"])
        status, told = await table.refused(
            f"/api/projects/{project.id}/turns", {"text": "我改主意了。"}
        )
        assert (status, told.code) == (409, "ask_open")

        answers = await asyncio.gather(
            *(table.post(f"/api/turns/{turn_id}/answer", {"answer": a}) for a in ("上楼", "出门"))
        )
        won = next(a for a in answers if a.status_code == 202)
        lost = next(a for a in answers if a.status_code != 202)
        status, told = problem(lost)
        assert (status, told.code) == (409, "already_answered")
        given = (told.model_extra or {})["answer"]
        assert [{"question": "往哪边走？", "answer": given}] == read(won)["asked"]
        assert (await watching).view.final is not None
        assert (await table.turn(turn_id)).ask is not None


async def _until_status(table: Table, turn_id: str, status: str) -> None:
    async with asyncio.timeout(AWHILE_S):
        while (await table.turn(turn_id)).status != status:  # noqa: ASYNC110 - as a script would
            await asyncio.sleep(0.02)


async def test_stop_keeps_what_was_written_and_seal_keeps_it_for_good(tmp_path: Path) -> None:
    """Stop in mid-sentence, look at what there is, seal it; the next turn builds on it."""
    writing = call("draft_write", version=0, content="雨下了一夜，沈砚没有睡。" * 20)
    script = [reply(writing, stall()), say("天亮了。")]
    async with ScriptedEndpoint(script) as endpoint, serve(tmp_path, endpoint) as table:
        project = await table.found()
        turn_id = await table.say(project.id, "我等着。")
        await table.until(turn_id, "draft")
        stopped = await table.told(f"/api/turns/{turn_id}/stop")
        assert stopped["status"] == "stopped"
        turn = await table.turn(turn_id)
        assert turn.draft.text.startswith("雨下了一夜")
        assert turn.draft.versions[-1].reason == "partial"
        assert (await table.refused(f"/api/turns/{turn_id}/stop"))[1].code == "not_running"

        sealed = await table.told(f"/api/turns/{turn_id}/seal", {"with_tail": True})
        assert sealed["status"] == "sealed"
        assert sealed["final_text"] == turn.draft.text
        following = await table.play(project.id, "天亮了吗？")
        assert following.parent == turn_id
        assert turn.draft.text in endpoint.received[-1].body.decode()
        assert (await table.refused(f"/api/turns/{turn_id}/seal"))[0] == 409


async def test_a_discarded_turn_gives_its_words_back(tmp_path: Path) -> None:
    """The head returns to the parent, and the words are in the answer."""
    script = [reply(say("雨"), stall())]
    async with ScriptedEndpoint(script) as endpoint, serve(tmp_path, endpoint) as table:
        project = await table.found()
        turn_id = await table.say(project.id, "我等着。")
        await table.until(turn_id, "text")
        await table.told(f"/api/turns/{turn_id}/stop")
        discarded = await table.told(f"/api/turns/{turn_id}/discard")
        assert (discarded["status"], discarded["user_text"]) == ("discarded", "我等着。")
        assert (await table.project(project.id)).head == project.head


async def test_an_earlier_draft_can_be_put_back(tmp_path: Path) -> None:
    """Any version of an unfinished draft returns as a new version; nothing is overwritten."""
    edit = call("draft_edit", version=1, edits=[{"old": "一间", "new": "两间"}])
    script = [WRITE, edit, reply(say("……"), stall())]
    async with ScriptedEndpoint(script) as endpoint, serve(tmp_path, endpoint) as table:
        project = await table.found()
        turn_id = await table.say(project.id, "有空房吗？")
        await table.until(turn_id, "text")
        busy = await table.refused(f"/api/turns/{turn_id}/draft", {"restore": 1})
        assert busy[1].code == "turn_running"
        await table.told(f"/api/turns/{turn_id}/stop")
        await table.told(f"/api/turns/{turn_id}/draft", {"restore": 1})
        turn = await table.turn(turn_id)
        assert turn.draft.text == BODY
        assert [one.reason for one in turn.draft.versions][-1] == "restore:v1"
        unknown = await table.refused(f"/api/turns/{turn_id}/draft", {"restore": 99})
        assert (unknown[0], unknown[1].code) == (404, "version_not_found")
        assert (await table.over(turn_id)).view.draft.text == BODY  # a late reader sees it too


async def test_a_restart_finds_the_turn_interrupted_and_resumes_it(tmp_path: Path) -> None:
    """S05: a server that stops leaves its turn with what had arrived; another goes on with it and
    pays for no finished call again."""
    cut = [WRITE, reply(say("还在想", chunk=1), stall())]
    async with ScriptedEndpoint(cut) as endpoint, serve(tmp_path, endpoint) as table:
        project = await table.found()
        turn_id = await table.say(project.id, "有空房吗？")
        await table.until(turn_id, "text")
    async with ScriptedEndpoint([SEAL]) as endpoint, serve(tmp_path, endpoint) as table:
        turn = await table.turn(turn_id)
        assert (turn.status, turn.draft.text) == ("interrupted", BODY)
        resumed = await table.told(f"/api/turns/{turn_id}/resume")
        assert resumed["status"] == "running"
        screen = await table.over(turn_id)
        assert len(endpoint.received) == 1
        assert (await table.turn(turn_id)).final_text == BODY
    assert screen.kinds.count("end") == 2  # one of each run
    assert isinstance(screen.view, TurnView)
