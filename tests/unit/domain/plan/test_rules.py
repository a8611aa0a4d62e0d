"""What forces work, and what is refused (`planner.md` §3)."""

from __future__ import annotations

import pytest

from huaben.domain.plan.graph import Graph, GraphFault, parse_graph
from huaben.domain.plan.rules import (
    DIRECTOR,
    FUNCTIONS,
    Asked,
    Refused,
    Wanted,
    admitted,
    forced,
    source_turn,
)


@pytest.mark.parametrize(
    ("users", "messages", "turn"),
    [(1, 1, 1), (1, 2, 1), (2, 4, 2), (3, 9, 5), (0, 1, 1), (5, 5, 5)],
)
def test_the_source_turn_counts_user_messages(users: int, messages: int, turn: int) -> None:
    """Or half of all messages, rounded up, if that is more."""
    assert source_turn(users, messages) == turn


def test_a_first_turn_judges_and_directs() -> None:
    """As far as they are enabled, whatever the model asks for."""
    asked = forced(FUNCTIONS, first_turn=True, new_names=["沈砚"])
    assert [(one.function, one.forced) for one in asked] == [
        ("judge_npc", "first_turn"),
        ("direct_scene", "first_turn"),
    ]
    assert forced(("analyze_plot", "direct_scene"), first_turn=True, new_names=[]) == (
        Asked("direct_scene", forced="first_turn"),
    )


def test_a_new_name_is_judged() -> None:
    """With the name as what to look at."""
    assert forced(FUNCTIONS, first_turn=False, new_names=["Mira", "阿迟"]) == (
        Asked("judge_npc", focus="Mira, 阿迟", forced="new_name: Mira, 阿迟"),
    )
    assert forced((DIRECTOR,), first_turn=False, new_names=["Mira"]) == ()


def test_calls_are_held_against_offer_and_budget() -> None:
    """Unknown ones, repeated ones and those beyond the budget are refused by name, forced ones are
    kept; the order is always the same."""
    wanted = [
        Wanted("simulate_world", "r", "f"),
        Wanted("roll_dice"),
        Wanted("simulate_world"),
        Wanted("judge_npc", "new face", ""),
        Wanted("analyze_plot"),
    ]
    must = (Asked("judge_npc", focus="阿迟", forced="new_name: 阿迟"),)
    routed = admitted(wanted, must, FUNCTIONS, 2)
    assert routed.asked == (
        Asked("judge_npc", "new face", "阿迟", "new_name: 阿迟"),
        Asked("simulate_world", "r", "f"),
    )
    assert routed.refused == (
        Refused("roll_dice", "not_offered"),
        Refused("simulate_world", "asked_twice"),
        Refused("analyze_plot", "over_calls"),
    )


# ---- graphs ------------------------------------------------------------------------------------


def test_a_graph_runs_in_rounds() -> None:
    """Independent steps together, each after its inputs."""
    graph = parse_graph(
        "judge_npc; analyze_plot; direct_scene <- judge_npc, analyze_plot;"
        "update_director_state <- direct_scene"
    )
    assert isinstance(graph, Graph)
    assert graph.rounds() == (
        ("analyze_plot", "judge_npc"),
        ("direct_scene",),
        ("update_director_state",),
    )
    assert parse_graph(" ; ") is None


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("judge_npcs", "unknown step at judge_npcs; did you mean judge_npc?"),
        ("judge_npc <- plot", "unknown input at judge_npc <- plot"),
        ("judge_npc <- analyze_plot", "missing input at judge_npc <- analyze_plot"),
        ("judge_npc; judge_npc", "twice at judge_npc"),
        (
            "direct_scene <- update_director_state; update_director_state",
            "last at direct_scene <- update_director_state",
        ),
        ("judge_npc <- judge_npc", "cycle at judge_npc <- judge_npc"),
    ],
)
def test_a_wrong_graph_is_refused_with_the_path(text: str, told: str) -> None:
    """Unknown steps with the nearest known one, missing inputs, cycles."""
    fault = parse_graph(text)
    assert isinstance(fault, GraphFault)
    assert str(fault).startswith(told)


def test_a_longer_cycle_is_told_step_by_step() -> None:
    """From a step through its inputs back to itself."""
    fault = parse_graph(
        "judge_npc <- direct_scene; direct_scene <- analyze_plot; analyze_plot <- judge_npc"
    )
    assert isinstance(fault, GraphFault)
    assert fault.code == "cycle"
    assert fault.path[0] == fault.path[-1]
    inputs = {
        "judge_npc": "direct_scene",
        "direct_scene": "analyze_plot",
        "analyze_plot": "judge_npc",
    }
    assert all(inputs[a] == b for a, b in zip(fault.path, fault.path[1:], strict=False))
