"""What the user does with a plan: edits it, locks lines, pins and drops notes, plans a turn again, cancels a
job, switches the planner off; apart from the planner because the user may do anything (`planner.md` §7)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from huaben.domain.events import ProjectEvent
from huaben.domain.plan.checking import unfit_state
from huaben.domain.plan.notes import PlanNote, marked
from huaben.domain.plan.revision import Plan, PlanRevision, Why
from huaben.domain.plan.state import body_lines, plain_line
from huaben.domain.project import Project
from huaben.domain.text import scrub
from huaben.errors import BadInput, Conflict, NotFound
from huaben.formats.scenario import scenario_of
from huaben.ports import Commit, DueJob, Stale
from huaben.services.house import House
from huaben.services.planning import chore
from huaben.services.planning.committing import put
from huaben.services.planning.scheduling import due_of
from huaben.services.planning.standing import (
    KIND,
    Standing,
    lane_of,
    line_of,
    plan_at,
    story_turn,
)
from huaben.services.stories import Story, load_project, load_story, load_turn, stale


@dataclass(frozen=True, slots=True)
class Mark:
    """What the user thinks of a note; None leaves it as it is."""

    number: int
    pinned: bool | None = None
    dropped: bool | None = None


@dataclass(frozen=True, slots=True)
class PlanChange:
    """What to change of a plan, made against its revision `revision`; None leaves a part alone. `locks`
    are all lines that are to be locked, as they stand in the state."""

    revision: int
    state: str | None = None
    locks: tuple[str, ...] | None = None
    notes: tuple[Mark, ...] = ()


async def change_plan(house: House, project_id: str, change: PlanChange) -> PlanRevision:
    """Write the change as a revision of the user's where the head stands; the revision in force if it
    changes nothing. Raises `Conflict("stale")`, `BadInput` for a state without its headings or a line
    that is not in it, `NotFound` for a note."""
    async with house.lock(project_id):
        story = await load_story(house, project_id)
        standing = await plan_at(house, project_id, story.tree, story.head.turn_id)
        if standing.number != change.revision:
            raise _moved(change.revision, standing.number)
        plan, why = _changed(story.project, standing.plan, change)
        if plan == standing.plan and standing.revision is not None:
            return standing.revision
        revision = _revision(house, story, standing, plan, why)
        serial = await put(house, story.tree, revision)
        if serial is None:
            raise _moved(change.revision, standing.number)
        return replace(revision, serial=serial)


def _moved(expected: int, actual: int) -> Conflict:
    return Conflict(
        "stale",
        "The plan has changed meanwhile.",
        "Load the present plan and try again.",
        expected=expected,
        actual=actual,
    )


def _revision(house: House, story: Story, standing: Standing, plan: Plan, why: Why) -> PlanRevision:
    node = story.head_node
    return PlanRevision(
        project_id=story.project.id,
        beat=node.beat,
        node=node.id,
        number=standing.number + 1,
        base=standing.serial,
        author="user",
        why=why,
        at=house.now(),
        plan=plan,
        turn=max(story_turn(story.tree, node.id), standing.turn),
        history=story.head.revision,
    )


def _changed(project: Project, plan: Plan, change: PlanChange) -> tuple[Plan, Why]:
    why: Why = "note"
    if change.state is not None:
        plan, why = _with_state(project, plan, change.state), "edit"
    if change.locks is not None:
        plan = replace(plan, locks=_locks(project, plan, change.locks))
        why = why if change.state is not None else "lock"
    for mark in change.notes:
        plan = replace(plan, notes=_marked(plan.notes, mark))
    return plan, why


def _with_state(project: Project, plan: Plan, state: str) -> Plan:
    """The plan with another state; locks of lines that are gone go too."""
    text = scrub(state).strip()
    unfit = unfit_state(text, project.language, scenario_of(project.config).planner.max_state_chars)
    if unfit is not None:
        raise BadInput(
            f"plan_{unfit.code}",
            f"The plan cannot be kept: {unfit.code.replace('_', ' ')} {unfit.detail}".rstrip(),
            "It must have all its heading lines, unchanged and in their order.",
        )
    there = {plain_line(line) for line in body_lines(text, project.language)}
    return replace(plan, state=text, locks=tuple(lock for lock in plan.locks if lock in there))


def _locks(project: Project, plan: Plan, lines: Sequence[str]) -> tuple[str, ...]:
    there = {plain_line(line) for line in body_lines(plan.state, project.language)}
    wanted = tuple(dict.fromkeys(plain_line(line) for line in lines))
    missing = next((line for line in wanted if line not in there), None)
    if missing is not None:
        raise BadInput("plan_line_not_found", f"The plan has no such line: {missing}")
    return wanted


def _marked(notes: Sequence[PlanNote], mark: Mark) -> tuple[PlanNote, ...]:
    found = marked(notes, mark.number, pinned=mark.pinned, dropped=mark.dropped)
    if found is None:
        raise NotFound("plan_note_not_found", f"The plan has no note {mark.number}.")
    return found


# ---- jobs --------------------------------------------------------------------------------------


async def plan_again(house: House, project_id: str, turn_id: str) -> DueJob:
    """Make the planning of a turn due once more; the job. Raises `NotFound`, `Conflict` when the planner is off
    (`planner_off`), when it is due already (`plan_due`), when the plan has gone on in later turns
    (`plan_moved_on`)."""
    turn = await load_turn(house, turn_id)
    if turn.project_id != project_id:
        raise NotFound.of("turn", turn_id)
    async with house.lock(project_id):
        story = await load_story(house, project_id)
        if turn.kind != "turn" or turn.parent is None or turn.run == "queued":
            raise Conflict(
                "not_a_turn", "Only a turn of the story that has begun can be planned for."
            )
        if not scenario_of(story.project.config).planner.enabled:
            raise Conflict("planner_off", "The planner is switched off.", "Switch it on first.")
        await _check_free(house, story, turn_id)
        due = due_of(turn, story.head.revision)
        await house.store.commit(Commit(due=(due,)))
        house.jobs.nudge()
        return (await house.store.due(due.lane))[-1]


async def _check_free(house: House, story: Story, turn_id: str) -> None:
    for job in await house.store.due(lane_of(story.project.id)):
        if job.kind == KIND and job.payload.get("turn") == turn_id:
            raise Conflict("plan_due", "This turn is being planned for already.")
    beat = story.tree[turn_id].beat
    on_the_way = {node.beat for node in story.tree.path(turn_id)}
    later = line_of(story.tree, turn_id) - on_the_way - {beat}
    if later and await house.store.plan_at(story.project.id, later) is not None:
        raise Conflict("plan_moved_on", "The plan has gone on in later turns.")


async def cancel_job(house: House, project_id: str, number: int) -> DueJob:
    """Ask a planning job to end. Raises `NotFound`, `Conflict("job_over")`."""
    await load_project(house, project_id)
    job = await chore.planning_job(house, project_id, number)
    if job.outcome:
        raise Conflict("job_over", f"The job is over: {job.outcome}.")
    await chore.cancel(house, job)
    return job


# ---- the switch --------------------------------------------------------------------------------


async def switch(house: House, project_id: str, *, on: bool) -> Project:
    """Switch the planner of a project on or off; what is planned stays. Raises `Conflict("stale")`,
    `BadInput` when the scenario does not hold together so."""
    project = await load_project(house, project_id)
    config: Mapping[str, object] = {**project.config, "planner.enabled": on}
    scenario = scenario_of(config)
    if on and scenario.planner.routing == "auto" and not scenario.models.escalation:
        raise BadInput("bad_scenario", "planner.routing: auto needs an escalation model")
    after = replace(project, config=config)
    done = await house.store.commit(
        Commit(
            expected={("project", project_id): project.revision},
            rows=(after,),
            project_events=((project_id, ProjectEvent("project_changed")),),
        )
    )
    if isinstance(done, Stale):
        raise stale(done)
    return replace(after, revision=done.revisions["project", project_id])
