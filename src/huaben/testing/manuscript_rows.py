"""The history of one manuscript as the in-memory store keeps it; apart because the state fills its file."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Protocol

from huaben.domain.checkpoint import Snapshot
from huaben.errors import StorageFailed
from huaben.ports import Key
from huaben.ports.checkpoints import CheckpointNamed


@dataclass(frozen=True, slots=True)
class Manuscript:
    """All checkpoints of a project, oldest first; the revision is their number."""

    snapshots: tuple[Snapshot, ...] = ()
    revision: int = 0


class Holder(Protocol):
    """The part of the state that histories are kept in."""

    @property
    def counted(self) -> Mapping[Key, object]: ...


def history(state: Holder, project_id: str) -> Manuscript:
    found = state.counted.get(("manuscript", project_id))
    return found if isinstance(found, Manuscript) else Manuscript()


def grown(state: Holder, row: Snapshot) -> tuple[Key, Manuscript]:
    """The history with one checkpoint more, and where it is kept."""
    project_id = row.checkpoint.project_id
    if ("project", project_id) not in state.counted:
        raise StorageFailed("missing_row", f"project {project_id} does not exist")
    before = history(state, project_id)
    number = before.revision + 1
    numbered = replace(
        row, checkpoint=replace(row.checkpoint, number=number), files=dict(row.files)
    )
    return ("manuscript", project_id), replace(before, snapshots=(*before.snapshots, numbered))


def renamed(state: Holder, row: CheckpointNamed) -> Mapping[Key, Manuscript]:
    """The history in which that checkpoint has its new name."""
    for key, found in state.counted.items():
        if isinstance(found, Manuscript) and row.id in [s.checkpoint.id for s in found.snapshots]:
            named = tuple(
                replace(s, checkpoint=replace(s.checkpoint, name=row.name))
                if s.checkpoint.id == row.id
                else s
                for s in found.snapshots
            )
            return {key: replace(found, snapshots=named)}
    raise StorageFailed("missing_row", f"checkpoint {row.id} does not exist; nothing was written")
