"""Finding out what was sent, why an entry did not come in, what it cost, and going back on the map."""

from __future__ import annotations

import json
import re
import time
from collections.abc import Callable, Generator, Mapping
from dataclasses import dataclass

import pytest
from playwright.sync_api import Page, expect

from huaben.testing.endpoint import ScriptedEndpoint
from huaben.testing.script import say
from tests.browser.axe import violations
from tests.browser.conftest import DESKTOP, PHONE
from tests.browser.playhouse import AWHILE_S, Server, until


def _entry(uid: int, key: str, content: str) -> Mapping[str, object]:
    return {
        "id": uid,
        "keys": [key],
        "content": content,
        "comment": key,
        "enabled": True,
        "insertion_order": uid,
        "extensions": {},
    }


WITH_BOOK: Mapping[str, object] = {
    "spec": "chara_card_v2",
    "spec_version": "2.0",
    "data": {
        "name": "沈砚",
        "description": "{{char}}是渡口客栈的账房。",
        "personality": "",
        "scenario": "",
        "first_mes": "雨下了一夜。",
        "mes_example": "",
        "character_book": {
            "name": "渡口",
            "entries": [
                _entry(1, "旧伞", "旧伞是师父留下的。"),
                _entry(2, "百草堂", "百草堂在河对岸。"),
            ],
            "extensions": {},
        },
    },
}


@dataclass(frozen=True)
class Told:
    """A story that was played by a script before anybody looked."""

    server: Server
    project: str

    @property
    def head(self) -> str:
        return str(self.server.get(f"/api/projects/{self.project}")["head"])

    def play(self, words: str, parent: str = "") -> str:
        """Say something after a node, the head where none is given, and wait for the reply's end."""
        if parent:
            self.server.post(f"/api/projects/{self.project}/head", {"turn": parent, "force": False})
        begun = self.server.post(
            f"/api/projects/{self.project}/turns",
            {"text": words, "parent": parent or self.head, "request_id": f"{time.monotonic_ns()}"},
        )
        turn = str(begun["id"])
        end = time.monotonic() + AWHILE_S
        while self.server.get(f"/api/projects/{self.project}")["active"] is not None:
            assert time.monotonic() < end, "the turn does not end"
            time.sleep(0.05)
        return turn


@pytest.fixture
def told(server: Callable[[str], Server]) -> Generator[Told]:
    """A story of three turns, with a branch after the first."""
    replies = [say(f"第 {n} 声梆子。") for n in range(1, 5)]
    with ScriptedEndpoint.in_thread(replies) as endpoint:
        house = server(endpoint.base_url)
        card = house.upload("/api/cards", "card.json", json.dumps(WITH_BOOK).encode())
        wish = {"title": "渡口", "mode": "roleplay", "card_id": card["id"]}
        story = Told(house, str(house.post("/api/projects", wish)["id"]))
        first = story.play("我把旧伞递给他。")
        story.play("我问他河对岸是什么。")
        house.post(f"/api/projects/{story.project}/saves", {"name": "问河之前", "turn": first})
        story.play("我在桌边坐下。", parent=first)
        yield story


def test_why_an_entry_did_not_come_in(told: Told, look: Callable[..., Page]) -> None:
    """The lore of the turn names each entry with its reason; other words are tried beside it."""
    page = look(told.server, f"/p/{told.project}?panel=lore")
    panel = page.get_by_role("region", name="Lore")
    out = panel.locator("li[data-out]", has_text="百草堂")
    expect(out).to_contain_text("None of its keys is in the text.")
    assert violations(page) == []
    panel.get_by_role("button", name="Test").click()
    panel.get_by_label("What would be said").fill("百草堂在哪里？")
    panel.get_by_role("button", name="Test", exact=True).click()
    expect(panel.get_by_role("status")).to_contain_text("In: 1")
    expect(panel.get_by_role("status")).to_contain_text("“百草堂” in the text")


@pytest.mark.parametrize("size", [PHONE, DESKTOP], ids=["phone", "desktop"])
def test_the_inspector_shows_what_was_sent(
    told: Told, look: Callable[..., Page], size: Mapping[str, int]
) -> None:
    """Every piece with its source and text, and the request as it was sent."""
    page = look(told.server, f"/p/{told.project}/inspect/{told.head}", size=size)
    expect(page.get_by_role("heading", level=1)).to_have_text("Inspector · turn 2")
    words = page.locator("summary", has_text="Your words")
    words.click()
    expect(page.locator("details", has=words).last).to_contain_text("我在桌边坐下。")
    assert violations(page) == []
    page.get_by_text("Beside the last", exact=True).click()
    expect(page.get_by_text("The same as the last request")).to_be_visible()
    page.get_by_text(re.compile(r"^Not sent \d+$")).click()
    expect(page.get_by_text("Nothing was left out.")).to_be_visible()
    assert violations(page) == []
    raw = page.get_by_text("Raw", exact=True)
    raw.click()
    expect(page.locator("pre").first).to_contain_text("我在桌边坐下。")
    assert violations(page) == []


@pytest.mark.parametrize("size", [PHONE, DESKTOP], ids=["phone", "desktop"])
def test_the_reader_goes_back_on_the_map(
    told: Told, look: Callable[..., Page], size: Mapping[str, int]
) -> None:
    """By keyboard to the other branch, a look at it, and there; a toast leads back."""
    before = told.head
    page = look(told.server, f"/p/{told.project}/map", size=size)
    tree = page.get_by_role("tree", name="Map")
    expect(tree.get_by_role("treeitem", name="here")).to_be_visible()
    expect(tree).to_contain_text("问河之前")
    assert violations(page) == []
    rows = tree.get_by_role("treeitem")
    levels = rows.evaluate_all("all => all.map(one => one.ariaLevel)")
    chosen = rows.evaluate_all("all => all.map(one => one.ariaSelected)").index("true")
    page.get_by_role("treeitem", selected=True).focus()
    for at in range(chosen - 1, levels.index("2") - 1, -1):
        page.keyboard.press("ArrowUp")
        expect(rows.nth(at)).to_be_focused()
    page.keyboard.press("Enter")
    preview = page.get_by_role("region", name="What stands there").last
    expect(preview).to_contain_text("我问他河对岸是什么。")
    preview.get_by_role("button", name="Compare").click()
    expect(preview).to_contain_text("From this turn’s text to that of the present.")
    assert violations(page) == []
    preview.get_by_role("button", name="Go there").click()
    page.wait_for_url(f"**/p/{told.project}")
    until(page, lambda: told.head != before)
    page.get_by_role("button", name="Go back").click()
    expect(page.get_by_text("我在桌边坐下。").last).to_be_visible()
    until(page, lambda: told.head == before)


def test_the_costs_lead_to_the_inspector(told: Told, look: Callable[..., Page]) -> None:
    """Tokens by purpose and by turn; a turn opens its calls."""
    page = look(told.server, f"/p/{told.project}?panel=cost")
    panel = page.get_by_role("region", name="Cost", exact=True)
    expect(panel.get_by_role("table", name="By purpose")).to_contain_text("Story")
    assert violations(page) == []
    panel.get_by_role("link", name="Inspect turn 3").click()
    expect(page.get_by_role("heading", level=1)).to_contain_text("Inspector")
