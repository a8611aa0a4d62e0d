"""Continuing a sealed reply over HTTP: what is sent, what becomes of the text, and how it is undone."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from huaben.testing.endpoint import ScriptedEndpoint
from huaben.testing.script import Status, reply, say
from huaben.web import schemas
from tests.integration.web.table import Table, serve


async def the_continuation(table: Table, turn_id: str) -> schemas.TurnResource:
    begun = await table.told(f"/api/turns/{turn_id}/continue")
    await table.over(str(begun["id"]))
    return await table.turn(str(begun["id"]))


async def test_what_is_written_is_appended_by_a_revision(tmp_path: Path) -> None:
    """The model is sent the story up to and including the text, and told to go on from its end; the
    reply keeps its number, and Undo takes the addition back (pins 8)."""
    script = [say("雨还在下。"), say("灯灭了一盏。"), say("天亮了。")]
    async with ScriptedEndpoint(script) as endpoint, serve(tmp_path, endpoint) as table:
        project = await table.found()
        first = await table.play(project.id, "我等着。")
        made = await the_continuation(table, first.id)
        assert (made.status, made.user_text) == ("revised", "")
        assert made.revises is not None
        assert (made.revises.turn, made.revises.version) == (first.id, first.version + 1)

        sent = json.loads(endpoint.bodies[1])["messages"]
        assert sent[-2] == {"role": "assistant", "content": "雨还在下。"}
        assert "不要重复已有的文字" in sent[-1]["content"]

        after = await table.turn(first.id)
        assert after.final_text == "雨还在下。\n\n灯灭了一盏。"
        assert (after.number, after.version) == (1, first.version + 1)

        await table.play(project.id, "然后呢？")
        sent = json.loads(endpoint.bodies[2])["messages"]
        assert sent[-2]["content"] == "雨还在下。\n\n灯灭了一盏。"
        assert "不要重复已有的文字" not in json.dumps(sent, ensure_ascii=False)

        await table.told(f"/api/projects/{project.id}/undo")
        moved = await table.told(f"/api/projects/{project.id}/undo")
        assert moved["text"] == ""
        assert (await table.turn(first.id)).final_text == "雨还在下。"


async def test_a_greeting_is_continued_and_a_cut_sentence_is_completed(tmp_path: Path) -> None:
    """A text that stops in the middle of a sentence is gone on with on the spot."""
    script = [say("She turned to the"), say("door and listened.")]
    async with ScriptedEndpoint(script) as endpoint, serve(tmp_path, endpoint) as table:
        project = await table.found(language="en")
        await the_continuation(table, project.head)
        greeting = await table.turn(project.head)
        assert greeting.final_text.endswith("\n\nShe turned to the")
        await the_continuation(table, project.head)
        greeting = await table.turn(project.head)
        assert greeting.final_text.endswith("She turned to the door and listened.")


async def test_a_continuation_that_failed_changes_nothing_and_can_be_retried(
    tmp_path: Path,
) -> None:
    """The text stands as it was until the continuation is sealed, by the model or by the user."""
    script = [say("一。"), reply(Status(500)), say("二。")]
    async with (
        ScriptedEndpoint(script) as endpoint,
        serve(tmp_path, endpoint, retries=0) as table,
    ):
        project = await table.found()
        first = await table.play(project.id, "说。")
        failed = await the_continuation(table, first.id)
        assert failed.status == "failed"
        assert (await table.turn(first.id)).final_text == "一。"
        await table.told(f"/api/turns/{failed.id}/resume")
        await table.over(failed.id)
        assert (await table.turn(first.id)).final_text == "一。\n\n二。"


@pytest.mark.parametrize("which", ["earlier", "unfinished"])
async def test_only_the_latest_sealed_reply_is_continued(tmp_path: Path, which: str) -> None:
    """An earlier reply, and one behind which an unfinished turn stands, are refused."""
    second = say("二。") if which == "earlier" else reply(Status(500))
    async with (
        ScriptedEndpoint([say("一。"), second]) as endpoint,
        serve(tmp_path, endpoint, retries=0) as table,
    ):
        project = await table.found()
        first = await table.play(project.id, "甲。")
        await table.play(project.id, "乙。")
        status, refused = await table.refused(f"/api/turns/{first.id}/continue")
        assert (status, refused.code) == (409, "not_latest")
