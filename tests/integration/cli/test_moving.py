"""`huaben move`, as a user runs it."""

from __future__ import annotations

from pathlib import Path

from tests.builders.installation import SECRET, Size, install
from tests.integration.cli.program import Program

TINY = Size(cards=3, chats=2, books=1, rows=2)


def test_an_installation_is_shown_and_then_moves_in(program: Program, tmp_path: Path) -> None:
    """Shown and nothing more without a word of consent; with it everything, and a second time nothing."""
    folder = tmp_path / "旧/data/default-user"
    install(folder, TINY)
    shown = program.run("move", str(folder))
    assert (shown.code, "--yes" in shown.err) == (1, True)
    assert "cards: 3" in shown.out
    assert "keys are never opened" in shown.out
    done = program.run("move", str(folder.parent.parent), "--yes")
    assert done.code == 0, done.err
    assert "cards: 3 new, 0 here already, 0 not taken" in done.out
    assert "chats: 2 new" in done.out
    program.lang = "zh"
    again = program.run("move", str(folder), "--yes")
    assert again.code == 0, again.err
    assert "聊天记录：新收 0 件，早已有 2 件，没收 0 件" in again.out
    assert "搬家" in program.run("jobs").out
    kept = [
        path.read_bytes()
        for path in tmp_path.rglob("*")
        if path.is_file() and "旧" not in str(path)
    ]
    assert kept
    assert SECRET.encode() not in b"".join(kept)


def test_kinds_can_be_chosen(program: Program, tmp_path: Path) -> None:
    """A script gets each file as JSON; a kind that is none is named; a folder that is none too."""
    folder = tmp_path / "old"
    install(folder, TINY)
    run = program.run("move", str(folder), "--only", "lorebooks, presets", "--yes", "--json")
    assert run.code == 0, run.err
    places = [line["place"] for line in run.lines if line["kind"] == "moved"]
    assert len(places) == 3
    wrong = program.run("move", str(folder), "--only", "hats")
    assert (wrong.code, "hats" in wrong.err) == (2, True)
    nothing = program.run("move", str(tmp_path / "nowhere"), "--yes")
    assert (nothing.code, "no_installation" in nothing.err) == (1, True)
