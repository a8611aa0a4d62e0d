"""The browser and a playhouse for each test."""

from __future__ import annotations

from collections.abc import Callable, Generator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, sync_playwright

from tests.browser.playhouse import ARGUMENTS, CHROMIUM, Server, Watch

APP = Path(__file__).parents[2] / "src" / "huaben" / "web" / "static" / "app" / "index.html"
PHONE = {"width": 390, "height": 844}
DESKTOP = {"width": 1440, "height": 900}


@pytest.fixture(scope="session")
def browser() -> Generator[Browser]:
    if not CHROMIUM.exists():
        pytest.skip(f"{CHROMIUM} is not installed (Debian: chromium, fonts-noto-cjk)")
    if not APP.exists():
        pytest.skip("the page is not built (make page)")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=list(ARGUMENTS))
        yield browser
        browser.close()


@pytest.fixture
def server(tmp_path: Path) -> Generator[Callable[[str], Server]]:
    """Start a server with a model's address (empty: none); it ends with the test."""
    started: list[Server] = []

    def start(base_url: str = "") -> Server:
        one = Server(tmp_path / f"data{len(started)}", base_url).start()
        started.append(one)
        return one

    yield start
    for one in started:
        one.stop()


@pytest.fixture
def look(browser: Browser) -> Generator[Callable[..., Page]]:
    """Open a page on a server; what no page may do fails the test at its end."""
    opened: list[Watch] = []
    contexts: list[BrowserContext] = []

    def open_page(
        server: Server,
        path: str = "/",
        *,
        size: dict[str, int] = DESKTOP,
        locale: str = "en-US",
        touch: bool = False,
    ) -> Page:
        context = browser.new_context(
            viewport={"width": size["width"], "height": size["height"]},
            locale=locale,
            has_touch=touch,
            is_mobile=touch,
            base_url=server.address,
        )
        context.set_default_timeout(15_000)
        watch = Watch(server.address)
        opened.append(watch)
        contexts.append(context)
        page = watch.over(context.new_page())
        page.goto(path)
        return page

    yield open_page
    for context in contexts:
        context.close()
    faults = [fault for watch in opened for fault in watch.faults]
    assert faults == []
