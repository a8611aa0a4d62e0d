"""Plans in the in-memory store; apart because the store's own file is full."""

from __future__ import annotations

from collections.abc import Collection

from huaben.domain.plan.revision import PlanRevision
from huaben.domain.plan.trace import PlanTrace
from huaben.testing.plan_rows import plans
from huaben.testing.state import State


class PlanShelf:
    """Implements `PlanReads` over the state of a `MemoryStore`."""

    _state: State

    async def plan_at(self, project_id: str, beats: Collection[str]) -> PlanRevision | None:
        found = await self.plan_revisions(project_id, beats, limit=1)
        return found[0] if found else None

    async def plan_revision(self, project_id: str, serial: int) -> PlanRevision | None:
        kept = plans(self._state, project_id).revisions
        return next((one for one in kept if one.serial == serial), None)

    async def plan_revisions(
        self, project_id: str, beats: Collection[str], before: int | None = None, limit: int = 50
    ) -> list[PlanRevision]:
        found = [
            one
            for one in plans(self._state, project_id).revisions
            if one.beat in beats and (before is None or one.serial < before)
        ]
        return found[::-1][: min(max(limit, 1), 200)]

    async def plan_beats(self, project_id: str, after: int = 0) -> list[tuple[int, str]]:
        kept = plans(self._state, project_id).revisions
        return [(one.serial, one.beat) for one in kept if one.serial > after]

    async def plan_trace(self, project_id: str, seq: int) -> PlanTrace | None:
        return plans(self._state, project_id).traces.get(seq)

    async def plan_traces(
        self, project_id: str, before: int | None = None, limit: int = 50
    ) -> list[PlanTrace]:
        kept = plans(self._state, project_id).traces.values()
        found = [one for one in kept if before is None or one.seq < before]
        found.sort(key=lambda one: one.seq, reverse=True)
        return found[: min(max(limit, 1), 200)]

    async def plan_tokens(self, project_id: str, since: str) -> int:
        kept = plans(self._state, project_id).traces.values()
        return sum(one.tokens for one in kept if one.began_at >= since)
