"""What cannot hold together in the planner's part of a scenario; apart from the other rules because a graph
and the prompts have a form of their own (`planner.md` §8, `performers.md` §4)."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Final

from rapidfuzz import fuzz, process

from huaben.domain.plan.graph import Graph, GraphFault, parse_graph
from huaben.domain.plan.settings import PROMPT_FIELDS, VARIABLES, PlannerSection

RANGES: Final[Mapping[str, tuple[float, float]]] = {
    "planner.escalate_at": (1, 7),
    "planner.max_calls": (1, 7),
    "planner.parallel": (1, 6),
    "planner.call_s": (1, 3600),
    "planner.deadline_s": (0, 86_400),
    "planner.job_tokens": (0, 100_000_000),
    "planner.day_tokens": (0, 1_000_000_000),
    "planner.max_state_chars": (1000, 20_000),
    "planner.lore_chars": (0, 100_000),
    "planner.rebases": (0, 10),
}
_VARIABLE: Final = re.compile(r"\{(\w+)\}")


def planner_faults(section: PlannerSection, escalation: str) -> Iterator[tuple[str, str, str]]:
    """Field, fault and nearest known word of all that is wrong; `escalation` names the connection of
    the escalation model."""
    if section.enabled and section.routing == "auto" and not escalation:
        yield "planner.routing", "auto needs an escalation model: set models.escalation", ""
    graph = parse_graph(section.graph)
    if isinstance(graph, GraphFault):
        yield "planner.graph", f"{graph.code.replace('_', ' ')} at {graph.told}", graph.nearest
    if isinstance(graph, Graph):
        for step in graph.inputs:
            if step not in section.tools:
                yield "planner.graph", f"{step} is not among planner.tools", ""
    for role, text in section.prompts.items():
        for name in dict.fromkeys(_VARIABLE.findall(text)):
            if name not in VARIABLES:
                found = process.extractOne(name, sorted(VARIABLES), scorer=fuzz.ratio)
                nearest = f"{{{found[0]}}}" if found else ""
                yield f"planner.{PROMPT_FIELDS[role]}", f"{{{name}}} is no variable", nearest
