"""Each screen under the accessibility checker, in the states that readers meet."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from typing import Literal

import pytest
from playwright.sync_api import Page, expect

from huaben.testing.script import call, reply, say, stall
from tests.browser.axe import check, violations
from tests.browser.conftest import DESKTOP, PHONE, Stage
from tests.browser.playhouse import Server
from tests.integration.web.table import CARD

BOOK: Mapping[str, object] = {
    "name": "百草堂",
    "entries": {
        "0": {"uid": 0, "key": ["旧伞"], "comment": "旧伞", "content": "伞柄刻着「证」字。"},
        "1": {"uid": 1, "key": ["渡口"], "comment": "渡口", "content": "已废。", "disable": True},
    },
}
PRESET: Mapping[str, object] = {
    "temperature": 0.9,
    "prompts": [{"identifier": "main", "name": "主提示", "role": "system", "content": "克制。"}],
    "prompt_order": [{"character_id": 100001, "order": [{"identifier": "main", "enabled": True}]}],
}
SETTLED_MS = 150
"""Until what a screen fetches after its frame has begun to come."""


@pytest.mark.parametrize("locale", ["en-US", "zh-CN"])
def test_a_place_is_clean(
    server: Callable[..., Server], look: Callable[..., Page], locale: str
) -> None:
    """Home, Connections and Settings, as they are first seen; an unknown address and an unknown story."""
    page = look(server(), "/", locale=locale)
    for path in ("/", "/connections", "/settings", "/nowhere", "/p/01KBAAAAAAAAAAAAAAAAAAAAAA"):
        page.goto(path)
        page.get_by_role("heading", level=1).wait_for()
        page.wait_for_timeout(SETTLED_MS)
        check(page)


@pytest.mark.parametrize("size", [PHONE, {"width": 1440, "height": 900}], ids=["phone", "desktop"])
def test_the_stage_is_clean_in_each_state(
    stage: Callable[..., Stage], size: Mapping[str, int]
) -> None:
    """Reading, streaming, stopped, asked, and with its sheets open."""
    ask = call("ask", question="去不去？", options=["去", "不去"])
    now = stage(
        [say("雨停了。"), reply(say("船来了。"), ask), reply(say("慢。"), stall())], size=size
    )
    check(now.page)
    now.play("我看窗外。", "雨停了。")
    check(now.page)
    now.say("我等船。")
    expect(now.page.get_by_role("radiogroup")).to_be_visible()
    check(now.page)
    now.page.get_by_role("radio", name="去", exact=True).check()
    now.page.get_by_role("button", name="Choose").click()
    expect(now.turns.last).to_contain_text("慢。")
    check(now.page)
    now.page.get_by_role("button", name="Stop").click()
    expect(now.page.get_by_role("button", name="Discard")).to_be_visible()
    check(now.page)
    for sheet in ("find", "saves", "note", "keys", "reading"):
        now.page.goto(f"/p/{now.project}?sheet={sheet}")
        now.page.get_by_role("dialog").wait_for()
        now.page.wait_for_timeout(SETTLED_MS)
        check(now.page)


def furnished(house: Server) -> tuple[list[str], list[str]]:
    """A house with one thing of each kind and a book with a chapter; the addresses of its lists, and of
    what is opened from them."""

    def brought(kind: str, name: str, content: Mapping[str, object]) -> str:
        text = json.dumps(content).encode()
        return str(house.upload(f"/api/{kind}", f"{name}.json", text)["id"])

    card = brought("cards", "沈砚", CARD)
    book = brought("lorebooks", "百草堂", BOOK)
    preset = brought("presets", "雨夜", PRESET)
    persona = house.post("/api/personas", {"name": "陆行", "description": "游方郎中。"})["id"]
    desk = house.post("/api/projects", {"title": "渡口", "mode": "writing"})["id"]
    chapter = house.data / "projects" / str(desk) / "manuscript" / "001-雨夜.md"
    chapter.write_text("雨下了三天。\n\n灯灭了。\n", "utf-8")
    kinds = ("cards", "lorebooks", "personas", "presets", "scripts", "quick-replies", "trash")
    panels = ("timeline", "compare", "check", "replace", "export", "import")
    lists = [
        "/",
        "/connections",
        "/settings",
        *(f"/library/{kind}" for kind in kinds),
        "/scenarios",
    ]
    return lists, [
        f"/library/cards/{card}",
        f"/library/cards/{card}?edit=1",
        f"/library/personas/{persona}",
        f"/library/presets/{preset}",
        f"/library/lorebooks/{book}",
        "/scenarios?name=stage",
        f"/p/{desk}",
        *(f"/p/{desk}?panel={panel}" for panel in panels),
    ]


@pytest.mark.parametrize(
    ("size", "locale", "scheme"),
    [(PHONE, "en-US", "dark"), (DESKTOP, "zh-CN", "light")],
    ids=["phone", "desktop"],
)
def test_every_furnished_screen_is_clean(
    server: Callable[..., Server],
    look: Callable[..., Page],
    size: Mapping[str, int],
    locale: str,
    scheme: Literal["dark", "light"],
) -> None:
    """The library by kind, editors, scenarios, settings, connections and the desk, with things in them:
    by night in English on a phone; what lies beside its list, by day in Chinese on a desktop."""
    house = server()
    lists, opened = furnished(house)
    page = look(house, "/settings", size=size, locale=locale)
    page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
    faults: list[str] = []
    for path in opened if size == DESKTOP else lists + opened:
        page.goto(path)
        page.locator("h1").first.wait_for()
        if "panel=" in path:
            page.get_by_role("dialog", name=re.compile(".")).wait_for()
        page.wait_for_timeout(SETTLED_MS)
        faults += [f"{path}: {fault}" for fault in violations(page)]
    assert not faults, "\n".join(faults)
