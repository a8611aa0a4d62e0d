"""Cards, lorebooks, projects, scenarios and the state of the server."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator

import httpx
import pytest

from huaben import __version__
from huaben.testing.models import ScriptedModel
from huaben.web import schemas
from tests.integration.web.lobby import lobby
from tests.integration.web.table import BOOK, CARD, problem, read

HOSTILE = '<img src=x onerror="alert(1)">'


@pytest.fixture
async def client() -> AsyncIterator[httpx.AsyncClient]:
    async with lobby() as found:
        yield found


async def upload(
    client: httpx.AsyncClient, path: str, value: object, name: str = "雨夜.json"
) -> httpx.Response:
    data = value if isinstance(value, bytes) else json.dumps(value, ensure_ascii=False).encode()
    return await client.post(path, files={"file": (name, data)})


@pytest.mark.parametrize(("path", "value"), [("/api/cards", CARD), ("/api/lorebooks", BOOK)])
async def test_the_same_bytes_are_one_item(
    client: httpx.AsyncClient, path: str, value: object
) -> None:
    """201 with a report, then 200 with the same id and `already`; the list holds one."""
    first = await upload(client, path, value)
    assert first.status_code == 201
    told = schemas.Imported.model_validate_json(first.content)
    assert first.headers["location"] == f"{path}/{told.id}"
    assert "already" not in read(first)
    again = await upload(client, path, value, "another name.json")
    assert again.status_code == 200
    assert read(again) == {**read(first), "already": True}
    listed = read(await client.get(path))
    assert [item["id"] for item in items(listed)] == [told.id]


async def test_a_card_is_shown_with_what_nobody_understood(client: httpx.AsyncClient) -> None:
    """The JSON comes back as it was read, unknown fields included, with its report."""
    card = read(await upload(client, "/api/cards", CARD))
    shown = schemas.LibraryEntry.model_validate_json(
        (await client.get(f"/api/cards/{card['id']}")).content
    )
    assert shown.content == CARD
    assert shown.filename == "雨夜.json"
    assert shown.report.dropped == []


@pytest.mark.parametrize(
    ("path", "value"),
    [
        ("/api/cards", b"not a card"),
        ("/api/cards", b""),
        ("/api/cards", [1, 2]),
        ("/api/lorebooks", b"\x89PNG\r\n\x1a\n"),
        ("/api/lorebooks", {"entries": 7}),
    ],
)
async def test_a_file_that_cannot_be_read_says_why(
    client: httpx.AsyncClient, path: str, value: object
) -> None:
    """422 with the reason, the file's own name in the sentence, and nothing in the library."""
    status, told = problem(await upload(client, path, value, "坏.json"))
    assert status == 422
    assert "坏.json" in told.detail
    assert items(read(await client.get(path))) == []


async def test_a_hostile_name_is_text_everywhere(client: httpx.AsyncClient) -> None:
    """X04: a character, a file and a project named like markup come back as the text they are, in
    answers that no browser takes for a page."""
    card = {"name": HOSTILE, "description": "", "first_mes": "雨。"}
    imported = await upload(client, "/api/cards", card, f"{HOSTILE}.json")
    assert read(imported)["name"] == HOSTILE
    body = {"title": HOSTILE, "mode": "roleplay", "card_id": read(imported)["id"]}
    project = read(await client.post("/api/projects", json=body))
    for path in ("/api/cards", "/api/projects", f"/api/projects/{project['id']}"):
        answer = await client.get(path)
        assert answer.headers["content-type"] == "application/json"
        assert answer.headers["x-content-type-options"] == "nosniff"
        assert HOSTILE in json.loads(answer.text.replace("\\u003c", "<")).__repr__()
    refused = await upload(client, "/api/cards", b"no card", f"{HOSTILE}.png")
    assert problem(refused)[0] == 422
    assert HOSTILE not in (await client.get("/")).text


async def test_lists_are_paged_from_the_newest(client: httpx.AsyncClient) -> None:
    """Each page names where the next begins; the last one names nothing."""
    card = read(await upload(client, "/api/cards", CARD))["id"]
    made: list[object] = []
    for number in range(5):
        body = {"title": f"第{number}夜", "card_id": card}
        made.insert(0, read(await client.post("/api/projects", json=body))["id"])
    seen: list[object] = []
    following: object = ""
    pages = 0
    while following is not None:
        after = f"&after={following}" if following else ""
        page = read(await client.get(f"/api/projects?limit=2{after}"))
        seen += [item["id"] for item in items(page)]
        following = page["next"]
        pages += 1
    assert (seen, pages) == (made, 3)


