"""Many files at once, the jobs behind them, and the trash, over HTTP."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import nullcontext
from typing import cast

import httpx
import pytest

from huaben.errors import BadInput, HuabenError
from huaben.services import chores
from huaben.testing.models import ScriptedModel
from huaben.testing.script import call, reply, stall
from huaben.testing.store import MemoryStore
from huaben.web import schemas, schemas_jobs
from huaben.web.app import create_app
from huaben.web.arriving import arriving
from tests.builders.waiting import AWHILE_S
from tests.integration.web.lobby import ADDRESS, NOWHERE, theatre_in_memory
from tests.integration.web.table import BOOK, CARD, problem, read, settings_for

MB = 1024 * 1024


@pytest.fixture
async def client() -> AsyncGenerator[httpx.AsyncClient]:
    """The application with its jobs at work; a file may have 1 MB."""
    script = [reply(stall(30), call("draft_write", version=0, content="雨"))]
    theatre = theatre_in_memory(MemoryStore(), ScriptedModel(script))
    app = create_app(
        settings_for(NOWHERE, port=8720, max_upload_mb=1), lambda _: nullcontext(theatre)
    )
    transport = httpx.ASGITransport(app, client=("127.0.0.1", 50_000))
    async with (
        app.router.lifespan_context(app),
        httpx.AsyncClient(transport=transport, base_url=ADDRESS, trust_env=False) as found,
    ):
        await chores.begin(theatre.house)
        yield found
    await theatre.house.jobs.close()
    await theatre.company.close()


def named(name: str) -> bytes:
    data = {**cast("dict[str, object]", CARD["data"]), "name": name}
    return json.dumps({**CARD, "data": data}, ensure_ascii=False).encode()


async def finished(client: httpx.AsyncClient, place: str) -> schemas_jobs.ImportShown:
    """The import once it is over."""
    async with asyncio.timeout(AWHILE_S):
        while True:
            shown = schemas_jobs.ImportShown.model_validate_json((await client.get(place)).content)
            if shown.outcome:
                return shown
            await asyncio.sleep(0.01)


async def test_many_files_are_imported_in_the_background(client: httpx.AsyncClient) -> None:
    """202 with a place to look, progress there, and the fate of each file with its reason."""
    files = [
        ("files", ("渡船人.json", named("渡船人"))),
        ("files", ("设定.json", json.dumps(BOOK).encode())),
        ("files", ("坏.png", b"\x89PNG\r\n\x1a\n")),
        ("files", ("big.png", b"x" * (MB + 1))),
        ("files", ("copy.json", named("渡船人"))),
        ("note", (None, "not a file")),
    ]
    begun = await client.post("/api/imports", files=files)
    assert begun.status_code == 202
    told = schemas_jobs.ImportTold.model_validate_json(begun.content)
    assert told.total == 5
    place = f"/api/imports/{told.id}"
    assert begun.headers["location"] == place
    shown = await finished(client, place)
    assert (shown.state, shown.outcome, shown.done, shown.total) == ("done", "done", 5, 5)
    assert (shown.imported, shown.already, shown.refused) == (2, 1, 2)
    assert [(item.n, item.file, item.fate, item.kind) for item in shown.items] == [
        (0, "渡船人.json", "imported", "card"),
        (1, "设定.json", "imported", "lorebook"),
        (2, "坏.png", "refused", None),
        (3, "big.png", "refused", None),
        (4, "copy.json", "already", "card"),
    ]
    assert shown.items[3].code == "file_too_large"
    assert shown.items[2].message
    assert shown.items[0].report is not None
    listed = schemas.PageOf[schemas.LibraryItem].model_validate_json(
        (await client.get("/api/cards")).content
    )
    assert [card.name for card in listed.items] == ["渡船人"]


async def test_an_import_is_listed_and_its_files_are_paged(client: httpx.AsyncClient) -> None:
    """Newest first; a page of results goes on where the last one ended."""
    for name in ("一", "二"):
        files = [("files", (f"{n}.json", named(f"{name} {n}"))) for n in range(5)]
        begun = read(await client.post("/api/imports", files=files))
        last = await finished(client, f"/api/imports/{begun['id']}")
    listed = schemas.PageOf[schemas_jobs.ImportTold].model_validate_json(
        (await client.get("/api/imports")).content
    )
    assert [one.done for one in listed.items] == [5, 5]
    assert listed.items[0].id == last.id
    numbers: list[int] = []
    after: str | None = None
    while True:
        query = {"limit": 2} | ({"after": after} if after else {})
        answer = await client.get(f"/api/imports/{last.id}", params=query)
        page = schemas_jobs.ImportShown.model_validate_json(answer.content)
        numbers.extend(item.n for item in page.items)
        after = page.next
        if after is None:
            break
    assert numbers == list(range(5))
    jobs = schemas.PageOf[schemas_jobs.JobTold].model_validate_json(
        (await client.get("/api/jobs")).content
    )
    assert [(job.kind, job.state, job.done, job.total) for job in jobs.items] == [
        ("import", "done", 5, 5)
    ] * 2


async def test_what_is_no_form_of_files_is_refused(client: httpx.AsyncClient) -> None:
    """JSON, an empty form, a form that breaks off: each with its reason, and nothing is made."""
    answers = [
        (await client.post("/api/imports", json={"files": []}), "not_multipart"),
        (await client.post("/api/imports", files=[("note", (None, "x"))]), "no_files"),
        (
            await client.post(
                "/api/imports",
                content=b'--b\r\ncontent-disposition: form-data; filename="a"\r\n\r\nhalf',
                headers={"content-type": "multipart/form-data; boundary=b"},
            ),
            "bad_body",
        ),
    ]
    for answer, code in answers:
        status, told = problem(answer)
        assert (status, told.code) == (422, code)
    assert read(await client.get("/api/imports")) == {"items": [], "next": None}
    assert problem(await client.get("/api/imports/none"))[0] == 404


# ---- the form ----------------------------------------------------------------------------------


async def pieces(body: bytes, size: int) -> AsyncIterator[bytes]:
    for start in range(0, len(body), size):
        yield body[start : start + size]


@pytest.mark.parametrize("size", [1, 7, 64, 100_000])
async def test_files_arrive_the_same_however_the_body_is_cut(size: int) -> None:
    """Names in any script, contents that look like boundaries, files over the limit."""
    sent = {
        "雨夜 (a).json": b"--x\r\n-- not the boundary\r\n",
        "空.json": b"",
        "big": b"y" * 2000,
        "C:\\fakepath\\b.png": bytes(range(256)),
    }
    request = httpx.Request(
        "POST", ADDRESS, files=[("files", (name, data)) for name, data in sent.items()]
    )
    body = request.read()
    kind = request.headers["content-type"]
    found = [upload async for upload in arriving(pieces(body, size), kind, 1000)]
    assert [upload.name for upload in found] == ["雨夜 (a).json", "空.json", "big", "b.png"]
    assert [upload.content for upload in found if isinstance(upload.content, bytes)] == [
        data for name, data in sent.items() if name != "big"
    ]
    assert isinstance(found[2].content, HuabenError)
    assert found[2].content.code == "file_too_large"


async def test_a_body_that_ends_early_is_not_taken_for_whole() -> None:
    """Wherever it ends: before, within or after a file."""
    request = httpx.Request("POST", ADDRESS, files=[("files", ("a.json", b"0123456789"))])
    body, kind = request.read(), request.headers["content-type"]
    for end in range(len(body) - 4):
        with pytest.raises(BadInput):
            async for _ in arriving(pieces(body[:end], 50), kind, 1000):
                pass


# ---- the trash ---------------------------------------------------------------------------------


async def test_deleted_things_lie_in_the_trash_and_come_back(client: httpx.AsyncClient) -> None:
    """204, gone from the lists, in the trash with the day it goes; and back as it was."""
    card = read(await client.post("/api/cards", files={"file": ("a.json", named("阿迟"))}))
    book = read(
        await client.post("/api/lorebooks", files={"file": ("b.json", json.dumps(BOOK).encode())})
    )
    wanted = {"title": "雨夜", "mode": "roleplay", "card_id": card["id"]}
    project = read(await client.post("/api/projects", json=wanted))
    paths = {
        "card": f"/api/cards/{card['id']}",
        "lorebook": f"/api/lorebooks/{book['id']}",
        "project": f"/api/projects/{project['id']}",
    }
    for path in paths.values():
        assert (await client.delete(path)).status_code == 204
        assert problem(await client.delete(path))[0] == 404
    assert problem(await client.get(paths["project"]))[0] == 404
    listed = schemas.PageOf[schemas_jobs.TrashItem].model_validate_json(
        (await client.get("/api/trash")).content
    )
    assert {item.kind for item in listed.items} == set(paths)
    assert {item.name for item in listed.items if item.kind != "lorebook"} == {"阿迟", "雨夜"}
    assert all(item.until > item.deleted_at for item in listed.items)
    for item in listed.items:
        back = await client.post(f"/api/trash/{item.kind}/{item.id}/restore")
        assert read(back) == {"kind": item.kind, "id": item.id, "name": item.name}
        assert problem(await client.post(f"/api/trash/{item.kind}/{item.id}/restore"))[0] == 404
    assert read(await client.get("/api/trash")) == {"items": [], "next": None}
    assert read(await client.get(paths["project"]))["title"] == "雨夜"
    assert problem(await client.post(f"/api/trash/turn/{card['id']}/restore"))[0] == 404


async def test_a_project_is_deleted_while_its_turn_runs(client: httpx.AsyncClient) -> None:
    """The turn is stopped first; after its return the story stands where it was stopped."""
    card = read(await client.post("/api/cards", files={"file": ("a.json", named("阿迟"))}))
    wanted = {"title": "雨夜", "mode": "roleplay", "card_id": card["id"]}
    project = read(await client.post("/api/projects", json=wanted))
    path = f"/api/projects/{project['id']}"
    turn = read(await client.post(f"{path}/turns", json={"text": "推开门"}))
    waiting = read(await client.post(f"{path}/turns", json={"text": "再推一次"}))
    assert (await client.delete(path)).status_code == 204
    await client.post(f"/api/trash/project/{project['id']}/restore")
    assert read(await client.get(f"/api/turns/{turn['id']}"))["status"] == "stopped"
    shown = read(await client.get(path))
    assert (shown["active"], shown["queued"]) == (None, [])
    assert read(await client.get(f"/api/turns/{waiting['id']}"))["status"] != "queued"


async def test_a_chat_without_its_card_comes_in_with_a_bare_one(client: httpx.AsyncClient) -> None:
    """Refused at first; with the user's leave it becomes a story of a card of the name alone, and the
    import says so from then on. A second time changes nothing; another file is not taken so."""
    rows: tuple[dict[str, object], ...] = (
        {"user_name": "阿澄", "character_name": "摆渡人", "chat_metadata": {}},
        {"name": "摆渡人", "is_user": False, "mes": "「上船？」", "send_date": ""},
    )
    chat = "\n".join(json.dumps(row) for row in rows).encode()
    files = [("files", ("旧.jsonl", chat)), ("files", ("坏.png", b"\x89PNG\r\n\x1a\n"))]
    begun = read(await client.post("/api/imports", files=files))
    place = f"/api/imports/{begun['id']}"
    refused = (await finished(client, place)).items[0]
    assert (refused.fate, refused.code) == ("refused", "no_card_for_chat")
    taken = read(await client.post(f"{place}/items/0/bare"))
    assert (taken["fate"], taken["kind"]) == ("imported", "chat")
    story = read(await client.get(f"/api/projects/{taken['id']}"))
    assert story["id"] == taken["id"]
    assert read(await client.post(f"{place}/items/0/bare")) == taken
    shown = await finished(client, place)
    assert (shown.imported, shown.refused, shown.items[0].id) == (1, 1, taken["id"])
    cards = schemas.PageOf[schemas.LibraryItem].model_validate_json(
        (await client.get("/api/cards")).content
    )
    assert [card.name for card in cards.items] == ["摆渡人"]
    other = await client.post(f"{place}/items/1/bare")
    assert (other.status_code, problem(other)[1].code) == (409, "has_its_card")
    assert (await client.post(f"{place}/items/2/bare")).status_code == 404
