"""Cards and lorebooks leave as they came; a card's picture is a picture and nothing else."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Mapping
from urllib.parse import unquote

import httpx
import pytest

from huaben.domain.jsonvalue import Json
from huaben.formats import card as cards
from huaben.formats.lorebook.file import BookFile
from huaben.formats.lorebook.read import read_book
from huaben.formats.png import default_picture
from huaben.testing.store import MemoryStore
from huaben.web import schemas
from huaben.web.schemas_lore import LoreTold
from tests.builders import cards as made
from tests.integration.web.lobby import lobby
from tests.integration.web.table import BOOK, CARD, problem, read

PNG = made.picture(made.card_chunk(made.v2({"name": "陆小凤"})))

DAMAGED = (
    made.SIGNATURE
    + made.ihdr()
    + made.card_chunk(made.v2())
    + made.chunk(b"IDAT", b"?")
    + made.IEND
)


@pytest.fixture
async def client() -> AsyncIterator[httpx.AsyncClient]:
    async with lobby() as found:
        yield found


async def bring(client: httpx.AsyncClient, path: str, value: object, name: str = "x.json") -> str:
    data = value if isinstance(value, bytes) else json.dumps(value, ensure_ascii=False).encode()
    answer = await client.post(path, files={"file": (name, data)})
    assert answer.status_code == 201, answer.text
    return str(read(answer)["id"])


async def exported(client: httpx.AsyncClient, path: str) -> httpx.Response:
    answer = await client.get(path)
    assert answer.status_code == 200, answer.text
    assert answer.headers["content-disposition"].startswith("attachment; ")
    assert answer.headers["x-content-type-options"] == "nosniff"
    return answer


def file_name(answer: httpx.Response) -> str:
    return unquote(answer.headers["content-disposition"].partition("filename*=UTF-8''")[2])


async def test_a_card_leaves_as_it_came(client: httpx.AsyncClient) -> None:
    """Unknown fields included, under its own name, in the form it came in unless said otherwise."""
    card_id = await bring(client, "/api/cards", CARD)
    answer = await exported(client, f"/api/cards/{card_id}/export")
    assert (answer.json(), file_name(answer)) == (CARD, "沈砚.json")
    assert answer.headers["content-type"] == "application/json"
    report = await client.get(f"/api/cards/{card_id}/export/report")
    assert schemas.ImportReport.model_validate_json(report.content).dropped == []


@pytest.mark.parametrize("form", ["png", "json", "charx"])
async def test_every_form_holds_the_same_card(client: httpx.AsyncClient, form: str) -> None:
    """What is exported reads back as the card that was imported."""
    card_id = await bring(client, "/api/cards", PNG, "陆小凤.png")
    answer = await exported(client, f"/api/cards/{card_id}/export?form={form}")
    before, after = cards.read_card(PNG), cards.read_card(answer.content)
    assert isinstance(before, cards.CardFile)
    assert isinstance(after, cards.CardFile)
    for field in ("name", "description", "first_mes", "book", "alternate_greetings"):
        assert getattr(before.card, field) == getattr(after.card, field)
    assert file_name(answer) == f"陆小凤.{form}"
    told = read(await client.get(f"/api/cards/{card_id}/export/report?form={form}"))
    assert ("picture_left_out" in str(told["dropped"])) == (form == "json")


async def test_a_card_that_came_without_a_picture_gets_the_plain_one(
    client: httpx.AsyncClient,
) -> None:
    """PNG needs one; the card in it is whole."""
    card_id = await bring(client, "/api/cards", CARD)
    answer = await exported(client, f"/api/cards/{card_id}/export?form=png")
    found = cards.read_card(answer.content)
    assert isinstance(found, cards.CardFile)
    assert found.card.name == "沈砚"
    assert answer.headers["content-type"] == "image/png"


async def test_the_book_inside_a_card_leaves_alone(client: httpx.AsyncClient) -> None:
    """As a file that SillyTavern reads; a card without one says so."""
    book: Mapping[str, object] = {
        "entries": [{"id": 7, "keys": ["伞"], "content": "竹骨。", "enabled": True}]
    }
    own = {"spec": "chara_card_v2", "data": {"name": "伞匠", "character_book": book}}
    card_id = await bring(client, "/api/cards", own)
    answer = await exported(client, f"/api/cards/{card_id}/export?form=lorebook")
    found = read_book(answer.content)
    assert isinstance(found, BookFile)
    assert [entry.content for entry in found.book.entries] == ["竹骨。"]
    bare = await bring(client, "/api/cards", {**CARD, "extra": 1})
    refused = await client.get(f"/api/cards/{bare}/export?form=lorebook")
    assert problem(refused)[1].code == "no_lorebook"


async def test_a_lorebook_leaves_byte_for_byte(client: httpx.AsyncClient) -> None:
    """In its own dialect; in another one all that it had goes along, and the report says so."""
    data = json.dumps({**BOOK, "odd": {"留": 1}}, ensure_ascii=False, indent=4).encode()
    book_id = await bring(client, "/api/lorebooks", data)
    answer = await exported(client, f"/api/lorebooks/{book_id}/export")
    assert (answer.content, file_name(answer)) == (data, "渡口.json")
    other = f"/api/lorebooks/{book_id}/export"
    converted = await exported(client, f"{other}?dialect=lorebook_v3")
    assert converted.json()["spec"] == "lorebook_v3"
    assert "留" in converted.text
    told = read(await client.get(f"{other}/report?dialect=lorebook_v3"))
    assert "converted" in str(told["changed"])


ODD_IDS: tuple[dict[str, Json], ...] = (
    {"id": 0, "keys": ["龙王"], "content": "一"},
    {"id": 0, "keys": ["umbrella"], "content": "two", "extensions": {"probability": 40, "x": [1]}},
    {"keys": ["伞"], "content": "三", "odd": {"留": None}},
    {"id": "abc", "keys": ["/雨+/i"], "content": "四"},
)


@pytest.mark.parametrize("form", ["png", "json", "charx"])
async def test_a_card_of_another_program_keeps_every_entry(
    client: httpx.AsyncClient, form: str
) -> None:
    """Both chunks behind the pixels, entries that share an id or have none: out and in again, all
    four are there, with their ids as they were and what nobody understood."""
    book: Json = {"entries": [{**one, "enabled": True} for one in ODD_IDS], "unknown": 1}
    chunks = [
        made.card_chunk(made.v2({"character_book": book})),
        made.card_chunk(made.v3({"character_book": book}), "ccv3"),
    ]
    card_id = await bring(client, "/api/cards", made.picture(after=chunks))
    answer = await exported(client, f"/api/cards/{card_id}/export?form={form}")
    found = cards.read_card(answer.content)
    assert isinstance(found, cards.CardFile)
    assert found.card.book == book
    again = await bring(client, "/api/cards", answer.content)
    body = {"text": "龙王、umbrella、伞、雨雨", "card_id": again}
    told = LoreTold.model_validate_json(
        (await client.post("/api/lorebooks/test", json=body)).content
    )
    rows = [row.title for row in told.chosen] + [row.title for row in told.left_out]
    assert sorted(rows) == sorted(["龙王", "umbrella", "伞", "/雨+/i"])


@pytest.mark.parametrize(
    "name", ['x"; filename="evil.exe', "../../雨\r\nX-Evil: 1", "\u202egnp.exe", ""]
)
async def test_any_name_is_a_safe_file_name(client: httpx.AsyncClient, name: str) -> None:
    """A card's name cannot write headers, leave the folder or hide its ending (X04)."""
    card_id = await bring(client, "/api/cards", {"name": name, "first_mes": "雨。"}, "雨.json")
    answer = await exported(client, f"/api/cards/{card_id}/export?form=png")
    header = answer.headers["content-disposition"]
    assert "x-evil" not in answer.headers
    assert header.count('"') == 2
    assert file_name(answer).endswith(".png")
    assert not set(file_name(answer)) & set('/\\"\r\n\u202e')


