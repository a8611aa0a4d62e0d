"""The history of manuscripts as the store keeps it; apart from the other reads because only writing
projects have one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from huaben.domain.checkpoint import Checkpoint, Snapshot


@dataclass(frozen=True, slots=True)
class CheckpointNamed:
    """A checkpoint gets a name, or with an empty one loses it. A row that is never counted."""

    id: str
    name: str


class CheckpointReads(Protocol):
    """The checkpoints of a project are numbered from 1; a `Snapshot` in a commit is the next one, and
    the revision of `("manuscript", project)` is the number of the last."""

    async def latest_snapshot(self, project_id: str) -> Snapshot | None: ...
    async def snapshot(self, checkpoint_id: str) -> Snapshot | None: ...
    async def snapshots(
        self, project_id: str, before: int | None = None, limit: int = 50
    ) -> list[Snapshot]:
        """Those with a number below `before`, or all, from the newest on; `limit` is clamped to
        1–200."""
        ...

    async def checkpoints(
        self, project_id: str, turns: Sequence[str] | None = None
    ) -> list[Checkpoint]:
        """The records alone, of these turns or all, from the oldest to the newest."""
        ...
