"""Pictures from an OpenAI-compatible image endpoint; apart from the models because nothing streams, and what
comes back are bytes to distrust: they are bounded, sniffed, and fetched from nowhere else unasked.
"""

from __future__ import annotations

import asyncio
import base64
import binascii
import io
import json
from collections.abc import Collection
from dataclasses import replace
from typing import Final, cast

import httpx

from huaben.adapters.models.endpoint import address, headers_of
from huaben.adapters.models.openai_compatible import OPENAI
from huaben.adapters.models.redact import Redactor
from huaben.adapters.models.refusals import refusal_of
from huaben.adapters.models.retry import asked_wait
from huaben.domain.connection import Connection
from huaben.domain.image import picture_type
from huaben.domain.jsonvalue import JsonObject
from huaben.domain.messages import Usage, WireRequest
from huaben.errors import ProviderFailed
from huaben.ports import Clock, Drawn

TIME_LIMIT_S: Final = 240.0
MAX_PICTURE_BYTES: Final = 16 * 1024 * 1024
_MAX_BODY_BYTES: Final = MAX_PICTURE_BYTES * 4 // 3 + 64 * 1024
"""A picture in base64, and what stands around it."""
MAX_PIXELS: Final = 40_000_000
_PATH: Final = "/images/generations"
_REFUSAL_BYTES: Final = 64 * 1024


class EndpointImages:
    """Implements `Images`. Raises `BadInput` for an address or key that cannot be sent."""

    def __init__(
        self,
        connection: Connection,
        *,
        client: httpx.AsyncClient,
        clock: Clock,
        time_limit_s: float = TIME_LIMIT_S,
    ) -> None:
        self._connection = connection
        self._client = client
        self._clock = clock
        self._limit_s = min(time_limit_s, connection.timeouts.total_s)
        # An address may have been given down to the path of chats.
        base = connection.base_url.rstrip("/").removesuffix(OPENAI.path)
        named = Connection(connection.name, base, connection.model)
        self._url = address(named, _PATH)
        self._headers = {**headers_of(connection, OPENAI), "accept": "application/json"}
        self._redact = Redactor(connection)
        self._asks_for_bytes = True

    @property
    def name(self) -> str:
        return self._connection.name

    @property
    def origin(self) -> str:
        return self._connection.origin

    def encode(self, prompt: str) -> WireRequest:
        head = json.dumps({"model": self._connection.model, "n": 1}, ensure_ascii=False)
        rest: dict[str, object] = {"prompt": prompt}
        if self._asks_for_bytes:
            rest["response_format"] = "b64_json"
        tail = json.dumps(rest, ensure_ascii=False)
        return WireRequest((f"{head[:-1]}, ".encode(), tail[1:].encode()), ("head", "tail"))

    async def draw(self, wire: WireRequest, hosts: Collection[str] = ()) -> Drawn:
        try:
            async with asyncio.timeout(self._limit_s):
                answer = await self._asked(wire.body)
                found = self._picture_in(answer)
                content = found if isinstance(found, bytes) else await self._fetched(found, hosts)
        except TimeoutError:
            raise ProviderFailed(
                "timeout", f"{self.name} drew nothing within {self._limit_s:g} s", retryable=True
            ) from None
        except httpx.HTTPError as error:
            said = self._redact.excerpt(str(error)) or type(error).__name__
            raise ProviderFailed(
                "connection_failed", f"{self.name} cannot be reached: {said}", retryable=True
            ) from None
        drawn = await asyncio.to_thread(self._looked_at, content)
        return replace(drawn, usage=_usage_in(answer))

    # ---- asking --------------------------------------------------------------------------------

    async def _asked(self, content: bytes) -> JsonObject:
        request = self._client.build_request(
            "POST",
            self._url,
            content=content,
            headers=self._headers,
            timeout=httpx.Timeout(None, connect=self._connection.timeouts.connect_s),
        )
        status, headers, body = await self._sent(request, _MAX_BODY_BYTES)
        if not 200 <= status < 300:
            raise self._refused(status, headers, body[:_REFUSAL_BYTES].decode("utf-8", "replace"))
        try:
            value: object = json.loads(body)
        except (ValueError, RecursionError):
            raise self._failed("not_a_picture", "answered with what is not JSON") from None
        if not isinstance(value, dict):
            raise self._failed("not_a_picture", "answered without a picture")
        return cast("JsonObject", value)  # JSON text is what it was read from

    def _refused(self, status: int, headers: httpx.Headers, text: str) -> ProviderFailed:
        refusal = refusal_of(status, text)
        said = self._redact.excerpt(refusal.text) or "nothing"
        code, retryable = refusal.code, refusal.retryable
        if status == 400 and self._asks_for_bytes and "response_format" in text:
            self._asks_for_bytes = False  # newer models always give bytes and know no such field
            code, retryable = "reshaped", True
        return ProviderFailed(
            code,
            f"{self.name} answered {status}: {said}",
            refusal.hint,
            http_status=status,
            retryable=retryable,
            retry_after_s=asked_wait(headers, self._clock.now()),
        )

    async def _sent(
        self, request: httpx.Request, max_bytes: int
    ) -> tuple[int, httpx.Headers, bytes]:
        """An answer, never one from where a redirection points."""
        response = await self._client.send(request, stream=True, follow_redirects=False)
        try:
            body = bytearray()
            async for piece in response.aiter_bytes():
                body += piece
                if len(body) > max_bytes:
                    raise self._failed("picture_too_large", f"sent more than {max_bytes} bytes")
            return response.status_code, response.headers, bytes(body)
        finally:
            await response.aclose()

    async def _fetched(self, url: httpx.URL, hosts: Collection[str]) -> bytes:
        """The bytes behind an address. No key goes there, whoever it belongs to."""
        own = (url.scheme, url.host, url.port) == (
            self._url.scheme,
            self._url.host,
            self._url.port,
        )
        allowed = url.scheme == "https" and url.port is None and url.host in hosts
        if not own and not allowed:
            raise ProviderFailed(
                "host_not_allowed",
                f"{self.name} gave the address of a picture on {url.host[:100]}, which is not allowed;"
                " nothing was fetched",
                "Allow the host for pictures in the settings, then try again.",
            )
        request = self._client.build_request(
            "GET", url, timeout=httpx.Timeout(None, connect=self._connection.timeouts.connect_s)
        )
        status, _, body = await self._sent(request, MAX_PICTURE_BYTES)
        if status != 200:
            raise self._failed("picture_not_fetched", f"gave an address that answered {status}")
        return body

    # ---- reading -------------------------------------------------------------------------------

    def _picture_in(self, answer: JsonObject) -> bytes | httpx.URL:
        """The bytes of the first picture in an answer, or the address that it gives for them."""
        found = _first_in(answer)
        if found is None:
            raise self._failed("not_a_picture", "answered without a picture")
        if found.startswith(("http://", "https://")):
            try:
                return httpx.URL(found)
            except httpx.InvalidURL:
                raise self._failed("not_a_picture", "gave an address that is none") from None
        packed = found.partition(",")[2] if found.startswith("data:") else found
        try:
            return base64.b64decode("".join(packed.split()), validate=True)
        except (ValueError, binascii.Error):
            raise self._failed("not_a_picture", "sent bytes that are no base64") from None

    def _looked_at(self, content: bytes) -> Drawn:
        """The picture, by what its bytes are and not by what they were called."""
        kind = picture_type(content)
        if len(content) > MAX_PICTURE_BYTES:
            raise self._failed("picture_too_large", f"sent {len(content)} bytes")
        if kind is None or not _opens(content):
            raise self._failed("not_a_picture", "sent bytes that are no picture")
        return Drawn(content, kind)

    def _failed(self, code: str, what: str) -> ProviderFailed:
        return ProviderFailed(code, f"{self.name} {what}")


