"""The trash is emptied by hand: what goes is named before, and what was deleted since it was seen stays."""

from __future__ import annotations

import json

from huaben.web import schemas, schemas_jobs
from tests.integration.web.lobby import lobby
from tests.integration.web.table import CARD, read


async def test_what_was_seen_goes_and_the_rest_stays() -> None:
    """A story with its turns, a book, not what was deleted later; nothing of it can be taken back."""
    async with lobby() as client:
        file = json.dumps(CARD, ensure_ascii=False).encode()
        card = read(await client.post("/api/cards", files={"file": ("c.json", file)}))["id"]
        made = read(await client.post("/api/projects", json={"card_id": card}))["id"]
        persona = read(await client.post("/api/personas", json={"name": "陆行"}))["id"]
        for place in (f"projects/{made}", f"personas/{persona}"):
            assert (await client.delete(f"/api/{place}")).status_code == 204
        told = schemas.PageOf[schemas_jobs.TrashItem].model_validate_json(
            (await client.get("/api/trash")).content
        )
        assert [one.kind for one in told.items] == ["persona", "project"]
        contents = read(await client.get(f"/api/trash/project/{made}"))
        assert contents == {"turns": 0, "saves": 0}
        assert (await client.delete(f"/api/cards/{card}")).status_code == 204
        seen = {"seen": told.items[0].deleted_at}
        assert read(await client.post("/api/trash/empty", json=seen)) == {"gone": 2}
        left = schemas.PageOf[schemas_jobs.TrashItem].model_validate_json(
            (await client.get("/api/trash")).content
        )
        assert [one.kind for one in left.items] == ["card"]
        assert (await client.get(f"/api/projects/{made}")).status_code == 404
        assert (await client.get("/api/trash/project/nobody")).status_code == 404
