"""Stale clients: two tabs, a restarted server, a quick switch. Nothing is overwritten, nothing lost."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from huaben.testing.endpoint import ScriptedEndpoint
from huaben.testing.script import Status, reply, say, stall
from huaben.web import schemas
from tests.integration.web.table import Table, problem, read, serve


async def test_a_stale_parent_is_refused_and_nothing_is_lost(tmp_path: Path) -> None:
    """S08: a tab that was left open posts to an end of the story that is no more: it is told where
    the story stands, the story is untouched, and the same words go through from there."""
    script = [say("一间。"), say("好。")]
    async with ScriptedEndpoint(script) as endpoint, serve(tmp_path, endpoint) as table:
        project = await table.found()
        turn = await table.play(project.id, "有空房吗？")
        path = f"/api/projects/{project.id}/turns"
        body = {"text": "我要住下。", "parent": project.head}
        status, told = await table.refused(path, body)
        assert (status, told.code) == (409, "head_moved")
        assert (told.model_extra or {})["head"] == turn.id
        assert (await table.project(project.id)).head == turn.id
        assert (await table.turn(turn.id)).final_text == "一间。"
        again = await table.told(path, {**body, "parent": turn.id})
        await table.over(str(again["id"]))
        assert (await table.turn(str(again["id"]))).final_text == "好。"


async def test_a_restarted_server_knows_a_stale_tab(tmp_path: Path) -> None:
    """S08: also when the server was restarted in between."""
    async with ScriptedEndpoint([say("一间。")]) as endpoint, serve(tmp_path, endpoint) as table:
        project = await table.found()
        turn = await table.play(project.id, "有空房吗？")
    async with ScriptedEndpoint([]) as endpoint, serve(tmp_path, endpoint) as table:
        path = f"/api/projects/{project.id}/turns"
        status, told = await table.refused(path, {"text": "我要住下。", "parent": project.head})
        assert (status, told.code) == (409, "head_moved")
        assert (await table.turn(turn.id)).final_text == "一间。"


async def test_words_for_one_story_never_reach_another(tmp_path: Path) -> None:
    """S04: while switching, a request may carry the project of one story and the turn of another:
    the pair is refused and neither story changes."""
    script = [say("一间。")]
    async with ScriptedEndpoint(script) as endpoint, serve(tmp_path, endpoint) as table:
        one, other = await table.found(), await table.found()
        turn = await table.play(one.id, "有空房吗？")
        path = f"/api/projects/{other.id}"
        words = {"text": "我要住下。", "parent": turn.id}
        status, told = await table.refused(f"{path}/turns", words)
        assert (status, told.code) == (409, "head_moved")
        status, told = await table.refused(f"{path}/head", {"turn": turn.id})
        assert (status, told.code) == (409, "wrong_project")
        assert (await table.project(other.id)).head == other.head
        assert (await table.project(one.id)).head == turn.id
        missing = await table.refused(f"{path}/head", {"turn": "unknown"})
        assert (missing[0], missing[1].code) == (404, "turn_not_found")


async def test_two_tabs_cannot_both_go_on(tmp_path: Path) -> None:
    """S04: of two posts onto the same end one is taken, the other told."""
    script = [reply(stall()), say("好。")]
    async with ScriptedEndpoint(script) as endpoint, serve(tmp_path, endpoint) as table:
        project = await table.found()
        path = f"/api/projects/{project.id}/turns"
        posts = [{"text": text, "parent": project.head} for text in ("往左。", "往右。")]
        answers = await asyncio.gather(*(table.post(path, post) for post in posts))
        assert sorted(answer.status_code for answer in answers) == [202, 409]
        lost = next(answer for answer in answers if answer.status_code == 409)
        assert problem(lost)[1].code == "head_moved"


async def test_the_same_request_twice_is_one_turn(tmp_path: Path) -> None:
    """A client that got no answer may repeat its post; with other words it is refused."""
    async with ScriptedEndpoint([say("一间。")]) as endpoint, serve(tmp_path, endpoint) as table:
        project = await table.found()
        path = f"/api/projects/{project.id}/turns"
        body = {"text": "有空房吗？", "request_id": "r-1", "parent": project.head}
        first, second = [await table.told(path, body) for _ in range(2)]
        assert first["id"] == second["id"]
        status, told = await table.refused(path, {**body, "text": "没有吗？"})
        assert (status, told.code) == (409, "request_reused")
        await table.over(str(first["id"]))
        assert (await table.told(path, body))["id"] == first["id"]  # also when it has ended
        assert len(endpoint.received) == 1


async def test_words_said_meanwhile_are_queued(tmp_path: Path) -> None:
    """A second post waits for the first; it may be taken back, words and all."""
    script = [reply(say("一"), stall(), say("间。")), say("好。")]
    async with ScriptedEndpoint(script) as endpoint, serve(tmp_path, endpoint) as table:
        project = await table.found()
        first = await table.say(project.id, "有空房吗？")
        second = await table.say(project.id, "我要住下。", parent=first)
        third = await table.say(project.id, "算了。", parent=second)
        told = await table.project(project.id)
        assert (told.active, told.queued) == (first, [second, third])
        taken_back = await table.told(f"/api/turns/{third}/stop")
        assert (taken_back["status"], taken_back["user_text"]) == ("discarded", "算了。")
        endpoint.release()
        await table.over(second)
        assert (await table.turn(second)).parent == first
        assert (await table.project(project.id)).queued == []


# ---- the user's own change of a final text -------------------------------------------------------


class Sealed:
    """A table with one sealed turn, and short words for changing it."""

    def __init__(self, table: Table, turn: schemas.TurnResource) -> None:
        self.table = table
        self.path = f"/api/turns/{turn.id}/final"

    async def put(self, text: str, version: str | None) -> tuple[int, dict[str, object]]:
        headers = {} if version is None else {"if-match": version}
        answer = await self.table.client.put(self.path, json={"text": text}, headers=headers)
        return answer.status_code, read(answer)

    async def now(self) -> schemas.FinalText:
        answer = await self.table.client.get(self.path)
        found = schemas.FinalText.model_validate_json(answer.content)
        assert answer.headers["etag"] == f'"{found.version}"'
        return found


@pytest.mark.parametrize("version", [None, "", "*"])
async def test_a_change_without_its_version_is_refused(tmp_path: Path, version: str | None) -> None:
    """S02: a client that does not say what it saw never overwrites."""
    async with ScriptedEndpoint([say("一间。")]) as endpoint, serve(tmp_path, endpoint) as table:
        project = await table.found()
        sealed = Sealed(table, await table.play(project.id, "有空房吗？"))
        status, told = await sealed.put("两间。", version)
        assert (status, told["code"]) == (428, "version_required")
        assert (await sealed.now()).text == "一间。"


async def test_a_change_of_what_was_not_seen_is_refused(tmp_path: Path) -> None:
    """S02, S04: a version that is not in force, or none of ours, changes nothing; the present one
    is named and does."""
    async with ScriptedEndpoint([say("一间。")]) as endpoint, serve(tmp_path, endpoint) as table:
        project = await table.found()
        sealed = Sealed(table, await table.play(project.id, "有空房吗？"))
        seen = await sealed.now()
        for version in (f'"{seen.version + 7}"', '"0"', '"sha-1"', "nonsense"):
            status, told = await sealed.put("两间。", version)
            assert (status, told["code"]) == (412, "version_changed"), version
        assert (await sealed.now()) == seen
        status, changed = await sealed.put("两间。", f'"{seen.version}"')
        assert status == 200
        assert (changed["text"], changed["version"]) == ("两间。", seen.version + 1)
        status, told = await sealed.put("三间。", f'W/"{seen.version}"')
        assert (status, told["code"], told["version"]) == (412, "version_changed", seen.version + 1)
        undone = await table.told(f"/api/projects/{project.id}/undo")
        assert undone["text"] == ""
        assert (await sealed.now()) == seen
        blank = await sealed.put(" \n", f'"{seen.version}"')
        assert (blank[0], blank[1]["code"]) == (422, "blank_text")


# ---- without a model -----------------------------------------------------------------------------


async def test_without_a_model_nothing_is_stored(tmp_path: Path) -> None:
    """Words are refused with what to set; the story can be read."""
    async with (
        ScriptedEndpoint([]) as endpoint,
        serve(tmp_path, endpoint, base_url="", model="") as table,
    ):
        project = await table.found()
        path = f"/api/projects/{project.id}/turns"
        status, told = await table.refused(path, {"text": "有空房吗？"})
        assert (status, told.code) == (503, "no_connection")
        assert "HUABEN_BASE_URL" in told.hint
        assert (await table.project(project.id)).queued == []
        ready = read(await table.client.get("/api/ready"))
        assert ready["model"] == {"connected": False, "name": ""}
        assert ready["status"] == "ready"


async def test_a_provider_that_fails_is_named_and_can_be_retried(tmp_path: Path) -> None:
    """T23: the status of the provider is shown, the key never; Retry goes on with the same words."""
    script = [Status(401, body='{"error":{"message":"bad key sk-secret-123456"}}'), say("一间。")]
    async with (
        ScriptedEndpoint(script) as endpoint,
        serve(tmp_path, endpoint, api_key="sk-secret-123456") as table,
    ):
        project = await table.found()
        failed = await table.play(project.id, "有空房吗？")
        assert failed.status == "failed"
        whole = (await table.client.get(f"/api/turns/{failed.id}")).text
        assert "401" in whole
        assert "sk-secret" not in whole
        assert "sk-secret" not in (await table.client.get(f"/api/turns/{failed.id}/trace")).text
        await table.told(f"/api/turns/{failed.id}/resume")
        await table.over(failed.id)
        assert (await table.turn(failed.id)).final_text == "一间。"
