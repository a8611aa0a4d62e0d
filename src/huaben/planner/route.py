"""Routing: which functions a phase calls, by the orchestrator, by escalation and by the rules that force work;
apart from calling them because a route decides and does nothing (`planner.md` §3)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from huaben.domain.plan.notes import PlanNote
from huaben.domain.plan.replies import read_route
from huaben.domain.plan.rules import DIRECTOR, Asked, Function, Routed, Wanted, admitted
from huaben.domain.plan.trace import TraceNode
from huaben.errors import HuabenError
from huaben.planner.asking import Answer
from huaben.planner.desk import Errand, Over
from huaben.planner.progress import Progress, node_of, refused_node
from huaben.prompt.planning import compose_route


@dataclass(frozen=True, slots=True)
class Phase:
    """One phase of routing: its name in the trace, what is on offer, what must be called, and in the
    second the advice so far. `under` is the node that led to it."""

    node: str
    offered: tuple[Function, ...]
    must: tuple[Asked, ...]
    advice: tuple[PlanNote, ...] | None = None
    under: str = ""


async def route(work: Progress, phase: Phase) -> Routed:
    """Route a phase. What must be called is called even when the orchestrator fails; without that its
    failure is the job's. Raises `Over`."""
    wanted = await _wanted(work, phase, escalated=False)
    asked = [one for one in wanted if one.name in phase.offered]
    if work.section.routing == "auto" and len(asked) >= work.section.escalate_at:
        wanted = await _wanted(work, phase, escalated=True) or wanted
    # Where the director may still be wanted, one call is kept for it.
    spare = 1 if DIRECTOR in phase.offered and len(phase.offered) > 1 else 0
    chosen = {one.name for one in wanted}
    room = work.calls_left - (0 if DIRECTOR in chosen else spare)
    routed = admitted(wanted, phase.must, phase.offered, room)
    work.calls += len(routed.asked)
    await work.add(*_refused(phase, routed))
    return routed


async def _wanted(work: Progress, phase: Phase, *, escalated: bool) -> tuple[Wanted, ...]:
    errand = _errand(work, phase, escalated=escalated)
    if isinstance(errand, str):
        return _without(phase, "failed", errand)
    why = work.refusal(errand)
    if why:
        await work.add(refused_node(errand, why, phase.under))
        return _without(phase, "retained" if why != "over_deadline" else "failed", why)
    answer = await work.ask(errand)
    work.take([errand], [answer])
    if answer.heard is None:
        await work.add(node_of(errand, answer, under=phase.under))
        if escalated:
            return ()  # what the ordinary model asked for stands
        return _without(phase, "failed", f"{answer.code}: {answer.message}")
    wanted = read_route(answer.heard.text, answer.heard.calls)
    await work.add(_node(errand, answer, phase, wanted))
    return wanted


def _without(phase: Phase, outcome: str, why: str) -> tuple[Wanted, ...]:
    """What a phase does without its orchestrator."""
    if phase.must:
        return ()
    raise Over("retained" if outcome == "retained" else "failed", why)


def _errand(work: Progress, phase: Phase, *, escalated: bool) -> Errand | str:
    """The call of a phase, or why there is no model for it."""
    try:
        as_text = not work.desk.voices.calls_tools(escalated=escalated)
    except HuabenError as fault:
        return f"{fault.code}: {fault.message}"
    prompt = compose_route(work.scene, phase.offered, phase.advice, as_text=as_text)
    node = f"{phase.node}:escalated" if escalated else phase.node
    return Errand(node, "route", prompt, escalated)


def _node(errand: Errand, answer: Answer, phase: Phase, wanted: Sequence[Wanted]) -> TraceNode:
    asked = ", ".join(one.name for one in wanted)
    forced = ", ".join(f"{one.function} ({one.forced})" for one in phase.must)
    told = "; ".join(part for part in (asked, f"forced: {forced}" if forced else "") if part)
    return node_of(errand, answer, under=phase.under, detail=told)


def _refused(phase: Phase, routed: Routed) -> list[TraceNode]:
    return [
        TraceNode(f"refused:{one.name}", "expert", one.name, "refused", phase.node, one.why)
        for one in routed.refused
    ]
