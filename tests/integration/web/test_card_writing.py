"""Cards are written over HTTP: each change is a version, and nothing that a file held is lost."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator

import httpx
import pytest

from huaben.web import schemas, schemas_cards
from tests.integration.web.lobby import lobby
from tests.integration.web.table import CARD, problem, read


@pytest.fixture
async def client() -> AsyncIterator[httpx.AsyncClient]:
    async with lobby() as found:
        yield found


async def brought(client: httpx.AsyncClient) -> schemas_cards.CardEntry:
    data = json.dumps(CARD, ensure_ascii=False).encode()
    answer = await client.post("/api/cards", files={"file": ("x.json", data)})
    return await shown(client, str(read(answer)["id"]))


async def shown(client: httpx.AsyncClient, card_id: str) -> schemas_cards.CardEntry:
    return schemas_cards.CardEntry.model_validate_json(
        (await client.get(f"/api/cards/{card_id}")).content
    )


async def written(
    client: httpx.AsyncClient, card: schemas_cards.CardEntry, **fields: object
) -> schemas_cards.CardEntry:
    answer = await client.put(f"/api/cards/{card.id}", json={"revision": card.revision, **fields})
    assert answer.status_code == 200, answer.text
    return schemas_cards.CardEntry.model_validate_json(answer.content)


async def listed(client: httpx.AsyncClient) -> list[str]:
    page = schemas.PageOf[schemas.LibraryItem].model_validate_json(
        (await client.get("/api/cards")).content
    )
    return [one.id for one in page.items]


async def test_a_change_is_a_version_and_the_rest_stays(client: httpx.AsyncClient) -> None:
    """The new version alone is listed; fields that were not named are as the file had them."""
    card = await brought(client)
    await client.put(f"/api/cards/{card.id}/favourite", json={"on": True})
    new = await written(client, card, description="换了说法。", greetings=["你来了。", "You came."])
    assert new.id != card.id
    assert await listed(client) == [new.id]
    assert new.favourite
    assert new.fields is not None
    assert new.fields.greetings == ["你来了。", "You came."]
    before, after = json.loads(json.dumps(card.content)), json.loads(json.dumps(new.content))
    for kept in (before, after):
        for name in ("description", "first_mes", "alternate_greetings"):
            kept.get("data", kept).pop(name, None)
    assert before == after
    past = await shown(client, card.id)
    assert (past.past, past.content) == (True, card.content)


async def test_a_version_can_be_taken_back(client: httpx.AsyncClient) -> None:
    """The content of a former version, written again, is the newest; all stay in the list."""
    first = await brought(client)
    second = await written(client, first, name="另一个名字")
    third = await written(client, second, content=first.content)
    assert third.content == first.content
    told = schemas.PageOf[schemas_cards.CardVersion].model_validate_json(
        (await client.get(f"/api/cards/{third.id}/versions")).content
    )
    assert [one.id for one in told.items] == [third.id, second.id, first.id]


async def test_a_story_goes_on_with_its_own_version(client: httpx.AsyncClient) -> None:
    """A project pins the version that it was begun with until it is told to take another."""
    card = await brought(client)
    project = read(await client.post("/api/projects", json={"title": "x", "card_id": card.id}))
    new = await written(client, card, name="新名")
    place = f"/api/projects/{project['id']}"
    found = read(await client.get(place))
    assert found["card_id"] == card.id
    moved = await client.patch(place, json={"card_id": new.id, "revision": found["revision"]})
    assert read(moved)["card_id"] == new.id


async def test_nothing_is_written_over(client: httpx.AsyncClient) -> None:
    """A stale revision, a past version, what is no card, what is not there: refused, and kept."""
    card = await brought(client)
    place = f"/api/cards/{card.id}"
    stale = await client.put(place, json={"revision": card.revision + 1, "name": "x"})
    assert stale.status_code == 409
    broken = await client.put(place, json={"revision": card.revision, "content": {"x": 1}})
    assert broken.status_code in (400, 422)
    assert await listed(client) == [card.id]
    await written(client, card, name="新名")
    past = await client.put(place, json={"revision": card.revision + 1, "name": "x"})
    assert problem(past)[1].code == "card_is_past"
    missing = await client.put("/api/cards/nobody", json={"revision": 1, "name": "x"})
    assert missing.status_code == 404


async def test_the_same_file_again_is_the_card_as_it_is_now(client: httpx.AsyncClient) -> None:
    """Importing the file of a card that was changed since brings no second one."""
    card = await brought(client)
    new = await written(client, card, name="新名")
    data = json.dumps(CARD, ensure_ascii=False).encode()
    again = read(await client.post("/api/cards", files={"file": ("x.json", data)}))
    assert (again["id"], again["already"]) == (new.id, True)
