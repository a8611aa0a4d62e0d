"""`huaben memory` as a user runs it."""

from __future__ import annotations

from huaben.testing.endpoint import ScriptedEndpoint
from tests.integration.cli.program import Program, Run, writes


def play(program: Program) -> None:
    """A story of one turn, with its diary."""
    with ScriptedEndpoint.in_thread([writes("白鹭停在桅杆上。")]) as endpoint:
        program.base_url = endpoint.base_url
        run = program.run("play", program.card, "--say", "看江上。")
        assert run.code == 0, run.err
    program.base_url = ""


def memory(program: Program, *words: str) -> Run:
    return program.run("memory", "latest", *words)


def test_notes_are_listed_searched_and_shown(program: Program) -> None:
    """What happened is there by itself; what is noted beside it is found in either language."""
    play(program)
    listed = memory(program)
    assert (listed.code, "> 看江上。 白鹭停在桅杆上。" in listed.out) == (0, True)
    assert "card: not remembered in this scenario" in listed.err
    assert memory(program, "--add", "阿蘅 sails at dawn.", "--title", "阿蘅").out.startswith(
        "Noted: 阿蘅"
    )
    for words in ("阿蘅", "sails"):
        (found,) = memory(program, "--search", words, "--json").of("note")
        assert isinstance(found["note"], dict)
        assert found["note"]["title"] == "阿蘅"
    shown = memory(program, "--show", "阿蘅").out
    assert shown.splitlines()[0].startswith("阿蘅  〔noted〕  ")
    assert shown.splitlines()[1] == "阿蘅 sails at dawn."
    assert "阿蘅" not in memory(program, "--source", "diary").out


def test_a_note_is_changed_locked_removed_and_brought_back(program: Program) -> None:
    """By its title or its id; each is a version."""
    play(program)
    assert memory(program, "--add", "She sails at dawn.", "--title", "阿蘅").code == 0
    assert memory(program, "--change", "阿蘅", "She sails at noon.").out.startswith("Changed: 阿蘅")
    assert memory(program, "--lock", "阿蘅").code == 0
    assert "locked" in memory(program, "--show", "阿蘅").out
    assert memory(program, "--unlock", "阿蘅", "--remove", "阿蘅").code == 0
    assert "阿蘅" not in memory(program, "--source", "store").out
    assert "阿蘅" in memory(program, "--removed").out
    assert memory(program, "--bring-back", "阿蘅").out.startswith("Brought back: 阿蘅")
    versions = memory(program, "--versions", "阿蘅", "--json").of("note_version")
    numbers = [one["version"]["version"] for one in versions if isinstance(one["version"], dict)]
    assert numbers == [6, 5, 4, 3, 2, 1]


def test_what_is_not_there_is_told(program: Program) -> None:
    """In the user's language, with what could be meant."""
    play(program)
    program.lang = "zh"
    run = memory(program, "--lock", "无")
    assert (run.code, run.err) == (1, "huaben: 这个故事没有记忆「无」。 [note_not_found]\n")
    for _ in range(2):
        assert memory(program, "--add", "雨。", "--title", "同名").out.startswith("记下了：同名")
    assert "[ambiguous_note]" in memory(program, "--remove", "同名").err
    assert "记忆的内容是空白的。" in memory(program, "--add", " ").err
    assert "[proposal_not_found]" in memory(program, "--accept", "第 1 拍").err
