"""What every request passes before any route: whose name it came under, from which page, with which
password, how large it is; and the headers that every answer carries. One ASGI layer, so that nothing
can be mounted beside it by mistake."""

from __future__ import annotations

import re

from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from huaben.web.completion_form import ROOT
from huaben.web.hosts import Hosts, Server
from huaben.web.limits import COMPLETION_BYTES, FRAMING_BYTES, JSON_BYTES, Limited, drain
from huaben.web.password import Doorkeeper
from huaben.web.problems import BodyTooLarge, Problem, told_at

UPLOADS = frozenset(
    {
        "/api/cards",
        "/api/chats",
        "/api/lorebooks",
        "/api/personas/import",
        "/api/presets",
        "/api/quick-replies",
        "/api/scripts",
    }
)
BULK_UPLOADS = frozenset({"/api/imports", "/api/restore"})
CHAPTER_BYTES = 32 * 1024 * 1024
"""A long chapter, and what JSON adds to it."""
_CHAPTER = re.compile(r"/api/projects/[^/]+/chapters/[^/]+")
_UPLOAD_TO = re.compile(r"/api/(?:projects/[^/]+/chapters/import|personas/[^/]+/picture)")
BULK_BYTES = 16 * 1024**3
"""A whole library at once; its files are stored one by one, each within the limit of a file."""
_READING = frozenset({"GET", "HEAD"})

CONTENT_POLICY = (
    "default-src 'none'; style-src 'self'; img-src 'self'; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
_HEADERS = {
    "content-security-policy": CONTENT_POLICY,
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), geolocation=(), microphone=()",
}


class Guard:
    """Refuses foreign hosts, cross-site writes, missing passwords and oversized bodies, in that
    order, and adds the security headers. Without a `doorkeeper` no password is asked for."""

    def __init__(
        self, app: ASGIApp, *, hosts: Hosts, doorkeeper: Doorkeeper | None, upload_bytes: int
    ) -> None:
        self._app = app
        self._hosts = hosts
        self._doorkeeper = doorkeeper
        self._upload_bytes = upload_bytes

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return

        async def with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                _add_headers(MutableHeaders(scope=message), str(scope["path"]))
            await send(message)

        headers = Headers(scope=scope)
        limit = self._limit(scope)
        refusal = self._refusal(scope, headers) or _oversize(headers, limit)
        if refusal is not None:
            if "expect" not in headers:  # who asks first has sent nothing yet
                await drain(receive)
            await told_at(str(scope["path"]), refusal)(scope, receive, with_headers)
            return
        await self._app(scope, Limited(receive, limit), with_headers)

    def _refusal(self, scope: Scope, headers: Headers) -> Problem | None:
        server: Server = scope.get("server")
        hosts = headers.getlist("host")
        if len(hosts) != 1 or not self._hosts.allows(hosts[0], server, str(scope["scheme"])):
            return Problem(
                403,
                "host_not_allowed",
                "This server does not answer to the name that it was called by.",
                "Use the address that it printed, or name the host in HUABEN_ALLOWED_HOSTS.",
            )
        if scope["method"] not in _READING and self._is_foreign(headers, server):
            return Problem(
                403,
                "origin_not_allowed",
                "The request was made by a page of another site.",
                "Only pages of this server and programs may change anything.",
            )
        if self._doorkeeper is None:
            return None
        client = scope.get("client")
        return self._doorkeeper.refuse(headers.get("authorization"), client[0] if client else "")

    def _is_foreign(self, headers: Headers, server: Server) -> bool:
        """Browsers name the page that a request comes from; programs send neither header."""
        if headers.get("sec-fetch-site", "none") not in ("same-origin", "none"):
            return True
        origins = headers.getlist("origin")
        return any(not self._hosts.allows_origin(origin, server) for origin in origins)

    def _limit(self, scope: Scope) -> int:
        if scope["method"] == "POST" and scope["path"] in UPLOADS:
            return self._upload_bytes + FRAMING_BYTES
        if scope["method"] == "POST" and scope["path"] in BULK_UPLOADS:
            return max(BULK_BYTES, self._upload_bytes + FRAMING_BYTES)
        if scope["method"] == "POST" and _UPLOAD_TO.fullmatch(scope["path"]):
            return self._upload_bytes + FRAMING_BYTES
        if scope["path"] == f"{ROOT}chat/completions":
            return COMPLETION_BYTES
        if scope["method"] == "PUT" and _CHAPTER.fullmatch(scope["path"]):
            return CHAPTER_BYTES
        return JSON_BYTES


def _oversize(headers: Headers, limit: int) -> Problem | None:
    announced = headers.get("content-length", "0")
    if announced.isdecimal() and len(announced) < 16 and int(announced) <= limit:
        return None
    return BodyTooLarge(limit).problem()


def _add_headers(headers: MutableHeaders, path: str) -> None:
    for name, value in _HEADERS.items():
        headers.setdefault(name, value)
    if path.startswith("/api/"):
        headers.setdefault("cache-control", "no-store")
