"""Differences over HTTP: every text that a reference can name, against any other."""

from __future__ import annotations

from pathlib import Path

import pytest

from huaben.domain.text import utf16_slice
from huaben.testing.endpoint import ScriptedEndpoint
from huaben.testing.script import call, say
from huaben.web.schemas_writing import DiffTold
from tests.integration.web.table import Table, problem, serve


async def differ(table: Table, project_id: str, old: str, new: str) -> DiffTold:
    path = f"/api/projects/{project_id}/diff"
    answer = await table.client.get(path, params={"from": old, "to": new})
    assert answer.status_code == 200, answer.text
    return DiffTold.model_validate_json(answer.content)


def changes(told: DiffTold) -> list[tuple[str, str]]:
    """What was deleted and inserted, sliced as a page would."""
    found: list[tuple[str, str]] = []
    for span in told.spans:
        side, text = (
            (span.in_new, told.new.text)
            if span.kind == "inserted"
            else (span.in_old, told.old.text)
        )
        part = utf16_slice(text, *side)
        assert isinstance(part, str)
        if span.kind != "kept":
            found.append((span.kind, part))
    return found


async def test_versions_of_a_draft_and_of_a_final_text_are_compared(tmp_path: Path) -> None:
    """What a tool changed in the draft, and what the user changed afterwards, word by word."""
    script = [
        call("draft_write", version=0, content="雨停了🌙，他走了。"),
        call("draft_edit", version=1, edits=[{"old": "走了", "new": "留下了"}]),
        call("draft_seal", version=2),
    ]
    async with ScriptedEndpoint(script) as endpoint, serve(tmp_path, endpoint) as table:
        project = await table.found()
        turn = await table.play(project.id, "然后呢？")
        drafts = await differ(table, project.id, f"draft:{turn.id}:1", f"draft:{turn.id}:2")
        assert changes(drafts) == [("deleted", "走"), ("inserted", "留下")]
        begun = await differ(table, project.id, f"draft:{turn.id}:0", f"draft:{turn.id}:1")
        assert changes(begun) == [("inserted", "雨停了🌙，他走了。")]
        answer = await table.client.put(
            f"/api/turns/{turn.id}/final",
            json={"text": "雪停了🌙，他留下了。"},
            headers={"If-Match": '"2"'},
        )
        assert answer.status_code == 200, answer.text
        edit = (await table.project(project.id)).head
        for now in (f"final:{turn.id}", f"final:{turn.id}:3", f"revision:{edit}"):
            found = await differ(table, project.id, f"final:{turn.id}:2", now)
            assert changes(found) == [("deleted", "雨"), ("inserted", "雪")]
        await table.told(f"/api/projects/{project.id}/undo")
        there = await differ(table, project.id, f"final:{turn.id}", f"revision:{edit}")
        assert (there.old.text, there.new.text) == ("雨停了🌙，他留下了。", "雪停了🌙，他留下了。")


@pytest.mark.parametrize(
    ("reference", "status", "code"),
    [
        ("", 422, "bad_reference"),
        ("final", 422, "bad_reference"),
        ("draft:{turn}", 422, "bad_reference"),
        ("draft:{turn}:-1", 422, "bad_reference"),
        ("draft:{turn}:一", 422, "bad_reference"),
        ("draft:{turn}:9", 404, "version_not_found"),
        ("final:{turn}:9", 404, "version_not_found"),
        ("revision:{turn}", 404, "revision_not_found"),
        ("final:nobody", 404, "turn_not_found"),
        ("final:{elsewhere}", 404, "turn_not_found"),
    ],
)
async def test_a_reference_to_nothing_is_refused(
    tmp_path: Path, reference: str, status: int, code: str
) -> None:
    """What is no reference, and what it names but is not there, in this project."""
    async with ScriptedEndpoint([say("雨停了。")]) as endpoint, serve(tmp_path, endpoint) as table:
        other = await table.found()
        project = await table.found()
        turn = await table.play(project.id, "雨还下吗？")
        named = reference.format(turn=turn.id, elsewhere=other.head)
        answer = await table.client.get(
            f"/api/projects/{project.id}/diff",
            params={"from": f"final:{turn.id}", "to": named},
        )
        refused, told = problem(answer)
        assert (refused, told.code) == (status, code)
