"""The page: its document under a nonce of its own for each request, and its files. What the page does
stands in `frontend/`; without a build a message says how to make one."""

from __future__ import annotations

import re
import secrets
from collections.abc import Awaitable, Callable, Sequence
from importlib.resources import files
from pathlib import Path
from typing import Annotated, Final

from fastapi import APIRouter, Depends, Header
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response

from huaben.errors import HuabenError, NotFound
from huaben.services.page_settings import read_page_settings
from huaben.web.built import Built, Language, PageFile
from huaben.web.given import HouseGiven
from huaben.web.problems import of_framework

PLACES: Final = (
    "/",
    "/p/{rest:path}",
    "/library",
    "/library/{rest:path}",
    "/connections",
    "/scenarios",
    "/settings",
)
"""The addresses that the page itself tells apart (`frontend/src/app/routes.tsx`)."""

_POLICY = (
    "default-src 'none'; script-src 'self' 'nonce-{nonce}'; style-src 'self' 'nonce-{nonce}'; "
    "img-src 'self' blob:{hosts}; font-src 'self'; connect-src 'self'; manifest-src 'self'; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
_OF_PROGRAMS: Final = ("/api/", "/v1/", "/static/")
_FOREVER = "public, max-age=31536000, immutable"
_ACCEPTED = re.compile(r"\s*([A-Za-z*]+)(?:-[A-Za-z0-9-]+)?\s*(?:;\s*q=([0-9.]+))?\s*")

_UNBUILT = """<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>话本 Huaben</title></head><body>
<p lang="zh">页面还没有构建。在项目文件夹里运行 <code>make page</code>，再重新载入；\
命令行和 <a href="/api/openapi.json">接口</a> 现在就能用，故事都在。</p>
<p>The page is not built. Run <code>make page</code> in the project’s folder and load this again; \
the command line and the <a href="/api/openapi.json">interface</a> work now, and the stories are \
all there.</p>
</body></html>
"""


async def nowhere() -> Sequence[str]:
    """No host that pictures may come from."""
    return ()


async def allowed(house: HouseGiven) -> Sequence[str]:
    """The hosts that the user allows. A library that cannot be read allows none; the page is shown."""
    try:
        return (await read_page_settings(house)).picture_hosts
    except HuabenError:
        return ()


def page_router(
    built: Built, hosts_of: Callable[..., Awaitable[Sequence[str]]] = nowhere
) -> APIRouter:
    """The routes of the page that was built; `hosts_of` tells which hosts its pictures may come from."""
    router = APIRouter(include_in_schema=False)

    async def document(
        accept_language: Annotated[str, Header()] = "", hosts: Sequence[str] = Depends(hosts_of)
    ) -> Response:
        return _document(built, accept_language, hosts)

    async def asset(name: str, accept_encoding: Annotated[str, Header()] = "") -> Response:
        packed = "gzip" in accept_encoding
        return _answer(built.asset(name, packed), _FOREVER)

    async def root_file(name: str) -> Response:
        return _answer(built.root_file(name), "public, max-age=3600")

    for place in PLACES:
        router.add_api_route(place, document, methods=["GET", "HEAD"])
    router.add_api_route("/static/assets/{name}", asset, methods=["GET", "HEAD"])
    router.add_api_route("/static/{name}", root_file, methods=["GET", "HEAD"])
    return router


def unknown_addresses(built: Built) -> Callable[[Request, Exception], Awaitable[Response]]:
    """What is answered where there is nothing: to a reader's browser the page, which says so and leads
    back, to everything else the refusal."""

    async def answer(request: Request, error: Exception) -> Response:
        reads = "text/html" in request.headers.get("accept", "")
        asked = request.method in ("GET", "HEAD")
        if reads and asked and not request.url.path.startswith(_OF_PROGRAMS):
            return _document(built, request.headers.get("accept-language", ""), (), status=404)
        return await of_framework(request, error)

    return answer


def _document(
    built: Built, accept_language: str, hosts: Sequence[str], *, status: int = 200
) -> Response:
    language = preferred(accept_language)
    nonce = secrets.token_urlsafe(18)
    text = built.document(language, nonce, hosts)
    if text is None:
        return HTMLResponse(_UNBUILT, 503, {"cache-control": "no-store"})
    headers = {
        "cache-control": "no-store",
        "content-language": language,
        "content-security-policy": _POLICY.format(
            nonce=nonce, hosts="".join(f" https://{host}" for host in hosts)
        ),
        "vary": "accept-language",
    }
    return HTMLResponse(text, status, headers)


def _answer(found: PageFile | None, caching: str) -> Response:
    if found is None:
        raise NotFound("file_not_found", "The page has no such file.")
    headers = {"cache-control": caching, "vary": "accept-encoding"}
    if found.packed:
        headers["content-encoding"] = "gzip"
    return Response(found.content, media_type=found.media_type, headers=headers)


def preferred(accept_language: str) -> Language:
    """Chinese or English by an `Accept-Language` header; English when it names neither."""
    best: tuple[float, Language] = (0.0, "en")
    for part in accept_language[:1000].split(","):
        found = _ACCEPTED.fullmatch(part)
        if found is None:
            continue
        name = found[1].lower()
        language: Language | None = "zh" if name == "zh" else "en" if name == "en" else None
        weight = _weight(found[2])
        if language is not None and weight > best[0]:
            best = (weight, language)
    return best[1]


def _weight(text: str | None) -> float:
    try:
        return 1.0 if text is None else float(text)
    except ValueError:
        return 0.0


BUILT: Final = Built(Path(str(files("huaben.web") / "static" / "app")))
router = page_router(BUILT, allowed)
