"""Backups and restores over HTTP."""

from __future__ import annotations

import zipfile
from hashlib import sha256
from io import BytesIO
from pathlib import Path

import pytest

from huaben.testing.endpoint import ScriptedEndpoint
from huaben.testing.script import call, reply, say, stall
from huaben.web.schemas import PageOf, ProjectItem
from huaben.web.schemas_backup import BackupMade, BackupState, RestoreDone, RestoreOffered
from tests.builders.cards import picture
from tests.integration.web.lobby import lobby
from tests.integration.web.table import Table, problem, serve


async def state(table: Table) -> BackupState:
    answer = await table.client.get("/api/backup")
    assert answer.status_code == 200, answer.text
    return BackupState.model_validate_json(answer.content)


async def made(table: Table) -> BackupMade:
    answer = await table.post("/api/backup")
    assert answer.status_code == 201, answer.text
    told = BackupMade.model_validate_json(answer.content)
    assert answer.headers["location"] == f"/api/backup/{told.name}"
    return told


async def offered(table: Table, archive: bytes) -> RestoreOffered:
    files = {"file": ("备份.zip", archive, "application/zip")}
    answer = await table.client.post("/api/restore", files=files)
    assert answer.status_code == 200, answer.text
    return RestoreOffered.model_validate_json(answer.content)


async def persona_with_picture(table: Table) -> str:
    """The place of one with a face."""
    made = await table.told("/api/personas", {"name": "林"})
    place = f"/api/personas/{made['id']}"
    given = {"file": ("face.png", picture(), "image/png")}
    address = f"{place}/picture"
    answer = await table.client.post(address, files=given, params={"revision": 1})
    assert answer.status_code == 200, answer.text
    return place


def lose_picture(objects: Path) -> None:
    """The bytes of the face, as a careless hand would."""
    name = sha256(picture()).hexdigest()
    (objects / name[:2] / name).unlink()


async def titles(table: Table) -> list[str]:
    answer = await table.client.get("/api/projects")
    return [one.title for one in PageOf[ProjectItem].model_validate_json(answer.content).items]


async def test_a_library_goes_back_to_its_backup_and_forward_again(tmp_path: Path) -> None:
    """Downloaded, sent back, looked into, restored; the story goes on from there, a persona has its face
    again, and what was put away is restored the same way."""
    script = [say("灯还亮着。"), say("The rain stops."), say("雨又下了。")]
    async with ScriptedEndpoint(script) as endpoint, serve(tmp_path, endpoint) as table:
        before = await table.found(title="第一个")
        await table.play(before.id, "看灯。")
        assert (await state(table)).last is None
        persona = await persona_with_picture(table)
        told = await made(table)
        assert (told.projects, told.turns, told.cards, told.left_out) == (1, 1, 1, [])
        later = await table.found(title="Second")
        await table.play(before.id, "等雨停。")
        now = await state(table)
        assert now.last is not None
        assert (now.turns, now.days, now.due, [one.kind for one in now.items]) == (
            1,
            0,
            False,
            ["made"],
        )
        archive = (await table.client.get(f"/api/backup/{told.name}")).content
        assert "manifest.jsonl" in zipfile.ZipFile(BytesIO(archive)).namelist()
        await table.client.delete(f"{persona}/picture", params={"revision": 2})
        lose_picture(tmp_path / "objects")
        offer = await offered(table, archive)
        assert [(one.title, one.turns) for one in offer.newer.projects] == [("Second", 0)]
        assert [(one.title, one.turns) for one in offer.newer.turns] == [("第一个", 1)]
        assert sorted(await titles(table)) == ["Second", "第一个"]
        answer = await table.post(f"/api/restore/{offer.token}")
        done = RestoreDone.model_validate_json(answer.content)
        assert await titles(table) == ["第一个"]
        assert (await table.client.get(f"{persona}/export")).content.count(picture()) == 1
        assert (await table.client.get(f"/api/projects/{later.id}")).status_code == 404
        turn = await table.play(before.id, "再听听。")
        assert (turn.number, turn.final_text) == (2, "雨又下了。")
        answer = await table.client.post("/api/restore", params={"archive": done.before})
        again = RestoreOffered.model_validate_json(answer.content)
        await table.told(f"/api/restore/{again.token}")
        assert sorted(await titles(table)) == ["Second", "第一个"]
        assert [one.kind for one in (await state(table)).items].count("before_restore") == 2
        assert not list((tmp_path / "backups").glob(".received-*"))


async def test_a_restore_is_refused_while_a_turn_runs(tmp_path: Path) -> None:
    """And its token stands until the turn is over; a question that waits does not hold it up."""
    ask = reply(stall(), call("ask", question="往哪走？", options=["东", "西"]))
    async with ScriptedEndpoint([ask]) as endpoint, serve(tmp_path, endpoint) as table:
        project = await table.found()
        archive = (await table.client.get(f"/api/backup/{(await made(table)).name}")).content
        offer = await offered(table, archive)
        turn = await table.say(project.id, "走。")
        assert (await table.refused(f"/api/restore/{offer.token}"))[1].code == "turn_running"
        endpoint.release()
        await table.until(turn, "ask")
        await table.theatre.company.settled(turn)
        assert (await table.told(f"/api/restore/{offer.token}"))["before"]
        assert (await table.client.get(f"/api/turns/{turn}")).status_code == 404


async def test_a_token_restores_once(tmp_path: Path) -> None:
    """One that is unknown, used or withdrawn is refused; so is a backup that cannot be restored."""
    async with ScriptedEndpoint([]) as endpoint, serve(tmp_path, endpoint) as table:
        await table.found()
        archive = (await table.client.get(f"/api/backup/{(await made(table)).name}")).content
        offer = await offered(table, archive)
        assert (await table.client.delete(f"/api/restore/{offer.token}")).status_code == 204
        assert (await table.refused(f"/api/restore/{offer.token}"))[1].code == "no_such_offer"
        for sent, code in ((archive[:-40], "not_a_backup"), (b"", "not_a_backup")):
            files = {"file": ("b.zip", sent, "application/zip")}
            answer = await table.client.post("/api/restore", files=files)
            assert problem(answer)[1].code == code
        assert not list((tmp_path / "backups").glob(".received-*"))


@pytest.mark.parametrize(
    ("method", "path", "code"),
    [
        ("GET", "/api/backup", "no_vault"),
        ("POST", "/api/backup", "no_vault"),
        ("GET", "/api/backup/x.zip", "no_vault"),
        ("POST", "/api/restore?archive=x.zip", "no_vault"),
        ("POST", "/api/restore/missing", "no_such_offer"),
    ],
)
async def test_a_library_in_memory_has_no_backups(method: str, path: str, code: str) -> None:
    """It says so."""
    async with lobby() as client:
        assert problem(await client.request(method, path))[1].code == code


async def test_names_that_are_no_backups_are_not_found(tmp_path: Path) -> None:
    """Neither another file of the folder nor a form without a file."""
    async with ScriptedEndpoint([]) as endpoint, serve(tmp_path, endpoint) as table:
        await made(table)
        for name in ("last.json", "..", "huaben-20260101-000000.zip"):
            answer = await table.client.get(f"/api/backup/{name}")
            assert answer.status_code == 404
        answer = await table.client.post("/api/restore", json={})
        assert problem(answer)[1].code == "not_multipart"
        answer = await table.client.post("/api/restore", files={"file": (None, b"x")})
        assert problem(answer)[1].code == "missing_field"
