"""Playing line by line on a terminal."""

from __future__ import annotations

import signal

from huaben.testing.endpoint import ScriptedEndpoint
from huaben.testing.script import call, reply, stall
from tests.integration.cli.program import Program, writes
from tests.integration.cli.terminal import on_terminal

ASKS = reply(call("ask", question="去河边吗？", options=["去", "不去"]))
BEGUN = reply(call("draft_write", version=0, content="雨下了一夜。" * 9), stall())


def test_a_sitting_from_the_greeting_to_the_end(program: Program) -> None:
    """Greeting, prose as it comes, undo with the words back in the line, a question, Ctrl-D."""
    script = [writes("雨停了。"), writes("天亮了。"), ASKS, writes("她留下了。")]
    with (
        ScriptedEndpoint.in_thread(script) as endpoint,
        on_terminal(program_at(program, endpoint.base_url), "play", program.card) as terminal,
    ):
        assert "“阿蘅” begins." in terminal.wait_for("有汤，有一间房。」")
        terminal.wait_for("> ")
        terminal.type("我推门\r")
        assert "雨停了。\n" in terminal.wait_for("4 characters\n")
        terminal.wait_for("> ")
        terminal.type("/undo\r")
        terminal.wait_for("The turn is undone")
        terminal.wait_for("> 我推门")
        terminal.type("\r")
        terminal.wait_for("天亮了。\n")
        terminal.wait_for("> ")
        terminal.type("走吧\r")
        assert "去河边吗？" in terminal.wait_for("  2. 不去\n")
        terminal.wait_for("> ")
        terminal.type("2\r")
        terminal.wait_for("她留下了。\n")
        terminal.wait_for("> ")
        terminal.type("/nope\r")
        terminal.wait_for("There is no command /nope")
        terminal.wait_for("> ")
        terminal.type("\x04")
        assert terminal.end() == 0
        assert '"answer":"不去"' in endpoint.bodies[3].decode().replace("\\", "")


def test_ctrl_c_stops_the_turn_first_and_leaves_the_second_time(program: Program) -> None:
    """The draft is kept and can be sealed; at the prompt Ctrl-C ends the program in good order."""
    with (
        ScriptedEndpoint.in_thread([BEGUN]) as endpoint,
        on_terminal(program_at(program, endpoint.base_url), "play", program.card) as terminal,
    ):
        terminal.wait_for("> ")
        terminal.type("我推门\r")
        terminal.wait_for("雨下了一夜。" * 3)
        terminal.type("\x03")
        terminal.wait_for("Stopped.")
        terminal.wait_for("/seal, /continue or /discard.")
        terminal.wait_for("> ")
        terminal.type("/seal\r")
        terminal.wait_for("Sealed.")
        terminal.wait_for("> ")
        terminal.type("\x03")
        assert terminal.end() == 130
    assert program.run("verify").code == 0


def test_a_turn_that_cannot_be_played_leaves_the_words_in_the_line(program: Program) -> None:
    """Without a model the greeting is there all the same, and nothing that was typed is lost."""
    program.lang = "zh"
    with on_terminal(program, "play", program.card) as terminal:
        terminal.wait_for("「阿蘅」开场。")
        terminal.wait_for("> ")
        terminal.type("我推门\r")
        terminal.wait_for("还没有接上模型。")
        terminal.wait_for("> 我推门")
        terminal.type("\x15/quit\r")
        assert terminal.end() == 0


def test_an_unfinished_turn_is_shown_to_whoever_comes_back(program: Program) -> None:
    """The draft that was left, what is wrong with it, what can be done; a closed terminal is a
    good end."""
    with ScriptedEndpoint.in_thread(
        [reply(call("draft_write", version=0, content="半稿。"))]
    ) as model:
        run = program_at(program, model.base_url).run("play", program.card, "--say", "我推门")
    assert run.code == 1
    with on_terminal(program, "play", program.card) as terminal:
        assert "半稿。" in terminal.wait_for("The turn has failed")
        terminal.wait_for("/retry, /discard")
        terminal.wait_for("> ")
        terminal.type("/discard\r")
        terminal.wait_for("> 我推门")
        terminal.process.send_signal(signal.SIGHUP)
        assert terminal.end() == 128 + signal.SIGHUP


def test_a_scripted_turn_on_a_terminal_streams_too(program: Program) -> None:
    """`--say` on a terminal shows the prose once and asks nothing."""
    with (
        ScriptedEndpoint.in_thread([writes("雨停了。")]) as endpoint,
        on_terminal(
            program_at(program, endpoint.base_url), "play", program.card, "--say", "我推门"
        ) as terminal,
    ):
        assert terminal.end() == 0
        assert terminal.seen.count("雨停了。") == 1


def program_at(program: Program, base_url: str) -> Program:
    program.base_url = base_url
    return program
