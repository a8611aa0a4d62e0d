"""What a client sees on the wire of a real server when it is refused in mid-sentence."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from huaben.testing.endpoint import ScriptedEndpoint
from tests.builders.waiting import AWHILE_S
from tests.integration.web.table import Table, problem, serve

BIG = b"x" * (3 * 1024 * 1024)


@pytest.fixture
async def table(tmp_path: Path) -> AsyncIterator[Table]:
    async with (
        ScriptedEndpoint([]) as endpoint,
        serve(tmp_path, endpoint, max_upload_mb=1, password="旧伞") as found,
    ):
        found.client.auth = ("me", "旧伞")
        yield found


async def test_a_client_that_sends_too_much_reads_why(table: Table) -> None:
    """X10: not a torn connection but the reason, and the next request on the line works."""
    answer = await table.client.post("/api/cards", files={"file": ("大.png", BIG)})
    assert problem(answer)[1].code == "body_too_large"
    assert (await table.client.get("/api/health")).status_code == 200


async def test_a_client_that_sends_without_end_reads_why(table: Table) -> None:
    """X10: also when its body comes in pieces of no announced size."""

    async def pieces() -> AsyncIterator[bytes]:
        for _ in range(48):
            yield BIG[: 64 * 1024]

    headers = {"content-type": "application/json"}
    answer = await table.client.post("/api/projects", content=pieces(), headers=headers)
    assert problem(answer)[1].code == "body_too_large"


async def test_a_client_that_may_not_send_reads_why(table: Table) -> None:
    """X08: a wrong password is said even to one that had begun to upload."""
    files = {"file": ("大.png", BIG[: 1024 * 1024])}
    answer = await table.client.post("/api/cards", files=files, auth=("me", "雨"))
    assert problem(answer)[1].code == "wrong_password"


async def test_a_client_that_asks_first_is_told_before_it_sends(table: Table) -> None:
    """X10: `Expect: 100-continue` is answered with the refusal; nothing is sent for nothing."""
    head = (
        "POST /api/cards HTTP/1.1\r\n"
        f"Host: {table.client.base_url.netloc.decode()}\r\n"
        "Authorization: Bearer \r\n"
        "Content-Type: multipart/form-data; boundary=x\r\n"
        "Content-Length: 5000\r\n"
        "Expect: 100-continue\r\n\r\n"
    )
    answer = await talk(table, head.encode())
    assert answer.startswith(b"HTTP/1.1 401 ")


@pytest.mark.parametrize(
    "request_line",
    [
        b"GET /api/health HTTP/1.0\r\n\r\n",
        b"GET /api/health HTTP/1.1\r\n\r\n",
        b"GET http://evil.example/api/health HTTP/1.1\r\nHost: evil.example\r\n\r\n",
        b"GET /api/health HTTP/1.1\r\nHost: 127.0.0.1:1\r\n\r\n",
        b"nonsense\r\n\r\n",
    ],
)
async def test_a_request_without_our_name_gets_nothing(table: Table, request_line: bytes) -> None:
    """X10: no host, a foreign one, none that can be read: refused, whatever the protocol."""
    answer = await talk(table, request_line)
    assert answer.split(b" ")[1] in (b"400", b"403")
    assert b"ok" not in answer


async def talk(table: Table, data: bytes) -> bytes:
    """What a server says to these very bytes, up to the first blank line and what came with it."""
    address = table.client.base_url
    reader, writer = await asyncio.open_connection(address.host, address.port)
    writer.write(data)
    await writer.drain()
    try:
        async with asyncio.timeout(AWHILE_S):
            return await reader.read(65536)
    finally:
        writer.close()
        await writer.wait_closed()
