"""Plans and planning jobs as plain values for clients; apart from changing them because looking is all that
most clients do (`planner.md` §7)."""

from __future__ import annotations

import difflib
from collections.abc import Mapping, Sequence
from typing import TypeAlias

from huaben.domain.plan.notes import is_advisory
from huaben.domain.plan.revision import PlanRevision, note_to_json
from huaben.domain.plan.state import body_lines, headings, plain_line
from huaben.domain.plan.trace import PlanTrace, TraceNode, nodes_to_json
from huaben.domain.project import Language, Project
from huaben.errors import NotFound
from huaben.formats.scenario import scenario_of
from huaben.ports import DueJob
from huaben.services.house import House
from huaben.services.planning.standing import (
    KIND,
    Standing,
    beats_to,
    lane_of,
    plan_at,
    story_turn,
)
from huaben.services.stories import is_planning, load_project, load_story
from huaben.services.tracing import trace_json, traces_of

Shown: TypeAlias = Mapping[str, object]
PAGE = 50


async def show_plan(house: House, project_id: str, at: str | None = None) -> Shown:
    """The plan in force at a node, by default at the head; before the first revision an empty one with
    the number 0. Raises `NotFound`."""
    story = await load_story(house, project_id)
    node = at if at is not None and at in story.tree else story.head.turn_id
    standing = await plan_at(house, project_id, story.tree, node)
    turns = story_turn(story.tree, node)
    jobs = await house.store.due(lane_of(project_id))
    return {
        "at": node,
        **_standing(story.project, standing),
        "headings": list(headings(story.project.language)),
        "age_turns": max(0, turns - standing.turn),
        "enabled": scenario_of(story.project.config).planner.enabled,
        "planning": [job.seq for job in jobs if job.kind == KIND],
    }


def _standing(project: Project, standing: Standing) -> dict[str, object]:
    plan, revision = standing.plan, standing.revision
    locks = set(plan.locks)
    return {
        "revision": standing.number,
        "serial": standing.serial,
        "state": plan.state,
        "locked": [
            line for line in body_lines(plan.state, project.language) if plain_line(line) in locks
        ],
        "notes": [
            {**note_to_json(note), "label": note.label, "advisory": is_advisory(note)}
            for note in plan.notes
        ],
        "turn": standing.turn,
        "author": revision.author if revision else "",
        "made_at": revision.at if revision else "",
        "node": revision.node if revision else "",
    }


# ---- revisions ---------------------------------------------------------------------------------


async def show_revisions(
    house: House, project_id: str, before: int | None = None, limit: int = PAGE
) -> tuple[list[Shown], int | None]:
    """The revisions on the way to the head, newest first, each with what it changed. Raises
    `NotFound`."""
    story = await load_story(house, project_id)
    beats = beats_to(story.tree, story.head.turn_id)
    found = await house.store.plan_revisions(project_id, beats, before, min(max(limit, 1), 100) + 1)
    page, more = found[:limit], len(found) > limit
    known = {one.serial: one for one in found}
    shown: list[Shown] = []
    for one in page:
        base = known.get(one.base)
        if base is None and one.base:
            base = await house.store.plan_revision(project_id, one.base)
        shown.append(_revision(story.project.language, one, base))
    return shown, page[-1].serial if page and more else None


def _revision(language: Language, one: PlanRevision, base: PlanRevision | None) -> Shown:
    before = base.plan if base is not None else None
    known = {note.number for note in before.notes} if before is not None else set[int]()
    return {
        "revision": one.number,
        "serial": one.serial,
        "base": one.base,
        "author": one.author,
        "why": one.why,
        "made_at": one.at,
        "node": one.node,
        "turn": one.turn,
        "history": one.history,
        "tools": list(one.tools),
        "job": one.job,
        "state": one.plan.state,
        "changes": changes(before.state if before is not None else "", one.plan.state, language),
        "new_notes": [note_to_json(note) for note in one.plan.notes if note.number not in known],
    }


