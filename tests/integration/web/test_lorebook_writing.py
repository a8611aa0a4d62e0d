"""Lorebooks are written over HTTP: each change is a version, stories go on with theirs, nothing is lost."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Mapping

import httpx
import pytest

from huaben.domain.jsonvalue import Json
from huaben.testing.models import ScriptedModel
from huaben.testing.script import reply, say
from huaben.web import schemas, schemas_books
from huaben.web.schemas_lore import LoreTold
from tests.integration.web.lobby import lobby
from tests.integration.web.table import problem, read

WORLD: Mapping[str, Json] = {
    "name": "雨夜旧伞",
    "strange": {"深": 1},
    "entries": {
        "0": {"uid": 0, "key": ["旧伞"], "comment": "伞", "content": "刻着「证」字。", "odd": [1]},
        "1": {"uid": 1, "key": ["ferry"], "comment": "渡口", "content": "Closed at dusk."},
    },
}


@pytest.fixture
async def client() -> AsyncIterator[httpx.AsyncClient]:
    async with lobby(model=ScriptedModel(lambda _: reply(say("他撑开旧伞。")))) as found:
        yield found


async def brought(
    client: httpx.AsyncClient, content: Mapping[str, Json] = WORLD
) -> schemas_books.BookEntry:
    data = json.dumps(content, ensure_ascii=False).encode()
    answer = await client.post("/api/lorebooks", files={"file": ("x.json", data)})
    return await shown(client, str(read(answer)["id"]))


async def shown(client: httpx.AsyncClient, book_id: str) -> schemas_books.BookEntry:
    answer = await client.get(f"/api/lorebooks/{book_id}")
    return schemas_books.BookEntry.model_validate_json(answer.content)


async def entries(client: httpx.AsyncClient, place: str) -> dict[str, schemas_books.EntryTold]:
    answer = await client.get(f"/api/{place}/entries")
    told = schemas_books.EntriesTold.model_validate_json(answer.content)
    return {one.title: one for one in told.items}


async def written(
    client: httpx.AsyncClient, place: str, revision: int, **edit: object
) -> schemas_books.BookPlace:
    answer = await client.put(f"/api/{place}", json={"revision": revision, **edit})
    assert answer.status_code == 200, answer.text
    return schemas_books.BookPlace.model_validate_json(answer.content)


async def test_entries_are_changed_added_and_taken_out(client: httpx.AsyncClient) -> None:
    """One version for all of it; the former is kept, and its content written again is the newest."""
    book = await brought(client)
    new = await written(
        client,
        f"lorebooks/{book.id}",
        book.revision,
        name="百草堂",
        changed=[{"uid": 0, "content": "换了。", "enabled": False, "sticky": 3}],
        removed=[1],
        added=[{"title": "Market", "keys": ["market", "夜市"], "content": "灯火。", "position": 4}],
    )
    assert (new.id != book.id, new.name) == (True, "百草堂")
    found = await entries(client, f"lorebooks/{new.id}")
    assert list(found) == ["伞", "Market"]
    umbrella = found["伞"]
    assert (umbrella.enabled, umbrella.sticky, umbrella.keys) == (False, 3, ["旧伞"])
    raw = read(await client.get(f"/api/lorebooks/{new.id}/entries/0/raw"))["content"]
    assert isinstance(raw, dict)
    assert raw["odd"] == [1]
    assert (await shown(client, new.id)).content["strange"] == {"深": 1}
    past = await shown(client, book.id)
    assert (past.past, past.content) == (True, dict(WORLD))
    again = await written(client, f"lorebooks/{new.id}", new.revision, content=past.content)
    assert (await shown(client, again.id)).content == past.content
    told = schemas.PageOf[schemas_books.BookVersion].model_validate_json(
        (await client.get(f"/api/lorebooks/{again.id}/versions")).content
    )
    assert [one.id for one in told.items] == [again.id, new.id, book.id]
    listed = schemas.PageOf[schemas.LibraryItem].model_validate_json(
        (await client.get("/api/lorebooks")).content
    )
    assert [one.id for one in listed.items] == [again.id]


async def test_nothing_is_written_over(client: httpx.AsyncClient) -> None:
    """A stale revision, a past version, an entry or book that is not there: refused, and kept."""
    book = await brought(client)
    place = f"/api/lorebooks/{book.id}"
    stale = await client.put(place, json={"revision": book.revision + 1, "removed": [0]})
    assert problem(stale)[0] == 409
    missing = await client.put(place, json={"revision": book.revision, "removed": [7]})
    assert problem(missing)[1].code == "no_such_entry"
    broken = await client.put(place, json={"revision": book.revision, "content": {"x": 1}})
    assert broken.status_code in (400, 422)
    assert (await shown(client, book.id)).content == dict(WORLD)
    await written(client, f"lorebooks/{book.id}", book.revision, removed=[0])
    past = await client.put(place, json={"revision": book.revision + 1, "removed": [1]})
    assert problem(past)[1].code == "lorebook_is_past"
    assert (await client.get("/api/lorebooks/nobody/versions")).status_code == 404
    assert (await client.get(f"{place}/entries/9/raw")).status_code == 404


async def test_entries_move_to_another_book_whole(client: httpx.AsyncClient) -> None:
    """Out of the one and behind those of the other, unknown fields and all; a version of each."""
    book = await brought(client)
    other = await brought(client, {"name": "空", "entries": {"0": {"uid": 0, "key": ["x"]}}})
    body = {"revision": book.revision, "to": other.id, "to_revision": other.revision, "uids": [0]}
    answer = await client.post(f"/api/lorebooks/{book.id}/move", json=body)
    moved = schemas_books.MovedTold.model_validate_json(answer.content)
    assert list(await entries(client, f"lorebooks/{moved.source.id}")) == ["渡口"]
    found = (await entries(client, f"lorebooks/{moved.target.id}"))["伞"]
    assert (found.uid, found.keys) == (1, ["旧伞"])
    raw = read(await client.get(f"/api/lorebooks/{moved.target.id}/entries/1/raw"))["content"]
    assert isinstance(raw, dict)
    assert raw["odd"] == [1]
    same = await client.post(
        f"/api/lorebooks/{moved.target.id}/move",
        json={**body, "revision": moved.target.revision, "to": moved.target.id},
    )
    assert problem(same)[1].code == "same_lorebook"


async def test_the_book_inside_a_card_is_written_with_the_card(client: httpx.AsyncClient) -> None:
    """A new version of the card, which has all else as before."""
    own: Json = {"entries": [{"keys": ["师父"], "comment": "师父", "content": "失踪。", "my": 1}]}
    data: Json = {"name": "沈砚", "first_mes": "「打烊了。」", "character_book": own, "odd": True}
    file = json.dumps({"spec": "chara_card_v2", "data": data}, ensure_ascii=False).encode()
    card = str(read(await client.post("/api/cards", files={"file": ("c.json", file)}))["id"])
    uid = (await entries(client, f"cards/{card}"))["师父"].uid
    edit = {"changed": [{"uid": uid, "content": "In the capital. 在京城。", "whole_words": False}]}
    new = await written(client, f"cards/{card}/entries", 1, **edit)
    found = (await entries(client, f"cards/{new.id}"))["师父"]
    assert (found.content, found.whole_words) == ("In the capital. 在京城。", False)
    content = read(await client.get(f"/api/cards/{new.id}"))["content"]
    assert isinstance(content, dict)
    assert content["data"]["odd"] is True
    raw = read(await client.get(f"/api/cards/{new.id}/entries/{found.uid}/raw"))["content"]
    assert isinstance(raw, dict)
    assert raw["my"] == 1


async def test_a_story_is_offered_what_is_newer(client: httpx.AsyncClient) -> None:
    """It goes on with its card and book, is told of the latest of both, and takes them when told to."""
    book = await brought(client)
    file = json.dumps(
        {"spec": "chara_card_v2", "data": {"name": "沈砚", "first_mes": "…"}}
    ).encode()
    card = str(read(await client.post("/api/cards", files={"file": ("c.json", file)}))["id"])
    wish = {"card_id": card, "lorebook_ids": [book.id]}
    place = f"/api/projects/{read(await client.post('/api/projects', json=wish))['id']}"
    assert read(await client.get(f"{place}/newer"))["items"] == []
    second = await written(client, f"lorebooks/{book.id}", book.revision, removed=[0])
    third = await written(client, f"lorebooks/{second.id}", second.revision, name="新")
    newer = await written(client, f"cards/{card}", 1, name="沈砚之")
    told = schemas_books.NewerList.model_validate_json((await client.get(f"{place}/newer")).content)
    assert [(one.kind, one.pinned, one.id, one.name) for one in told.items] == [
        ("card", card, newer.id, "沈砚之"),
        ("lorebook", book.id, third.id, "新"),
    ]
    revision = read(await client.get(place))["revision"]
    change = {"revision": revision, "card_id": newer.id, "lorebook_ids": [third.id]}
    await client.patch(place, json=change)
    assert read(await client.get(f"{place}/newer"))["items"] == []
    await client.delete(f"/api/lorebooks/{third.id}")
    assert read(await client.get(f"{place}/newer"))["items"] == []


async def test_a_text_is_tried_in_a_story(client: httpx.AsyncClient) -> None:
    """What was said before brings entries too, and their keys are told with where they were found."""
    book = await brought(client)
    card = {"spec": "chara_card_v2", "data": {"name": "沈砚", "first_mes": "旧伞倚在门边。"}}
    files = {"file": ("c.json", json.dumps(card).encode())}
    card_id = str(read(await client.post("/api/cards", files=files))["id"])
    made = read(await client.post("/api/projects", json={"card_id": card_id}))
    body = {"text": "The ferry?", "book_ids": [book.id]}
    for more, titles in ({}, ["渡口"]), ({"project_id": made["id"]}, ["伞", "渡口"]):
        answer = await client.post("/api/lorebooks/test", json={**body, **more})
        told = LoreTold.model_validate_json(answer.content)
        assert sorted(one.title for one in told.chosen) == titles
    missing = await client.post("/api/lorebooks/test", json={**body, "project_id": "nobody"})
    assert missing.status_code == 404


async def test_a_persona_stays_linked_to_a_card_that_is_changed(client: httpx.AsyncClient) -> None:
    """A story on a newer version of a card begins with the persona linked to a former one."""
    card = {"spec": "chara_card_v2", "data": {"name": "沈砚", "first_mes": "…"}}
    files = {"file": ("c.json", json.dumps(card).encode())}
    card_id = str(read(await client.post("/api/cards", files=files))["id"])
    links = [{"kind": "character", "id": card_id}]
    await client.post("/api/personas", json={"name": "陆行", "links": links})
    newer = await written(client, f"cards/{card_id}", 1, name="沈砚之")
    made = read(await client.post("/api/projects", json={"card_id": newer.id}))
    told = read(await client.get(f"/api/projects/{made['id']}"))
    assert isinstance(told["persona"], dict)
    assert told["persona"]["name"] == "陆行"
