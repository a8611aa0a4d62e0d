"""How the program ends and begins again: killed, told to stop, without a reader, beside another."""

from __future__ import annotations

import signal
from pathlib import Path

import pytest

from huaben.testing.endpoint import ScriptedEndpoint
from huaben.testing.script import call, reply, stall
from tests.integration.cli.program import Program, Running, is_preview, writes

SEARCH = reply(call("lorebook_search", query="旧伞"))
BEGUN = reply(call("draft_write", version=0, content="雨下了一夜，船还在对岸，" * 4), stall())
"""A reply that never ends: what the program has of it is a preview."""


def streaming(program: Program, *more: str) -> Running:
    """A turn in mid-stream: its first call is recorded, the second one is arriving."""
    running = program.start("play", program.card, "--say", "那把旧伞", "--json", *more)
    running.read_until(is_preview)
    return running


def test_a_killed_turn_goes_on_without_paying_twice(program: Program) -> None:
    """After `kill -9` the same turn is resumed; only the call that had no reply is made again."""
    with ScriptedEndpoint.in_thread(
        [SEARCH, BEGUN, writes("船来了。"), writes("走。")]
    ) as endpoint:
        program.base_url = endpoint.base_url
        running = streaming(program)
        running.send(signal.SIGKILL)
        killed = running.end()
        run = program.run("play", program.card, "--say", "上船", "--json")
        assert len(endpoint.received) == 4
        assert endpoint.bodies[1] == endpoint.bodies[2]
    assert killed.code == -signal.SIGKILL
    assert (run.code, run.err) == (0, "")
    resumed, said = run.of("turn")
    assert resumed["id"] == killed.of("status")[0]["turn"]
    assert (resumed["final_text"], resumed["number"]) == ("船来了。", 1)
    assert (said["final_text"], said["number"]) == ("走。", 2)
    assert program.run("verify").out == "Everything is whole.\n"


def test_sigterm_closes_the_library_in_good_order(program: Program) -> None:
    """The turn is left to be resumed, the folder is free, nothing is damaged."""
    with ScriptedEndpoint.in_thread([SEARCH, BEGUN, writes("船来了。")]) as endpoint:
        program.base_url = endpoint.base_url
        running = streaming(program)
        running.send(signal.SIGTERM)
        ended = running.end()
        assert (ended.code, ended.err) == (128 + signal.SIGTERM, "")
        assert program.run("verify").code == 0
        run = program.run("play", program.card)
    assert (run.code, run.out) == (0, "船来了。\n")


def test_ctrl_c_stops_the_turn_and_keeps_what_had_arrived(program: Program) -> None:
    """A stopped turn is no finished one: exit 1, with its draft in the turn's own object."""
    with ScriptedEndpoint.in_thread([SEARCH, BEGUN]) as endpoint:
        program.base_url = endpoint.base_url
        running = streaming(program, "--say", "还有")
        running.send(signal.SIGINT)
        run = running.end()
    assert run.code == 1
    assert run.turn["status"] == "stopped"
    draft = run.turn["draft"]
    assert isinstance(draft, dict)
    assert str(draft["text"]).startswith("雨下了一夜")
    assert "[stopped]" in run.err
    assert "One line was not said." in run.err


def test_a_reader_that_leaves_is_no_error_to_talk_about(program: Program) -> None:
    """A broken pipe is quiet, and closes the library in good order."""
    with ScriptedEndpoint.in_thread([SEARCH, BEGUN]) as endpoint:
        program.base_url = endpoint.base_url
        program.settings["HUABEN_IDLE_S"] = "1"  # the next event is that the model went silent
        running = streaming(program)
        running.out.close()
        ended = running.end()
    assert (ended.code, ended.err) == (1, "")
    assert program.run("verify").code == 0


@pytest.mark.parametrize(
    ("lang", "said"), [("en", "in use by process"), ("zh", "正被另一个程序使用")]
)
def test_a_busy_data_folder_is_named(program: Program, lang: str, said: str) -> None:
    """The second program says who has the folder and stops; reading is possible beside it."""
    with ScriptedEndpoint.in_thread([SEARCH, BEGUN]) as endpoint:
        program.base_url = endpoint.base_url
        running = streaming(program)
        program.lang = lang
        second = program.run("play", program.card, "--say", "喂")
        beside = program.run("inspect", "latest", "--json")
        running.send(signal.SIGKILL)
        running.end()
    assert (second.code, second.out) == (1, "")
    assert said in second.err
    assert str(running.process.pid) in second.err
    assert second.err.endswith("[data_folder_in_use]\n")
    assert beside.code == 0


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["pley"], "pley"),
        (["play"], "CARD"),
        (["play", "x", "--lorbook", "y"], "--lorebook"),
        (["play", "x", "--persona", "nowhere.md"], "nowhere.md"),
        (["serve", "--port", "99999"], "65535"),
        (["import"], "FILES"),
        (["scenario", "check", "nowhere.toml"], "nowhere.toml"),
        (["inspect", "latest", "--call", "-1"], "--call"),
    ],
)
def test_wrong_usage_is_told_from_failed_work(
    program: Program, arguments: list[str], said: str
) -> None:
    """Exit code 2, one line that names what is wrong and where usage is explained."""
    run = program.run(*arguments)
    assert (run.code, run.out) == (2, "")
    assert said in run.err
    assert "--help" in run.err
    assert run.err.count("\n") == 1


def test_a_folder_that_cannot_be_made_is_told_in_a_line(program: Program) -> None:
    """No traceback without `--debug`, one with it."""
    in_the_way = program.file("文件", "")
    run = program.run("play", program.card, "--data", f"{in_the_way}/data")
    debugged = program.run("--debug", "play", program.card, "--data", f"{in_the_way}/data")
    assert run.code == debugged.code == 1
    assert run.err.count("\n") == 1
    assert "文件" in run.err
    assert "Traceback" in debugged.err


HEAVY = ("sqlalchemy", "pydantic", "fastapi", "httpx", "rich", "structlog", "asyncio", "uvicorn")
LOADED = """
import sys
from huaben.cli.main import main
try:
    main({arguments!r})
except SystemExit as end:
    print(end.code, *sorted(sys.modules), file=sys.stderr)
"""


@pytest.mark.parametrize("arguments", [["--help"], ["--version"], ["play", "--help"]])
def test_help_loads_nothing_that_only_work_needs(program: Program, arguments: list[str]) -> None:
    """Help starts as fast as the interpreter lets it: no database, no web, no model client."""
    run = program.python("-c", LOADED.format(arguments=arguments))
    code, *modules = run.err.split()
    assert code == "0"
    assert [name for name in HEAVY if name in modules] == []


def test_the_help_of_every_command_stands_in_both_languages(
    program: Program, tmp_path: Path
) -> None:
    """Help is a page in the user's language and makes no data folder."""
    program.lang = "zh"
    for command in ("play", "serve", "import", "inspect", "verify", "scenario"):
        run = program.run(command, "--help")
        assert (run.code, run.err) == (0, "")
        assert run.out.startswith(f"用法：huaben {command}")
        assert "Show" not in run.out
    assert not (tmp_path / "data").exists()
