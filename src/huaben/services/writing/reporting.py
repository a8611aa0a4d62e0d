"""What a continuity check found, as a record that belongs to its node: asked for, shown, and answered by the
user. Apart from the asking, because all of this costs nothing."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final, Literal, TypeAlias, cast

from huaben.domain.continuity import (
    Finding,
    FindingState,
    finding_from_json,
    finding_to_json,
    numbered,
    place_of,
)
from huaben.domain.events import ProjectEvent
from huaben.domain.manuscript import in_order
from huaben.domain.project import Project
from huaben.domain.story import Tree
from huaben.domain.text import to_utf16_each
from huaben.errors import Conflict, NotFound, StorageFailed
from huaben.ports import Commit, Due, DueJob, NodeState, Page, Stale
from huaben.services.effects import Made, once
from huaben.services.house import House
from huaben.services.stories import Story, load_story, stale
from huaben.services.writing.chapters import list_chapters
from huaben.services.writing.lacking import files_at, text_at
from huaben.services.writing.room import load_manuscript

KIND: Final = "continuity"
EVENT: Final = "continuity_changed"
"""The kind of a project's event that a check makes when it begins, ends, or is answered."""

CheckState: TypeAlias = Literal["none", "running", "done", "failed"]


@dataclass(frozen=True, slots=True)
class Report:
    """What a check found. It looked at what changed in `chapters` from checkpoint `since` (empty: from the
    beginning) to `checkpoint`; `left_out` chapters were too many, `failed` experts gave no answer."""

    job: str
    since: str
    checkpoint: str
    findings: tuple[Finding, ...] = ()
    chapters: tuple[str, ...] = ()
    left_out: tuple[str, ...] = ()
    failed: tuple[str, ...] = ()
    node: str = ""
    revision: int = 0


@dataclass(frozen=True, slots=True)
class Spot:
    """Where the words of a finding stand in a chapter as it is now, in UTF-16 units."""

    chapter: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Shown:
    """The newest check as it is seen from the head. `since` is what the next one would begin from. `spots` and
    `others` tell by a finding's number where its quotation, and what it is against, stand now."""

    state: CheckState
    message: str
    since: str
    report: Report | None
    spots: Mapping[int, Spot]
    others: Mapping[int, Spot]


# ---- asking for it -------------------------------------------------------------------------------


async def check(
    house: House, project_id: str, chapters: Sequence[str] = (), since: str | None = None
) -> DueJob:
    """Make a check due: of what changed since a checkpoint, without one since the last check; or of these
    chapters, whole. Raises `Conflict` (`checking`, `nothing_to_check`), `NotFound` for a chapter or checkpoint
    that is none."""
    standing = await list_chapters(house, project_id)
    missing = next((name for name in chapters if name not in standing.files), None)
    if missing is not None:
        raise NotFound("chapter_not_found", f"There is no chapter {missing}.")
    async with house.lock(project_id):
        lane = f"{project_id}/plan"
        if any(job.kind == KIND for job in await house.store.due(lane)):
            raise Conflict("checking", "The manuscript is being checked.", "Wait for it.")
        story = await load_story(house, project_id)
        begin = await _since(house, project_id, _path(story), since)
        last = standing.last
        if last is None or (not chapters and await files_at(house, begin) == standing.files):
            raise Conflict("nothing_to_check", "Nothing has changed since the last check.")
        payload: dict[str, object] = {
            "since": begin,
            "checkpoint": last.checkpoint.id,
            "node": story.head.turn_id,
        }
        if chapters:
            payload["chapters"] = in_order(dict.fromkeys(chapters))
        told = (project_id, ProjectEvent(EVENT, story.head.turn_id))
        due = (Due(lane, KIND, payload),)
        await house.store.commit(Commit(due=due, project_events=(told,)))
        job = next(job for job in reversed(await house.store.due(lane)) if job.kind == KIND)
    house.jobs.nudge()
    return job


async def _since(house: House, project_id: str, path: Sequence[str], since: str | None) -> str:
    if since is None:
        report = await report_at(house, path)
        return report.checkpoint if report is not None else ""
    found = await house.store.snapshot(since)
    if found is None or found.checkpoint.project_id != project_id:
        raise NotFound.of("checkpoint", since)
    return since


def _path(story: Story) -> list[str]:
    return [node.id for node in story.tree.path(story.head.turn_id)]


# ---- the record ----------------------------------------------------------------------------------


async def keep_report(
    house: House, project: Project, job: DueJob, report: Report
) -> Mapping[str, object]:
    """Let the report stand at the node of its job. What the check before it found and nobody has answered
    stays in it, as long as the new one goes on from there."""
    node = str(job.payload["node"])

    async def make() -> Made:
        tree = Tree(await house.store.skeleton(project.id))
        former = await report_at(house, [one.id for one in tree.path(node)])
        findings = report.findings
        if former is not None and former.checkpoint == report.since:
            waiting = [one for one in former.findings if one.state == "open"]
            findings = numbered([*findings, *waiting])
        there = former.revision if former is not None and former.node == node else 0
        after = replace(report, node=node, revision=there, findings=findings)
        return _commit(house, project.id, after, "scribe"), {}

    return await once(house, f"{job.id}/report", make)


