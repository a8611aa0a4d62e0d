"""A story of five thousand turns: opened at its end, read back without a jump, searched on the server."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Mapping
from itertools import pairwise
from typing import cast

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import PHONE
from tests.browser.playhouse import Server, until
from tests.integration.web.table import CARD

TURNS = 5000
IMPORT_S = 600


def chat() -> bytes:
    """A chat of that many turns, of uneven lengths."""
    rows: list[Mapping[str, object]] = [{"user_name": "你", "character_name": "沈砚"}]
    for n in range(1, TURNS + 1):
        text = f"第{n}拍。" + "雨还在下，“没有人来。”他说。\n\n" * (1 + n % 5)
        rows.append({"name": "你", "is_user": True, "mes": f"第{n}句。"})
        rows.append({"name": "沈砚", "is_user": False, "mes": text})
    return "\n".join(json.dumps(row, ensure_ascii=False) for row in rows).encode()


@pytest.fixture
def long_story(server: Callable[..., Server]) -> tuple[Server, str]:
    """A server and the story on it, when all of its turns are there."""
    house = server()
    card = house.upload("/api/cards", "card.json", json.dumps(CARD).encode())["id"]
    house.upload(f"/api/chats?card={card}", "chat.jsonl", chat())
    until = time.monotonic() + IMPORT_S
    while time.monotonic() < until:
        projects = cast("list[dict[str, str]]", house.get("/api/projects")["items"])
        if projects and _turns(house, projects[0]["id"]) == TURNS:
            return house, projects[0]["id"]
        time.sleep(0.5)
    raise AssertionError("the chat was not imported in time")


def _turns(house: Server, project: str) -> int:
    page = house.get(f"/api/projects/{project}/turns?limit=1")
    items = cast("list[dict[str, int]]", page["items"])
    return items[-1]["number"]


SCROLL = """async (goal) => {
    const box = document.querySelector('[role=feed]');
    const frame = () => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)));
    const seen = [];
    for (let step = 0; step < 5000 && !(seen.at(-1) > 0 && seen.at(-1) < goal); step += 1) {
        box.scrollTop -= 300;
        await frame();
        const first = document.querySelector('[data-row]');
        seen.push(Number(first?.innerText.match(/第(\\d+)拍/)?.[1] ?? 0));
    }
    return seen;
}"""


def test_a_long_story_opens_at_its_end_and_scrolls_without_a_jump(
    long_story: tuple[Server, str], look: Callable[..., Page]
) -> None:
    """The page draws what is near the window only, and nothing leaps when older turns are read."""
    house, project = long_story
    page = look(house, f"/p/{project}", size=PHONE)
    expect(page.get_by_text(f"第{TURNS}拍")).to_be_visible()
    assert page.evaluate("document.querySelectorAll('*').length") < 3000
    page.wait_for_timeout(500)
    seen = [n for n in cast("list[int]", page.evaluate(SCROLL, TURNS - 100)) if n]
    assert seen[0] > TURNS - 20
    assert seen[-1] < TURNS - 100
    leaps = [(a, b) for a, b in pairwise(seen) if b > a or a - b > 8]
    assert leaps == []
    assert page.evaluate("document.querySelectorAll('*').length") < 3000


def test_words_are_found_in_the_whole_story_and_led_to(
    long_story: tuple[Server, str], look: Callable[..., Page]
) -> None:
    """Ctrl+F asks the server; what it finds is a way to the turn, however far back it lies."""
    house, project = long_story
    page = look(house, f"/p/{project}")
    expect(page.get_by_text(f"第{TURNS}拍")).to_be_visible()
    page.keyboard.press("Control+f")
    page.get_by_role("searchbox").fill("第2500拍")
    page.get_by_role("dialog").get_by_role("link", name="第2500拍").click()
    found = page.locator("[data-row]").filter(has_text="第2500拍")
    expect(found).to_be_visible(timeout=60_000)
    until(page, lambda: 0 <= found.evaluate("e => e.getBoundingClientRect().top") < 120)
