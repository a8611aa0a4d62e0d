"""Reading a story over HTTP: the path, the tree, the trace, a project as a second device sees it."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import cast

import pytest
from pydantic import BaseModel

from huaben.testing.endpoint import ScriptedEndpoint
from huaben.testing.script import call, reply, say
from huaben.web import schemas
from huaben.web.documents import ProjectEventData
from huaben.web.schemas_cards import CardItem
from tests.builders.waiting import AWHILE_S
from tests.integration.web.table import Heard, Table, problem, serve

TURNS = 5


async def path_page(table: Table, project_id: str, query: str = "") -> schemas.PathPage:
    answer = await table.client.get(f"/api/projects/{project_id}/turns{query}")
    assert answer.status_code == 200, answer.text
    return schemas.PathPage.model_validate_json(answer.content)


async def tree_page(table: Table, project_id: str, query: str = "") -> schemas.TreePage:
    answer = await table.client.get(f"/api/projects/{project_id}/tree{query}")
    assert answer.status_code == 200, answer.text
    return schemas.TreePage.model_validate_json(answer.content)


async def test_a_story_is_read_from_its_end(tmp_path: Path) -> None:
    """The newest page first, each in the order of the story; `next` leads to the beginning."""
    script = [say(f"第{n}拍。") for n in range(1, TURNS + 1)]
    async with ScriptedEndpoint(script) as endpoint, serve(tmp_path, endpoint) as table:
        project = await table.found()
        for n in range(1, TURNS + 1):
            await table.play(project.id, f"第{n}句。")
        newest = await path_page(table, project.id, "?limit=4")
        assert [item.final_text for item in newest.items] == [
            "第2拍。",
            "第3拍。",
            "第4拍。",
            "第5拍。",
        ]
        assert [item.number for item in newest.items] == [2, 3, 4, 5]
        assert newest.head == newest.items[-1].id
        older = await path_page(table, project.id, f"?limit=4&before={newest.next}")
        assert [item.kind for item in older.items] == ["greeting", "turn"]
        assert older.next is None

        # A page of a branch that the head has left is no empty success (S01).
        await table.told(f"/api/projects/{project.id}/undo")
        stale = await table.client.get(
            f"/api/projects/{project.id}/turns?before={newest.items[-1].id}"
        )
        assert (problem(stale)[0], problem(stale)[1].code) == (409, "not_on_branch")


async def test_the_tree_is_read_in_pages(tmp_path: Path) -> None:
    """Every node once, without its words, with where Redo goes; put-aside nodes are marked."""
    script = [say("一。"), say("二。"), say("三。")]
    async with ScriptedEndpoint(script) as endpoint, serve(tmp_path, endpoint) as table:
        project = await table.found()
        first = await table.play(project.id, "第一句。")
        second_id = str((await table.told(f"/api/turns/{first.id}/variants"))["id"])
        await table.over(second_id)
        await table.play(project.id, "第二句。")
        await table.client.delete(f"/api/turns/{first.id}")
        whole = await tree_page(table, project.id)
        assert whole.next is None
        assert len(whole.items) == 5  # two openings, two variants, one turn
        assert [node.id for node in whole.items if node.deleted] == [first.id]
        assert next(n for n in whole.items if n.id == project.head).last_child == second_id
        assert "第一句" not in whole.model_dump_json()

        seen: list[schemas.NodeItem] = []
        query = "?limit=2"
        while True:
            page = await tree_page(table, project.id, query)
            seen += page.items
            if page.next is None:
                break
            query = f"?limit=2&after={page.next}"
        assert seen == whole.items


async def test_the_trace_is_what_was_sent(tmp_path: Path) -> None:
    """Every call of the turn to the byte, in pages, with what was answered and what it cost; last
    that of the scribe, which says that it is none of the story."""
    script = [
        call("draft_write", version=0, content="雨。"),
        reply(say("收笔。"), call("draft_seal", version=1)),
    ]
    async with ScriptedEndpoint(script) as endpoint, serve(tmp_path, endpoint) as table:
        project = await table.found()
        turn = await table.play(project.id, "有空房吗？")
        assert turn.ledger_state == "current"
        calls: list[schemas.CallItem] = []
        query: str | None = "?limit=1"
        while query is not None:
            answer = await table.client.get(f"/api/turns/{turn.id}/trace{query}")
            page = schemas.PageOf[schemas.CallItem].model_validate_json(answer.content)
            calls += page.items
            query = f"?limit=1&after={page.next}" if page.next else None
        received = [*endpoint.received, *endpoint.scribed]
        assert [one.request.encode() for one in calls] == [one.body for one in received]
        assert [one.purpose for one in calls] == ["story", "story", "scribe"]
        assert [one.state for one in calls] == ["done", "done", "done"]
        assert calls[1].reply is not None
        assert calls[1].reply["text"] == "收笔。"
        assert sum(int(str(part["bytes"])) for part in calls[0].parts) == calls[0].request_bytes
        assert calls[0].outline
        odd = await table.client.get(f"/api/turns/{turn.id}/trace?after=unknown")
        assert problem(odd)[1].code == "call_not_found"


async def test_a_second_device_follows_the_project(tmp_path: Path) -> None:
    """A turn began, asked, was answered, ended, the ledger and the diary were kept, the head moved:
    in order, resumable."""
    script = [call("ask", question="往哪边走？", options=["左", "右"]), say("往左。")]
    async with ScriptedEndpoint(script) as endpoint, serve(tmp_path, endpoint) as table:
        project = await table.found()
        path = f"/api/projects/{project.id}/events"
        other_device = asyncio.create_task(until_moved(table, path))
        turn_id = await table.say(project.id, "我站起来。")
        await waiting(table, turn_id)
        await table.told(f"/api/turns/{turn_id}/answer", {"answer": "左"})
        await table.over(turn_id)
        await table.told(f"/api/projects/{project.id}/undo")
        heard = await other_device
        kinds = [one.kind for one in heard]
        assert kinds == [
            "project_changed",
            "turn_queued",
            "turn_began",
            "turn_waiting",
            "turn_answered",
            "turn_ended",
            "ledger_changed",
            "memory_changed",
            "head_moved",
        ]
        assert heard[4].data == {"turn": turn_id, "answer": "左"}
        assert heard[5].data["status"] == "sealed"
        assert heard[6].data["turn"] == heard[6].data["node"] == turn_id
        assert heard[7].data == {"turn": turn_id, "source": "diary"}
        assert heard[8].data["turn"] == project.head
        named = set(ProjectEventData.model_fields)
        assert [one.kind for one in heard if set(one.data) - named] == []
        middle = {"last-event-id": str(heard[3].id)}
        assert await until_moved(table, path, middle) == heard[4:]
        assert (await table.project(project.id)).seq == heard[-1].id


async def until_moved(
    table: Table, path: str, headers: dict[str, str] | None = None
) -> list[Heard]:
    found: list[Heard] = []
    async for heard in table.listen(path, headers):
        found.append(heard)
        if heard.kind == "head_moved":
            break
    return found


async def waiting(table: Table, turn_id: str) -> None:
    async with asyncio.timeout(AWHILE_S):
        while (await table.turn(turn_id)).status != "waiting":  # noqa: ASYNC110 - as a script would
            await asyncio.sleep(0.02)


async def test_answers_are_as_documented(tmp_path: Path) -> None:
    """No field that the document does not name, none of another type."""
    ask = call("ask", question="往哪边走？", options=["左", "右"])
    async with ScriptedEndpoint([ask]) as endpoint, serve(tmp_path, endpoint) as table:
        project = await table.found()
        turn_id = await table.say(project.id, "我站起来。")
        await waiting(table, turn_id)
        answers: list[tuple[str, type[BaseModel]]] = [
            ("/api/cards", schemas.PageOf[CardItem]),
            ("/api/projects", schemas.PageOf[schemas.ProjectItem]),
            (f"/api/projects/{project.id}", schemas.ProjectResource),
            (f"/api/projects/{project.id}/turns", schemas.PathPage),
            (f"/api/projects/{project.id}/tree", schemas.TreePage),
            (f"/api/turns/{turn_id}", schemas.TurnResource),
            (f"/api/turns/{turn_id}/final", schemas.FinalText),
            (f"/api/turns/{turn_id}/trace", schemas.PageOf[schemas.CallItem]),
            ("/api/scenarios", schemas.PageOf[schemas.ScenarioItem]),
            ("/api/health", schemas.Health),
            ("/api/ready", schemas.Readiness),
        ]
        ready = schemas.Readiness.model_validate_json(
            (await table.client.get("/api/ready")).content
        )
        assert (ready.model.connected, ready.model.name) == (True, "scripted")
        for path, model in answers:
            answer = await table.client.get(path)
            assert answer.status_code == 200, path
            assert undocumented(model.model_validate_json(answer.content)) == [], path


def undocumented(value: object, at: str = "") -> list[str]:
    """The fields of an answer that its model does not name."""
    if isinstance(value, list):
        items = cast("list[object]", value)  # what each one is, is asked next
        return [name for item in items for name in undocumented(item, at)]
    if not isinstance(value, schemas.Told):
        return []
    found = [f"{at}.{name}" for name in value.model_extra or {}]
    for name in type(value).model_fields:
        found += undocumented(getattr(value, name), f"{at}.{name}")
    return found


@pytest.mark.parametrize("readers", [200])
async def test_two_hundred_readers_see_the_same(tmp_path: Path, readers: int) -> None:
    """Many devices on one turn: all hear every event, and the server's own work goes on."""
    script = [reply(*(say(f"第{n}句。", chunk=2) for n in range(20)))]
    async with ScriptedEndpoint(script) as endpoint, serve(tmp_path, endpoint) as table:
        project = await table.found()
        turn_id = await table.say(project.id, "我等着。")
        screens = await asyncio.gather(*(table.over(turn_id) for _ in range(readers)))
        assert (await table.client.get("/api/health")).status_code == 200
    final = screens[0].view
    assert final.final is not None
    assert all(screen.view.final == final.final for screen in screens)
    assert table.streams.waiting == 0
