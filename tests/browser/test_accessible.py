"""Each screen under the accessibility checker, in the states that readers meet."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from huaben.testing.script import call, reply, say, stall
from tests.browser.conftest import PHONE, Stage
from tests.browser.playhouse import Server

AXE = Path(__file__).parents[2] / "frontend" / "node_modules" / "axe-core" / "axe.min.js"


def violations(page: Page) -> list[str]:
    """What the checker finds, one line for each place."""
    page.evaluate(AXE.read_text("utf-8"))
    found: list[Mapping[str, object]] = page.evaluate(
        """async () => {
            const { violations } = await axe.run(document, { resultTypes: ["violations"] });
            return violations.flatMap(v => v.nodes.map(n => ({ rule: v.id, at: n.html,
                why: n.failureSummary })));
        }"""
    )
    return [f"{one['rule']}: {one['at']}: {one['why']}" for one in found]


def check(page: Page) -> None:
    """Fail with all that the checker finds."""
    page.mouse.move(0, 0)  # a tooltip lies outside of every landmark
    page.locator("[role=tooltip]").first.wait_for(state="detached")
    found = violations(page)
    assert not found, "\n".join(found)


@pytest.mark.parametrize("path", ["/", "/connections", "/settings"])
@pytest.mark.parametrize("locale", ["en-US", "zh-CN"])
def test_a_place_is_clean(
    server: Callable[..., Server], look: Callable[..., Page], path: str, locale: str
) -> None:
    """Home, Connections and Settings, as they are first seen."""
    page = look(server(), path, locale=locale)
    page.get_by_role("heading", level=1).wait_for()
    page.wait_for_timeout(300)
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
        now.page.wait_for_timeout(400)
        check(now.page)
