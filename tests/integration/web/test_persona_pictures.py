"""Pictures of personas over HTTP, and the search of their list."""

from __future__ import annotations

import io
import zipfile
import zlib
from collections.abc import AsyncIterator
from typing import cast

import httpx
import pytest
from PIL import Image

from huaben.services import persona_files, thumbnails
from huaben.testing.models import ScriptedModel
from huaben.testing.script import reply, say
from huaben.testing.store import MemoryStore
from huaben.web import schemas_items
from tests.integration.web.lobby import lobby
from tests.integration.web.table import problem, read


@pytest.fixture
async def client() -> AsyncIterator[httpx.AsyncClient]:
    async with lobby(MemoryStore(), model=ScriptedModel(lambda _: reply(say("好。")))) as found:
        yield found


def drawn(form: str = "PNG", size: tuple[int, int] = (400, 600)) -> bytes:
    packed = io.BytesIO()
    Image.effect_noise(size, 90).convert("RGB").save(packed, form)
    return packed.getvalue()


async def persona(client: httpx.AsyncClient, name: str = "林") -> schemas_items.PersonaItem:
    answer = await client.post("/api/personas", json={"name": name})
    return schemas_items.PersonaItem.model_validate_json(answer.content)


async def give(client: httpx.AsyncClient, of: str, content: bytes, revision: int) -> httpx.Response:
    place = f"/api/personas/{of}/picture"
    files = {"file": ("me.png", content)}
    return await client.post(place, files=files, params={"revision": revision})


async def test_a_persona_has_a_picture_that_is_shown_small(client: httpx.AsyncClient) -> None:
    """Given, kept through a change of its words, at another address once it is another, taken away."""
    made = await persona(client)
    assert made.picture is None
    given = read(await give(client, made.id, drawn(), 1))
    address = str(given["picture"])
    shown = await client.get(address, params={"w": 160} | dict(httpx.URL(address).params))
    assert shown.headers["content-type"] == "image/webp"
    assert "immutable" in shown.headers["cache-control"]
    assert 100 < len(shown.content) <= thumbnails.MAX_BYTES
    assert Image.open(io.BytesIO(shown.content)).size[0] <= 160
    same = await client.get(shown.url, headers={"if-none-match": shown.headers["etag"]})
    assert same.status_code == 304
    bare = await client.get(f"/api/personas/{made.id}/picture")
    assert "immutable" not in bare.headers["cache-control"]
    words = {"name": "林", "description": "借伞的人。", "revision": 2}
    changed = read(await client.put(f"/api/personas/{made.id}", json=words))
    assert changed["picture"] == address
    assert problem(await give(client, made.id, drawn("WEBP"), 2))[1].code == "stale"
    other = read(await give(client, made.id, drawn("WEBP"), 3))
    assert other["picture"] not in (None, address)
    place = f"/api/personas/{made.id}/picture"
    assert read(await client.delete(place, params={"revision": 4}))["picture"] is None
    assert problem(await client.get(place))[1].code == "persona_without_picture"
    kept = read(await client.get(f"/api/personas/{made.id}/versions"))
    contents = [one["content"] for one in cast("list[dict[str, dict[str, str]]]", kept["items"])]
    assert [bool(one["picture"]) for one in contents] == [False, True, True, True, False]


async def test_what_may_not_be_a_picture_is_refused(client: httpx.AsyncClient) -> None:
    """What is none, is broken off, packs too many pixels into little, or is too heavy; nothing is kept."""
    made = await persona(client, "Ann")
    for content in (b"<svg onload='alert(1)'/>", drawn()[:300], b""):
        status, told = problem(await give(client, made.id, content, 1))
        assert (status, told.code) == (422, "not_a_picture")
    wide = drawn(size=(8, 8))
    head = wide[16:24]
    many = (20_000).to_bytes(4, "big") * 2
    bomb = wide.replace(head, many, 1)
    crc = zlib.crc32(bomb[12:29]).to_bytes(4, "big")
    heavy = drawn(size=(8, 8)) + bytes(persona_files.MAX_BYTES)
    for content in (bomb[:29] + crc + bomb[33:], heavy):
        status, told = problem(await give(client, made.id, content, 1))
        assert (status, told.code) == (413, "picture_too_large")
    assert read(await client.get(f"/api/personas/{made.id}"))["picture"] is None
    assert problem(await give(client, "nobody", drawn(), 1))[0] == 404


async def test_a_persona_leaves_with_its_picture_and_comes_back(client: httpx.AsyncClient) -> None:
    """The archive is as an installation has it; another house takes it in, once; no name in it leads out
    of the folder of pictures."""
    made = await persona(client)
    avatar = {"name": "林", "avatar": "../a/林.png", "revision": 1}
    await client.put(f"/api/personas/{made.id}", json=avatar)
    face = drawn()
    await give(client, made.id, face, 2)
    await give(client, (await persona(client, "Ann")).id, drawn("JPEG"), 1)
    one = await client.get(f"/api/personas/{made.id}/export")
    assert one.headers["content-type"] == "application/zip"
    assert (await client.get("/api/personas/export")).headers["content-type"] == "application/zip"
    with zipfile.ZipFile(io.BytesIO(one.content)) as packed:
        backup, picture = packed.namelist()
        assert backup == "personas.json"
        assert (picture.count("/"), picture.startswith("User Avatars/")) == (1, True)
        assert packed.read(picture) == face
    async with lobby(MemoryStore(), model=ScriptedModel(lambda _: reply(say("好。")))) as other:
        for status in (201, 200):
            files = {"file": ("林.zip", one.content)}
            answer = await other.post("/api/personas/import", files=files)
            assert answer.status_code == status
        again = await other.get(f"/api/personas/{read(answer)['id']}/export")
        assert again.content == one.content


async def test_personas_are_found_and_paged_on_the_server(client: httpx.AsyncClient) -> None:
    """By all the words of the name, a page at a time, until there are no more."""
    for number in range(5):
        await persona(client, f"阿蘅 {number}")
    await persona(client, "Ann")
    seen: list[str] = []
    after: str | None = None
    while True:
        query = {"q": "阿蘅", "limit": 2} | ({"after": after} if after else {})
        page = read(await client.get("/api/personas", params=query))
        seen += [one["name"] for one in cast("list[dict[str, str]]", page["items"])]
        after = cast("str | None", page["next"])
        if after is None:
            break
    assert seen == [f"阿蘅 {number}" for number in (4, 3, 2, 1, 0)]
