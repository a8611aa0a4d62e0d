"""One broken thing of the library is shown as broken and hides nothing (kwaroran/Risuai#228)."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import AsyncGenerator
from contextlib import closing, nullcontext
from dataclasses import dataclass
from pathlib import Path

import httpx
import pytest

from huaben.bootstrap import build
from huaben.web import schemas
from huaben.web.app import create_app
from tests.integration.web.lobby import ADDRESS
from tests.integration.web.table import BOOK, problem, read, settings_for


@dataclass
class Shelves:
    """A client of the application, and the data folder behind it."""

    client: httpx.AsyncClient
    data: Path

    async def bring(self, name: str) -> str:
        """A card of that name; its id."""
        data = {"name": name, "first_mes": "「谁？」"}
        card = json.dumps({"spec": "chara_card_v2", "spec_version": "2.0", "data": data}).encode()
        answer = await self.client.post("/api/cards", files={"file": (f"{name}.json", card)})
        return str(read(answer)["id"])

    async def listed(self, path: str = "/api/cards") -> dict[str, str | None]:
        """Names, and why each is broken where it is."""
        content = (await self.client.get(path)).content
        page = schemas.PageOf[schemas.LibraryItem].model_validate_json(content)
        return {item.name: item.broken for item in page.items}

    def change(self, statement: str, *values: str) -> None:
        """Change the library behind the program's back."""
        with closing(sqlite3.connect(self.data / "huaben.db")) as library, library:
            library.execute(statement, values)

    def lose_bytes(self, table: str, thing_id: str) -> None:
        with closing(sqlite3.connect(self.data / "huaben.db")) as library:
            chosen = library.execute(f"SELECT object_hash FROM {table} WHERE id = ?", (thing_id,))
            (name,) = chosen.fetchone()
        (self.data / "objects" / name[:2] / name).unlink()


@pytest.fixture
async def shelves(tmp_path: Path) -> AsyncGenerator[Shelves]:
    settings = settings_for(tmp_path / "data", port=8720)
    async with build(settings) as theatre:
        app = create_app(settings, lambda _: nullcontext(theatre))
        transport = httpx.ASGITransport(app)
        async with (
            app.router.lifespan_context(app),
            httpx.AsyncClient(transport=transport, base_url=ADDRESS, trust_env=False) as client,
        ):
            yield Shelves(client, tmp_path / "data")


async def test_a_card_whose_file_was_deleted_is_shown_as_broken(shelves: Shelves) -> None:
    """The list, the other cards and new stories go on; the broken one names what it lacks."""
    lost, kept = await shelves.bring("丢失"), await shelves.bring("还在")
    shelves.lose_bytes("card", lost)
    listed = await shelves.listed()
    assert listed["还在"] is None
    assert "is gone" in str(listed["丢失"])
    wanted = {"title": "雨夜", "mode": "roleplay", "card_id": kept}
    assert (await shelves.client.post("/api/projects", json=wanted)).status_code == 201


async def test_a_card_whose_content_is_damaged_is_shown_and_can_be_thrown_away(
    shelves: Shelves,
) -> None:
    """It is listed as broken, asking for it says so, and it goes to the trash and back like any."""
    torn, kept = await shelves.bring("残"), await shelves.bring("整")
    shelves.change("UPDATE card SET content = '{' WHERE id = ?", torn)
    listed = await shelves.listed()
    assert listed["整"] is None
    assert listed["残"]
    status, told = problem(await shelves.client.get(f"/api/cards/{torn}"))
    assert (status, told.code) == (500, "read_failed")
    assert (await shelves.client.get(f"/api/cards/{kept}")).status_code == 200
    assert (await shelves.client.delete(f"/api/cards/{torn}")).status_code == 204
    assert set(await shelves.listed()) == {"整"}
    back = await shelves.client.post(f"/api/trash/card/{torn}/restore")
    assert read(back)["name"] == "残"
    assert set(await shelves.listed()) == {"整", "残"}


async def test_a_lorebook_that_is_broken_is_shown_so(shelves: Shelves) -> None:
    """The same holds for lorebooks, by bytes and by content."""
    book = json.dumps(BOOK).encode()
    answer = await shelves.client.post("/api/lorebooks", files={"file": ("书.json", book)})
    book_id = str(read(answer)["id"])
    shelves.lose_bytes("lorebook", book_id)
    assert "is gone" in str((await shelves.listed("/api/lorebooks"))["渡口"])
    shelves.change("UPDATE lorebook SET content = '' WHERE id = ?", book_id)
    assert (await shelves.listed("/api/lorebooks"))["渡口"]
