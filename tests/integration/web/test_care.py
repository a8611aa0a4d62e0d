"""What follows an edit of a manuscript, over HTTP: marks, the reading, the continuity check."""

from __future__ import annotations

import json
from pathlib import Path

import httpx

from huaben.testing.endpoint import ScriptedEndpoint
from huaben.testing.script import Asked, ScriptedReply, reply, say
from huaben.web import schemas, schemas_care, schemas_ledger
from tests.integration.web.table import problem, serve

SAID = "他到了渡口"
FINDING = {"text": "渡口还没到。", "quote": "他没有出门", "against": "渡口的灯亮着"}


def models(asked: Asked) -> ScriptedReply:
    """The experts: one finds what is at odds."""
    found = [FINDING] if "audit_knowledge" in asked.last_text else []
    return reply(say(json.dumps({"findings": found}, ensure_ascii=False)))


def scribe(asked: Asked) -> ScriptedReply:
    told = {"patch": {"location": "渡口"}, "evidence": {"location": SAID}}
    return reply(say(json.dumps(told, ensure_ascii=False) if SAID in asked.last_text else "{}"))


async def save(client: httpx.AsyncClient, path: str, text: str) -> None:
    there = await client.get(path)
    seen = {"If-Match": there.headers["etag"]} if there.status_code == 200 else None
    answer = await client.put(path, json={"text": text}, headers=seen or {"If-None-Match": "*"})
    assert answer.status_code in (200, 201), answer.text


async def test_what_follows_an_edit_is_told_and_answered(tmp_path: Path) -> None:
    """On real files and a real database: chapters come into the ledger, lost words are marked and held, the
    experts' finding has its place, and the user's word on it stays."""
    async with (
        ScriptedEndpoint(models, scribe=scribe) as endpoint,
        serve(tmp_path / "资料", endpoint) as table,
    ):
        client = table.client
        wish = {"title": "渡口", "mode": "writing"}
        project = schemas.ProjectFounded.model_validate(await table.told("/api/projects", wish))
        path = f"/api/projects/{project.id}"

        async def care() -> schemas_care.CareTold:
            return schemas_care.CareTold.model_validate_json(
                (await client.get(f"{path}/care")).content
            )

        await save(client, f"{path}/chapters/001.md", f"{SAID}。")
        await save(client, f"{path}/chapters/002.md", "渡口的灯亮着。")
        waiting = await care()
        assert (waiting.reading, waiting.unread, waiting.checkpoint) == (
            True,
            ["001.md", "002.md"],
            None,
        )
        assert (await client.post(f"{path}/care", json={})).status_code == 202
        await table.theatre.house.jobs.idle()
        ledger = schemas_ledger.LedgerResource.model_validate_json(
            (await client.get(f"{path}/ledger")).content
        )
        assert ledger.ledger.location == "渡口"
        ground = ledger.grounds["location"]
        assert (ground.chapter, ground.turn, ground.quotation) == ("001.md", "", SAID)

        await save(client, f"{path}/chapters/001.md", "他没有出门。")
        marked = await care()
        assert [(one.path, one.chapter) for one in marked.facts] == [("location", "001.md")]
        assert marked.may_differ
        vain = await client.post(f"{path}/care/hold", json={"facts": ["time"]})
        assert problem(vain)[1].code == "not_in_doubt"
        held = await client.post(f"{path}/care/hold", json={"facts": ["location"]})
        assert schemas_care.CareTold.model_validate_json(held.content).facts == []

        assert (await client.post(f"{path}/continuity", json={})).status_code == 202
        await table.theatre.house.jobs.idle(f"{project.id}/plan")
        told = schemas_care.ContinuityTold.model_validate_json(
            (await client.get(f"{path}/continuity")).content
        )
        (finding,) = told.findings
        assert (told.state, finding.chapter, finding.against_chapter) == (
            "done",
            "001.md",
            "002.md",
        )
        assert finding.at == schemas_care.SpotTold(chapter="001.md", start=0, end=5)
        settled = await client.post(
            f"{path}/continuity/findings/{finding.number}", json={"state": "dismissed"}
        )
        told = schemas_care.ContinuityTold.model_validate_json(settled.content)
        assert told.findings[0].state == "dismissed"
        again = await client.post(f"{path}/continuity", json={})
        assert problem(again)[1].code == "nothing_to_check"
