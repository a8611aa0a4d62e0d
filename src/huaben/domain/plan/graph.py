"""A static graph of planning steps as a scenario writes it: which expert's advice goes into which later step;
apart from running one because a scenario with a wrong one must not load (`planner.md` §8)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from graphlib import CycleError, TopologicalSorter
from typing import Final, Literal, TypeAlias, cast

from rapidfuzz import fuzz, process

from huaben.domain.plan.rules import DIRECTOR, FUNCTIONS, Function

NodeFault: TypeAlias = Literal[
    "unknown_step", "unknown_input", "missing_input", "twice", "cycle", "last"
]
_STEP_END: Final = ";"
_INPUTS: Final = "<-"


@dataclass(frozen=True, slots=True)
class Graph:
    """Steps with their inputs, in the order in which they were written."""

    inputs: Mapping[Function, tuple[Function, ...]]

    def rounds(self) -> tuple[tuple[Function, ...], ...]:
        """The steps in topological order; those of one round depend on none of it and run together."""
        sorter = TopologicalSorter(self.inputs)
        sorter.prepare()
        found: list[tuple[Function, ...]] = []
        while sorter.is_active():
            ready = tuple(sorted(sorter.get_ready(), key=FUNCTIONS.index))
            found.append(ready)
            sorter.done(*ready)
        return tuple(found)


@dataclass(frozen=True, slots=True)
class GraphFault:
    """Why a graph is refused: `path` leads to the place, step by step."""

    code: NodeFault
    path: tuple[str, ...]
    nearest: str = ""

    @property
    def told(self) -> str:
        """The path in words."""
        return " <- ".join(self.path)

    def __str__(self) -> str:
        hint = f"; did you mean {self.nearest}?" if self.nearest else ""
        return f"{self.code.replace('_', ' ')} at {self.told}{hint}"


def parse_graph(text: str) -> Graph | GraphFault | None:
    """A graph such as `judge_npc; direct_scene <- judge_npc; update_director_state <- direct_scene`;
    None for a blank text.

    A step may only take what is a step of the graph itself; nothing takes the director's state."""
    inputs: dict[Function, tuple[Function, ...]] = {}
    written = [step.strip() for step in text.split(_STEP_END) if step.strip()]
    if not written:
        return None
    named = [step.partition(_INPUTS)[0].strip() for step in written]
    for step in written:
        name, _, sources = step.partition(_INPUTS)
        name = name.strip()
        if name not in FUNCTIONS:
            return GraphFault("unknown_step", (name,), _nearest(name))
        if name in inputs:
            return GraphFault("twice", (name,))
        taken = [source.strip() for source in sources.split(",") if source.strip()]
        for source in taken:
            fault = _source_fault(name, source, named)
            if fault is not None:
                return fault
        inputs[name] = tuple(dict.fromkeys(cast("list[Function]", taken)))  # each was just checked
    return _acyclic(Graph(inputs))


def _source_fault(name: str, source: str, named: list[str]) -> GraphFault | None:
    if source not in FUNCTIONS:
        return GraphFault("unknown_input", (name, source), _nearest(source))
    if source not in named:
        return GraphFault("missing_input", (name, source))
    if source == DIRECTOR:
        return GraphFault("last", (name, source))
    return None


def _acyclic(graph: Graph) -> Graph | GraphFault:
    try:
        graph.rounds()
    except CycleError as error:
        found = cast("list[str]", error.args[1])  # as graphlib documents it
        return GraphFault("cycle", tuple(reversed(found)))
    return graph


def _nearest(name: str) -> str:
    found = process.extractOne(name, FUNCTIONS, scorer=fuzz.ratio, score_cutoff=55)
    return found[0] if found else ""
