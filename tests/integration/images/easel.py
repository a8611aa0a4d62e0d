"""An image endpoint on a loopback port that answers from a script, and a house whose turns wish for pictures."""

from __future__ import annotations

import asyncio
import base64
import io
import json
from collections.abc import AsyncGenerator, Collection, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from functools import partial
from typing import TypeAlias

from PIL import Image

from huaben.adapters.system import SystemClock
from huaben.domain.events import DraftChange, ImageChange
from huaben.domain.image import asked, marker, wished
from huaben.domain.messages import WireRequest
from huaben.domain.project import Project
from huaben.domain.scenario import Scenario
from huaben.domain.story import Turn
from huaben.domain.turnview import TurnView
from huaben.formats.scenario import Resolved, resolve
from huaben.ports import Commit, Drawn, Images, Model
from huaben.services import chores, founding, library, playing
from huaben.services.founding import Founding
from huaben.services.house import House
from huaben.services.performing import Company
from huaben.services.shelf import Shelf
from huaben.services.stories import load_turn, load_view
from huaben.testing.answering import Received, read_request, send_whole
from huaben.testing.clock import CountedIds
from huaben.testing.jobs import InlineJobs, Records
from huaben.testing.manuscripts import MemoryManuscripts
from huaben.testing.models import ScriptedModel
from huaben.testing.objects import MemoryObjects
from huaben.testing.script import call, reply
from huaben.testing.store import MemoryStore
from tests.integration.stage.conftest import CARD, OneModel

Answer: TypeAlias = tuple[int, bytes, Mapping[str, str]]


def png(colour: tuple[int, int, int] = (150, 62, 48)) -> bytes:
    """A whole small picture."""
    packed = io.BytesIO()
    Image.new("RGB", (8, 6), colour).save(packed, "PNG")
    return packed.getvalue()


def told(value: object, status: int = 200) -> Answer:
    """An answer in JSON."""
    return status, json.dumps(value).encode(), {}


def raw(body: bytes, headers: Mapping[str, str] | None = None, status: int = 200) -> Answer:
    """An answer of these bytes."""
    return status, body, headers or {}


def drawn(content: bytes) -> Answer:
    """The usual answer with a picture in it."""
    return told({"created": 1, "data": [{"b64_json": base64.b64encode(content).decode()}]})


