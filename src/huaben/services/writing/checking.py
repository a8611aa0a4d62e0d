"""The continuity check: the planner's experts hold the changed passages of a manuscript against the ledger and
the later chapters, and report conflicts with quotations (`writing.md` §5).

A job of the project's `plan` lane, started by the user. It changes nothing; what it found waits for the user's
word.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final, cast

from huaben.domain.continuity import (
    CHECKERS,
    Finding,
    finding_from_json,
    finding_to_json,
    numbered,
    placed,
    read_findings,
)
from huaben.domain.jsonvalue import Json
from huaben.domain.plan.notes import Expert
from huaben.domain.plan.replies import Unreadable
from huaben.domain.project import Project
from huaben.domain.scenario import Scenario
from huaben.domain.story import Tree
from huaben.errors import HuabenError
from huaben.formats.scenario import scenario_of
from huaben.ports import DueJob, Model, Step
from huaben.prompt.continuity import CheckScene, Passage, compose_check, ledger_text
from huaben.services.aftermath.errands import Errand, run_errand
from huaben.services.house import House
from huaben.services.standing import stood_at
from huaben.services.stories import load_project
from huaben.services.writing.lacking import Part, part_text, text_at
from huaben.services.writing.reporting import Report, keep_report
from huaben.services.writing.rounds import Compared, Round, rounds_of, sized_for

PURPOSE: Final = "continuity"


@dataclass(frozen=True, slots=True)
class _Check:
    """One run of a job."""

    house: House
    job: DueJob
    project: Project
    scenario: Scenario

    @property
    def node(self) -> str:
        return str(self.job.payload["node"])

    def model(self) -> Model:
        """Raises `NoConnection`."""
        roles = self.scenario.models
        return self.house.models.for_role("planner", roles.planner or roles.story)


async def carry_out(house: House, job: DueJob, step: Step) -> str:
    """Ask round after round, then keep the report. An expert that fails is named in it."""
    project = await load_project(house, job.lane.partition("/")[0])
    check = _Check(house, job, project, scenario_of(project.config))
    given = await step("open", lambda: _open(check))
    findings: list[Finding] = []
    failed: list[str] = []
    rounds = [Round.from_json(one) for one in cast("list[Mapping[str, object]]", given["rounds"])]
    for n, one in enumerate(rounds):
        told = await step(f"round {n}", lambda n=n, one=one: _ask_all(check, n, one))
        findings += [finding_from_json(each) for each in cast("list[object]", told["findings"])]
        failed += cast("list[str]", told["failed"])  # as `_ask_all` gives it
    report = Report(
        job=job.id,
        since=str(job.payload.get("since") or ""),
        checkpoint=str(job.payload["checkpoint"]),
        findings=numbered(findings),
        chapters=tuple(cast("list[str]", given["chapters"])),
        left_out=tuple(cast("list[str]", given["left_out"])),
        failed=tuple(dict.fromkeys(failed)),
    )
    await step("report", lambda: keep_report(house, project, job, report))
    calls = len(rounds) * len(CHECKERS)
    if calls and len(failed) == calls:
        return f"failed: {failed[0]}"
    return "done"


async def _open(check: _Check) -> Mapping[str, object]:
    """What is to be compared with what, in rounds that a model can take in."""
    payload = check.job.payload
    chosen = payload.get("chapters")
    compared = Compared(
        check.project.id,
        str(payload.get("since") or ""),
        str(payload["checkpoint"]),
        tuple(cast("list[str]", chosen)) if isinstance(chosen, list) else (),
    )
    planned = await rounds_of(check.house, compared, sized_for(check.model().window))
    return {
        "rounds": [one.to_json() for one in planned.rounds],
        "chapters": list(planned.chapters),
        "left_out": list(planned.left_out),
    }


# ---- asking --------------------------------------------------------------------------------------


async def _ask_all(check: _Check, n: int, one: Round) -> Mapping[str, object]:
    """All experts of a round, so many at a time as the scenario allows; whoever fails is named."""
    scene = await _scene(check, one)
    pages = await _pages(check, one)
    gate = asyncio.Semaphore(max(1, check.scenario.planner.parallel))

    async def ask(expert: Expert) -> list[Finding] | str:
        async with gate:
            try:
                return await _ask(check, n, expert, scene, pages)
            except HuabenError as fault:
                return f"{expert}: {fault.code}"

    answers = await asyncio.gather(*(ask(expert) for expert in CHECKERS))
    found: list[Json] = [
        finding_to_json(each) for one in answers if not isinstance(one, str) for each in one
    ]
    return {"findings": found, "failed": [one for one in answers if isinstance(one, str)]}


async def _ask(
    check: _Check, n: int, expert: Expert, scene: CheckScene, pages: Mapping[str, str]
) -> list[Finding]:
    """What an expert finds. Raises `ProviderFailed`, `NoConnection`, `HuabenError("unreadable")`."""
    errand = Errand(
        f"{check.job.id}/round/{n}/{expert}",
        check.node,
        check.project.id,
        check.project.user_id,
        PURPOSE,
        compose_check(scene, expert),
    )
    said = read_findings(await run_errand(check.house, check.model(), errand))
    if isinstance(said, Unreadable):
        raise HuabenError("unreadable", f"The answer of {expert} holds no findings: {said.code}.")
    ledger = ledger_text(scene.language, scene.ledger)
    return [placed(one, expert, pages, ledger) for one in said]


async def _scene(check: _Check, one: Round) -> CheckScene:
    house, project = check.house, check.project
    path = Tree(await house.store.skeleton(project.id)).path(check.node)
    ledger = (await stood_at(house, path)).standing.ledger
    passages = [
        Passage(part.name, await _text(house, project.id, part), before)
        for part, before in one.passages
    ]
    later = [(part.name, await part_text(house, project.id, part)) for part in one.later]
    return CheckScene(project.language, ledger, tuple(passages), tuple(later))


async def _pages(check: _Check, one: Round) -> Mapping[str, str]:
    """The chapters of a round, whole, the changed ones first: there quotations are looked for."""
    parts: Sequence[Part] = (*(part for part, _ in one.passages), *one.later)
    texts = {part.name: part.sha256 for part in parts if part.sha256}
    return {
        name: await text_at(check.house, check.project.id, sha256) for name, sha256 in texts.items()
    }


async def _text(house: House, project_id: str, part: Part) -> str:
    """The passage as it is now; nothing of a chapter that is gone."""
    return await part_text(house, project_id, part) if part.sha256 else ""