async def report_at(house: House, path: Sequence[str]) -> Report | None:
    """The newest report on a path of nodes from the root."""
    state = await house.store.state_at(KIND, list(reversed(path)))
    if state is None:
        return None
    try:
        return _report(state)
    except (ValueError, KeyError) as fault:
        raise StorageFailed("damaged", f"The check at {state.node}: {fault}") from fault


def _commit(house: House, project_id: str, report: Report, author: str) -> Commit:
    """The next version of a report over its revision."""
    data: dict[str, object] = {
        "job": report.job,
        "since": report.since,
        "checkpoint": report.checkpoint,
        "findings": [finding_to_json(one) for one in report.findings],
        "chapters": list(report.chapters),
        "left_out": list(report.left_out),
        "failed": list(report.failed),
    }
    node, revision = report.node, report.revision
    row = NodeState(KIND, project_id, node, author, house.now(), data, revision + 1)
    return Commit(
        expected={("state", f"{KIND}/{node}"): revision},
        rows=(row,),
        project_events=((project_id, ProjectEvent(EVENT, node)),),
    )


def _report(state: NodeState) -> Report:
    data = state.data
    lists = [cast("list[str]", data[key]) for key in ("chapters", "left_out", "failed")]
    findings = [finding_from_json(one) for one in cast("list[object]", data["findings"])]
    return Report(
        str(data["job"]),
        str(data["since"]),
        str(data["checkpoint"]),
        tuple(findings),
        *(tuple(one) for one in lists),
        node=state.node,
        revision=state.revision,
    )


# ---- for users -----------------------------------------------------------------------------------


async def show(house: House, project_id: str) -> Shown:
    """The newest check, seen from the head. Raises `Conflict("no_manuscript")`."""
    await load_manuscript(house, project_id)
    story = await load_story(house, project_id)
    report = await report_at(house, _path(story))
    state, message = await _state(house, project_id, report)
    if report is None:
        return Shown(state, message, "", None, {}, {})
    pages = await _pages(house, project_id, report)
    spots = {one.number: _spot(pages, one.chapter, one.quote) for one in report.findings}
    others = {one.number: _spot(pages, one.against_chapter, one.against) for one in report.findings}
    return Shown(
        state,
        message,
        report.checkpoint,
        report,
        {n: one for n, one in spots.items() if one is not None},
        {n: one for n, one in others.items() if one is not None},
    )


async def settle(house: House, project_id: str, number: int, state: FindingState) -> Shown:
    """The user's word on a finding; it may be taken back. Raises `NotFound("finding_not_found")`."""
    async with house.lock(project_id):
        story = await load_story(house, project_id)
        report = await report_at(house, _path(story))
        known = report.findings if report is not None else ()
        if report is None or all(one.number != number for one in known):
            raise NotFound("finding_not_found", f"There is no finding {number}.")
        findings = tuple(
            replace(one, state=state) if one.number == number else one for one in known
        )
        commit = _commit(house, project_id, replace(report, findings=findings), "user")
        done = await house.store.commit(commit)
        if isinstance(done, Stale):
            raise stale(done)
    return await show(house, project_id)


async def _state(house: House, project_id: str, report: Report | None) -> tuple[CheckState, str]:
    """How the newest check stands; one that failed before it kept a report says why."""
    lane = f"{project_id}/plan"
    if any(job.kind == KIND for job in await house.store.due(lane)):
        return "running", ""
    jobs, _ = await house.store.jobs(Page(limit=20), KIND)
    newest = next((job for job in jobs if job.lane == lane), None)
    if newest is not None and newest.outcome.startswith("failed"):
        return "failed", newest.outcome.removeprefix("failed: ")
    return ("none" if report is None else "done"), ""


async def _pages(house: House, project_id: str, report: Report) -> Mapping[str, str]:
    """The chapters that findings name, as they are now."""
    files = (await list_chapters(house, project_id)).files
    named = {one for each in report.findings for one in (each.chapter, each.against_chapter)}
    return {
        name: await text_at(house, project_id, files[name]) for name in in_order(named & set(files))
    }


def _spot(pages: Mapping[str, str], chapter: str, quote: str) -> Spot | None:
    page = pages.get(chapter)
    found = place_of({chapter: page}, quote) if page is not None and quote else None
    if page is None or found is None:
        return None
    start, end = to_utf16_each(page, found[1:])
    return Spot(chapter, start, end)


# ---- as a resource -------------------------------------------------------------------------------


def check_json(shown: Shown) -> dict[str, object]:
    """The resource `GET /api/projects/{id}/continuity`."""
    report = shown.report
    return {
        "state": shown.state,
        "message": shown.message,
        "since": shown.since or None,
        "checkpoint": report.checkpoint if report else None,
        "chapters": list(report.chapters) if report else [],
        "left_out": list(report.left_out) if report else [],
        "failed": list(report.failed) if report else [],
        "findings": [
            {
                **finding_to_json(one),
                "advisory": one.advisory,
                "at": _spot_json(shown.spots.get(one.number)),
                "against_at": _spot_json(shown.others.get(one.number)),
            }
            for one in (report.findings if report else ())
        ],
    }


def _spot_json(spot: Spot | None) -> dict[str, object] | None:
    return None if spot is None else {"chapter": spot.chapter, "start": spot.start, "end": spot.end}
