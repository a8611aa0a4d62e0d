"""The shelf of cards over HTTP: searched, sorted, chosen, with small pictures; and entries to be read."""

from __future__ import annotations

import io
import json
from collections.abc import AsyncIterator

import httpx
import pytest
from PIL import Image

from huaben.domain.jsonvalue import Json
from huaben.web import schemas_books, schemas_cards
from huaben.web.schemas import PageOf
from tests.builders import cards as made
from tests.integration.web.lobby import lobby
from tests.integration.web.table import BOOK, CARD, read

HOSTILE = '<img src="https://elsewhere.example/x.png" onerror=alert(1)>'


@pytest.fixture
async def client() -> AsyncIterator[httpx.AsyncClient]:
    async with lobby() as found:
        yield found


async def bring(client: httpx.AsyncClient, value: object, path: str = "/api/cards") -> str:
    data = value if isinstance(value, bytes) else json.dumps(value, ensure_ascii=False).encode()
    answer = await client.post(path, files={"file": ("x.json", data)})
    assert answer.status_code == 201, answer.text
    return str(read(answer)["id"])


async def listed(client: httpx.AsyncClient, query: str = "") -> list[schemas_cards.CardItem]:
    answer = await client.get(f"/api/cards?{query}")
    assert answer.status_code == 200, answer.text
    return PageOf[schemas_cards.CardItem].model_validate_json(answer.content).items


async def test_cards_are_found_by_word_tag_and_choice(client: httpx.AsyncClient) -> None:
    """Words, a tag, favourites and the order can be asked for, alone or together."""
    lamp = await bring(client, made.v2({"name": "点灯人", "tags": ["夜市", "River"]}))
    ferry = await bring(client, made.v2({"name": "Ferryman", "tags": ["River"]}))
    assert [one.id for one in await listed(client)] == [ferry, lamp]
    assert [one.id for one in await listed(client, "q=点灯")] == [lamp]
    assert [one.id for one in await listed(client, "tag=river&sort=name")] == [ferry, lamp]
    chosen = await client.put(f"/api/cards/{lamp}/favourite", json={"on": True})
    assert chosen.status_code == 204
    (only,) = await listed(client, "favourite=true")
    assert (only.id, only.favourite, only.tags) == (lamp, True, ["夜市", "River"])
    tags = schemas_cards.TagsTold.model_validate_json((await client.get("/api/cards/tags")).content)
    assert [(one.tag, one.cards) for one in tags.items] == [("River", 2), ("夜市", 1)]
    missing = await client.put("/api/cards/nobody/favourite", json={"on": True})
    assert missing.status_code == 404


async def test_a_card_says_what_it_says(client: httpx.AsyncClient) -> None:
    """The fields of a card are its words as they are, also where they look like a page."""
    fields: dict[str, Json] = {
        "name": HOSTILE,
        "first_mes": "你来了。",
        "alternate_greetings": ["You came."],
        "creator_notes": HOSTILE,
    }
    card = await bring(client, made.v2(fields))
    shown = schemas_cards.CardEntry.model_validate_json(
        (await client.get(f"/api/cards/{card}")).content
    )
    assert shown.fields is not None
    assert shown.fields.creator_notes == shown.name == HOSTILE
    assert shown.fields.greetings == ["你来了。", "You came."]
    assert shown.fields.own_entries == 0


async def test_entries_are_read_page_by_page(client: httpx.AsyncClient) -> None:
    """A lorebook and a card's own book tell their entries in order, and where the next page begins."""
    book = await bring(client, BOOK, "/api/lorebooks")
    whole = schemas_books.EntriesTold.model_validate_json(
        (await client.get(f"/api/lorebooks/{book}/entries")).content
    )
    assert whole.total == len(whole.items) > 0
    assert whole.next is None
    first = schemas_books.EntriesTold.model_validate_json(
        (await client.get(f"/api/lorebooks/{book}/entries?limit=1")).content
    )
    assert first.items == whole.items[:1]
    assert first.next == (1 if whole.total > 1 else None)
    card = await bring(client, CARD)
    own = await client.get(f"/api/cards/{card}/entries")
    assert own.status_code == 200
    assert (await client.get("/api/lorebooks/nobody/entries")).status_code == 404


def photograph(size: tuple[int, int]) -> bytes:
    """A card in a picture of nothing but noise."""
    noise = Image.effect_noise(size, 90).convert("RGB")
    content = io.BytesIO()
    noise.save(content, "PNG")
    png = content.getvalue()
    end = png.rindex(b"IEND") - 4
    return png[:end] + made.card_chunk(made.v2({"name": "阿蘅"})) + png[end:]


async def test_a_picture_is_made_small(client: httpx.AsyncClient) -> None:
    """At most 20 kB and as wide as was asked for, to be kept by the browser, and asked for once."""
    card = await bring(client, photograph((1200, 1800)))
    answer = await client.get(f"/api/cards/{card}/picture?w=320")
    assert answer.status_code == 200
    assert answer.headers["content-type"] == "image/webp"
    assert len(answer.content) <= 20_000
    with Image.open(io.BytesIO(answer.content)) as image:
        assert image.height / image.width == 1.5
    tag = {"if-none-match": answer.headers["etag"]}
    again = await client.get(f"/api/cards/{card}/picture?w=320", headers=tag)
    assert again.status_code == 304
    narrow = await client.get(f"/api/cards/{card}/picture?w=100")
    with Image.open(io.BytesIO(narrow.content)) as image:
        assert image.size == (160, 240)
    plain = await client.get(f"/api/cards/{card}/image")
    assert len(plain.content) > 1_000_000


async def test_what_is_no_picture_becomes_the_plain_one(client: httpx.AsyncClient) -> None:
    """A card without picture, or with one that claims more pixels than are decoded, shows a plain one."""
    plain = await bring(client, CARD)
    huge = made.SIGNATURE + made.ihdr(60_000, 60_000) + made.card_chunk(made.v2({"name": "巨"}))
    big = await bring(client, huge + made.chunk(b"IDAT", b"x") + made.IEND)
    for card in (plain, big):
        answer = await client.get(f"/api/cards/{card}/picture")
        assert answer.status_code == 200
        assert answer.headers["x-content-type-options"] == "nosniff"
        assert len(answer.content) <= 20_000
    assert (await client.get("/api/cards/nobody/picture")).status_code == 404
