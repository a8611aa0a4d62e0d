"""The accessibility checker on a page as it stands; apart because tests of every screen ask it."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from playwright.sync_api import Page

from tests.browser.playhouse import come_to_rest

AXE = Path(__file__).parents[2] / "frontend" / "node_modules" / "axe-core" / "axe.min.js"


def violations(page: Page) -> list[str]:
    """What the checker finds when the page has come to rest, one line for each place."""
    come_to_rest(page)
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
