"""A planning job from its snapshot to its outcome; the order of things, and nothing else (`planner.md` §3)."""

from __future__ import annotations

from typing import cast

from huaben.domain.plan.graph import Graph, GraphFault, parse_graph
from huaben.domain.plan.material import Material, material_from_json
from huaben.domain.plan.names import new_names
from huaben.domain.plan.rules import DIRECTOR, Asked, Function, Routed, forced
from huaben.domain.plan.settings import PlannerSection
from huaben.domain.plan.trace import OUTCOMES, TraceNode
from huaben.errors import HuabenError
from huaben.planner.commit import write
from huaben.planner.desk import Counsel, Desk, Done, Over
from huaben.planner.experts import consult
from huaben.planner.graph import run_graph
from huaben.planner.progress import Progress
from huaben.planner.route import Phase, route

FIRST, SECOND = "route:1", "route:2"


async def run_job(desk: Desk, section: PlannerSection) -> Done:
    """Carry a job out. Whatever goes wrong is an outcome; only being cut off raises."""
    try:
        opened = await desk.step("open", desk.open)
    except HuabenError as fault:
        return Done("failed", f"{fault.code}: {fault.message}")
    outcome = opened.get("outcome")
    if outcome in OUTCOMES:
        return Done(outcome, str(opened.get("detail", "")))
    work = Progress(
        desk,
        section,
        material_from_json(opened["material"]),
        cast("int", opened["base"]),  # as the service gives it
        cast("int", opened["day_tokens"]),
        cast("int | None", opened.get("shadow")),
    )
    base = work.base
    serial = 0
    try:
        serial = await _plan(work)
        outcome, detail = "committed", ""
    except Over as over:
        outcome, detail = over.outcome, over.detail
    except HuabenError as fault:
        outcome, detail = "failed", f"{fault.code}: {fault.message}"
    turn = work.material.turn
    return Done(outcome, detail, base, serial, turn, tuple(work.nodes))


async def _plan(work: Progress) -> int:
    """The serial of the revision that the job made. Raises `Over` with any other outcome."""
    graph = parse_graph(work.section.graph)
    if isinstance(graph, GraphFault):  # no file with it loads, but a stored setting may be old
        raise Over("failed", f"graph: {graph}")
    if isinstance(graph, Graph):
        counsel = await run_graph(work, graph)
        return await write(work, Asked(DIRECTOR), counsel, under="graph")
    enabled = work.section.offered
    if not enabled:
        raise Over("retained", "no function is enabled")
    must = _must(work.material, enabled)
    await work.add(_snapshot(work, must))
    first = await route(work, Phase(FIRST, enabled, must, under="snapshot"))
    if not first.asked:
        raise Over("retained")
    notes = await consult(work, first.experts, work.material.plan.next_note, under=FIRST)
    counsel = Counsel(notes, tuple(name for name, _ in first.experts))
    asked, under = await _director(work, enabled, first, counsel)
    return await write(work, asked, counsel, under=under)


def _must(material: Material, enabled: tuple[Function, ...]) -> tuple[Asked, ...]:
    known = "\n".join((material.plan.state, *material.known_names))
    names = new_names(material.recent, known)
    return forced(enabled, first_turn=material.first_turn, new_names=names)


async def _director(
    work: Progress, enabled: tuple[Function, ...], first: Routed, counsel: Counsel
) -> tuple[Asked, str]:
    """The call of the director and what led to it: chosen in the first phase, or in the second, which
    an expert that was forced binds to call it. Raises `Over` when nobody wants it."""
    if first.director is not None:
        return first.director, FIRST
    if DIRECTOR not in enabled:
        raise Over("retained", "the director is not enabled")
    must = any(one.forced for one in first.asked)
    demanded = (Asked(DIRECTOR, forced="forced_expert"),) if must else ()
    phase = Phase(SECOND, (DIRECTOR,), demanded, counsel.notes, FIRST)
    second = await route(work, phase)
    if second.director is None:
        raise Over("retained")
    return second.director, SECOND


def _snapshot(work: Progress, must: tuple[Asked, ...]) -> TraceNode:
    material = work.material
    detail = "; ".join(f"{one.function}: {one.forced}" for one in must)
    sizes = {
        "messages": len(material.messages),
        "words": len(material.words.text),
        "persona": len(material.persona),
        "state": len(material.plan.state),
        "notes": len(material.plan.active),
    }
    if work.shadow is not None:
        sizes["shadow_tokens"] = work.shadow
    return TraceNode("snapshot", "snapshot", "", "done", detail=detail, sizes=sizes)
