"""The ledger, the summary and Recompute over HTTP, with a scribe behind a real endpoint and real jobs."""

from __future__ import annotations

from pathlib import Path

from huaben.testing.endpoint import ScriptedEndpoint
from huaben.testing.script import Asked, Step, reply, say
from huaben.web.schemas_ledger import LedgerResource, RecomputeTold, VersionPage
from huaben.web.schemas_summary import SummaryTold
from tests.integration.web.table import Table, problem, serve

PATCH = """{"patch": {"inventory": ["旧伞"], "flags": {"暗号": "三长两短"}},
 "evidence": {"inventory": "一把旧伞"}}"""


def scribe(asked: Asked) -> Step:
    return say(PATCH if "旧伞" in asked.last_text.split("【读者的话】")[1] else "{}")


async def ledger(table: Table, project_id: str, **params: str) -> LedgerResource:
    answer = await table.client.get(f"/api/projects/{project_id}/ledger", params=params)
    assert answer.status_code == 200, answer.text
    return LedgerResource.model_validate_json(answer.content)


async def test_the_ledger_is_read_edited_locked_and_taken_back(tmp_path: Path) -> None:
    """Each by its revision; the history has every version, newest first."""
    script = [say("门后有一把旧伞。"), say("灯灭了。")]
    async with (
        ScriptedEndpoint(script, scribe=scribe) as endpoint,
        serve(tmp_path, endpoint) as table,
    ):
        project = await table.found()
        empty = await ledger(table, project.id)
        assert (empty.revision, empty.behind, empty.author) == (0, 0, None)
        turn = await table.play(project.id, "门后有什么？")
        shown = await ledger(table, project.id)
        assert shown.ledger.inventory == ["旧伞"]
        assert (shown.claimed, shown.author, shown.node) == (["flags.暗号"], "scribe", turn.id)
        assert shown.grounds["inventory"].quotation == "一把旧伞"
        url = f"/api/projects/{project.id}/ledger"
        body = {"revision": shown.revision, "patch": {"time": "子时"}, "locked": ["inventory"]}
        edited = LedgerResource.model_validate_json(
            (await table.client.patch(url, json=body)).content
        )
        assert (edited.ledger.time, edited.locked) == ("子时", ["inventory"])
        again = await table.client.patch(url, json=body)
        assert problem(again)[1].code == "stale"
        wrong = {"revision": edited.revision, "patch": {"weather": "雨"}}
        assert problem(await table.client.patch(url, json=wrong))[1].code == "bad_patch"
        page = VersionPage.model_validate_json((await table.client.get(f"{url}/history")).content)
        assert [one.author for one in page.items] == ["user", "scribe"]
        back = {"revision": edited.revision, "node": turn.id, "version": 1}
        reverted = LedgerResource.model_validate(await table.told(f"{url}/revert", back))
        assert reverted.ledger.inventory == []
        assert reverted.ledger.time == "子时"
        before = await ledger(table, project.id, at=str(turn.parent))
        assert before.ledger.inventory == []
        none = await table.client.get(url, params={"at": "nowhere"})
        assert problem(none)[1].code == "turn_not_found"


async def test_a_changed_text_is_read_again(tmp_path: Path) -> None:
    """`PUT …/final` marks the ledger; Recompute shows a difference, and applying it clears the mark."""
    async with (
        ScriptedEndpoint([say("门后什么也没有。")], scribe=scribe) as endpoint,
        serve(tmp_path, endpoint) as table,
    ):
        project = await table.found()
        turn = await table.play(project.id, "门后有什么？")
        final = await table.client.put(
            f"/api/turns/{turn.id}/final",
            json={"text": "门后有一把旧伞。"},
            headers={"If-Match": str(turn.version)},
        )
        assert final.status_code == 200, final.text
        assert (await ledger(table, project.id)).changed == [turn.id]
        begun = await table.client.post(f"/api/turns/{turn.id}/recompute")
        assert begun.status_code == 202, begun.text
        url = f"/api/projects/{project.id}/recompute"
        await table.theatre.house.jobs.idle()
        found = await _proposal(table, url)
        assert (found.state, found.done, found.total) == ("ready", 1, 1)
        assert ["inventory"] in [one.path for one in found.changes]
        applied = LedgerResource.model_validate(await table.told(f"{url}/apply"))
        assert (applied.ledger.inventory, applied.changed) == (["旧伞"], [])
        twice = await table.client.post(f"{url}/apply")
        assert problem(twice)[1].code == "no_proposal"


async def _proposal(table: Table, url: str) -> RecomputeTold:
    return RecomputeTold.model_validate_json((await table.client.get(url)).content)


async def test_the_summary_is_a_resource(tmp_path: Path) -> None:
    """Where nothing was summarised it is empty, and cannot be written."""
    async with (
        ScriptedEndpoint([reply(say("灯亮着。"))]) as endpoint,
        serve(tmp_path, endpoint) as table,
    ):
        project = await table.found()
        await table.play(project.id, "有灯吗？")
        url = f"/api/projects/{project.id}/summary"
        shown = SummaryTold.model_validate_json((await table.client.get(url)).content)
        assert (shown.text, shown.turns, shown.live) == ("", 0, 1)
        body = {"text": "我记得。", "node": "x", "revision": 1}
        assert problem(await table.client.put(url, json=body))[1].code == "no_summary"
