"""`huaben search` as a user runs it."""

from __future__ import annotations

from huaben.testing.endpoint import ScriptedEndpoint
from tests.integration.cli.program import Program, writes


def play(program: Program, *told: str) -> None:
    """A story with these replies."""
    with ScriptedEndpoint.in_thread([writes(text) for text in told]) as endpoint:
        program.base_url = endpoint.base_url
        said = [part for n in range(len(told)) for part in ("--say", f"第{n + 1}句。")]
        run = program.run("play", program.card, *said)
        assert run.code == 0, run.err
    program.base_url = ""


def test_words_of_a_story_are_found(program: Program) -> None:
    """With their turn and their surroundings, the newest first; no model is needed."""
    play(program, "门后有一把旧伞。", "She took the Old Umbrella.\n旧伞不见了，旧伞！")
    run = program.run("search", "latest", "旧伞")
    assert run.code == 0
    lines = run.out.splitlines()
    assert lines[0].split()[0] == "2"
    assert lines[0].endswith("told · 2 places")
    assert lines[1].strip() == "She took the Old Umbrella. 旧伞不见了，旧伞！"
    assert lines[3].strip() == "门后有一把旧伞。"
    (found,) = program.run("search", "阿蘅", "umbr", "旧伞", "--json").of("found")
    assert isinstance(found["found"], dict)
    assert (found["found"]["part"], found["found"]["count"]) == ("text", 3)
    first = program.run("search", "latest", "旧伞", "--limit", "1")
    assert (len(first.out.splitlines()), "--limit" in first.err) == (2, True)


def test_nothing_found_is_said_and_is_no_failure(program: Program) -> None:
    """In the user's language, beside an empty output."""
    program.lang = "zh"
    play(program, "灯还亮着。")
    run = program.run("search", "latest", "白鹭")
    assert (run.code, run.out, run.err) == (0, "", "没有找到。\n")
    assert program.run("search", "latest").code == 2
    assert program.run("search", "没有这个项目", "灯").code == 1
