"""The first minute: from nothing to the first question of the rehearsal, on a phone."""

from __future__ import annotations

import time
from collections.abc import Callable
from contextlib import suppress

import pytest
from playwright.sync_api import Page, TimeoutError, expect

from tests.browser.conftest import PHONE
from tests.browser.playhouse import Server

WORDS = {
    "en-US": ("Play the rehearsal", "Send", "Choose", "Open it and see what she wrote"),
    "zh-CN": ("看排演", "发送", "选定", ""),
}


@pytest.mark.parametrize("locale", ["en-US", "zh-CN"])
def test_the_rehearsal_leads_to_its_first_question_within_a_minute(
    server: Callable[..., Server], look: Callable[..., Page], locale: str
) -> None:
    """Nobody has to read or type anything: the words that lead on stand in the box."""
    rehearse, send, choose, _ = WORDS[locale]
    begun = time.monotonic()
    page = look(server(), size=PHONE, locale=locale, touch=True)
    page.get_by_role("button", name=rehearse).tap()
    card = page.get_by_role("radiogroup")
    button = page.get_by_role("button", name=send, exact=True, disabled=False)
    while not card.is_visible():
        assert time.monotonic() - begun < 60
        if button.is_visible():
            with suppress(TimeoutError):  # Stop may take its place at any moment
                button.tap(timeout=1000)
        page.wait_for_timeout(100)
    assert time.monotonic() - begun < 60
    page.get_by_role("radio").first.tap()
    page.get_by_role("button", name=choose).tap()
    expect(card).to_be_hidden()