# ---- pictures ----------------------------------------------------------------------------------


async def test_a_picture_is_shown_without_the_card_in_it(client: httpx.AsyncClient) -> None:
    """As what its bytes are, to be kept by the browser; asked again, it is not sent again."""
    card_id = await bring(client, "/api/cards", PNG)
    answer = await client.get(f"/api/cards/{card_id}/image")
    assert answer.headers["content-type"] == "image/png"
    assert answer.headers["x-content-type-options"] == "nosniff"
    assert answer.headers["cache-control"].startswith("private")
    assert answer.content.startswith(b"\x89PNG")
    assert b"chara" not in answer.content
    again = await client.get(
        f"/api/cards/{card_id}/image", headers={"if-none-match": answer.headers["etag"]}
    )
    assert (again.status_code, again.content) == (304, b"")


@pytest.mark.parametrize("value", [CARD, DAMAGED], ids=["no picture", "a damaged one"])
async def test_a_card_without_a_picture_has_the_plain_one(
    client: httpx.AsyncClient, value: object
) -> None:
    """C20: a card whose picture is corrupt is imported and looks like one that has none."""
    card_id = await bring(client, "/api/cards", value)
    answer = await client.get(f"/api/cards/{card_id}/image")
    assert (answer.status_code, answer.content) == (200, default_picture())


async def test_a_card_whose_bytes_are_gone_still_leaves() -> None:
    """C22: the file behind a card is deleted; the card is exported from what is stored of it, with
    a warning, and looks plain. Everything else works."""
    store = MemoryStore()
    async with lobby(store) as client:
        card_id = await bring(client, "/api/cards", PNG)
    async with lobby(store) as client:  # another folder of objects, an empty one
        answer = await exported(client, f"/api/cards/{card_id}/export?form=json")
        assert answer.json()["data"]["name"] == "陆小凤"
        told = read(await client.get(f"/api/cards/{card_id}/export/report"))
        assert "original_missing" in str(told["warnings"])
        image = await client.get(f"/api/cards/{card_id}/image")
        assert image.content == default_picture()
        listed = await client.get("/api/cards")
        assert (
            len(schemas.PageOf[schemas.LibraryItem].model_validate_json(listed.content).items) == 1
        )


@pytest.mark.parametrize(
    ("path", "code"),
    [
        ("/api/cards/unknown/export", "card_not_found"),
        ("/api/cards/unknown/image", "card_not_found"),
        ("/api/cards/unknown/export/report", "card_not_found"),
        ("/api/lorebooks/unknown/export", "lorebook_not_found"),
        ("/api/lorebooks/unknown/export?dialect=xml", "invalid_field"),
        ("/api/cards/unknown/export?form=exe", "invalid_field"),
    ],
)
async def test_what_is_not_there_is_not_exported(
    client: httpx.AsyncClient, path: str, code: str
) -> None:
    """A stable code, as everywhere."""
    assert problem(await client.get(path))[1].code == code
