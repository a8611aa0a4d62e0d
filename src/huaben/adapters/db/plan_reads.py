"""The store's face for plans; apart because the store fills its file."""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import Concatenate, ParamSpec, TypeVar

from sqlalchemy import Connection

from huaben.adapters.db import plans
from huaben.domain.plan.revision import PlanRevision
from huaben.domain.plan.trace import PlanTrace

T = TypeVar("T")
P = ParamSpec("P")


class PlanRows:
    """Implements `PlanReads` over a store's way of reading."""

    async def _read(
        self,
        read: Callable[Concatenate[Connection, P], T],
        *arguments: P.args,
        **named: P.kwargs,
    ) -> T:
        raise NotImplementedError

    async def plan_at(self, project_id: str, beats: Collection[str]) -> PlanRevision | None:
        return await self._read(plans.at, project_id, beats)

    async def plan_revision(self, project_id: str, serial: int) -> PlanRevision | None:
        return await self._read(plans.revision, project_id, serial)

    async def plan_revisions(
        self, project_id: str, beats: Collection[str], before: int | None = None, limit: int = 50
    ) -> list[PlanRevision]:
        return await self._read(plans.revisions, project_id, beats, before, limit)

    async def plan_beats(self, project_id: str, after: int = 0) -> list[tuple[int, str]]:
        return await self._read(plans.beats, project_id, after)

    async def plan_trace(self, project_id: str, seq: int) -> PlanTrace | None:
        return await self._read(plans.trace, project_id, seq)

    async def plan_traces(
        self, project_id: str, before: int | None = None, limit: int = 50
    ) -> list[PlanTrace]:
        return await self._read(plans.traces, project_id, before, limit)

    async def plan_tokens(self, project_id: str, since: str) -> int:
        return await self._read(plans.tokens, project_id, since)
