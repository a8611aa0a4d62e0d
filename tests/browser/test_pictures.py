"""Pictures of turns and of cards on the page, drawn by the rehearsal in a real server."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from playwright.sync_api import Page, expect

from huaben.config import load_settings
from huaben.domain.events import ImageChange
from huaben.domain.image import marker, wished
from huaben.ports import Commit, Due
from huaben.services import images, library
from huaben.services.branching import rewrite_final
from huaben.services.stories import load_turn
from huaben.studio import Studio
from tests.browser.playhouse import Server
from tests.builders import cards as made
from tests.integration.images.easel import png

CARD = made.v3(
    {
        "name": "阿蘅",
        "first_mes": "阿蘅笑了。{{img::笑}}\n\n她没有{{img::哭}}。",
        "assets": [{"type": "emotion", "uri": "embeded://a.png", "name": "笑", "ext": "png"}],
    }
)
CHARX = made.archive({"card.json": json.dumps(CARD).encode(), "a.png": png((200, 40, 40))})


async def seeded(data: Path) -> str:
    """A story whose turn has a picture that is still to be drawn and one that failed."""
    async with Studio.open(settings=load_settings(data=data)) as studio:
        house = studio.house
        card = await library.import_card(house, CHARX, "阿蘅.charx")
        project = await studio.create_project(card=card.id, scenario="rehearsal", language="zh")
        turn_id = ""
        async for _ in studio.play(project.id, "你好。"):
            head = await house.store.head(project.id)
            turn_id = head.turn_id if head else turn_id
        await house.jobs.idle()
        pictures: list[ImageChange] = []
        for place, (prompt, caption) in enumerate((("旧伞", "雨里的旧伞"), ("灯", "一盏灯"))):
            wish = wished(turn_id, place, prompt, caption)
            assert wish is not None
            pictures.append(ImageChange(wish.id, "wished", wish.prompt, wish.caption, place))
        failed = ImageChange(
            pictures[1].image, "failed", "灯", "一盏灯", 1, 1, code="timeout", message="easel: late"
        )
        text = "\n\n".join(
            ["他点头。", *(marker(one.image, one.caption) for one in pictures), "雨停了。"]
        )
        turn = await load_turn(house, turn_id)
        await rewrite_final(house, turn_id, text, turn.version)
        payload = {"turn": turn_id, "image": pictures[0].image, "attempt": 1}
        events = tuple((turn_id, event) for event in (*pictures, failed))
        # No nudge: the server that is started next finds it due.
        due = Due(images.lane_of(project.id), images.KIND, payload)
        await house.store.commit(Commit(events=events, due=(due,)))
        return project.id


def test_pictures_stand_at_their_places(
    server: Callable[..., Server], look: Callable[..., Page], tmp_path: Path
) -> None:
    """What is due is drawn by the next server, what failed by Retry; a card's picture shows by its name,
    and the scenario of the story can be chosen."""
    data = tmp_path / "data0"
    with ThreadPoolExecutor(1) as pool:  # the browser's loop runs in this thread
        project = pool.submit(lambda: asyncio.run(seeded(data))).result()
    page = look(server(), f"/p/{project}")
    opening = page.get_by_role("article").first.locator("[data-reply]")
    smile = opening.get_by_role("img", name="笑")
    expect(smile).to_be_visible()
    expect(smile).to_have_js_property("naturalWidth", 8)
    expect(opening).to_contain_text("{{img::哭}}")
    reply = page.get_by_role("article").last.locator("[data-reply]")
    umbrella = reply.get_by_role("img", name="雨里的旧伞")
    expect(umbrella).to_be_visible()
    expect(reply.locator("figcaption").first).to_have_text("雨里的旧伞")
    expect(reply).to_contain_text("The endpoint took too long.")
    reply.get_by_role("button", name="Retry").click()
    lamp = reply.get_by_role("img", name="一盏灯")
    expect(lamp).to_be_visible()
    expect(lamp).to_have_js_property("naturalWidth", 480)
    expect(reply).to_contain_text("雨停了。")
    page.get_by_role("button", name="Story", exact=True).click()
    page.get_by_role("menuitem", name="Scenario of this story").click()
    page.get_by_role("radio", name="actor", exact=True).check()
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_role("dialog")).to_have_count(0)
