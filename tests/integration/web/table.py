"""A real server on a loopback port, and a client with short words for what scripts do with it."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncGenerator, AsyncIterator, Mapping
from contextlib import AsyncExitStack, asynccontextmanager, nullcontext
from dataclasses import dataclass, field
from pathlib import Path
from typing import cast

import httpx
from pydantic import SecretStr

from huaben.bootstrap import Theatre, build
from huaben.config import Settings
from huaben.domain.events import from_data
from huaben.domain.turnview import TurnView
from huaben.testing.endpoint import ScriptedEndpoint
from huaben.web import schemas
from huaben.web.app import create_app
from huaben.web.serving import Server, address_of, configure, listen
from huaben.web.stream import Streams
from tests.builders.waiting import AWHILE_S

CARD: Mapping[str, object] = {
    "spec": "chara_card_v2",
    "spec_version": "2.0",
    "data": {
        "name": "沈砚",
        "description": "{{char}}是渡口客栈的账房，话少，记性好。",
        "personality": "冷静，护短",
        "scenario": "雨夜，{{user}}推开了客栈的门。",
        "first_mes": "雨下了一夜。{{char}}抬起头：「{{user}}，打烊了。」",
        "alternate_greetings": ["天将亮未亮，{{char}}在门口扫水。"],
        "mes_example": "",
        "creator_notes": "",
        "system_prompt": "",
        "post_history_instructions": "",
        "tags": [],
        "creator": "",
        "character_version": "1",
        "extensions": {},
        "an_unknown_field": {"留着": True},
    },
}
BOOK: Mapping[str, object] = {
    "name": "渡口",
    "entries": {
        "0": {
            "uid": 0,
            "key": ["旧伞"],
            "keysecondary": [],
            "comment": "旧伞",
            "content": "旧伞是师父留下的。",
            "constant": False,
            "order": 100,
            "position": 0,
            "disable": False,
        }
    },
}


@dataclass(frozen=True, slots=True)
class Heard:
    """One event of a stream."""

    id: int
    kind: str
    data: Mapping[str, object]


@dataclass(slots=True)
class Screen:
    """What a client shows that replays a stream: the reducer that the page uses too."""

    view: TurnView = field(default_factory=TurnView)
    last: int = 0
    kinds: list[str] = field(default_factory=list[str])

    def show(self, heard: Heard) -> None:
        assert heard.id > self.last, "numbers only grow"
        self.view = self.view.apply(from_data(heard.kind, heard.data))
        self.last = heard.id
        self.kinds.append(heard.kind)


@dataclass(frozen=True, slots=True)
class Table:
    """A server with its client. `endpoint` is the model that speaks."""

    settings: Settings
    theatre: Theatre
    streams: Streams
    client: httpx.AsyncClient
    endpoint: ScriptedEndpoint
    server: Server

    # ---- short words ---------------------------------------------------------------------------

    async def post(self, path: str, body: Mapping[str, object] | None = None) -> httpx.Response:
        return await self.client.post(path, json=body)

    async def told(self, path: str, body: Mapping[str, object] | None = None) -> dict[str, object]:
        """Post and expect success."""
        answer = await self.post(path, body)
        assert answer.status_code < 300, answer.text
        return read(answer)

    async def refused(
        self, path: str, body: Mapping[str, object] | None = None
    ) -> tuple[int, schemas.Problem]:
        """Post and expect a problem."""
        return problem(await self.post(path, body))

    async def import_card(self, card: Mapping[str, object] = CARD) -> str:
        data = json.dumps(card, ensure_ascii=False).encode()
        files = {"file": ("card.json", data, "application/json")}
        answer = await self.client.post("/api/cards", files=files)
        assert answer.status_code in (200, 201), answer.text
        return str(read(answer)["id"])

    async def found(self, **wish: object) -> schemas.ProjectFounded:
        card = wish.pop("card_id", None) or await self.import_card()
        body = {"title": "渡口", "mode": "roleplay", "card_id": card, **wish}
        return schemas.ProjectFounded.model_validate(await self.told("/api/projects", body))

    async def say(self, project_id: str, text: str, **more: object) -> str:
        """Post words; the id of their turn."""
        body = {"text": text, **more}
        return str((await self.told(f"/api/projects/{project_id}/turns", body))["id"])

    async def play(self, project_id: str, text: str) -> schemas.TurnResource:
        """Say something and wait for the end of the turn."""
        turn_id = await self.say(project_id, text)
        await self.over(turn_id)
        return await self.turn(turn_id)

    async def over(self, turn_id: str) -> Screen:
        """Follow a turn to the end of its stream."""
        screen = Screen()
        async for heard in self.listen(f"/api/turns/{turn_id}/events"):
            screen.show(heard)
        return screen

    async def until(self, turn_id: str, kind: str, screen: Screen | None = None) -> Screen:
        """Follow a turn until an event of that kind has come, then hang up."""
        screen = screen or Screen()
        path = f"/api/turns/{turn_id}/events?after={screen.last}"
        async for heard in self.listen(path):
            screen.show(heard)
            if heard.kind == kind:
                break
        return screen

    async def turn(self, turn_id: str) -> schemas.TurnResource:
        answer = await self.client.get(f"/api/turns/{turn_id}")
        assert answer.status_code == 200, answer.text
        return schemas.TurnResource.model_validate_json(answer.content)

    async def project(self, project_id: str) -> schemas.ProjectResource:
        answer = await self.client.get(f"/api/projects/{project_id}")
        assert answer.status_code == 200, answer.text
        return schemas.ProjectResource.model_validate_json(answer.content)

    async def listen(
        self, path: str, headers: Mapping[str, str] | None = None
    ) -> AsyncGenerator[Heard]:
        async with self.client.stream("GET", path, headers=dict(headers or {})) as answer:
            assert answer.status_code == 200
            assert answer.headers["content-type"].startswith("text/event-stream")
            async for heard in events_of(answer.aiter_lines()):
                yield heard


async def events_of(lines: AsyncIterator[str]) -> AsyncGenerator[Heard]:
    fields: dict[str, str] = {}
    async for line in lines:
        if line.startswith(":"):
            continue
        if line:
            name, _, value = line.partition(": ")
            fields[name] = value
            continue
        if "data" in fields:
            data = cast("Mapping[str, object]", json.loads(fields["data"]))  # payloads are objects
            yield Heard(int(fields["id"]), fields["event"], data)
        fields = {}


def read(answer: httpx.Response) -> dict[str, object]:
    """The JSON object of an answer."""
    value: object = answer.json()
    assert isinstance(value, dict)
    return cast("dict[str, object]", value)  # keys of a JSON object are strings


def problem(answer: httpx.Response) -> tuple[int, schemas.Problem]:
    """The problem of an answer, which must be one."""
    assert answer.headers["content-type"] == "application/problem+json", answer.text
    told = schemas.Problem.model_validate_json(answer.content)
    assert told.status == answer.status_code
    return answer.status_code, told


def settings_for(data: Path, **more: object) -> Settings:
    given: dict[str, object] = {"data": data, "port": 0, "context_window": 128_000, **more}
    if isinstance(password := given.get("password"), str):
        given["password"] = SecretStr(password)
    return Settings.model_validate(given)


@asynccontextmanager
async def serve(
    data: Path, endpoint: ScriptedEndpoint, *, keep_alive_s: float = 15.0, **more: object
) -> AsyncGenerator[Table]:
    """Serve a data folder until the block ends, as `huaben serve` does."""
    connection = {"base_url": endpoint.base_url, "model": "scripted"}
    settings = settings_for(data, **{**connection, **more})
    async with AsyncExitStack() as stack:
        listening = stack.enter_context(listen(settings.host, settings.port))
        address = address_of(listening)
        theatre = await stack.enter_async_context(build(settings))
        streams = Streams(keep_alive_s)
        app = create_app(settings, lambda _: nullcontext(theatre), streams=streams)
        up = asyncio.Event()
        server = Server(configure(app), streams, up.set)
        task = asyncio.create_task(server.serve([listening]))
        await up.wait()
        client = await stack.enter_async_context(
            httpx.AsyncClient(
                base_url=address,
                trust_env=False,
                timeout=AWHILE_S,
                limits=httpx.Limits(max_connections=None),
            )
        )
        try:
            yield Table(settings, theatre, streams, client, endpoint, server)
        finally:
            server.should_exit = True
            await task
