"""Pictures that came with a card, by the names that its texts call them by."""

from __future__ import annotations

import json

from huaben.web.schemas import PageOf
from huaben.web.schemas_images import AssetTold
from tests.builders import cards as made
from tests.integration.images.easel import png
from tests.integration.web.lobby import lobby
from tests.integration.web.table import read

RED, BLUE = png((200, 0, 0)), png((0, 0, 200))
SVG = b'<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'
CARD = made.v3(
    {
        "name": "阿蘅",
        "assets": [
            {
                "type": "emotion",
                "uri": "embeded://assets/emotion/a.png",
                "name": "笑",
                "ext": "png",
            },
            {"type": "x-risu-asset", "uri": "embeded://assets/b.png", "name": "lamp", "ext": "png"},
            {"type": "x-risu-asset", "uri": "embeded://assets/c.png", "name": "bad", "ext": "png"},
        ],
        "extensions": {"risuai": {"additionalAssets": [["灯", "embeded://assets/b.png", "png"]]}},
    }
)
CHARX = made.archive(
    {
        "card.json": json.dumps(CARD).encode(),
        "assets/emotion/a.png": RED,
        "assets/b.png": BLUE,
        "assets/c.png": SVG,
    }
)


async def test_a_cards_pictures_are_there_by_name() -> None:
    """Declared names, Risu's own, addresses; what is no picture is not among them, whatever it is called."""
    async with lobby() as client:
        answer = await client.post("/api/cards", files={"file": ("阿蘅.charx", CHARX)})
        assert answer.status_code == 201, answer.text
        card = read(answer)["id"]
        for _ in range(2):  # taken out of the file, and found again
            told = await client.get(f"/api/cards/{card}/assets")
            listed = PageOf[AssetTold].model_validate_json(told.content)
            assert [one.names for one in listed.items] == [
                ["笑", "assets/emotion/a.png", "笑.png"],
                ["lamp", "灯", "assets/b.png", "lamp.png"],
            ]
        place = f"/api/cards/{card}/assets/1"
        shown = await client.get(place)
        assert (shown.content, shown.headers["content-type"]) == (BLUE, "image/png")
        assert shown.headers["content-security-policy"] == "default-src 'none'; sandbox"
        tag = {"if-none-match": shown.headers["etag"]}
        assert (await client.get(place, headers=tag)).status_code == 304
        assert (await client.get(f"/api/cards/{card}/assets/2")).status_code == 404
        assert (await client.get("/api/cards/nobody/assets")).status_code == 404
