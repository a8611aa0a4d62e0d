"""Old chats in and stories out, over HTTP."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncGenerator
from contextlib import nullcontext
from typing import cast
from urllib.parse import unquote

import httpx
import pytest

from huaben.services import chores
from huaben.testing.models import ScriptedModel
from huaben.testing.store import MemoryStore
from huaben.web import schemas
from huaben.web.app import create_app
from huaben.web.schemas_chats import ChatsBegun, ChatsTold, ChatTold
from tests.builders.chats import HEADER, STORY, json_file, lines, texts
from tests.builders.waiting import AWHILE_S
from tests.integration.jobs.yard import card_bytes
from tests.integration.web.lobby import ADDRESS, NOWHERE, theatre_in_memory
from tests.integration.web.table import problem, read, settings_for

CHAT = lines(HEADER, *STORY[:3], b"{torn", *STORY[3:])


@pytest.fixture
async def client() -> AsyncGenerator[httpx.AsyncClient]:
    """The application with its jobs at work."""
    theatre = theatre_in_memory(MemoryStore(), ScriptedModel([]))
    app = create_app(settings_for(NOWHERE, port=8720), lambda _: nullcontext(theatre))
    transport = httpx.ASGITransport(app, client=("127.0.0.1", 50_000))
    async with (
        app.router.lifespan_context(app),
        httpx.AsyncClient(transport=transport, base_url=ADDRESS, trust_env=False) as found,
    ):
        await chores.begin(theatre.house)
        yield found
    await theatre.house.jobs.close()
    await theatre.company.close()


async def post(
    client: httpx.AsyncClient, data: bytes, query: str = "", name: str = "雨.jsonl"
) -> httpx.Response:
    return await client.post(f"/api/chats{query}", files={"file": (name, data)})


async def bring_card(client: httpx.AsyncClient, name: str = "渡船人") -> str:
    answer = await client.post("/api/cards", files={"file": ("x.json", card_bytes(name))})
    return str(read(answer)["id"])


async def planted(client: httpx.AsyncClient, project: str) -> list[ChatTold]:
    async with asyncio.timeout(AWHILE_S):
        while True:
            answer = await client.get(f"/api/projects/{project}/chats")
            told = ChatsTold.model_validate_json(answer.content)
            if all(one.outcome for one in told.items):
                return told.items
            await asyncio.sleep(0.01)


async def test_a_chat_comes_in_and_leaves_again(client: httpx.AsyncClient) -> None:
    """Its project is made, its progress and report are told, its story is there, and the file that
    leaves is the one that came."""
    await bring_card(client)
    answer = await post(client, CHAT)
    assert answer.status_code == 202, answer.text
    (begun,) = ChatsBegun.model_validate_json(answer.content).items
    assert (begun.founded, begun.already, begun.dialect) == (True, False, "sillytavern")
    assert (begun.title, begun.quarantined, begun.messages) == ("雨", 1, 5)
    assert [note.code for note in begun.report.warnings] == ["torn_line"]
    (told,) = await planted(client, begun.project)
    assert (told.state, told.done, told.total) == ("done", 1, 1)
    story = read(await client.get(f"/api/projects/{begun.project}/turns"))
    items = cast("list[dict[str, object]]", story["items"])
    assert [(one["status"], one["final_text"]) for one in items][-2:] == [
        ("done", "{torn"),
        ("sealed", "“Home,” he says."),
    ]
    file = await client.get(f"/api/projects/{begun.project}/export", params={"to": "jsonl"})
    assert file.content.splitlines()[4] == b"{torn"
    assert texts(file.content) == [one["mes"] for one in STORY]
    name = unquote(file.headers["content-disposition"].partition("filename*=UTF-8''")[2])
    assert (name, file.headers["x-content-type-options"]) == ("雨.jsonl", "nosniff")
    report = await client.get(f"/api/projects/{begun.project}/export/report?to=md")
    told_report = schemas.ImportReport.model_validate_json(report.content)
    assert [note.code for note in told_report.dropped] == ["hidden_left_out"]
    again = ChatsBegun.model_validate_json((await post(client, CHAT)).content)
    assert [(one.project, one.already) for one in again.items] == [(begun.project, True)]


async def test_where_a_chat_goes_can_be_said(client: httpx.AsyncClient) -> None:
    """To a card, to a project, or to a bare card; refusals say what is missing."""
    assert problem(await post(client, CHAT))[1].code == "no_card_for_chat"
    assert problem(await post(client, b"hello"))[1].code == "not_a_chat"
    assert problem(await post(client, CHAT, "?project=nowhere"))[1].code == "project_not_found"
    other = await bring_card(client, "别人")
    (begun,) = ChatsBegun.model_validate_json(
        (await post(client, CHAT, f"?card={other}")).content
    ).items
    more = json_file({"internal": [["", "欢迎。"], ["走。", "好。"]]})
    answer = await post(client, more, f"?project={begun.project}", "more.json")
    (second,) = ChatsBegun.model_validate_json(answer.content).items
    assert (second.project, second.n, second.founded) == (begun.project, 2, False)
    assert len(await planted(client, begun.project)) == 2
    bare = await post(client, lines(HEADER, *STORY[:2]), "?bare=true")
    assert bare.status_code == 202


async def test_every_form_of_export_is_a_file(client: httpx.AsyncClient) -> None:
    """Text, Markdown and the whole tree; an unknown form or turn is refused."""
    await bring_card(client)
    (begun,) = ChatsBegun.model_validate_json((await post(client, CHAT)).content).items
    await planted(client, begun.project)
    place = f"/api/projects/{begun.project}/export"
    assert (await client.get(place, params={"to": "txt"})).text.startswith("渡船人: ")
    assert (await client.get(place, params={"to": "md"})).text.startswith("# 雨")
    tree = json.loads((await client.get(place, params={"to": "json"})).content)
    assert tree["spec"] == "huaben_chat"
    assert (await client.get(place, params={"to": "pdf"})).status_code == 422
    assert problem(await client.get(place, params={"at": "x"}))[1].code == "turn_not_found"
