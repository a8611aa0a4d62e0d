"""A real server as people run it, in a process that a test may kill, and the browser that looks at it;
apart from the fixtures because some journeys start and stop servers themselves."""

from __future__ import annotations

import json
import os
import random
import signal
import socket
import time
import urllib.request
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from playwright.sync_api import ConsoleMessage, Page

from tests.forking import Forked, fork

CHROMIUM = Path("/usr/bin/chromium")
ARGUMENTS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
)
PORTS = range(12_000, 32_000)
"""Below what systems hand out by themselves, to connections and to who asks for any port: none of those
may take a server's place before it is there, or while it is killed and started again."""
AWHILE_S = 120.0
"""Until what must come is given up; how long it takes is no test's matter."""


def free_port() -> int:
    """A port of loopback that nobody had a moment ago."""
    for port in random.SystemRandom().sample(PORTS, 100):
        with socket.socket() as probe:
            try:
                probe.bind(("127.0.0.1", port))
            except OSError:
                continue
            return port
    raise AssertionError("no port of loopback is free")


def until(page: Page, met: Callable[[], bool]) -> None:
    """Wait for what the page does not show: a file, an answer of the server. The page lives on meanwhile."""
    end = time.monotonic() + AWHILE_S
    while not met():
        assert time.monotonic() < end, "it did not come to that"
        page.wait_for_timeout(50)


STILL = """async () => {
    const moving = () => document.getAnimations().some(one =>
        one.playState === "running" && one.effect?.getComputedTiming().endTime !== Infinity);
    for (let calm = 0, looks = 0; calm < 3 && looks < 200; looks += 1) {
        await new Promise(done => setTimeout(done, 50));
        calm = moving() ? 0 : calm + 1;
    }
}"""


def come_to_rest(page: Page) -> None:
    """Wait until nothing moves or fades: half shown, a thing has neither its place nor its colours."""
    page.evaluate(STILL)


@dataclass
class Server:
    """`huaben serve` on a data folder. It keeps its port when it is started again."""

    data: Path
    base_url: str = ""
    """The model's endpoint; empty: none is connected."""
    port: int = field(default_factory=free_port)
    _process: Forked | None = None

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def start(self) -> Server:
        settings = {"HUABEN_DATA": str(self.data)}
        if self.base_url:
            settings |= {
                "HUABEN_BASE_URL": self.base_url,
                "HUABEN_MODEL": "scripted",
                "HUABEN_RETRIES": "0",
            }
        with (self.data.parent / f"server-{self.port}.log").open("ab") as log:
            self._process = fork(
                "huaben",
                *("serve", "--port", str(self.port)),
                streams=(0, log.fileno(), log.fileno()),
                environment={**os.environ, **settings},
            )
        self._await_answer(log.name)
        return self

    def _await_answer(self, log: str) -> None:
        until = time.monotonic() + AWHILE_S
        while time.monotonic() < until:
            assert self._process is not None
            if self._process.poll() is not None:
                break
            try:
                self.get("/api/health")
            except OSError:
                time.sleep(0.1)
                continue
            return
        raise AssertionError(f"The server did not start: {Path(log).read_text('utf-8')[-2000:]}")

    def kill(self) -> None:
        """As a power cut would."""
        self._end(signal.SIGKILL)

    def stop(self) -> None:
        self._end(signal.SIGTERM)

    def _end(self, how: signal.Signals) -> None:
        process = self._process
        if process is None:
            return
        process.send_signal(how)
        process.wait(AWHILE_S)
        self._process = None

    def get(self, path: str) -> Mapping[str, object]:
        with urllib.request.urlopen(f"{self.address}{path}", timeout=AWHILE_S) as answer:
            return json.loads(answer.read())

    def post(self, path: str, body: Mapping[str, object]) -> Mapping[str, object]:
        """One request as a script makes it; raises for a refusal."""
        asked = urllib.request.Request(
            f"{self.address}{path}",
            json.dumps(body).encode(),
            {"content-type": "application/json", "origin": self.address},
        )
        with urllib.request.urlopen(asked, timeout=AWHILE_S) as answer:
            return json.loads(answer.read())

    def upload(self, path: str, name: str, content: bytes) -> Mapping[str, object]:
        """A file as a form sends it."""
        edge = "edge-of-the-form"
        head = f'--{edge}\r\ncontent-disposition: form-data; name="file"; filename="{name}"\r\n\r\n'
        asked = urllib.request.Request(
            f"{self.address}{path}",
            head.encode() + content + f"\r\n--{edge}--\r\n".encode(),
            {
                "content-type": f"multipart/form-data; boundary={edge}",
                "origin": self.address,
            },
        )
        with urllib.request.urlopen(asked, timeout=AWHILE_S) as answer:
            return json.loads(answer.read())


@dataclass
class Watch:
    """What a page did that no page may: errors, breaches of its policy, requests to other hosts."""

    address: str
    faults: list[str] = field(default_factory=list[str])
    allowed: tuple[str, ...] = (
        "ERR_CONNECTION_ABORTED",
        "ERR_CONNECTION_CLOSED",
        "ERR_CONNECTION_REFUSED",
        "ERR_CONNECTION_RESET",
        "ERR_EMPTY_RESPONSE",
        "ERR_INCOMPLETE_CHUNKED_ENCODING",
        "ERR_SOCKET_NOT_CONNECTED",
    )
    """Of a server that is gone the browser complains by itself."""

    def over(self, page: Page) -> Page:
        page.on("console", self._heard)
        page.on("pageerror", lambda error: self.faults.append(f"error: {error}"))
        page.on("request", lambda request: self._asked(request.url))
        return page

    def _heard(self, message: ConsoleMessage) -> None:
        text = message.text
        if message.type not in ("error", "warning") or any(one in text for one in self.allowed):
            return
        if "status of 4" in text:
            return  # a refusal, which the page shows
        self.faults.append(f"console: {text}")

    def _asked(self, url: str) -> None:
        if not url.startswith((self.address, "data:", "blob:")):
            self.faults.append(f"request: {url}")