async def test_a_project_is_founded_as_asked(client: httpx.AsyncClient) -> None:
    """Title, persona, lorebooks, language and settings are the project's own; every greeting is an
    opening, and one may be chosen until the story begins."""
    card = read(await upload(client, "/api/cards", CARD))["id"]
    book = read(await upload(client, "/api/lorebooks", BOOK))["id"]
    wish = {
        "title": "",
        "mode": "roleplay",
        "card_id": card,
        "lorebook_ids": [book],
        "persona": {"name": "林", "description": "一个赶路的人。"},
        "scenario": "stage",
        "language": "en",
    }
    answer = await client.post("/api/projects", json=wish)
    founded = schemas.ProjectFounded.model_validate_json(answer.content)
    assert answer.status_code == 201
    assert answer.headers["location"] == f"/api/projects/{founded.id}"
    shown = schemas.ProjectResource.model_validate_json(
        (await client.get(f"/api/projects/{founded.id}")).content
    )
    assert (shown.title, shown.language, shown.lorebook_ids) == ("沈砚", "en", [book])
    assert shown.persona.name == "林"
    assert shown.scenario["limits.rounds"] == 20
    assert (shown.head, shown.active, shown.queued) == (founded.head, None, [])

    opening = read(await client.get(f"/api/projects/{founded.id}/turns"))
    assert "林，打烊了" in str(items(opening)[0]["final_text"])
    moved = read(await client.post(f"/api/projects/{founded.id}/greeting", json={"index": 1}))
    assert moved["head"] != founded.head
    odd = await client.post(f"/api/projects/{founded.id}/greeting", json={"index": 2})
    assert problem(odd)[1].code == "no_such_greeting"
    for path, code in (("undo", "nothing_to_undo"), ("redo", "nothing_to_redo")):
        status, told = problem(await client.post(f"/api/projects/{founded.id}/{path}"))
        assert (status, told.code) == (409, code)


@pytest.mark.parametrize(
    ("changed", "code"),
    [
        ({"card_id": "unknown"}, "card_not_found"),
        ({"lorebook_ids": ["unknown"]}, "lorebook_not_found"),
        ({"scenario": "unknown"}, "scenario_not_found"),
        ({"scenario": "../../etc/passwd"}, "scenario_not_found"),
    ],
)
async def test_a_project_on_what_is_not_there_is_refused(
    client: httpx.AsyncClient, changed: dict[str, object], code: str
) -> None:
    """Nothing half made is left behind."""
    card = read(await upload(client, "/api/cards", CARD))["id"]
    answer = await client.post("/api/projects", json={"card_id": card, **changed})
    assert problem(answer)[1].code == code
    assert items(read(await client.get("/api/projects"))) == []


async def test_half_an_emoji_does_not_lose_the_words(client: httpx.AsyncClient) -> None:
    """A text box may cut a character in two; the words around it are taken."""
    card = read(await upload(client, "/api/cards", CARD))["id"]
    content = b'{"title": "\\ud83d \xe9\x9b\xa8\xe5\xa4\x9c", "card_id": "%b"}' % str(card).encode()
    headers = {"content-type": "application/json"}
    project = read(await client.post("/api/projects", content=content, headers=headers))
    shown = read(await client.get(f"/api/projects/{project['id']}"))
    assert shown["title"] == "\ufffd 雨夜"


async def test_a_broken_scenario_hides_no_other(client: httpx.AsyncClient) -> None:
    """It is shown as broken, with what is wrong."""
    listed = schemas.PageOf[schemas.ScenarioItem].model_validate_json(
        (await client.get("/api/scenarios")).content
    )
    sound, broken = listed.items
    assert sound.values is not None
    assert sound.values["limits.rounds"] == 20
    assert broken.fault is not None
    assert (broken.name, broken.fault.code) == ("坏", "bad_scenario")


async def test_the_server_says_that_it_lives_and_can_work() -> None:
    """Health is the process, readiness the stored stories; a model is named, not required."""
    async with lobby(model=ScriptedModel([], name="qwen")) as client:
        health = read(await client.get("/api/health"))
        assert health == {"status": "ok", "version": __version__}
        ready = read(await client.get("/api/ready"))
        assert ready["model"] == {"connected": True, "name": "qwen"}
        assert ready["status"] == "ready"


def items(page: dict[str, object]) -> list[dict[str, object]]:
    """The items of a page."""
    found = schemas.PageOf[dict[str, object]].model_validate(page)
    return found.items
