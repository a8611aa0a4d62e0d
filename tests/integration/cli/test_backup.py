"""`huaben backup` and `huaben restore` as a user runs them."""

from __future__ import annotations

import shutil
from pathlib import Path

from huaben.testing.endpoint import ScriptedEndpoint
from tests.integration.cli.program import Program, Run, writes


def play(program: Program, *words: str, new: bool = False) -> None:
    """Turns of the latest story with the card, or of a new one."""
    with ScriptedEndpoint.in_thread([writes(f"{said}，然后呢？") for said in words]) as endpoint:
        program.base_url = endpoint.base_url
        said = [part for one in words for part in ("--say", one)]
        run = program.run("play", program.card, *said, *(["--new"] if new else []))
        assert run.code == 0, run.err
    program.base_url = ""


def titles(run: Run) -> int:
    return len(run.out.splitlines())


def test_a_library_moves_to_another_folder(program: Program) -> None:
    """Backed up to a file, restored where there was nothing; the story goes on there, and keys do
    not come along."""
    play(program, "看灯。", "等雨停。")
    (program.data / "secrets.toml").write_text('[connections.a]\napi_key = "sk-secret"\n')
    file = str(program.home / "备份.zip")
    run = program.run("backup", file)
    assert run.code == 0, run.err
    assert run.out.splitlines()[1].strip() == "1 story · 2 turns · 1 card · 0 lorebooks"
    assert "keys" in run.err
    assert b"sk-secret" not in Path(file).read_bytes()
    again = program.run("backup", file)
    assert (again.code, "[file_exists]" in again.err) == (1, True)
    assert program.run("backup", file, "--force").code == 0
    other = Program(program.home / "elsewhere")
    other.home.mkdir()
    run = other.run("restore", file, "--yes")
    assert run.code == 0, run.err
    assert "All that is here is in it." in run.out
    assert other.run("verify").code == 0
    assert not (other.data / "secrets.toml").exists()
    shutil.copy(program.card, other.home)
    play(other, "接着走。")
    assert titles(other.run("list", "projects")) == titles(program.run("list", "projects"))


def test_a_restore_tells_what_it_puts_away_and_asks(program: Program) -> None:
    """A preview changes nothing; without a word of the user's nothing is restored; what was here is
    kept, and is restored by its name."""
    play(program, "看灯。")
    (made,) = program.run("backup", "--json").of("backup")
    name = Path(str(made["file"])).name
    play(program, "等雨停。")
    play(program, "另起一个。", new=True)
    run = program.run("restore", name, "--preview")
    assert run.code == 0, run.err
    assert "Here and not in the backup:" in run.out
    assert [line.strip() for line in run.out.splitlines()[-2:]] == [
        "the story 阿蘅, 1 turn",
        "1 turn of 阿蘅",
    ]
    asked = program.run("restore", name)
    assert (asked.code, "[not_confirmed]" in asked.err) == (1, True)
    assert titles(program.run("list", "projects")) == 2
    assert program.run("restore", name, "--yes").code == 0
    assert titles(program.run("list", "projects")) == 1
    program.lang = "zh"
    listed = program.run("backup", "--list")
    assert listed.err == f"上次备份还不到一天（{made['file']}）。此后 0 拍。\n"
    before = next(line for line in listed.out.splitlines() if line.endswith("（恢复之前）"))
    assert program.run("restore", before.split()[-2], "--yes").code == 0
    assert titles(program.run("list", "projects")) == 2


def test_what_cannot_be_restored_is_told(program: Program) -> None:
    """In the user's language; nothing was there before, and nothing is there after."""
    program.lang = "zh"
    run = program.run("restore", program.file("b.zip", b"PK"), "--yes")
    assert run.err == "huaben: 这不是话本的备份。什么也没有改动。 [not_a_backup]\n"
    assert "[backup_not_found]" in program.run("restore", "missing.zip", "--preview").err
    assert "[no_library]" in Program(program.home / "none").run("backup").err
