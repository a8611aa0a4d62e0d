"""`huaben saves` as a user runs it."""

from __future__ import annotations

from huaben.testing.endpoint import ScriptedEndpoint
from tests.integration.cli.program import Program, writes


def play(program: Program, turns: int) -> None:
    """A story of that many turns."""
    script = [writes(f"第{n}拍。") for n in range(turns)]
    with ScriptedEndpoint.in_thread(script) as endpoint:
        program.base_url = endpoint.base_url
        said = [part for n in range(turns) for part in ("--say", f"第{n + 1}句。")]
        run = program.run("play", program.card, *said)
        assert run.code == 0, run.err
    program.base_url = ""


def test_saves_are_made_renamed_gone_to_and_deleted(program: Program) -> None:
    """By name or by the beginning of an id; the list is the newest first."""
    play(program, 2)
    assert program.run("saves", "latest").out == "This story has no saves.\n"
    assert program.run("saves", "latest", "--add", "第一拍之后", "--turn", "1").code == 0
    assert program.run("saves", "latest", "--add", "The end").out.startswith("Saved as The end")
    listed = program.run("saves", "latest").out.splitlines()
    assert [line.split("  ")[:2] for line in listed] == [["2", "The end"], ["1", "第一拍之后"]]
    renamed = program.run("saves", "latest", "--rename", "the end", "雨停")
    assert (renamed.code, "雨停" in renamed.out) == (0, True)
    assert program.run("saves", "latest", "--go", "第一拍之后").code == 0
    (first, second) = program.run("saves", "latest", "--json").of("save")
    assert isinstance(first["save"], dict)
    assert isinstance(second["save"], dict)
    assert (first["save"]["on_branch"], second["save"]["on_branch"]) == (False, True)
    assert "on another branch" in program.run("saves", "latest").out
    assert program.run("saves", "latest", "--delete", str(first["save"]["id"])[:30]).code == 0
    assert len(program.run("saves", "latest").out.splitlines()) == 1
    assert "雨停" in program.run("trash").out


def test_a_save_that_is_not_there_is_told(program: Program) -> None:
    """In the user's language; several of one name are told apart by their ids."""
    play(program, 1)
    program.lang = "zh"
    run = program.run("saves", "latest", "--go", "无")
    assert (run.code, run.err) == (1, "huaben: 这个故事没有存档「无」。 [save_not_found]\n")
    for _ in range(2):
        assert program.run("saves", "latest", "--add", "同名").code == 0
    assert "[ambiguous_save]" in program.run("saves", "latest", "--delete", "同名").err
    assert "[blank_name]" in program.run("saves", "latest", "--add", " ").err
