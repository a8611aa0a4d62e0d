"""The history of manuscripts as the store keeps it; apart from the other reads because only writing
projects have one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from huaben.domain.checkpoint import Checkpoint, Snapshot
from huaben.domain.story import Turn


@dataclass(frozen=True, slots=True)
class CheckpointNamed:
    """A checkpoint gets a name, or with an empty one loses it. A row that is never counted."""

    id: str
    name: str


@dataclass(frozen=True, slots=True)
class AtDesk:
    """What the next checkpoint of a manuscript goes on from, as of one moment: the last one, and the turn at the
    head of its story."""

    last: Snapshot | None = None
    turn: Turn | None = None


class CheckpointReads(Protocol):
    """The checkpoints of a project are numbered from 1; a `Snapshot` in a commit is the next one, and
    the revision of `("manuscript", project)` is the number of the last."""

    async def at_desk(self, project_id: str) -> AtDesk: ...
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
