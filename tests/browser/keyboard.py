"""A reader without a mouse: goes from control to control by Tab and tells what was passed where one is out
of reach; apart because every journey by keyboard needs it."""

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal, Self

from playwright.sync_api import Browser, BrowserContext, Locator, Page, expect

from huaben.testing.endpoint import ScriptedEndpoint
from huaben.testing.script import Step
from tests.browser.conftest import DESKTOP, PATIENCE_MS
from tests.browser.playhouse import Server, Watch

Role = Literal[
    "button",
    "checkbox",
    "combobox",
    "link",
    "menuitem",
    "option",
    "radio",
    "searchbox",
    "spinbutton",
    "switch",
    "textbox",
    "treeitem",
]
FAR = 120
"""Presses of Tab after which a control counts as out of reach."""

HERE = """() => {
    const at = document.activeElement;
    if (at === null || at === document.body) return "nothing";
    const name = at.getAttribute("aria-label") ?? at.labels?.[0]?.textContent ?? at.textContent ?? "";
    return `${at.getAttribute("role") ?? at.localName} ${name.trim().slice(0, 40)}`;
}"""

UNRINGED = """() => {
    const looks = (one) => {
        const style = getComputedStyle(one);
        return [style.outlineStyle === "none" ? "" : style.outline, style.boxShadow,
            style.borderColor].join();
    };
    const around = (one) => [one, one.parentElement, one.parentElement?.parentElement,
        one.previousElementSibling, one.nextElementSibling].filter(Boolean);
    const all = [...document.querySelectorAll(
        "a[href], button, input, select, textarea, summary, [tabindex='0'], [contenteditable=true]")];
    const modal = [...document.querySelectorAll("[aria-modal=true]")].at(-1) ?? document;
    const bare = [];
    for (const one of all) {
        if (one.disabled || one.tabIndex < 0 || !modal.contains(one) || !one.checkVisibility()) continue;
        document.activeElement?.blur?.();
        const before = around(one).map(looks);
        one.focus({ preventScroll: true, focusVisible: true });
        if (document.activeElement !== one) continue;
        const after = around(one).map(looks);
        if (after.every((look, at) => look === before[at])) bare.push(one.outerHTML.slice(0, 120));
    }
    return bare;
}"""


@dataclass
class House:
    """A server, what its model says next, and the pages that look at it. One serves many journeys."""

    server: Server
    lines: list[Step]
    endpoint: ScriptedEndpoint
    browser: Browser
    opened: list[tuple[BrowserContext, Watch]] = field(
        default_factory=list[tuple[BrowserContext, Watch]]
    )

    @classmethod
    @contextmanager
    def standing(cls, folder: Path, browser: Browser) -> Generator[Self]:
        lines: list[Step] = []
        with ScriptedEndpoint.in_thread(lambda _: lines.pop(0)) as endpoint:
            server = Server(folder / "data", endpoint.base_url).start()
            yield cls(server, lines, endpoint, browser)
            server.stop()

    def look(self, path: str) -> Page:
        context = self.browser.new_context(
            viewport={"width": DESKTOP["width"], "height": DESKTOP["height"]},
            locale="en-US",
            reduced_motion="reduce",
            base_url=self.server.address,
        )
        context.set_default_timeout(PATIENCE_MS)
        watch = Watch(self.server.address)
        self.opened.append((context, watch))
        page = watch.over(context.new_page())
        page.goto(path)
        return page

    def leave(self) -> None:
        """Close what is open; what no page may do fails here."""
        faults = [fault for _, watch in self.opened for fault in watch.faults]
        for context, _ in self.opened:
            context.close()
        self.opened.clear()
        self.lines.clear()
        assert not faults, "\n".join(faults)


@dataclass
class Hands:
    """The keyboard on a page; no mouse."""

    page: Page
    passed: list[str] = field(default_factory=list[str])

    @property
    def here(self) -> str:
        """What has the focus, in words."""
        return str(self.page.evaluate(HERE))

    def press(self, *keys: str) -> None:
        for key in keys:
            self.page.keyboard.press(key)

    def write(self, text: str) -> None:
        """As an input method hands it over, in place of what stands in the field."""
        self.page.keyboard.press("Control+a")
        self.page.keyboard.insert_text(text)

    def to(self, place: Locator, *, back: bool = False) -> None:
        """Go to a control by Tab; `back`: by Shift+Tab. Fails with what was passed on the way."""
        expect(place.first).to_be_attached()  # parts are drawn for their control, which has no size
        self.passed.clear()
        for _ in range(FAR):
            if place.evaluate_all("all => all.includes(document.activeElement)"):
                return
            self.passed.append(self.here)
            self.press("Shift+Tab" if back else "Tab")
        raise AssertionError(f"{place} is out of reach:\n" + "\n".join(self.passed))

    def reach(
        self,
        role: Role,
        name: str,
        within: Locator | None = None,
        *,
        exact: bool = False,
        back: bool = False,
    ) -> None:
        self.to((within or self.page).get_by_role(role, name=name, exact=exact), back=back)

    def do(
        self,
        role: Role,
        name: str,
        within: Locator | None = None,
        *,
        exact: bool = False,
        back: bool = False,
    ) -> None:
        """Go to a control and press Enter on it."""
        self.reach(role, name, within, exact=exact, back=back)
        self.press("Enter")

    def fill(self, name: str, text: str, within: Locator | None = None) -> None:
        self.reach("textbox", name, within)
        self.write(text)

    def choose(self, button: str, item: str, within: Locator | None = None) -> None:
        """Open a menu and choose from it by its arrows."""
        self.do("button", button, within, exact=True)
        wanted = self.page.get_by_role("menuitem", name=item)
        expect(wanted).to_be_visible()
        self.passed.clear()
        for _ in range(20):
            if wanted.evaluate("one => one === document.activeElement"):
                self.press("Enter")
                return
            self.press("ArrowDown")
            self.passed.append(self.here)
        raise AssertionError(f"“{item}” is out of reach:\n" + "\n".join(self.passed))

    def go(self, to: str) -> None:
        """Go anywhere by its name."""
        self.press("Control+k")
        box = self.page.get_by_role("dialog", name="Go to")
        expect(box.get_by_role("combobox")).to_be_focused()
        self.page.keyboard.insert_text(to)
        expect(box.get_by_role("option", name=to).first).to_have_attribute("aria-selected", "true")
        self.press("Enter")
        expect(box).to_be_hidden()

    def stays_within(self, place: Locator) -> None:
        """The focus is in a dialog and goes round in it, forwards and backwards."""
        inside = "one => one.contains(document.activeElement)"
        expect(place).to_be_visible()
        self.page.wait_for_function(
            "one => one.contains(document.activeElement)", arg=place.element_handle()
        )
        count = place.locator("a, button, input, select, textarea, summary").count()
        for key in ["Shift+Tab"] * 2 + ["Tab"] * (count + 3):
            self.press(key)
            assert place.evaluate(inside), f"the focus left the dialog: {self.here}"


def unringed(page: Page) -> list[str]:
    """Controls that look the same with the focus as without it."""
    page.keyboard.press("Tab")  # from here on the focus is one of keys
    found: list[str] = page.evaluate(UNRINGED)
    return found