class ImageEndpoint:
    """Answers each request with the next of its script, `None` with silence; `received` keeps all."""

    def __init__(self, script: Sequence[Answer | None] = ()) -> None:
        self.script: list[Answer | None] = list(script)
        self.received: list[Received] = []
        self._server: asyncio.Server | None = None
        self._tasks: set[asyncio.Task[None]] = set()

    @property
    def origin(self) -> str:
        assert self._server is not None
        return f"http://127.0.0.1:{self._server.sockets[0].getsockname()[1]}"

    async def __aenter__(self) -> ImageEndpoint:
        self._server = await asyncio.start_server(self._accept, "127.0.0.1", 0)
        return self

    async def __aexit__(self, *_: object) -> None:
        assert self._server is not None
        self._server.close()
        for task in tuple(self._tasks):
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        await self._server.wait_closed()

    def _accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.ensure_future(self._converse(reader, writer))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _converse(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            while (received := await read_request(reader)) is not None:
                self.received.append(received)
                answer = self.script.pop(0)
                if answer is None:
                    await reader.read()  # until the client hangs up
                    return
                status, body, headers = answer
                await send_whole(writer, status, body, headers)
        except ConnectionError:
            pass
        finally:
            writer.close()


# ---- a house that draws ------------------------------------------------------------------------


@dataclass
class Painter:
    """Implements `Images` from a script of pictures and faults; the last one repeats."""

    script: list[bytes | Exception]
    prompts: list[str] = field(default_factory=list[str])
    hosts: list[tuple[str, ...]] = field(default_factory=list[tuple[str, ...]])
    gate: asyncio.Event | None = None

    @property
    def name(self) -> str:
        return "easel"

    @property
    def origin(self) -> str:
        return "easel@here"

    def encode(self, prompt: str) -> WireRequest:
        return WireRequest((b"{", json.dumps({"prompt": prompt})[1:].encode()), ("head", "tail"))

    async def draw(self, wire: WireRequest, hosts: Collection[str] = ()) -> Drawn:
        self.prompts.append(str(json.loads(wire.body)["prompt"]))
        self.hosts.append(tuple(hosts))
        if self.gate is not None:
            await self.gate.wait()
        made = self.script.pop(0) if len(self.script) > 1 else self.script[0]
        if isinstance(made, Exception):
            raise made
        return Drawn(made, "image/png")


@dataclass
class Easels:
    """Implements `Painters`."""

    images: Images | None

    def painter(self, name: str = "") -> Images | None:
        return self.images


class Bare:
    """A scenario whose seal is followed by nothing but pictures."""

    def named(self, name: str) -> Scenario:
        found = resolve(("test", {}))
        assert isinstance(found, Resolved)
        return found.scenario

    def names(self) -> list[str]:
        return ["stage"]


@dataclass
class Studio:
    """A house with one project; `records` are what a next process finds of its jobs."""

    house: House
    company: Company
    project: Project
    records: Records

    async def told_turn(self, *, prompts: Sequence[str] = ("画一把旧伞",)) -> Turn:
        """An unsealed turn that wishes for these pictures, each in a place of its text."""
        words = playing.Words("伞呢？")
        turn = await playing.post_turn(self.house, self.company, self.project.id, words)
        await self.company.settled(turn.id)
        text = "他把旧伞递过来。"
        events: list[ImageChange | DraftChange] = []
        for place, prompt in enumerate(prompts):
            wish = wished(turn.id, place, prompt, f"旧伞 {place}")
            assert wish is not None
            events.append(asked(wish))
            text += f"\n\n{marker(wish.id, wish.caption)}\n\n她接住了。"
        events.append(DraftChange(2, "append", 1, text=text))
        told = tuple((turn.id, event) for event in events)
        await self.house.store.commit(Commit(events=told))
        return await load_turn(self.house, turn.id)

    async def sealed(self, *, prompts: Sequence[str] = ("画一把旧伞",)) -> Turn:
        turn = await self.told_turn(prompts=prompts)
        return await playing.seal(self.house, self.company, turn.id)

    def sent(self, number: int) -> str:
        """A request to the storyteller."""
        model = self.house.models.for_role("story")
        assert isinstance(model, ScriptedModel)
        return model.bodies[number].decode()

    async def view(self, turn: Turn) -> TurnView:
        return await load_view(self.house, turn.id)

    def begin(self) -> None:
        """Let jobs run."""
        self.house.jobs.start(partial(chores.carry_out, self.house))

    async def close(self) -> None:
        await self.company.close()
        await self.house.jobs.close()

    async def reborn(self) -> Studio:
        """The next process on the same store and the same records of jobs."""
        await self.close()
        house = make_house(self.house.store, self.house.painters, self.records, self.house.objects)
        again = Studio(house, Company(house), self.project, self.records)
        again.begin()
        return again


_IDS = CountedIds()


def make_house(store: object, painters: object, records: Records, objects: object = None) -> House:
    assert isinstance(store, MemoryStore)
    assert painters is None or isinstance(painters, Easels)
    model: Model = ScriptedModel(
        lambda _: reply(call("draft_write", version=0, content="他点头。"))
    )
    return House(
        store=store,
        objects=objects if isinstance(objects, MemoryObjects) else MemoryObjects(),
        clock=SystemClock(),
        ids=_IDS,
        models=OneModel(model),
        scenarios=Bare(),
        shelf=Shelf(store),
        jobs=InlineJobs(store, records),
        owner=_IDS.new(),
        flush_s=0.01,
        painters=painters,
        manuscripts=MemoryManuscripts(),
    )


@asynccontextmanager
async def studio(images: Images | None) -> AsyncGenerator[Studio]:
    """A studio whose jobs do not run before `begin`."""
    records: Records = {}
    house = make_house(MemoryStore(SystemClock()), Easels(images), records)
    card = await library.import_card(house, json.dumps(CARD).encode(), "shen.json")
    project, _ = await founding.create_project(house, Founding(card_id=card.id))
    made = Studio(house, Company(house), project, records)
    try:
        yield made
    finally:
        await made.close()
