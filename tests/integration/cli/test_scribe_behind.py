"""`huaben play` and the scribe behind each turn: it is waited for, and nothing of it is silent."""

from __future__ import annotations

import asyncio
import json
import signal
import time
from dataclasses import replace

import pytest

from huaben.bootstrap import Theatre
from huaben.cli.running import Signals
from huaben.cli.screens import PlainScreen
from huaben.cli.turns import Answers, Player
from huaben.config import Settings
from huaben.services.performing import Company
from huaben.services.viewing import show_turn
from huaben.studio import Studio
from huaben.testing.endpoint import ScriptedEndpoint
from huaben.testing.jobs import InlineJobs
from huaben.testing.script import fail, reply, say, stall
from tests.integration.cli.program import WAIT_S, Program, writes
from tests.integration.cli.terminal import on_terminal

PATCH = json.dumps(
    {"patch": {"inventory": ["旧伞"]}, "evidence": {"inventory": "旧伞"}}, ensure_ascii=False
)
TALE = "她递来旧伞。"
REFUSED = fail("x", "bad key", http_status=401, retryable=False)


def test_json_tells_what_the_scribe_does_before_the_end(program: Program) -> None:
    """When the program has ended the ledger is current, and each step to it was an event."""
    with ScriptedEndpoint.in_thread([writes(TALE)], scribe=[say(PATCH)]) as endpoint:
        program.base_url = endpoint.base_url
        run = program.run("play", program.card, "--say", "我冷", "--json")
        assert len(endpoint.scribed) == 1
    assert (run.code, run.err) == (0, "")
    kinds = [str(line["kind"]) for line in run.lines]
    tail = kinds[kinds.index("final") :]
    assert tail == ["final", "status", "scribe", "usage", "ledger", "scribe", "end", "turn"]
    assert run.of("usage")[-1]["purpose"] == "scribe"
    assert run.turn["ledger_state"] == "current"
    shown = program.run("ledger", "latest")
    assert "旧伞" in shown.out


@pytest.mark.parametrize(
    ("lang", "failed", "behind"),
    [
        ("en", "The scribe could not enter this turn [", "The ledger is 1 turn behind"),
        ("zh", "场记没有记成这一拍 [", "账本落后 1 拍"),
    ],
)
def test_a_scribe_that_fails_is_told_beside_the_prose(
    program: Program, lang: str, failed: str, behind: str
) -> None:
    """The turn stands and the exit is a good one; the next run says what its ledger lacks, and has
    caught up when it ends."""
    program.lang = lang
    books = [REFUSED, REFUSED, say(PATCH), say("{}")]
    with ScriptedEndpoint.in_thread([writes(TALE), writes("雨停了。")], scribe=books) as endpoint:
        program.base_url = endpoint.base_url
        one = program.run("play", program.card, "--say", "我冷")
        two = program.run("play", program.card, "--say", "多谢", "--json")
    assert (one.code, one.out) == (0, f"{TALE}\n")
    assert one.err.startswith(failed)
    assert behind in one.err
    assert two.code == 0
    assert two.turn["ledger_state"] == "current"
    assert "旧伞" in program.run("ledger", "latest").out


def test_the_prose_is_there_while_the_scribe_works(program: Program) -> None:
    """A pipe gets it at once; Ctrl-C then ends the waiting and not the story, and the ledger is caught
    up on by the next run."""
    books = [reply(stall(None), say(PATCH)), say(PATCH), say("{}")]
    with ScriptedEndpoint.in_thread([writes(TALE), writes("雨停了。")], scribe=books) as endpoint:
        program.base_url = endpoint.base_url
        running = program.start("play", program.card, "--say", "我冷")
        assert running.line_until(lambda line: bool(line.strip())) == f"{TALE}\n"
        _until(lambda: bool(endpoint.scribed))
        running.send(signal.SIGINT)
        left = running.end()
        assert (left.code, left.out) == (0, f"{TALE}\n")
        assert left.err == "The ledger is not waited for; it will catch up.\n"
        run = program.run("play", program.card, "--say", "多谢", "--json")
    assert run.turn["ledger_state"] == "current"
    assert "旧伞" in program.run("ledger", "latest").out


def _until(condition: object) -> None:
    assert callable(condition)
    deadline = time.monotonic() + WAIT_S
    while not condition():
        assert time.monotonic() < deadline
        time.sleep(0.02)


def test_the_activity_line_says_that_the_scribe_is_at_work(program: Program) -> None:
    """On a terminal the prose stands above it, and it is gone when the scribe is done."""
    program.lang = "zh"
    books = [reply(stall(), say(PATCH))]
    with (
        ScriptedEndpoint.in_thread([writes(TALE)], scribe=books) as endpoint,
        on_terminal(_at(program, endpoint.base_url), "play", program.card, "--say", "我冷") as seen,
    ):
        assert seen.wait_for("场记正在记账").count(TALE) == 1
        endpoint.release()
        assert seen.end() == 0
        assert seen.seen.count(TALE) == 1
        assert b"\r\x1b[2K" in seen.raw.rpartition("场记正在记账".encode())[2]


def test_a_turn_that_the_user_seals_is_read_too(program: Program) -> None:
    """Sealing at the prompt is followed by the same, before the next words."""
    unsealed = [reply(*writes(TALE).units[:1]), say("就这样。")]
    with (
        ScriptedEndpoint.in_thread(unsealed, scribe=[say(PATCH)]) as endpoint,
        on_terminal(_at(program, endpoint.base_url), "play", program.card) as terminal,
    ):
        terminal.wait_for("> ")
        terminal.type("我冷\r")
        terminal.wait_for("/seal")
        terminal.wait_for("> ")
        terminal.type("/seal\r")
        terminal.wait_for("Sealed.")
        terminal.wait_for("> ")
        assert len(endpoint.scribed) == 1
        terminal.type("\x04")
        assert terminal.end() == 0
    assert "旧伞" in program.run("ledger", "latest").out


async def test_what_can_never_come_is_not_waited_for(
    program: Program, capsys: pytest.CaptureFixture[str]
) -> None:
    """Where no job can run there is no end of the log: the turn is done all the same, and it is said."""
    task = asyncio.current_task()
    assert task is not None
    async with ScriptedEndpoint([writes(TALE)]) as endpoint:
        settings = Settings(data=program.data, base_url=endpoint.base_url, model="scripted")
        async with Studio.open(settings=settings) as opened:
            studio = _without_jobs(opened)
            card = await studio.import_card(program.card)
            project = await studio.create_project(card=card.id)
            player = Player(studio, project, PlainScreen(), Signals(task))
            turn = await asyncio.wait_for(player.say("我冷", Answers()), WAIT_S)
            assert (await show_turn(studio.house, turn.turn.id)).ledger == "behind"
            await studio.company.close()
    told = capsys.readouterr()
    assert told.out == f"{TALE}\n"
    assert told.err.startswith("What follows the turn was not all carried out")


def _without_jobs(studio: Studio) -> Studio:
    """The same library, in a process whose jobs have died."""
    dead = InlineJobs(studio.house.store)
    dead.die_after(0)
    house = replace(studio.house, jobs=dead)
    return Studio(Theatre(house, Company(house), studio.theatre.switchboard))


def _at(program: Program, base_url: str) -> Program:
    program.base_url = base_url
    return program
