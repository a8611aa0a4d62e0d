"""What an image endpoint may answer, and what is made of it, over a real socket."""

from __future__ import annotations

import base64
import json

import httpx
import pytest

from huaben.adapters.images import EndpointImages
from huaben.adapters.models.endpoint import open_client
from huaben.adapters.system import SystemClock
from huaben.domain.connection import Connection, Secret
from huaben.domain.messages import Usage
from huaben.errors import ProviderFailed
from tests.integration.images.easel import Answer, ImageEndpoint, drawn, png, raw, told

KEY = "sk-painter-0123456789"
PICTURE = png()
PACKED = base64.b64encode(PICTURE).decode()
SVG = b'<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'


async def draws(
    endpoint: ImageEndpoint, prompt: str = "画一把旧伞", *, limit_s: float = 5.0, hosts: str = ""
) -> bytes:
    async with open_client() as client:
        images = _images(endpoint, client, limit_s)
        return (await images.draw(images.encode(prompt), tuple(filter(None, [hosts])))).content


def _images(
    endpoint: ImageEndpoint, client: httpx.AsyncClient, limit_s: float = 5.0
) -> EndpointImages:
    connection = Connection("easel", f"{endpoint.origin}/v1", "painter-1", Secret(KEY))
    return EndpointImages(connection, client=client, clock=SystemClock(), time_limit_s=limit_s)


@pytest.mark.parametrize(
    "answer",
    [
        drawn(PICTURE),
        told({"data": [{"url": f"data:image/png;base64,{PACKED}"}]}),
        told({"images": [{"url": f"data:image/png;base64,{PACKED}"}]}),
        told({"images": [PACKED]}),
    ],
)
async def test_a_picture_is_read_wherever_an_endpoint_puts_it(answer: Answer) -> None:
    """Bytes in base64, a data address, under either name; asked for in the usual form."""
    async with ImageEndpoint([answer]) as endpoint:
        assert await draws(endpoint) == PICTURE
    (received,) = endpoint.received
    assert received.path == "/v1/images/generations"
    assert received.headers["authorization"] == f"Bearer {KEY}"
    assert json.loads(received.body) == {
        "model": "painter-1", "prompt": "画一把旧伞", "n": 1, "response_format": "b64_json",
    }  # fmt: skip


async def test_a_field_that_is_refused_is_not_sent_again() -> None:
    """Newer models give bytes always and know no form of answer."""
    refusal = told({"error": {"message": "Unknown parameter: 'response_format'."}}, 400)
    script = [refusal, drawn(PICTURE), drawn(PICTURE)]
    async with ImageEndpoint(script) as endpoint, open_client() as client:
        images = _images(endpoint, client)
        with pytest.raises(ProviderFailed) as refused:
            await images.draw(images.encode("an old umbrella"))
        assert (refused.value.code, refused.value.retryable) == ("reshaped", True)
        for _ in range(2):
            drawn_again = await images.draw(images.encode("an old umbrella"))
            assert drawn_again.media_type == "image/png"
    asked = ["response_format" in json.loads(one.body) for one in endpoint.received]
    assert asked == [True, False, False]


async def test_what_a_picture_took_is_told() -> None:
    """Where the endpoint counts tokens."""
    usage = {"input_tokens": 12, "output_tokens": 1056, "total_tokens": 1068}
    script = [told({"data": [{"b64_json": PACKED}], "usage": usage})]
    async with ImageEndpoint(script) as endpoint, open_client() as client:
        images = _images(endpoint, client)
        drawn_once = await images.draw(images.encode("旧伞"))
    assert drawn_once.usage == Usage(prompt=12, completion=1056)


async def test_an_address_on_the_endpoint_itself_is_fetched_without_the_key() -> None:
    """Local servers answer with one."""
    async with ImageEndpoint() as endpoint:
        there = told({"data": [{"url": f"{endpoint.origin}/pictures/1.png"}]})
        endpoint.script = [there, raw(PICTURE, {"content-type": "text/html"})]
        assert await draws(endpoint) == PICTURE
    assert endpoint.received[1].path == "/pictures/1.png"
    assert "authorization" not in endpoint.received[1].headers


@pytest.mark.parametrize("allowed", ["", "127.0.0.1"])
async def test_nothing_is_fetched_from_a_host_that_nobody_allowed(allowed: str) -> None:
    """Nor without HTTPS from one that was, nor from where a redirection points."""
    async with ImageEndpoint([raw(PICTURE)] * 2) as foreign, ImageEndpoint() as endpoint:
        elsewhere = f"{foreign.origin}/secret.png"
        endpoint.script = [told({"data": [{"url": elsewhere}]})]
        with pytest.raises(ProviderFailed) as refused:
            await draws(endpoint, hosts=allowed)
        assert refused.value.code == "host_not_allowed"
        assert "127.0.0.1" in refused.value.message
        endpoint.script = [
            told({"data": [{"url": f"{endpoint.origin}/moved.png"}]}),
            raw(b"", {"location": elsewhere}, 302),
        ]
        with pytest.raises(ProviderFailed) as refused:
            await draws(endpoint, hosts=allowed)
        assert refused.value.code == "picture_not_fetched"
    assert foreign.received == []


@pytest.mark.parametrize(
    ("answer", "code"),
    [
        (raw(b"<html>not found</html>", {"content-type": "text/html"}), "not_a_picture"),
        (told([]), "not_a_picture"),
        (told({"data": []}), "not_a_picture"),
        (told({"data": [{"b64_json": "*** no base64 ***"}]}), "not_a_picture"),
        (drawn(b"once upon a time"), "not_a_picture"),
        (drawn(SVG), "not_a_picture"),
        (told({"data": [{"url": "data:image/svg+xml;base64,PHN2Zz4="}]}), "not_a_picture"),
        (told({"data": [{"url": "file:///etc/passwd"}]}), "not_a_picture"),
        (drawn(PICTURE[:40]), "not_a_picture"),
        (raw(b"[" * 200_000), "not_a_picture"),
        (raw(b"x" * (23 * 1024 * 1024)), "picture_too_large"),
        (told({"error": {"message": f"bad key {KEY}"}}, 401), "unauthorized"),
        (told({"error": {"message": "slow down"}}, 429), "rate_limited"),
    ],
)
async def test_what_is_no_picture_is_refused(answer: Answer, code: str) -> None:
    """By its bytes, whatever it was called; a fault never quotes the key."""
    async with ImageEndpoint([answer]) as endpoint:
        with pytest.raises(ProviderFailed) as refused:
            await draws(endpoint)
    assert refused.value.code == code
    assert KEY not in refused.value.message
    assert len(endpoint.received) == 1


async def test_silence_and_absence_end_in_time() -> None:
    """A slow endpoint is given up, one that is gone is told; both may be tried again."""
    async with ImageEndpoint([None]) as endpoint:
        with pytest.raises(ProviderFailed) as slow:
            await draws(endpoint, limit_s=0.05)
        assert (slow.value.code, slow.value.retryable) == ("timeout", True)
        gone = endpoint
        origin = gone.origin
    async with open_client() as client:
        connection = Connection("easel", f"{origin}/v1/chat/completions", "p", Secret(KEY))
        images = EndpointImages(connection, client=client, clock=SystemClock())
        with pytest.raises(ProviderFailed) as absent:
            await images.draw(images.encode("an umbrella"))
    assert (absent.value.code, absent.value.retryable) == ("connection_failed", True)
