"""The history of manuscripts in the in-memory store; apart because the store's own file is full."""

from __future__ import annotations

from collections.abc import Sequence

from huaben.domain.checkpoint import Checkpoint, Snapshot
from huaben.ports import Head
from huaben.ports.checkpoints import AtDesk
from huaben.testing.manuscript_rows import Manuscript, history
from huaben.testing.state import State


class CheckpointShelf:
    """Implements `CheckpointReads` over the state of a `MemoryStore`."""

    _state: State

    async def at_desk(self, project_id: str) -> AtDesk:
        heads = (one for one in self._state.counted.values() if isinstance(one, Head))
        head = next((one for one in heads if one.project_id == project_id), None)
        turn = None if head is None else self._state.turn(head.turn_id)
        return AtDesk(await self.latest_snapshot(project_id), turn)

    async def latest_snapshot(self, project_id: str) -> Snapshot | None:
        found = history(self._state, project_id).snapshots
        return found[-1] if found else None

    async def snapshot(self, checkpoint_id: str) -> Snapshot | None:
        histories = (h for h in self._state.counted.values() if isinstance(h, Manuscript))
        every = (one for found in histories for one in found.snapshots)
        return next((one for one in every if one.checkpoint.id == checkpoint_id), None)

    async def snapshots(
        self, project_id: str, before: int | None = None, limit: int = 50
    ) -> list[Snapshot]:
        found = history(self._state, project_id).snapshots
        chosen = [one for one in found if before is None or one.checkpoint.number < before]
        return chosen[::-1][: min(max(limit, 1), 200)]

    async def checkpoints(
        self, project_id: str, turns: Sequence[str] | None = None
    ) -> list[Checkpoint]:
        found = [one.checkpoint for one in history(self._state, project_id).snapshots]
        return [one for one in found if turns is None or one.turn in turns]
