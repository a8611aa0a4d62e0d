"""The page at the address of the server."""

from __future__ import annotations

import gzip
import re
from pathlib import Path

import httpx
import pytest
from fastapi import FastAPI

from huaben.web.built import Built, Language
from huaben.web.problems import answer_problems
from huaben.web.routes.page import PLACES, page_router, preferred, unknown_addresses

DOCUMENT = """<!doctype html><html lang="LANGUAGE-OF-THE-REQUEST"><head>
<meta property="csp-nonce" nonce="NONCE-OF-THE-REQUEST">
<script type="module" src="/static/assets/index-1.js" nonce="NONCE-OF-THE-REQUEST"></script></head>
<body><div id="root"></div></body></html>"""
SCRIPT = b"console.log('\xe4\xbc\x9e')"


@pytest.fixture
def built(tmp_path: Path) -> Path:
    """A page as the build leaves it."""
    assets = tmp_path / "assets"
    assets.mkdir()
    (tmp_path / "index.html").write_text(DOCUMENT, "utf-8")
    (tmp_path / "icon.svg").write_text("<svg/>", "utf-8")
    (assets / "index-1.js").write_bytes(SCRIPT)
    (assets / "index-1.js.gz").write_bytes(gzip.compress(SCRIPT))
    (assets / "face-1.woff2").write_bytes(b"wOF2")
    return tmp_path


def client_of(folder: Path) -> httpx.AsyncClient:
    app = FastAPI()
    answer_problems(app)
    app.include_router(page_router(Built(folder)))
    app.add_exception_handler(404, unknown_addresses(Built(folder)))
    transport = httpx.ASGITransport(app)
    return httpx.AsyncClient(transport=transport, base_url="http://127.0.0.1:8720")


async def test_every_request_has_a_nonce_of_its_own(built: Path) -> None:
    """The policy, the scripts and the styles share it; nothing is cached, nothing inline runs."""
    async with client_of(built) as client:
        seen: set[str] = set()
        for _ in range(2):
            answer = await client.get("/")
            policy = answer.headers["content-security-policy"]
            (nonce,) = set(re.findall(r"'nonce-([\w-]+)'", policy))
            assert answer.text.count(f'nonce="{nonce}"') == 2
            assert "NONCE-OF" not in answer.text
            assert "unsafe" not in policy
            assert answer.headers["cache-control"] == "no-store"
            seen.add(nonce)
        assert len(seen) == 2


async def test_a_reader_at_an_unknown_address_is_shown_the_page(built: Path) -> None:
    """With its status; a script, and who asks for what is not the page's, gets the refusal."""
    reader = {"accept": "text/html,*/*;q=0.8", "accept-language": "zh-CN"}
    async with client_of(built) as client:
        shown = await client.get("/nowhere/at/all", headers=reader)
        assert shown.status_code == 404
        assert '<html lang="zh-CN"' in shown.text
        assert "nonce-" in shown.headers["content-security-policy"]
        for path, headers in (("/nowhere", {}), ("/api/nothing", reader), ("/v1/none", reader)):
            refused = await client.get(path, headers=headers)
            assert (refused.status_code, "json" in refused.headers["content-type"]) == (404, True)


@pytest.mark.parametrize(
    "address",
    ["/", "/p/01/t/02?panel=lore", "/library", "/library/cards/01", "/connections", "/settings"],
)
async def test_every_place_of_the_page_is_its_document(built: Path, address: str) -> None:
    """A turn, a panel or a card can be loaded, shared and bookmarked."""
    async with client_of(built) as client:
        answer = await client.get(address)
        assert answer.status_code == 200
        assert '<div id="root">' in answer.text
        assert (await client.head(address)).status_code == 200


@pytest.mark.parametrize(("header", "tag"), [("zh-TW,en;q=0.5", "zh-CN"), ("en", "en")])
async def test_the_document_names_the_readers_language(built: Path, header: str, tag: str) -> None:
    """So that the first paint is in it."""
    async with client_of(built) as client:
        answer = await client.get("/", headers={"accept-language": header})
        assert f'<html lang="{tag}">' in answer.text


async def test_files_are_sent_as_the_build_packed_them(built: Path) -> None:
    """Compressed for whoever takes it, kept for ever: the name changes with the content."""
    async with client_of(built) as client:
        packed = await client.get("/static/assets/index-1.js")
        assert packed.headers["content-encoding"] == "gzip"
        assert packed.content == SCRIPT
        assert packed.headers["content-type"].startswith("text/javascript")
        assert "immutable" in packed.headers["cache-control"]
        plain = await client.get("/static/assets/index-1.js", headers={"accept-encoding": ""})
        assert "content-encoding" not in plain.headers
        assert plain.content == SCRIPT
        face = await client.get("/static/assets/face-1.woff2")
        assert face.headers["content-type"] == "font/woff2"
        assert (await client.get("/static/icon.svg")).headers["content-type"] == "image/svg+xml"


@pytest.mark.parametrize(
    "address",
    [
        "/static/index.html",
        "/static/assets/nothing.js",
        "/static/assets/index-1.js.gz",
        "/static/assets/..%2findex.html",
        "/static/assets/%2e%2e",
    ],
)
async def test_nothing_else_is_served(built: Path, address: str) -> None:
    """X10: only what the build made, by the names that it gave."""
    async with client_of(built) as client:
        assert (await client.get(address)).status_code == 404


async def test_without_a_build_the_page_says_how_to_make_one(tmp_path: Path) -> None:
    """In both languages, and never from a cache."""
    async with client_of(tmp_path / "nothing") as client:
        answer = await client.get("/")
        assert answer.status_code == 503
        assert answer.text.count("make page") == 2
        assert answer.headers["cache-control"] == "no-store"


def test_the_routes_of_the_page_and_of_the_server_agree() -> None:
    """A place that the page knows can be loaded from the server."""
    routes = Path(__file__).parents[3] / "frontend" / "src" / "app" / "routes.tsx"
    places = re.findall(r'\{ path: "(/[^"]*)"', routes.read_text("utf-8"))
    roots = {place.split("/")[1] for place in PLACES}
    assert places
    assert {place.split("/")[1] for place in places} <= roots


@pytest.mark.parametrize(
    ("header", "language"),
    [
        ("zh-CN,zh;q=0.9,en;q=0.8", "zh"),
        ("en-GB,en;q=0.9,zh;q=0.8", "en"),
        ("zh-Hant-TW", "zh"),
        ("fr, zh;q=0.3, en;q=0.2", "zh"),
        ("fr", "en"),
        ("zh;q=0", "en"),
        ("zh;q=nonsense", "en"),
        ("*", "en"),
        ("", "en"),
        (",;q=,," * 5000, "en"),
    ],
)
def test_the_language_is_the_readers(header: str, language: Language) -> None:
    """By the weights of the header; English when it names neither."""
    assert preferred(header) == language
