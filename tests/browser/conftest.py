"""The browser and a playhouse for each test."""

from __future__ import annotations

import json
from collections.abc import Callable, Generator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest
from playwright.sync_api import (
    Browser,
    BrowserContext,
    Locator,
    Page,
    Route,
    expect,
    sync_playwright,
)

from huaben.testing.endpoint import ScriptedEndpoint
from huaben.testing.script import Script
from tests.browser.playhouse import ARGUMENTS, CHROMIUM, Server, Watch, until
from tests.integration.web.table import CARD

APP = Path(__file__).parents[2] / "src" / "huaben" / "web" / "static" / "app" / "index.html"
PHONE = {"width": 390, "height": 844}
DESKTOP = {"width": 1440, "height": 900}
PATIENCE_MS = 30_000
"""For what a page shows, on a machine that does much else."""


# Playwright keeps an event loop running in this thread. It is gone before another module's test may
# want one of its own: a worker of the session is given tests of all kinds in turn.
@pytest.fixture(scope="module")
def browser() -> Generator[Browser]:
    if not CHROMIUM.exists():
        pytest.skip(f"{CHROMIUM} is not installed (Debian: chromium, fonts-noto-cjk)")
    if not APP.exists():
        pytest.skip("the page is not built (make page)")
    with sync_playwright() as playwright:
        expect.set_options(timeout=PATIENCE_MS)
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
        context.set_default_timeout(PATIENCE_MS)
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
    assert not faults, "\n".join(faults)


@pytest.fixture
def stage(
    server: Callable[..., Server], look: Callable[..., Page]
) -> Generator[Callable[..., Stage]]:
    """A story on a card, with a model that speaks from a script, open in a browser."""
    with ExitStack() as stack:

        def open_stage(script: Script, **view: object) -> Stage:
            endpoint = stack.enter_context(ScriptedEndpoint.in_thread(script))
            house = server(endpoint.base_url)
            project = found(house)
            page = look(house, f"/p/{project}", **view)
            page.locator("[data-composer]").wait_for()
            return Stage(house, endpoint, project, page)

        yield open_stage


@pytest.fixture
def desk(
    server: Callable[..., Server], look: Callable[..., Page]
) -> Generator[Callable[..., Desk]]:
    """A book of the given chapters, with a model that speaks from a script, open in a browser."""
    with ExitStack() as stack:

        def open_desk(script: Script, chapters: Mapping[str, str], **view: object) -> Desk:
            endpoint = stack.enter_context(ScriptedEndpoint.in_thread(script))
            house = server(endpoint.base_url)
            project = str(house.post("/api/projects", {"title": "渡口", "mode": "writing"})["id"])
            folder = house.data / "projects" / project / "manuscript"
            for name, text in chapters.items():
                (folder / name).write_text(text, "utf-8")
            page = look(house, f"/p/{project}", **view)
            page.locator("[data-composer]").wait_for()
            return Desk(house, endpoint, project, page, folder)

        yield open_desk


@dataclass(frozen=True)
class Desk:
    """A book, and short words for what is done with it."""

    server: Server
    endpoint: ScriptedEndpoint
    project: str
    page: Page
    folder: Path

    @property
    def text(self) -> Locator:
        """The open chapter in the editor."""
        return self.page.locator(".cm-content")

    @property
    def turns(self) -> Locator:
        return self.page.get_by_role("article")

    def say(self, words: str) -> None:
        """Say something about the book, and wait until the server has it."""
        self.page.locator("[data-composer]").fill(words)
        self.page.get_by_role("button", name="Send", exact=True).click()
        expect(self.turns.last.locator(".prose.user")).to_have_text(words)

    def comes_to_disk(self, name: str, text: str) -> None:
        """Wait until a chapter on the disk is this text to the byte."""
        file = self.folder / name
        until(self.page, lambda: file.exists() and file.read_bytes().decode() == text)

    @contextmanager
    def nothing_saved(self) -> Generator[None]:
        """What is typed meanwhile is sent off at the end only, however long it took."""
        sent: list[Route] = []

        def hold(route: Route) -> None:
            if route.request.method == "PUT":
                sent.append(route)
            else:
                route.continue_()

        self.page.route("**/chapters/*", hold)
        yield
        self.page.unroute("**/chapters/*")
        for one in sent:
            one.continue_()


@dataclass(frozen=True)
class Stage:
    """What a journey needs, with short words for what every journey does."""

    server: Server
    endpoint: ScriptedEndpoint
    project: str
    page: Page

    @property
    def box(self) -> Locator:
        return self.page.locator("[data-composer]")

    @property
    def turns(self) -> Locator:
        return self.page.get_by_role("article")

    def say(self, words: str) -> None:
        """Say something, and wait until the server has it."""
        self.box.fill(words)
        self.page.get_by_role("button", name="Send", exact=True).click()
        expect(self.turns.last.locator(".prose.user")).to_have_text(words)

    def play(self, words: str, text: str) -> None:
        """Say something, and wait for the whole reply."""
        self.say(words)
        expect(self.turns.last).to_contain_text(text)
        expect(self.page.get_by_role("button", name="Send", exact=True)).to_be_visible()
        expect(self.turns.last.get_by_role("button", name="New variant")).to_be_enabled()


def found(server: Server, card: Mapping[str, object] = CARD) -> str:
    """A story on a card; its id."""
    made = server.upload("/api/cards", "card.json", json.dumps(card).encode())
    wish = {"title": "渡口", "mode": "roleplay", "card_id": made["id"]}
    return str(server.post("/api/projects", wish)["id"])
