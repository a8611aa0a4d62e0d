"""Plans as the store keeps them; apart from the other reads because only projects with a planner have one."""

from __future__ import annotations

from collections.abc import Collection
from typing import Protocol

from huaben.domain.plan.revision import PlanRevision
from huaben.domain.plan.trace import PlanTrace


class PlanReads(Protocol):
    """The revisions of a project's plans are numbered from 1 over all branches (`serial`); a
    `PlanRevision` in a commit is the next one, and the revision of `("plan", project)` is the number
    of the last. A `PlanTrace` in a commit takes the place of the job's former one."""

    async def plan_at(self, project_id: str, beats: Collection[str]) -> PlanRevision | None:
        """The newest revision that is bound to one of these beats, those of a path: the plan that is
        in force at its end."""
        ...

    async def plan_revision(self, project_id: str, serial: int) -> PlanRevision | None: ...
    async def plan_revisions(
        self, project_id: str, beats: Collection[str], before: int | None = None, limit: int = 50
    ) -> list[PlanRevision]:
        """Those of these beats with a serial below `before`, or all, from the newest on; `limit` is
        clamped to 1–200."""
        ...

    async def plan_beats(self, project_id: str, after: int = 0) -> list[tuple[int, str]]:
        """Serial and beat of each revision that came after the one numbered `after`, in order."""
        ...

    async def plan_trace(self, project_id: str, seq: int) -> PlanTrace | None: ...
    async def plan_traces(
        self, project_id: str, before: int | None = None, limit: int = 50
    ) -> list[PlanTrace]:
        """The traces of jobs with a number below `before`, or all, from the newest on."""
        ...

    async def plan_tokens(self, project_id: str, since: str) -> int:
        """The tokens of all jobs of the project that began at that moment or later."""
        ...
