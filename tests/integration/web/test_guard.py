"""What stands before every route (X10: CSRF, Origin, DNS rebinding, upload limits; X08)."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import cast

import httpx
import pytest

from tests.integration.web.lobby import ADDRESS, lobby
from tests.integration.web.table import problem, read

DESCRIBED = "/api/openapi.json"
MULTIPART = "multipart/form-data"
EVERYWHERE = ["/", "/static/icon.svg", "/api/health", "/api/projects", "/api/nothing"]


@pytest.fixture
async def client() -> AsyncIterator[httpx.AsyncClient]:
    async with lobby() as found:
        yield found


# ---- DNS rebinding -------------------------------------------------------------------------------


@pytest.mark.parametrize("path", EVERYWHERE)
async def test_a_rebound_name_reaches_nothing(client: httpx.AsyncClient, path: str) -> None:
    """X10: a page whose own name was pointed at this machine cannot read a byte."""
    answer = await client.get(path, headers={"host": "evil.example:8720"})
    status, told = problem(answer)
    assert (status, told.code) == (403, "host_not_allowed")
    assert "HUABEN_ALLOWED_HOSTS" in told.hint


async def test_two_hosts_are_one_too_many(client: httpx.AsyncClient) -> None:
    """X10: which of two names counts must never be a question."""
    headers = [("host", "127.0.0.1:8720"), ("host", "evil.example")]
    status, told = problem(await client.get("/api/health", headers=headers))
    assert (status, told.code) == (403, "host_not_allowed")


async def test_further_hosts_can_be_allowed() -> None:
    """Behind a proxy the server is called by the proxy's name."""
    async with lobby(allowed_hosts="stories.example, 故事.example") as client:
        answer = await client.get("/api/health", headers={"host": "stories.example"})
        assert answer.status_code == 200


# ---- requests of foreign pages -------------------------------------------------------------------


@pytest.mark.parametrize(
    "headers",
    [
        {"origin": "https://evil.example"},
        {"origin": "http://localhost:3000"},
        {"origin": "null"},
        {"sec-fetch-site": "cross-site"},
        {"sec-fetch-site": "same-site"},
        {"sec-fetch-site": "cross-site", "origin": ADDRESS},
    ],
)
@pytest.mark.parametrize("method", ["POST", "PUT", "DELETE", "PATCH", "OPTIONS"])
async def test_a_foreign_page_changes_nothing(
    client: httpx.AsyncClient, method: str, headers: dict[str, str]
) -> None:
    """X10: whatever is not a read is refused when a page of another site makes it."""
    answer = await client.request(method, "/api/projects", headers=headers, json={"title": "x"})
    status, told = problem(answer)
    assert (status, told.code) == (403, "origin_not_allowed")


@pytest.mark.parametrize(
    "headers",
    [
        {},
        {"origin": ADDRESS, "sec-fetch-site": "same-origin"},
        {"origin": "http://localhost:8720"},
        {"sec-fetch-site": "none"},
    ],
)
async def test_own_pages_and_programs_may(
    client: httpx.AsyncClient, headers: dict[str, str]
) -> None:
    """The server's own page names itself; a script names nothing."""
    answer = await client.post("/api/projects", headers=headers, json={})
    assert problem(answer)[1].code == "card_required"  # it reached the service


async def test_no_foreign_page_may_read_an_answer(client: httpx.AsyncClient) -> None:
    """No answer carries a header that would let another site read it."""
    answer = await client.get("/api/health", headers={"origin": "https://evil.example"})
    assert not [name for name in answer.headers if name.startswith("access-control-")]
    assert answer.headers["cross-origin-resource-policy"] == "same-origin"


# ---- headers -------------------------------------------------------------------------------------


@pytest.mark.parametrize("path", EVERYWHERE)
async def test_every_answer_carries_the_headers(client: httpx.AsyncClient, path: str) -> None:
    """Answers and refusals alike: a strict policy, no sniffing, no framing, no referrer."""
    answer = await client.get(path)
    policy = answer.headers["content-security-policy"]
    assert "default-src 'none'" in policy
    assert "frame-ancestors 'none'" in policy
    assert "unsafe" not in policy
    assert answer.headers["x-content-type-options"] == "nosniff"
    assert answer.headers["referrer-policy"] == "no-referrer"
    if path.startswith("/api/"):
        assert answer.headers["cache-control"] == "no-store"


