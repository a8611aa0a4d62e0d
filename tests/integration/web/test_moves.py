"""An old installation moves in over HTTP, where the machine is the user's own."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager, nullcontext
from pathlib import Path

import httpx
import pytest

from huaben.services import chores
from huaben.testing.models import ScriptedModel
from huaben.testing.store import MemoryStore
from huaben.web import schemas, schemas_moving
from huaben.web.app import create_app
from tests.builders.installation import Installed, Size, install
from tests.builders.waiting import AWHILE_S
from tests.integration.web.lobby import ADDRESS, NOWHERE, theatre_in_memory
from tests.integration.web.table import problem, settings_for

TINY = Size(cards=3, chats=2, books=1, rows=2)


@asynccontextmanager
async def served(**settings: object) -> AsyncGenerator[httpx.AsyncClient]:
    theatre = theatre_in_memory(MemoryStore(), ScriptedModel([]))
    chosen = settings_for(NOWHERE, port=8720).model_copy(update=settings)
    app = create_app(chosen, lambda _: nullcontext(theatre))
    transport = httpx.ASGITransport(app, client=("127.0.0.1", 50_000))
    async with (
        app.router.lifespan_context(app),
        httpx.AsyncClient(transport=transport, base_url=ADDRESS, trust_env=False) as client,
    ):
        await chores.begin(theatre.house)
        yield client
    await theatre.house.jobs.close()
    await theatre.company.close()


def refusal(answer: httpx.Response) -> tuple[int, str]:
    status, told = problem(answer)
    return status, told.code


@pytest.fixture
def old(tmp_path: Path) -> Installed:
    return install(tmp_path / "old", TINY)


async def test_a_folder_is_looked_at_and_moves_in(old: Installed) -> None:
    """Counted first, then each file with its place and its fate."""
    async with served() as client:
        answer = await client.post("/api/moves/look", json={"path": str(old.root)})
        survey = schemas_moving.MoveSurvey.model_validate_json(answer.content)
        assert {part.kind: part.files for part in survey.parts}["cards"] == 3
        assert "secret" in [left.reason for left in survey.left]
        begun = await client.post("/api/moves", json={"path": str(old.root)})
        assert begun.status_code == 202
        async with asyncio.timeout(AWHILE_S):
            while True:
                found = await client.get(begun.headers["location"])
                shown = schemas_moving.MoveShown.model_validate_json(found.content)
                if shown.outcome:
                    break
                await asyncio.sleep(0.01)
        assert (shown.outcome, shown.done, shown.refused) == ("done", shown.total, 0)
        assert "characters/渡船人 1.png" in [item.place for item in shown.items]
        assert "preset" in [item.kind for item in shown.items]
        listed = schemas.PageOf[schemas_moving.MoveTold].model_validate_json(
            (await client.get("/api/moves")).content
        )
        assert [one.id for one in listed.items] == [shown.id]


@pytest.mark.parametrize("settings", [{"host": "0.0.0.0"}, {"allowed_hosts": ("huaben.example",)}])
async def test_no_folder_is_read_for_others(old: Installed, settings: dict[str, object]) -> None:
    """A server that other machines can reach, itself or through a proxy, reads no path of theirs."""
    async with served(**settings) as client:
        for place in ("/api/moves/look", "/api/moves"):
            answer = await client.post(place, json={"path": str(old.root)})
            assert refusal(answer) == (409, "not_this_machine")


async def test_what_cannot_move_is_refused(old: Installed, tmp_path: Path) -> None:
    """No folder, an unknown kind, an unknown move."""
    async with served() as client:
        nothing = await client.post("/api/moves/look", json={"path": str(tmp_path / "x")})
        assert refusal(nothing) == (422, "no_installation")
        kind = await client.post("/api/moves", json={"path": str(old.root), "kinds": ["hats"]})
        assert kind.status_code == 422
        unknown = await client.get("/api/moves/01890a5d-ac96-774b-bcce-b302099a8057")
        assert refusal(unknown)[0] == 404
