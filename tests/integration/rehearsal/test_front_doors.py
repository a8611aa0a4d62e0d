"""The rehearsal through each front door, on a real data folder, with nothing connected."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path

import httpx
import pytest

from huaben import Studio
from huaben.adapters.models.rehearsal.script import load_story
from huaben.bootstrap import build
from huaben.config import Settings
from huaben.domain.events import End
from huaben.domain.project import Language
from huaben.errors import NoConnection
from huaben.services import rehearsing
from huaben.web.app import create_app
from tests.integration.cli.program import Program
from tests.integration.cli.terminal import on_terminal

GO_ON: dict[Language, str] = {"zh": "继续", "en": "Go on."}
every_language = pytest.mark.parametrize("language", ["zh", "en"])


def unconnected(data: Path, **more: object) -> Settings:
    return Settings.model_validate({"data": data, "port": 8720, **more})


async def test_only_the_rehearsal_plays_without_a_connection(tmp_path: Path) -> None:
    """Any other card is told that no model is connected; nothing of its words is stored."""
    card = tmp_path / "card.json"
    card.write_text(json.dumps({"name": "甲", "first_mes": "谁？"}), "utf-8")
    async with Studio.open(settings=unconnected(tmp_path / "data")) as studio:
        other = await studio.create_project(card=(await studio.import_card(card)).id)
        with pytest.raises(NoConnection) as refused:
            [event async for event in studio.play(other.id, "我推门。")]
        assert refused.value.code == "no_connection"
        project, _ = await rehearsing.found_rehearsal(studio.house, "zh")
        events = [event async for event in studio.play(project.id, GO_ON["zh"])]
        assert events[-1] == End("sealed")
        assert await rehearsing.next_cue(studio.house, other.id) == ""
    async with Studio.open(settings=unconnected(tmp_path / "data")) as studio:
        assert await rehearsing.next_cue(studio.house, project.id) == load_story("zh").turns[1].cue


async def test_a_connection_does_not_replace_it(tmp_path: Path) -> None:
    """Begun as a rehearsal, it stays one; and a project of any other kind never becomes one."""
    settings = unconnected(tmp_path, base_url="http://127.0.0.1:9/v1", model="some-model")
    async with Studio.open(settings=settings) as studio:
        models = studio.house.models
        assert models.for_role("story", "rehearsal").name == "rehearsal"
        assert models.for_role("story").name == "environment"
        project, _ = await rehearsing.found_rehearsal(studio.house, "en")
        assert await rehearsing.next_cue(studio.house, project.id) == load_story("en").turns[0].cue


@asynccontextmanager
async def page(data: Path) -> AsyncGenerator[httpx.AsyncClient]:
    app = create_app(unconnected(data), build)
    async with (
        app.router.lifespan_context(app),
        httpx.AsyncClient(
            transport=httpx.ASGITransport(app, client=("127.0.0.1", 50_000)),
            base_url="http://127.0.0.1:8720",
            trust_env=False,
        ) as client,
    ):
        yield client


@every_language
async def test_over_http(tmp_path: Path, language: Language) -> None:
    """One request begins it; the cue for the empty box comes from another."""
    async with page(tmp_path) as client:
        begun = await client.post("/api/rehearsal", json={"language": language})
        assert begun.status_code == 201
        place = begun.headers["location"]
        assert place == f"/api/projects/{begun.json()['id']}"
        first = (await client.get(f"{place}/cue")).json()["cue"]
        assert first == load_story(language).turns[0].cue
        posted = await client.post(f"{place}/turns", json={"text": first})
        assert posted.status_code == 202
        told = await client.get(f"/api/turns/{posted.json()['id']}")
        while told.json()["status"] in ("queued", "running"):
            await asyncio.sleep(0.1)
            told = await client.get(f"/api/turns/{posted.json()['id']}")
        assert told.json()["status"] == "sealed"
        second = (await client.get(f"{place}/cue")).json()["cue"]
        assert second == load_story(language).turns[1].cue


async def test_refusals_over_http(tmp_path: Path) -> None:
    """A language that it does not have, a project that there is not."""
    async with page(tmp_path) as client:
        refused = await client.post("/api/rehearsal", json={"language": "fr"})
        assert refused.status_code == 422
        missing = await client.get("/api/projects/none/cue")
        assert missing.status_code == 404


# ---- the terminal --------------------------------------------------------------------------------


@every_language
def test_in_a_script(tmp_path: Path, language: Language) -> None:
    """`huaben play rehearsal` speaks the language of the messages, or the one that is named, and
    says what it is."""
    named = "rehearsal" if language == "zh" else "rehearsal-en"
    program = Program(tmp_path, lang="zh")
    done = program.run("play", named, "--say", load_story(language).turns[0].cue)
    assert done.code == 0, done.err
    assert ("有一间，临江" if language == "zh" else "One, facing the river") in done.out
    assert "排演：台词已备好，不调用模型。" in done.err


def test_line_by_line(tmp_path: Path) -> None:
    """On a terminal the next cue stands before the prompt."""
    with on_terminal(Program(tmp_path), "play", "rehearsal") as terminal:
        terminal.wait_for("Rehearsal: prepared lines, no model is called.")
        terminal.wait_for("You could say: I stand the umbrella in the corner")
        terminal.wait_for("> ")
        terminal.type("I ask for a room\r")
        terminal.wait_for("On a page, I think.")
        terminal.wait_for("You could say: I ask him which page.")
        terminal.wait_for("> ")
        terminal.type("\x04")
        assert terminal.end() == 0
