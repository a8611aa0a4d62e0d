"""Committing a candidate by compare-and-swap, and what follows when somebody was faster; apart from writing
one because only here a job can meet another writer (`planner.md` §5)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from typing import cast

from huaben.domain.plan.checking import Adopted
from huaben.domain.plan.notes import PlanNote
from huaben.domain.plan.revision import Plan, plan_from_json, with_notes
from huaben.domain.plan.rules import DIRECTOR, Asked
from huaben.domain.plan.trace import TraceNode
from huaben.planner.desk import Candidate, Counsel, Over
from huaben.planner.director import direct
from huaben.planner.progress import Progress
from huaben.prompt.planning import principle


async def write(work: Progress, asked: Asked, counsel: Counsel, *, under: str) -> int:
    """Let the director write and commit what it wrote; the serial of the new revision. Where the plan
    has moved on meanwhile it is left alone, or the director writes again on what stands now. Raises
    `Over`."""
    rebases = work.section.rebases if work.section.on_conflict == "rebase" else 0
    for attempt in range(1, rebases + 2):
        notes = counsel.notes
        adopted = await direct(work, asked, notes, under=under, attempt=attempt)
        serial = await _commit(work, adopted, counsel, attempt)
        if serial is not None:
            return serial
        if attempt <= rebases:
            counsel = await _rebased(work, counsel, attempt)
    raise Over("stale_write_rejected")


async def _commit(work: Progress, adopted: Adopted, counsel: Counsel, attempt: int) -> int | None:
    """None when somebody else was faster."""
    plan = _following(work.material.plan, adopted.state, counsel, work)
    candidate = Candidate(plan, (*counsel.tools, DIRECTOR), work.material.turn)
    node = _numbered("commit", attempt)
    action = partial(work.desk.plans.commit, work.base, candidate)
    done = await work.desk.step(node, action)
    director = _numbered("validate", attempt)
    if done.get("moved"):
        detail = f"the plan is no longer at revision {work.base}"
        await work.add(TraceNode(node, "commit", "", "refused", director, detail))
        return None
    serial = cast("int", done["serial"])  # as the port gives it
    detail = f"revision {serial}, {len(counsel.notes)} notes"
    await work.add(TraceNode(node, "commit", "", "done", director, detail))
    return serial


def _following(before: Plan, state: str, counsel: Counsel, work: Progress) -> Plan:
    """The plan with the new state and the notes of this job, and, the first time, the principle."""
    new = list(counsel.notes)
    if all(note.group != "agency" for note in before.notes):
        number = max([before.next_note, *(note.number + 1 for note in new)])
        text = principle(work.material.language)
        new.append(PlanNote(number, "agency", text, "", work.material.turn))
    return with_notes(before, state, new)


async def _rebased(work: Progress, counsel: Counsel, attempt: int) -> Counsel:
    """Look at the plan as it stands now; the notes of this job are numbered after its own."""
    latest = await work.desk.step(_numbered("rebase", attempt), work.desk.plans.latest)
    work.base = cast("int", latest["base"])  # as the port gives it
    plan = plan_from_json(cast("Mapping[str, object]", latest["plan"]))
    work.material = replace(work.material, plan=plan)
    notes = tuple(
        replace(note, number=plan.next_note + at) for at, note in enumerate(counsel.notes)
    )
    return replace(counsel, notes=notes)


def _numbered(name: str, attempt: int) -> str:
    return name if attempt == 1 else f"{name}:{attempt}"