# ---- the password --------------------------------------------------------------------------------


@pytest.mark.parametrize("path", [*EVERYWHERE, "/api/openapi.json"])
async def test_with_a_password_nothing_is_open(path: str) -> None:
    """Every address asks for it, whether anything is there or not."""
    async with lobby(password="旧伞:1") as client:
        status, told = problem(await client.get(path))
        assert (status, told.code) == (401, "password_required")
        wrong = await client.get(path, auth=("me", "旧伞"))
        assert problem(wrong)[1].code == "wrong_password"


async def test_the_password_opens(client: httpx.AsyncClient) -> None:
    """X08: as Basic with any user name, or as a Bearer token, with a colon in it."""
    async with lobby(password="old:umbrella") as guarded:
        assert (await guarded.get("/api/health", auth=("me", "old:umbrella"))).status_code == 200
        headers = {"authorization": "Bearer old:umbrella"}
        assert (await guarded.get("/api/health", headers=headers)).status_code == 200
    assert (await client.get("/api/health")).status_code == 200  # none is set there


async def test_guessing_the_password_is_throttled() -> None:
    """After a few wrong ones even the right one has to wait, and the answer says how long."""
    async with lobby(password="right", client="10.0.0.9") as client:
        for _ in range(5):
            assert (await client.get("/api/health", auth=("", "wrong"))).status_code == 401
        answer = await client.get("/api/health", auth=("", "right"))
        assert problem(answer)[0] == 429
        assert int(answer.headers["retry-after"]) >= 1


# ---- sizes ---------------------------------------------------------------------------------------


async def test_a_body_beyond_the_limit_is_refused(client: httpx.AsyncClient) -> None:
    """X10: an announced body is refused before it is read; the limit is named."""
    text = "雨" * 1_000_000
    status, told = problem(await client.post("/api/projects", json={"title": text}))
    assert (status, told.code) == (413, "body_too_large")
    assert (told.model_extra or {})["limit"] == 2 * 1024 * 1024


async def test_a_body_that_does_not_say_its_size_is_counted(client: httpx.AsyncClient) -> None:
    """X10: one that comes in pieces is cut off at the limit."""

    async def pieces() -> AsyncIterator[bytes]:
        for _ in range(40):
            yield b" " * 100_000

    headers = {"content-type": "application/json"}
    answer = await client.post("/api/projects", content=pieces(), headers=headers)
    assert problem(answer)[1].code == "body_too_large"


@pytest.mark.parametrize("path", ["/api/cards", "/api/lorebooks"])
async def test_an_upload_beyond_the_limit_is_refused(path: str) -> None:
    """X10: the limit of uploads is a setting, and it holds for the file to the byte."""
    async with lobby(max_upload_mb=1) as client:
        for size in (1024 * 1024 + 1, 3 * 1024 * 1024):
            answer = await client.post(path, files={"file": ("大.json", b"x" * size)})
            status, told = problem(answer)
            assert status == 413
            assert told.code in ("file_too_large", "body_too_large")
            assert "HUABEN_MAX_UPLOAD_MB" in told.hint
        fits = await client.post(path, files={"file": ("小.json", b"x" * 1024 * 1024)})
        assert fits.status_code == 422  # read, and found to be no card


async def test_files_are_measured_by_the_limit_of_uploads(client: httpx.AsyncClient) -> None:
    """A long chat, a large preset: not by the limit of JSON, at no address that takes files."""
    described = cast("dict[str, dict[str, dict[str, object]]]", read(await client.get(DESCRIBED)))
    takers = [p for p, one in described["paths"].items() if MULTIPART in str(one.get("post"))]
    assert len(takers) > 8
    announced = {"content-type": f"{MULTIPART}; boundary=none", "content-length": "3000000"}
    for path in takers:
        answer = await client.post(path.replace("{project_id}", "x"), headers=announced)
        assert answer.status_code != 413, path


async def test_a_length_that_is_no_number_is_refused(client: httpx.AsyncClient) -> None:
    """X10: what cannot be compared with the limit does not pass it."""
    for length in ("nonsense", "9" * 5000, "-1"):
        headers = {"content-length": length, "content-type": "application/json"}
        answer = await client.post("/api/projects", headers=headers)
        assert problem(answer)[1].code == "body_too_large"
