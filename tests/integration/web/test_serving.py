"""The server as a process: how it refuses to start, and how it stops."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import socket
import sys
from collections.abc import AsyncGenerator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

import httpx
import pytest

from huaben.errors import BadInput
from huaben.testing.endpoint import ScriptedEndpoint
from huaben.testing.script import reply, say, stall
from huaben.web.serving import address_of, listen, refuse_to_stand_open
from tests.builders.waiting import AWHILE_S
from tests.integration.web.table import CARD, events_of, read, serve, settings_for

PROGRAM = """
import sys
from huaben.config import load_settings
from huaben.errors import HuabenError
from huaben.web.serving import log_to_stderr, serve
log_to_stderr()
try:
    serve(load_settings(), ready=lambda address: print(address, flush=True))
except HuabenError as refused:
    sys.exit(f"{refused.code}: {refused.message}")
print("closed", flush=True)
"""


@dataclass(frozen=True, slots=True)
class Process:
    """A server in a process of its own."""

    process: asyncio.subprocess.Process
    address: str

    async def stop(self, with_signal: signal.Signals) -> tuple[int | None, str, str]:
        """Send a signal; the exit code and what was still said."""
        self.process.send_signal(with_signal)
        async with asyncio.timeout(AWHILE_S):
            out, err = await self.process.communicate()
        return self.process.returncode, out.decode(), err.decode()


def environment(data: Path, **more: str) -> dict[str, str]:
    own = {"HUABEN_DATA": str(data), "HUABEN_PORT": "0", **more}
    return {**os.environ, **own}


async def start(env: Mapping[str, str]) -> asyncio.subprocess.Process:
    pipe = asyncio.subprocess.PIPE
    return await asyncio.create_subprocess_exec(
        sys.executable, "-c", PROGRAM, stdout=pipe, stderr=pipe, env=dict(env)
    )


@asynccontextmanager
async def running(data: Path, **more: str) -> AsyncGenerator[Process]:
    process = await start(environment(data, **more))
    assert process.stdout is not None
    try:
        async with asyncio.timeout(AWHILE_S):
            address = (await process.stdout.readline()).decode().strip()
        yield Process(process, address)
    finally:
        if process.returncode is None:
            process.kill()
            await process.communicate()


# ---- stopping ------------------------------------------------------------------------------------


@pytest.mark.parametrize("with_signal", [signal.SIGTERM, signal.SIGINT])
async def test_a_server_stops_in_order_with_streams_open(
    tmp_path: Path, with_signal: signal.Signals
) -> None:
    """Its streams end as whole answers, it says nothing on the error output, and the turn that ran
    is there to be resumed."""
    async with ScriptedEndpoint([reply(say("雨下大了。"), stall())]) as endpoint:
        model = {"HUABEN_BASE_URL": endpoint.base_url, "HUABEN_MODEL": "scripted"}
        async with running(tmp_path, **model) as server:
            async with httpx.AsyncClient(
                base_url=server.address, trust_env=False, timeout=AWHILE_S
            ) as client:
                turn_id, project_id = await begin(client)
                heard = asyncio.Event()
                streams = [
                    asyncio.create_task(listen_to(client, path, heard))
                    for path in (
                        f"/api/turns/{turn_id}/events",
                        f"/api/projects/{project_id}/events",
                    )
                ]
                async with asyncio.timeout(AWHILE_S):
                    await heard.wait()
                code, out, err = await server.stop(with_signal)
                kinds = [await stream for stream in streams]
            assert (code, out, err) == (0, "closed\n", "")
            assert "end" not in kinds[0]
            assert "turn_began" in kinds[1]
        async with serve(tmp_path, endpoint) as table:
            turn = await table.turn(turn_id)
            assert (turn.status, turn.draft.partial) == ("interrupted", "雨下大了。")


async def begin(client: httpx.AsyncClient) -> tuple[str, str]:
    """A turn that writes and never ends, and its project."""
    card = read(await client.post("/api/cards", files={"file": ("card.json", _card())}))
    project = read(await client.post("/api/projects", json={"card_id": card["id"]}))
    path = f"/api/projects/{project['id']}/turns"
    turn = read(await client.post(path, json={"text": "我等着。"}))
    return str(turn["id"]), str(project["id"])


def _card() -> bytes:
    return json.dumps(CARD, ensure_ascii=False).encode()


async def listen_to(client: httpx.AsyncClient, path: str, heard: asyncio.Event) -> list[str]:
    """The kinds of events until the stream ends; torn streams raise."""
    kinds: list[str] = []
    async with client.stream("GET", path) as answer:
        async for event in events_of(answer.aiter_lines()):
            kinds.append(event.kind)
            if event.kind == "text":
                heard.set()
    return kinds


# ---- refusing to start ---------------------------------------------------------------------------


@pytest.mark.parametrize("host", ["0.0.0.0", "::", "", "192.168.1.5", "mypc.example"])
def test_a_server_does_not_stand_open(tmp_path: Path, host: str) -> None:
    """X10: where others could reach it, it wants a password; the message says what to do."""
    with pytest.raises(BadInput) as refused:
        refuse_to_stand_open(settings_for(tmp_path, host=host))
    assert refused.value.code == "password_required"
    assert "HUABEN_PASSWORD" in refused.value.hint
    refuse_to_stand_open(settings_for(tmp_path, host=host, password="旧伞"))


@pytest.mark.parametrize("host", ["127.0.0.1", "::1", "localhost", "LOCALHOST"])
def test_on_this_machine_alone_no_password_is_needed(tmp_path: Path, host: str) -> None:
    """Loopback is the default and needs nothing."""
    refuse_to_stand_open(settings_for(tmp_path, host=host))


async def test_an_open_server_without_a_password_never_binds(tmp_path: Path) -> None:
    """The process ends with the reason before anything listens or is stored."""
    data = tmp_path / "data"
    process = await start(environment(data, HUABEN_HOST="0.0.0.0"))
    out, err = await process.communicate()
    assert process.returncode == 1
    assert err.decode().startswith("password_required: ")
    assert out == b""
    assert not data.exists()


async def test_a_data_folder_is_served_once(tmp_path: Path) -> None:
    """A second server on the folder says who has it, and leaves the first alone."""
    async with running(tmp_path) as first:
        second = await start(environment(tmp_path))
        _, err = await second.communicate()
        assert second.returncode == 1
        assert err.decode().startswith("data_folder_in_use: ")
        assert str(first.process.pid) in err.decode()
        async with httpx.AsyncClient(base_url=first.address, trust_env=False) as client:
            assert (await client.get("/api/ready")).status_code == 200
        assert (await first.stop(signal.SIGTERM))[0] == 0


def test_an_address_in_use_is_named() -> None:
    """Not a traceback of the operating system, but the address and what to do."""
    with listen("127.0.0.1", 0) as first:
        port = int(first.getsockname()[1])
        with pytest.raises(BadInput) as refused:
            listen("127.0.0.1", port)
    assert refused.value.code == "address_unavailable"
    assert f"127.0.0.1:{port}" in refused.value.message


def test_a_host_that_does_not_exist_is_named() -> None:
    """An address that is not this machine's cannot be bound."""
    with pytest.raises(BadInput) as refused:
        listen("192.0.2.1", 8720)
    assert refused.value.code == "address_unavailable"


def test_the_address_is_one_to_open() -> None:
    """Wildcards are no addresses: what is printed can be opened on this machine."""
    for host, shown in (("127.0.0.1", "127.0.0.1"), ("0.0.0.0", "127.0.0.1")):
        with listen(host, 0) as listening:
            port = listening.getsockname()[1]
            assert address_of(listening) == f"http://{shown}:{port}/"
    if socket.has_ipv6:
        with listen("::1", 0) as listening:
            assert address_of(listening).startswith("http://[::1]:")


# ---- what is loaded ------------------------------------------------------------------------------


async def test_the_application_loads_no_more_than_it_needs() -> None:
    """Neither the database nor a client nor the server itself is loaded with the routes."""
    heavy = ("sqlalchemy", "alembic", "dbos", "httpx", "uvicorn")
    program = f"import sys, huaben.web.app; print([m for m in {heavy} if m in sys.modules])"
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-c", program, stdout=asyncio.subprocess.PIPE
    )
    out, _ = await process.communicate()
    assert out.decode().strip() == "[]"
