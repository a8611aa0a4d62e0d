"""Running a static graph of steps: the rounds that its order gives, independent steps side by side; apart from
routing because nobody chooses anything (`planner.md` §8)."""

from __future__ import annotations

from huaben.domain.plan.graph import Graph
from huaben.domain.plan.notes import EXPERTS, Expert, PlanNote
from huaben.domain.plan.rules import DIRECTOR, Asked, Function
from huaben.planner.desk import Counsel, Over
from huaben.planner.experts import consult
from huaben.planner.progress import Progress


async def run_graph(work: Progress, graph: Graph) -> Counsel:
    """The advice of all experts of the graph, each with that of its inputs before it. Raises `Over`
    when the graph has no director: the advice then stays in the trace."""
    notes: dict[Function, tuple[PlanNote, ...]] = {}
    first = work.material.plan.next_note
    for rank, steps in enumerate(graph.rounds(), 1):
        experts: list[Expert] = [name for name in steps if name != DIRECTOR]
        for group, names in _by_inputs(graph, experts).items():
            given = [note for name in group for note in notes.get(name, ())]
            asked: list[tuple[Expert, Asked]] = [(name, Asked(name)) for name in names]
            asked = asked[: max(0, work.calls_left)]
            work.calls += len(asked)
            said = await consult(work, asked, first, under=f"round:{rank}", given=given)
            first += len(said)
            for name in names:
                notes[name] = tuple(note for note in said if note.tool == name)
    tools = tuple(name for name in EXPERTS if name in notes)
    if DIRECTOR not in graph.inputs:
        raise Over("retained", "the graph has no director")
    given = [note for name in graph.inputs[DIRECTOR] for note in notes.get(name, ())]
    return Counsel(tuple(given), tools)


def _by_inputs(graph: Graph, names: list[Expert]) -> dict[tuple[Function, ...], list[Expert]]:
    """The experts of a round, those with the same inputs together."""
    groups: dict[tuple[Function, ...], list[Expert]] = {}
    for name in names:
        groups.setdefault(graph.inputs[name], []).append(name)
    return groups