def changes(before: str, after: str, language: Language) -> list[dict[str, str]]:
    """The lines by which two states differ, in the order of the later one: `{op, line}` with `added`
    or `removed`. Headings never change and are left out."""
    names = set(headings(language))
    old = [line for line in before.splitlines() if line.strip() and line not in names]
    new = [line for line in after.splitlines() if line.strip() and line not in names]
    found: list[dict[str, str]] = []
    matcher = difflib.SequenceMatcher(None, old, new, autojunk=False)
    for _, i, j, k, m in (step for step in matcher.get_opcodes() if step[0] != "equal"):
        found += ({"op": "removed", "line": line} for line in old[i:j])
        found += ({"op": "added", "line": line} for line in new[k:m])
    return found


# ---- jobs --------------------------------------------------------------------------------------


async def show_jobs(
    house: House, project_id: str, before: int | None = None, limit: int = PAGE
) -> tuple[list[Shown], int | None]:
    """The planning jobs, newest first: those that wait or run before those that are over. Raises
    `NotFound`."""
    await load_story(house, project_id)
    traces = await house.store.plan_traces(project_id, before, min(max(limit, 1), 100) + 1)
    page, more = traces[:limit], len(traces) > limit
    due = [job for job in await house.store.due(lane_of(project_id)) if job.kind == KIND]
    traced = {trace.seq for trace in page}
    waiting = [job for job in due if job.seq not in traced] if before is None else []
    shown = [_job(house, _untold(project_id, job), job) for job in reversed(waiting)]
    open_ = {job.seq: job for job in due}
    shown += [_job(house, trace, open_.get(trace.seq)) for trace in page]
    return shown, page[-1].seq if page and more else None


async def show_job(house: House, project_id: str, number: int) -> Shown | None:
    """One planning job with its trace; None where there is none. Raises `NotFound` for the project."""
    await load_project(house, project_id)
    job = await house.store.job(lane_of(project_id), number)
    trace = await house.store.plan_trace(project_id, number)
    if trace is None and job is not None and job.kind == KIND:
        trace = _untold(project_id, job)
    return None if trace is None else _job(house, trace, job)


async def jobs_of(house: House, project_id: str, turn_id: str) -> list[Shown]:
    """The planning jobs of one turn, oldest first."""
    found: list[Shown] = []
    before: int | None = None
    while True:
        page, before = await show_jobs(house, project_id, before, 100)
        found += (job for job in page if job["turn"] == turn_id)
        if before is None:
            return found[::-1]


async def show_calls(house: House, project_id: str, number: int) -> list[Shown]:
    """The model calls that the planning of a job's turn has made, as they were sent. Raises
    `NotFound`."""
    shown = await show_job(house, project_id, number)
    if shown is None:
        raise NotFound.of("plan_job", f"{number}")
    records = await house.store.calls(str(shown["turn"]))
    own = [record for record in records if is_planning(record)]
    return [trace_json(trace) for trace in await traces_of(house, project_id, own)]


def _untold(project_id: str, job: DueJob) -> PlanTrace:
    """The trace of a job that has told nothing yet."""
    turn, beat = str(job.payload.get("turn", "")), str(job.payload.get("beat", ""))
    return PlanTrace(project_id, job.seq, turn, beat, job.made_at, detail=job.outcome)


def _job(house: House, trace: PlanTrace, job: DueJob | None) -> Shown:
    """A job as its trace tells it; `job` is its due row where that is known."""
    running = job is not None and job.id in house.jobs.running
    outcome = trace.outcome or ("" if job is None else job.outcome.partition(":")[0])
    return {
        "number": trace.seq,
        "turn": trace.turn_id,
        "state": "over" if outcome else "running" if running else "waiting",
        "outcome": outcome,
        "detail": trace.detail,
        "began_at": trace.began_at,
        "ended_at": trace.ended_at,
        "base": trace.base,
        "revision": trace.revision,
        "source_turn": trace.turn,
        **_spent(trace.nodes),
        "nodes": nodes_to_json(trace.nodes),
    }


def _spent(nodes: Sequence[TraceNode]) -> dict[str, object]:
    """Tokens, and cost by currency, of a job."""
    cost: dict[str, int] = {}
    for node in nodes:
        if node.cost_micros is not None:
            cost[node.currency] = cost.get(node.currency, 0) + node.cost_micros
    return {
        "calls": sum(1 for node in nodes if node.call),
        "prompt": sum(node.prompt or 0 for node in nodes),
        "completion": sum(node.completion or 0 for node in nodes),
        "cached": sum(node.cached or 0 for node in nodes),
        "cost_micros": cost,
    }
