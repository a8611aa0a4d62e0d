"""Keys are searched for everywhere a program of this kind could leave one: files, logs, traces, answers,
errors, memory dumps of values; and found in one file only."""

from __future__ import annotations

import json
import logging
from base64 import b64encode
from collections.abc import AsyncGenerator, Iterator
from contextlib import asynccontextmanager
from pathlib import Path
from urllib.parse import quote

import httpx
import pytest

from huaben import Studio
from huaben.bootstrap import Theatre
from huaben.config import load_settings
from huaben.domain.events import to_data
from huaben.errors import HuabenError
from huaben.services import connecting
from huaben.services.connecting import Wish
from huaben.services.doctor import examine
from huaben.services.tracing import show_trace, trace_json
from huaben.services.viewing import show_turn, turn_json
from huaben.testing.endpoint import ScriptedEndpoint
from huaben.testing.script import (
    Asked,
    Drop,
    ErrorLine,
    Raw,
    ScriptedReply,
    Status,
    Step,
    reply,
    say,
)
from huaben.web.app import create_app

ENVIRONMENT = "sk-environment/0123456789+secret"
FOUND = "sk-found-abcdefghijklmnop"
KEPT = "kept key with spaces & signs = 42"
HEADER = "team-header-secret-xyz"
KEYS = (ENVIRONMENT, FOUND, KEPT, HEADER)
CARD = {"spec": "chara_card_v2", "data": {"name": "阿迟", "first_mes": "「来了？」"}}


def spellings(key: str) -> Iterator[str]:
    """The ways in which a key may be written somewhere."""
    yield key
    yield quote(key, safe="")
    yield json.dumps(key)[1:-1]
    yield b64encode(key.encode()).decode()


def leaked(text: str) -> list[str]:
    return [key for key in KEYS if any(spelled in text for spelled in spellings(key))]


def quoting(key: str) -> Iterator[Step]:
    """An endpoint that repeats the key in every way an error can be told."""
    told = json.dumps({"error": {"message": f"invalid api key: {key}", "code": 401}})
    yield Status(401, body=told)
    yield Status(500, body=f"<html>Authorization: Bearer {key}</html>")
    yield ErrorLine({"message": f"key {key} was revoked", "code": 403})
    yield reply(say("雨停"), Raw(f"data: {told}\n\n".encode()))
    yield reply(say("雨停"), Drop())
    yield ScriptedReply((say("雨停了。"),))


@asynccontextmanager
async def studio_at(data: Path, endpoint: ScriptedEndpoint) -> AsyncGenerator[Studio]:
    settings = load_settings(
        data=data,
        base_url=endpoint.base_url,
        api_key=ENVIRONMENT,
        model="m",
        retries=0,
    )
    async with Studio.open(settings=settings) as studio:
        yield studio


async def test_a_key_is_in_no_file_log_trace_answer_or_error(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
    capfd: pytest.CaptureFixture[str],
) -> None:
    """After turns that failed in every way, tests, changes and a restart."""
    caplog.set_level(logging.DEBUG)
    monkeypatch.setenv("DEEPSEEK_API_KEY", FOUND)
    data, seen = tmp_path / "data", list[str]()
    steps = [*quoting(ENVIRONMENT), *quoting(KEPT)]
    async with ScriptedEndpoint(steps) as endpoint:
        async with studio_at(data, endpoint) as studio:
            seen += await _play(studio, tmp_path, len(list(quoting(ENVIRONMENT))))
            settings = {"base_url": endpoint.base_url, "model": "m"}
            wish = Wish("mine", settings, ("story",), KEPT, {"x-team": HEADER})
            await connecting.keep(studio.house, studio.theatre.switchboard, wish, 0)
            seen += await _play(studio, tmp_path, len(list(quoting(KEPT))))
        assert endpoint.overrun == 0
        sent = [received.headers.get("authorization") for received in endpoint.received]
        assert {f"Bearer {ENVIRONMENT}", f"Bearer {KEPT}"} == set(sent)
        assert endpoint.received[-1].headers["x-team"] == HEADER
    async with ScriptedEndpoint(_echo) as endpoint, studio_at(data, endpoint) as studio:
        seen += await _look_around(studio)
    output = capfd.readouterr()
    seen += [output.out, output.err, caplog.text]
    assert leaked("\n".join(seen)) == []
    assert "[redacted]" in "\n".join(seen)
    for file in data.rglob("*"):
        if file.is_file():
            found = leaked(file.read_bytes().decode("utf-8", "replace"))
            assert found == ([KEPT, HEADER] if file.name == "secrets.toml" else []), file


def _echo(asked: Asked) -> Step:
    return Status(400, body=json.dumps({"error": {"message": f"no: {ENVIRONMENT}"}}))


async def _play(studio: Studio, folder: Path, turns: int) -> list[str]:
    """A turn for each reply of the script, with all that can be seen of it."""
    card = folder / "card.json"
    card.write_text(json.dumps(CARD, ensure_ascii=False), "utf-8")
    imported = await studio.import_card(card)
    project = await studio.create_project(card=imported.id)
    seen: list[str] = []
    for _ in range(turns):
        seen += [str(to_data(event)) async for event in studio.play(project.id, "走")]
        head = await studio.house.store.head(project.id)
        assert head is not None
        turn = head.turn_id
        seen.append(json.dumps(turn_json(await show_turn(studio.house, turn)), ensure_ascii=False))
        traces = await show_trace(studio.house, turn)
        seen += [json.dumps(trace_json(trace), ensure_ascii=False) for trace in traces]
        await studio.undo(project.id)
    return seen


async def _look_around(studio: Studio) -> list[str]:
    """What the page, the doctor and the values themselves tell."""
    board = studio.theatre.switchboard
    # The found provider is far away; only what is on this machine is asked.
    seen = [repr([one async for one in examine(studio.house, board, ["environment", "mine"])])]
    seen += [repr(board.connections.known), repr(board), repr(studio.house.models)]
    seen.append(repr(await board.secrets.all()))
    app = create_app(load_settings(data="unused"), lambda _: _opened(studio))
    transport = httpx.ASGITransport(app, client=("127.0.0.1", 5000))
    async with (
        app.router.lifespan_context(app),
        httpx.AsyncClient(transport=transport, base_url="http://127.0.0.1:8720") as client,
    ):
        for path in (
            "connections",
            "connections/mine",
            "connections/deepseek",
            "projects",
            "ready",
        ):
            answer = await client.get(f"/api/{path}")
            assert answer.status_code == 200, answer.text
            seen.append(answer.text)
        refused = await client.get("/api/connections/mine/models")
        seen.append(refused.text)
        bad = {"name": "x", "base_url": f"https://{KEPT}@h", "api_key": KEPT, "odd": KEPT}
        seen.append((await client.post("/api/connections", json=bad)).text)
    wish = Wish("broken", {"base_url": "http://h/v1", "model": "m"}, (), f"{FOUND}\n换行")
    with pytest.raises(HuabenError) as failed:
        await connecting.keep(studio.house, board, wish, 0)
    seen.append(f"{failed.value} {failed.value.hint} {failed.value.facts}")
    return seen


@asynccontextmanager
async def _opened(studio: Studio) -> AsyncGenerator[Theatre]:
    yield studio.theatre
