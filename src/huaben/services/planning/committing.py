"""The plan's one way to change, for jobs and users alike: compare-and-swap on the plans of the project, and
what a refusal means on this branch; apart from both because neither may overwrite the other (`planner.md`
§5)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from huaben.domain.events import ProjectEvent
from huaben.domain.plan.revision import PlanRevision, plan_to_json
from huaben.domain.story import Tree, Turn
from huaben.errors import Conflict
from huaben.planner.desk import Candidate
from huaben.ports import Commit, DueJob, Stale
from huaben.services.house import House
from huaben.services.planning.standing import line_of, plan_on_line

CHANGED = "plan_changed"
AGAIN = 20
"""Attempts while others write to plans of other branches."""


async def put(house: House, tree: Tree, revision: PlanRevision) -> int | None:
    """Write a revision that was made from `revision.base`; its serial, or None when the plan of its
    branch has moved on since. What other branches have written does not matter. Raises `Conflict`
    when others write without end."""
    line = line_of(tree, revision.node)
    for _ in range(AGAIN):
        newer = await house.store.plan_beats(revision.project_id, revision.base)
        if any(beat in line for _, beat in newer):
            return await _ours(house, revision, [serial for serial, _ in newer])
        top = newer[-1][0] if newer else revision.base
        detail = {"revision": revision.number, "author": revision.author, "why": revision.why}
        done = await house.store.commit(
            Commit(
                expected={("plan", revision.project_id): top},
                rows=(revision,),
                project_events=(
                    (revision.project_id, ProjectEvent(CHANGED, revision.node, detail)),
                ),
            )
        )
        if not isinstance(done, Stale):
            return done.revisions["plan", revision.project_id]
    raise Conflict("plan_busy", "Others write to the plans of this story all the time.")


async def _ours(house: House, revision: PlanRevision, newer: list[int]) -> int | None:
    """The serial of the revision if it stands there already: its commit was carried out and only the
    answer was lost."""
    for serial in newer if revision.job else ():
        found = await house.store.plan_revision(revision.project_id, serial)
        if found is not None and _same(found, revision):
            return serial
    return None


def _same(found: PlanRevision, revision: PlanRevision) -> bool:
    return (found.job, found.beat, found.number, found.plan.state) == (
        revision.job,
        revision.beat,
        revision.number,
        revision.plan.state,
    )


@dataclass(frozen=True, slots=True)
class JobPlans:
    """Implements `planner.desk.Plans` for one job."""

    house: House
    turn: Turn
    job: DueJob

    async def commit(self, base: int, candidate: Candidate) -> Mapping[str, object]:
        tree = await self._tree()
        before = None
        if base:
            before = await self.house.store.plan_revision(self.turn.project_id, base)
        history = self.job.payload.get("history")
        revision = PlanRevision(
            project_id=self.turn.project_id,
            beat=self.turn.beat,
            node=self.turn.id,
            number=(before.number if before is not None else 0) + 1,
            base=base,
            author="planner",
            why="director",
            at=self.house.now(),
            plan=candidate.plan,
            turn=candidate.turn,
            history=history if isinstance(history, int) else 0,
            tools=candidate.tools,
            job=self.job.id,
        )
        serial = await put(self.house, tree, revision)
        return {"moved": True} if serial is None else {"serial": serial}

    async def latest(self) -> Mapping[str, object]:
        standing = await plan_on_line(
            self.house, self.turn.project_id, await self._tree(), self.turn.id
        )
        return {"base": standing.serial, "plan": plan_to_json(standing.plan)}

    async def _tree(self) -> Tree:
        return Tree(await self.house.store.skeleton(self.turn.project_id))
