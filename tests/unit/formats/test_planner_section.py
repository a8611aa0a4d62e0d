"""The planner's part of a scenario: what cannot hold together does not load."""

from __future__ import annotations

import pytest

from huaben.domain.plan.rules import FUNCTIONS
from huaben.formats.scenario import Fault, Resolved, flat, read_scenario, resolve, scenario_of


def resolved(text: str) -> Resolved | tuple[Fault, ...]:
    tables = read_scenario(text.encode())
    assert not isinstance(tables, Fault)
    return resolve(("file", tables))


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("enabled = true\nrouting = 'auto'", "planner.routing: auto needs an escalation model"),
        ("tools = ['judge_npcs']", "planner.tools: must be one of analyze_plot, judge_npc"),
        ("max_calls = 8", "planner.max_calls: must lie between 1 and 7, not 8"),
        ("parallel = 7", "planner.parallel: must lie between 1 and 6, not 7"),
        (
            "graph = 'judge_npcs'",
            "planner.graph: unknown step at judge_npcs; did you mean judge_npc?",
        ),
        (
            "graph = 'judge_npc <- direct_scene; direct_scene <- judge_npc'",
            "planner.graph: cycle at ",
        ),
        ("graph = 'judge_npc <- analyze_plot'", "missing input at judge_npc <- analyze_plot"),
        (
            "tools = ['judge_npc']\ngraph = 'analyze_plot'",
            "planner.graph: analyze_plot is not among planner.tools",
        ),
        (
            "judge_npc_prompt = '看{wrods}'",
            "planner.judge_npc_prompt: {wrods} is no variable; did you mean {words}?",
        ),
        ("judge_npcs_prompt = ''", "did you mean planner.judge_npc_prompt?"),
    ],
)
def test_a_wrong_planner_is_refused(text: str, told: str) -> None:
    """Each with the place, and the nearest thing that is known."""
    faults = resolved(f"[planner]\n{text}")
    assert not isinstance(faults, Resolved)
    assert any(told in str(fault) for fault in faults), [str(fault) for fault in faults]


def test_a_whole_planner_section_loads() -> None:
    """And comes back from the form in which turns keep it."""
    found = resolved(
        "[models]\nescalation = 'big'\n[planner]\nenabled = true\nrouting = 'auto'\n"
        "tools = ['judge_npc', 'update_director_state']\n"
        "graph = 'judge_npc; update_director_state <- judge_npc'\n"
        "judge_npc_prompt = 'only {words}'\n"
    )
    assert isinstance(found, Resolved)
    planner = found.scenario.planner
    assert planner.prompts == {"judge_npc": "only {words}"}
    assert planner.writer_chars == 10_000
    assert scenario_of(flat(found.scenario)) == found.scenario
    defaults = resolve()
    assert isinstance(defaults, Resolved)
    assert defaults.scenario.planner.tools == FUNCTIONS
    assert not defaults.scenario.planner.enabled
