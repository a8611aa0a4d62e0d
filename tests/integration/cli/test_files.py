"""`huaben export`, `list`, `lorebook test`, `guidance` and `inspect --lore` as a user runs them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from huaben.formats import card as cards
from huaben.testing.endpoint import ScriptedEndpoint
from tests.builders.cards import card_chunk, picture, v2
from tests.builders.lorebooks import st_entry, st_file
from tests.integration.cli.program import CARD, Program, writes

BOOK = st_file(
    st_entry(1, key=["龙王"], comment="龙王", content="龙王住在潭底。"),
    st_entry(2, key=["ferry"], comment="Ferry", content="It leaves at three."),
    name="渡口",
)


@pytest.fixture
def stocked(program: Program) -> Program:
    """The library with a card of three lives and a lorebook."""
    book = json.dumps(BOOK, ensure_ascii=False, indent=4)
    run = program.run("import", program.card, program.file("渡口.json", book))
    assert run.code == 0, run.err
    return program


def test_what_is_there_is_listed(stocked: Program) -> None:
    """With the ids that other commands take; a script gets JSON."""
    (line,) = stocked.run("list", "cards").out.splitlines()
    assert line.endswith("阿蘅  阿蘅.json")
    (row,) = stocked.run("list", "lorebooks", "--json").lines
    assert (row["kind"], row["name"], row["file"]) == ("lorebook", "渡口", "渡口.json")
    assert stocked.run("list", "projects").out == "There is none yet.\n"
    stocked.run("play", stocked.card)
    (project,) = stocked.run("list", "projects", "--json").lines
    assert project["name"] == "阿蘅"
    odd = stocked.run("list", "scenarios")
    assert odd.code == 2


def test_a_card_is_exported_and_reads_back(stocked: Program) -> None:
    """In the form it came in, or another; what the form cannot hold is said beside the output."""
    target = str(stocked.home / "out.json")
    run = stocked.run("export", "阿蘅", "-o", target)
    assert (run.code, run.out) == (0, f"{target}: {Path(target).stat().st_size} bytes\n")
    assert json.loads(Path(target).read_bytes()) == CARD
    again = stocked.run("export", "阿蘅", "-o", target)
    assert (again.code, "[file_exists]" in again.err) == (1, True)
    forced = stocked.run("export", "阿蘅", "--to", "png", "-o", target, "--force", "--json")
    assert forced.lines[0]["kind"] == "export"
    found = cards.read_card(Path(target).read_bytes())
    assert isinstance(found, cards.CardFile)
    assert found.container == "png"
    own = stocked.run("export", "阿蘅", "--to", "lorebook", "-o", "-")
    assert "门后的旧伞" in own.out
    assert "converted" in own.err


def test_a_picture_that_a_form_cannot_hold_is_named(stocked: Program) -> None:
    """On standard error, so that the file itself can go through a pipe."""
    stocked.run("import", stocked.file("p.png", picture(card_chunk(v2()))))
    run = stocked.run("export", "陆小凤", "--to", "json", "-o", "-")
    assert json.loads(run.out)["data"]["name"] == "陆小凤"
    assert "the picture has no place in this format" in run.err


def test_a_lorebook_is_exported_byte_for_byte(stocked: Program) -> None:
    """And never as a card."""
    run = stocked.run("export", "渡口", "-o", "-")
    assert run.out.encode() == (stocked.home / "渡口.json").read_bytes()
    assert '"lorebook_v3"' in stocked.run("export", "渡口", "--to", "lorebook-v3", "-o", "-").out
    stocked.lang = "zh"
    odd = stocked.run("export", "渡口", "--to", "png")
    assert (odd.code, "[wrong_form]" in odd.err, "设定集" in odd.err) == (1, True, True)
    assert "[thing_not_found]" in stocked.run("export", "查无此物").err


def test_a_text_is_tried_on_lorebooks(stocked: Program) -> None:
    """What it would bring and why not the rest, in either language."""
    run = stocked.run("lorebook", "test", "渡口", "--text", "听说龙王来了")
    assert run.out.splitlines() == [
        "In: 1",
        "  + 龙王 (0/1 渡口)  “龙王” in words · 8 tokens",
        "Out: 1",
        "  - Ferry (0/2 渡口)  no key was found",
    ]
    (told,) = stocked.run("lorebook", "test", "--card", "阿蘅", "--text", "旧伞", "--json").lines
    assert "船家女儿" in str(told["chosen"])
    stocked.lang = "zh"
    assert (
        "「ferry」见于 words" in stocked.run("lorebook", "test", "渡口", "--text", "The ferry?").out
    )
    assert "[lorebook_not_found]" in stocked.run("lorebook", "test", "无", "--text", "x").err
    assert stocked.run("lorebook", "test", "--text", "x").code == 2


def test_the_lore_of_a_turn_is_told(stocked: Program) -> None:
    """Beside the calls of the turn."""
    with ScriptedEndpoint.in_thread([writes("门后有伞。")]) as endpoint:
        stocked.base_url = endpoint.base_url
        stocked.run("play", stocked.card, "--say", "旧伞呢？")
    run = stocked.run("inspect", "latest", "--lore")
    assert run.out.startswith("In: 1\n  + 旧伞 (0/")
    (told,) = stocked.run("inspect", "latest", "1", "--lore", "--json").lines
    assert told["left_out_total"] == 0
    assert "estimated at" in stocked.run("inspect", "latest").out


def test_the_users_own_texts_come_from_files_and_go_back(stocked: Program) -> None:
    """Under their names, for every card or for one; other names are refused."""
    system = stocked.file("a/SYSTEM.md", "\ufeff你是说书人。\n")
    rules = stocked.file("a/AGENTS.md", "Write no rain.")
    run = stocked.run("guidance", "import", system, rules)
    assert run.out == "SYSTEM.md: 7 characters\nAGENTS.md: 14 characters\n"
    stocked.run("guidance", "import", rules, "--card", "阿蘅")
    (stocked.home / "b").mkdir()
    folder = str(stocked.home / "b")
    assert stocked.run("guidance", "export", folder).code == 0
    assert (stocked.home / "b" / "SYSTEM.md").read_text("utf-8") == "你是说书人。\n"
    refused = stocked.run("guidance", "export", folder, "--card", "阿蘅")
    assert "[file_exists]" in refused.err
    assert sorted(path.name for path in (stocked.home / "b").iterdir()) == [
        "AGENTS.md",
        "SYSTEM.md",
    ]
    odd = stocked.run("guidance", "import", stocked.file("README.md", "x"))
    assert "[wrong_name]" in odd.err
    emptied = stocked.run("guidance", "import", stocked.file("c/SYSTEM.md", " \n"))
    assert emptied.out == "SYSTEM.md: 0 characters\n"