def _first_in(answer: JsonObject) -> str | None:
    """Where endpoints put a picture: a list under `data` (OpenAI) or `images` (SiliconFlow, Forge) of
    texts or of objects with `b64_json`, `url` or `image`."""
    for field in ("data", "images"):
        listed = answer.get(field)
        first = listed[0] if isinstance(listed, list) and listed else None
        if isinstance(first, str) and first:
            return first
        if isinstance(first, dict):
            for name in ("b64_json", "url", "image"):
                found = first.get(name)
                if isinstance(found, str) and found:
                    return found
    return None


def _usage_in(answer: JsonObject) -> Usage:
    """Tokens, as OpenAI tells them of its own models."""
    told = answer.get("usage")
    if not isinstance(told, dict):
        return Usage()
    counts = [told.get(name) for name in ("input_tokens", "output_tokens")]
    prompt, completion = (one if isinstance(one, int) and one >= 0 else None for one in counts)
    return Usage(prompt=prompt, completion=completion)


def _opens(content: bytes) -> bool:
    """Whether a decoder takes it for a picture of a bearable size; nothing is unpacked."""
    from PIL import Image  # here because it is large, and few runs draw

    Image.MAX_IMAGE_PIXELS = None  # the limit is ours; the library's own would only warn
    try:
        with Image.open(io.BytesIO(content), formats=("PNG", "JPEG", "WEBP", "GIF")) as image:
            pixels = image.width * image.height
            image.verify()
    # Decoders answer damage with errors of many kinds (also of the parsers of metadata).
    except Exception:  # noqa: BLE001
        return False
    return 0 < pixels <= MAX_PIXELS
