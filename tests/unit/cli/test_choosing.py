"""What a reader's words mean: an answer, a turn, files of a folder; what two requests share."""

from __future__ import annotations

from pathlib import Path

import pytest

from huaben.bootstrap import judge_scenario
from huaben.cli.failing import Told
from huaben.cli.finding import find_turn
from huaben.cli.importing import gathered
from huaben.cli.notes import Noted, rendered
from huaben.cli.scenarios import KNOWN_FAULTS
from huaben.cli.scenarios import rendered as rendered_fault
from huaben.cli.turns import chosen
from huaben.domain.project import Project
from huaben.domain.story import Node, Outcome, Tree
from huaben.domain.turnview import AskView
from huaben.formats.scenario import Fault, resolve
from huaben.ports import Head
from huaben.services.stories import Story

GRAPHS = (
    "judge",
    "judge_npc; judge_npc",
    "judge_npc <- judge",
    "judge_npc <- direct_scene",
    "update_director_state; judge_npc <- update_director_state",
    "judge_npc <- direct_scene; direct_scene <- judge_npc",
    "direct_scene",
)
"""Graphs of a planner's steps, each wrong in its own way."""


@pytest.mark.parametrize(
    ("words", "answer"),
    [
        ("1", "去"),
        (" 3 ", "2"),
        ("2", "2"),
        ("4", "4"),
        ("0", "0"),
        ("再想想", "再想想"),
        ("２", "２"),
    ],
)
def test_a_number_chooses_unless_it_is_an_option_itself(words: str, answer: str) -> None:
    """An option's own words come first, then its number, then whatever was said."""
    assert chosen(AskView(0, 0, "几个？", ("去", "不去", "2")), words) == answer


# ---- turns -------------------------------------------------------------------------------------


def told(*outcomes: Outcome) -> Story:
    """A straight story of turns with these outcomes after one greeting."""
    nodes = [Node("aaaa0", None, "greeting", "g", 0, "ended", "sealed")]
    for depth, outcome in enumerate(outcomes, 1):
        parent = nodes[-1].id
        nodes.append(Node(f"aaaa{depth}x", parent, "turn", "b", depth, "ended", outcome))
    project = Project("p", "local", "雨夜", "roleplay", "zh", "")
    return Story(project, Head("p", nodes[-1].id), Tree(nodes))


def test_a_turn_is_found_by_its_number() -> None:
    """The number that a reader sees counts sealed turns on the way to the present."""
    story = told("sealed", "failed", "sealed")
    assert find_turn(story, "2").id == "aaaa3x"
    assert find_turn(story, "latest").id == "aaaa3x"
    assert find_turn(story, "aaaa2").id == "aaaa2x"
    assert find_turn(story, "aaaa2x").id == "aaaa2x"


@pytest.mark.parametrize(
    ("named", "code"),
    [("3", "turn_not_found"), ("0", "turn_not_found"), ("zz", "turn_not_found"),
     ("bbbb", "turn_not_found"), ("aaaa", "ambiguous_turn")],
)  # fmt: skip
def test_a_turn_that_is_not_there_is_said_so(named: str, code: str) -> None:
    """Nothing is guessed when a name means no turn, or several."""
    with pytest.raises(Told) as refused:
        find_turn(told("sealed", "sealed"), named)
    assert refused.value.code == code


def test_a_story_without_turns_has_no_latest() -> None:
    """The greeting is no turn that could be inspected."""
    with pytest.raises(Told) as refused:
        find_turn(told(), "latest")
    assert refused.value.code == "turn_not_found"


# ---- files and reports -------------------------------------------------------------------------


def test_a_folder_gives_what_may_be_a_card(tmp_path: Path) -> None:
    """Hidden files stay out, other kinds are counted, a named file is tried whatever it is called."""
    for name in ("b.png", "a.JSON", "注.txt", ".hidden.png", "deep/c.charx", ".git/d.json"):
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        path.touch()
    odd = tmp_path / "注.txt"
    files, skipped = gathered([odd, tmp_path])
    assert [path.name for path in files] == ["注.txt", "a.JSON", "b.png", "c.charx"]
    assert skipped == 1


def test_a_note_without_words_of_its_own_is_shown_as_it_is() -> None:
    """A newer reader's finding is not hidden by an older interface."""
    note = Noted("something_new", "data.x", "三\x1b[31m处", {"n": 3})
    assert rendered(note) == "something_new [data.x] 三␛[31m处"


def test_a_fault_names_the_field_that_was_meant() -> None:
    """A slip of the pen is corrected by reading the message."""
    fault = Fault("lore.bugdet", "is not a field that is read", "lore.budget")
    said = "lore.bugdet: is not a field that is read. Did you mean lore.budget?"
    assert rendered_fault(fault) == said


@pytest.mark.parametrize(
    "tables",
    [
        {"governance": "enforce", "compaction": {"every": 0}},
        {"lore": {"placement": "decorate"}},
        {"lore": {"depth": "x", "scan_depth": "x", "delivery": "x"}, "memory": {"sources": "x"}},
        {"memory": {"sources": ["diary", "diary", 1]}},
        {"planner": {"enabled": True, "routing": "auto", "parallel": 99}},
        {"planner": {"orchestrator_prompt": "{char}"}},
        {"performer": {"kind": "showrunner"}, "lore": {"placement": "decorate"}},
        {"performer": {"kind": "showrunner"}, "showrunner": {"sees": "words+plan"}},
        *({"planner": {"graph": graph, "tools": ["judge_npc"]}} for graph in GRAPHS),
    ],
)
def test_every_fault_of_a_scenario_has_words(tables: dict[str, object]) -> None:
    """In Chinese too: none is told by the English fact alone."""
    found = resolve(("x", tables))
    assert isinstance(found, tuple)
    plain = [one.what for one in found if not any(p.fullmatch(one.what) for p, _ in KNOWN_FAULTS)]
    assert plain == []


def test_a_scenario_is_judged_with_what_it_extends() -> None:
    """What stands beneath may be what a value needs, or what it cannot go together with."""
    beneath = b'extends = "stage+planner"\n'
    decorated = judge_scenario(beneath + b'[lore]\nplacement = "decorate"', "x")
    assert not isinstance(decorated, tuple)
    routed = judge_scenario(beneath + b'[planner]\nrouting = "auto"', "x")
    assert isinstance(routed, tuple)
    assert [one.path for one in routed] == ["planner.routing"]
    unknown = judge_scenario(b'extends = "stag"', "x")
    assert isinstance(unknown, tuple)
    assert [one.path for one in unknown] == ["extends"]
