"""A newcomer: from nothing to the first question of the rehearsal, and what one brings along."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from contextlib import suppress

import pytest
from playwright.sync_api import Page, TimeoutError, expect

from huaben.testing.endpoint import ScriptedEndpoint
from huaben.testing.script import say
from tests.browser.conftest import PHONE
from tests.browser.playhouse import Server, until
from tests.browser.test_library import HOSTILE, IMPORT_MS, as_file, choose, shen
from tests.builders import cards as made
from tests.builders import chats

WORDS = {
    "en-US": ("Play the rehearsal", "Send", "Choose", "Open it and see what she wrote"),
    "zh-CN": ("看排演", "发送", "选定", ""),
}


@pytest.mark.parametrize("locale", ["en-US", "zh-CN"])
def test_the_rehearsal_leads_to_its_first_question(
    server: Callable[..., Server], look: Callable[..., Page], locale: str
) -> None:
    """Nobody has to read or type anything: the words that lead on stand in the box."""
    rehearse, send, choose, _ = WORDS[locale]
    page = look(server(), size=PHONE, locale=locale, touch=True)
    page.get_by_role("button", name=rehearse).tap()
    card = page.get_by_role("radiogroup")
    button = page.get_by_role("button", name=send, exact=True, disabled=False)

    def asked() -> bool:
        if not card.is_visible() and button.is_visible():
            with suppress(TimeoutError):  # Stop may take its place at any moment
                button.tap(timeout=5000)
        return card.is_visible()

    until(page, asked)
    page.get_by_role("radio").first.tap()
    page.get_by_role("button", name=choose).tap()
    expect(card).to_be_hidden()


def asked_first(endpoint: ScriptedEndpoint) -> str:
    """The first request to the model, in readable words; a later one may be a scribe's."""
    return json.dumps(json.loads(endpoint.bodies[0]), ensure_ascii=False)


def test_a_card_is_imported_and_its_story_is_played(
    server: Callable[..., Server], look: Callable[..., Page]
) -> None:
    """From a PNG with its own lorebook to a reply that was told of an entry, on a phone."""
    with ScriptedEndpoint.in_thread([say("他把伞收了起来。")]) as endpoint:
        page = look(server(endpoint.base_url), "/library/cards", size=PHONE)
        choose(page, as_file("沈砚.png", shen()))
        expect(page.get_by_role("status")).to_contain_text("1 item: 1 imported", timeout=IMPORT_MS)
        expect(page.get_by_role("link", name="沈砚").locator("img")).to_be_visible()
        page.get_by_role("link", name="沈砚").click()
        expect(page.get_by_text("2 openings · 2 entries")).to_be_visible()
        page.get_by_text("From its creator").click()
        expect(page.get_by_text(HOSTILE)).to_be_visible()
        page.get_by_role("radio", name="夜市将散").check()
        page.get_by_role("button", name="Begin").click()
        expect(page).to_have_url(re.compile(r"/p/"))
        expect(page.get_by_text("夜市将散，他还在等。").first).to_be_visible()
        page.locator("[data-composer]").fill("那把旧伞是谁的？")
        page.get_by_role("button", name="Send", exact=True).click()
        expect(page.get_by_role("article").last).to_contain_text("他把伞收了起来。")
        assert "伞是师父的。" in asked_first(endpoint)


def test_an_old_chat_is_imported_and_gone_on_with(
    server: Callable[..., Server], look: Callable[..., Page]
) -> None:
    """A chat of elsewhere becomes turns of a story on its card; the report leads there, and the next
    request brings what was told before."""
    card = json.dumps(made.v2({"name": "渡船人", "first_mes": "「上船吗？」"})).encode()
    with ScriptedEndpoint.in_thread([say("灯塔亮了。")]) as endpoint:
        house = server(endpoint.base_url)
        house.upload("/api/cards", "渡船人.json", card)
        page = look(house, "/library/cards")
        choose(page, as_file("雨.jsonl", chats.lines(chats.HEADER, *chats.STORY)))
        expect(page.get_by_role("status")).to_contain_text("1 imported", timeout=IMPORT_MS)
        page.get_by_role("button", name="Report").click()
        report = page.get_by_role("complementary", name="Import report")
        report.get_by_role("listitem").first.get_by_role("link").click()
        expect(page).to_have_url(re.compile(r"/p/"))
        turns = page.get_by_role("article")
        expect(turns.last).to_contain_text("“Home,” he says.", timeout=IMPORT_MS)
        expect(page.get_by_text("船离了岸。")).to_be_visible()
        page.locator("[data-composer]").fill("我看对岸。")
        page.get_by_role("button", name="Send", exact=True).click()
        expect(turns.last).to_contain_text("灯塔亮了。")
        sent = asked_first(endpoint)
        assert "船离了岸。" in sent
        assert "对岸是哪里？" in sent
