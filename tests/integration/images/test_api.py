"""A picture over HTTP: its state, its bytes, another try."""

from __future__ import annotations

from contextlib import nullcontext
from dataclasses import replace

import httpx

from huaben.domain.image import image_id
from huaben.errors import ProviderFailed
from huaben.web.app import create_app
from tests.integration.images.easel import Painter, png, studio
from tests.integration.web.lobby import ADDRESS, NOWHERE, theatre_in_memory
from tests.integration.web.table import settings_for


async def test_a_picture_is_told_served_and_tried_again() -> None:
    """Its bytes come with the type that they are of, and nothing in them can run."""
    painter = Painter([ProviderFailed("timeout", "easel drew nothing"), png()])
    async with studio(painter) as room:
        room.begin()
        turn = await room.sealed()
        await room.house.jobs.idle()
        bare = theatre_in_memory(room.house.store, None)
        theatre = replace(bare, house=room.house, company=room.company)
        app = create_app(settings_for(NOWHERE, port=8720), lambda _: nullcontext(theatre))
        place = f"/api/images/{image_id(turn.id, 0)}"
        async with (
            app.router.lifespan_context(app),
            httpx.AsyncClient(
                transport=httpx.ASGITransport(app), base_url=ADDRESS, trust_env=False
            ) as client,
        ):
            told = (await client.get(place)).json()
            assert (told["state"], told["code"], told["caption"]) == ("failed", "timeout", "旧伞 0")
            assert (told["turn"], told["picture"]) == (turn.id, None)
            missing = await client.get(f"{place}/picture")
            assert (missing.status_code, missing.json()["code"]) == (404, "image_not_ready")
            again = await client.post(f"{place}/retry")
            assert (again.status_code, again.json()["state"]) == (202, "pending")
            await room.house.jobs.idle()
            told = (await client.get(place)).json()
            assert (told["state"], told["attempt"]) == ("ready", 2)
            picture = await client.get(told["picture"])
            assert picture.content == png()
            assert picture.headers["content-type"] == "image/png"
            assert picture.headers["x-content-type-options"] == "nosniff"
            assert picture.headers["content-security-policy"] == "default-src 'none'; sandbox"
            tag = {"if-none-match": picture.headers["etag"]}
            assert (await client.get(told["picture"], headers=tag)).status_code == 304
            refused = await client.post(f"{place}/retry")
            assert (refused.status_code, refused.json()["code"]) == (409, "image_not_failed")
            assert (await client.get("/api/images/none-0")).status_code == 404
