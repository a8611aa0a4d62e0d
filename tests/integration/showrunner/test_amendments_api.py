"""Amendments over HTTP: listed, accepted, undone, and refused where there is nothing to decide."""

from __future__ import annotations

from contextlib import nullcontext
from dataclasses import replace

import httpx

from huaben.domain.amendment import Amendment, FieldChange, Proposal
from huaben.ports import Commit
from huaben.services.amended import written
from huaben.web.app import create_app
from tests.integration.showrunner.directed import directed
from tests.integration.web.lobby import ADDRESS, NOWHERE, theatre_in_memory
from tests.integration.web.table import settings_for


async def test_an_amendment_is_told_accepted_and_undone() -> None:
    """Its diff is told; a verb that it does not take now is a conflict, an unknown one is not there."""
    async with directed([], []) as room:
        proposal = Proposal("爱笑", (FieldChange("personality", "冷静，护短", "冷静，爱笑"),))
        made = Amendment("turn1", "让他爱笑", "proposed", proposal=proposal)
        await room.house.store.commit(Commit(rows=(written(room.project.id, made),)))
        bare = theatre_in_memory(room.house.store, None)
        theatre = replace(bare, house=room.house, company=room.company)
        app = create_app(settings_for(NOWHERE, port=8720), lambda _: nullcontext(theatre))
        place = f"/api/projects/{room.project.id}/amendments"
        async with (
            app.router.lifespan_context(app),
            httpx.AsyncClient(
                transport=httpx.ASGITransport(app), base_url=ADDRESS, trust_env=False
            ) as client,
        ):
            (told,) = (await client.get(place)).json()["items"]
            assert (told["state"], told["card"][0]["new"]) == ("proposed", "冷静，爱笑")
            early = await client.post(f"{place}/turn1/undo")
            assert (early.status_code, early.json()["code"]) == (409, "amendment_not_applied")
            assert (await client.post(f"{place}/turn1/accept")).json()["state"] == "applied"
            assert (await client.post(f"{place}/turn1/undo")).json()["state"] == "undone"
            assert (await client.post(f"{place}/none/accept")).status_code == 404
