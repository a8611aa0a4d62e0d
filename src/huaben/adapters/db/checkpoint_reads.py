"""The store's face for the history of manuscripts; apart because the store fills its file."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Concatenate, ParamSpec, TypeVar

from sqlalchemy import Connection

from huaben.adapters.db import checkpoints
from huaben.adapters.db.manifests import Manifests
from huaben.domain.checkpoint import Checkpoint, Snapshot
from huaben.ports.checkpoints import AtDesk

T = TypeVar("T")
P = ParamSpec("P")


class CheckpointRows:
    """Implements `CheckpointReads` over a store's way of reading."""

    def __init__(self) -> None:
        self._manifests = Manifests()

    async def _read(
        self,
        read: Callable[Concatenate[Connection, P], T],
        *arguments: P.args,
        **named: P.kwargs,
    ) -> T:
        raise NotImplementedError

    async def at_desk(self, project_id: str) -> AtDesk:
        known = self._manifests.get(project_id)
        found = await self._read(checkpoints.at_desk, project_id, known)
        if found.last is not None:
            self._manifests.keep(found.last)
        return found

    async def latest_snapshot(self, project_id: str) -> Snapshot | None:
        known = self._manifests.get(project_id)
        found = await self._read(checkpoints.latest, project_id, known)
        if found is not None:
            self._manifests.keep(found)
        return found

    async def snapshot(self, checkpoint_id: str) -> Snapshot | None:
        return await self._read(checkpoints.snapshot, checkpoint_id)

    async def snapshots(
        self, project_id: str, before: int | None = None, limit: int = 50
    ) -> list[Snapshot]:
        return await self._read(checkpoints.snapshots, project_id, before, limit)

    async def checkpoints(
        self, project_id: str, turns: Sequence[str] | None = None
    ) -> list[Checkpoint]:
        return await self._read(checkpoints.records, project_id, turns)
