"""Experts: each looks at the same material for one thing and advises; apart from the director because they
write nothing (`planner.md` §3)."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TypeAlias, cast

from huaben.domain.plan.notes import Advice, Expert, Occasion, PlanNote, is_advisory, made
from huaben.domain.plan.replies import Advised, read_advice
from huaben.domain.plan.rules import Asked
from huaben.domain.plan.trace import TraceNode
from huaben.errors import HuabenError
from huaben.planner.asking import Answer, answered, ask
from huaben.planner.desk import Desk, Errand
from huaben.planner.progress import Progress, node_of, refused_node
from huaben.prompt.planning import compose_expert

Weighed: TypeAlias = tuple[tuple[Advice, bool], ...]


@dataclass(frozen=True, slots=True)
class _Said:
    """An expert's step: the call, and each thing advised with whether its quotation was found.
    `unreadable` says why nothing could be read."""

    answer: Answer
    advice: Weighed = ()
    unreadable: str = ""


async def consult(
    work: Progress,
    asked: Sequence[tuple[Expert, Asked]],
    first: int,
    *,
    under: str,
    given: Sequence[PlanNote] = (),
) -> tuple[PlanNote, ...]:
    """Ask the experts, so many at a time as the scenario allows, and number their notes from `first`
    in the order in which they were asked. One that fails is in the trace, and the others go on.
    Raises `Over` when the job is cancelled."""
    notes: list[PlanNote] = []
    for at in range(0, len(asked), work.section.parallel):
        batch = asked[at : at + work.section.parallel]
        errands = [_errand(work, one, given) for _, one in batch]
        allowed = [(pair, e) for pair, e in zip(batch, errands, strict=True) if not work.refusal(e)]
        refused = [e for e in errands if work.refusal(e)]
        await work.add(*(refused_node(e, work.refusal(e), under) for e in refused))
        heard = await asyncio.gather(*(_heard(work, errand) for _, errand in allowed))
        work.take([errand for _, errand in allowed], [said.answer for said in heard])
        nodes: list[TraceNode] = []
        for ((name, one), errand), said in zip(allowed, heard, strict=True):
            occasion = Occasion(work.material.turn, work.material.words.text)
            own = made(name, said.advice, occasion, first + len(notes))
            notes += own
            nodes.append(_node(errand, one, said, own, under))
        await work.add(*nodes)
    return tuple(notes)


def _errand(work: Progress, asked: Asked, given: Sequence[PlanNote]) -> Errand:
    return Errand(f"expert:{asked.function}", "expert", compose_expert(work.scene, asked, given))


async def _heard(work: Progress, errand: Errand) -> _Said:
    """Ask, read and weigh in one step, so that a rerun knows the same."""
    action = partial(_advise, work.desk, errand, work.section.call_s, work.left_s)
    try:
        return _said(await work.desk.step(errand.node, action))
    except HuabenError as fault:  # after the last attempt at the step
        return _Said(Answer(None, fault.code, fault.message))


async def _advise(desk: Desk, errand: Errand, call_s: float, left_s: float) -> Mapping[str, object]:
    recorded = await ask(desk, errand, call_s, left_s)
    answer = answered(recorded)
    if answer.heard is None:
        return recorded
    reply = read_advice(answer.heard.text)
    if not isinstance(reply, Advised):
        return {**recorded, "unreadable": reply.code}
    quotes = [one.quote for one in reply.advice]
    found = await desk.quoted(quotes) if any(quotes) else [False] * len(quotes)
    weighed = [
        [one.text, one.quote, checked] for one, checked in zip(reply.advice, found, strict=True)
    ]
    return {**recorded, "advice": weighed}


def _said(recorded: Mapping[str, object]) -> _Said:
    rows = cast(
        "Sequence[tuple[str, str, bool]]", recorded.get("advice") or ()
    )  # as `_advise` gives
    advice = tuple((Advice(text, quote), checked) for text, quote, checked in rows)
    return _Said(answered(recorded), advice, str(recorded.get("unreadable", "")))


def _node(
    errand: Errand, asked: Asked, said: _Said, notes: Sequence[PlanNote], under: str
) -> TraceNode:
    if said.unreadable:
        detail = f"unreadable: {said.unreadable}"
        return node_of(errand, said.answer, under=under, status="failed", detail=detail)
    if said.answer.heard is None:
        return node_of(errand, said.answer, under=under)
    unproved = sum(is_advisory(note) for note in notes)
    parts = [f"{len(notes)} notes, {unproved} advisory"]
    parts += [f"forced: {asked.forced}"] if asked.forced else []
    parts += [f"focus: {asked.focus}"] if asked.focus else []
    return node_of(errand, said.answer, under=under, detail="; ".join(parts))
