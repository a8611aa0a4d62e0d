"""The files of the newest checkpoints that were read, kept in memory; apart from the database reads because it
only saves them.

A checkpoint never changes its files, so what is kept under its id is right whoever commits: a reader looks up
which checkpoint is the newest and only reads what came after the one that is known.
"""

from __future__ import annotations

import threading
from collections import OrderedDict

from huaben.domain.checkpoint import Snapshot

_PROJECTS = 32


class Manifests:
    """Per project the last snapshot that was read, of the projects that were read last."""

    def __init__(self) -> None:
        self._known: OrderedDict[str, Snapshot] = OrderedDict()
        self._door = threading.Lock()

    def get(self, project_id: str) -> Snapshot | None:
        with self._door:
            return self._known.get(project_id)

    def keep(self, snapshot: Snapshot) -> None:
        project_id = snapshot.checkpoint.project_id
        with self._door:
            self._known[project_id] = snapshot
            self._known.move_to_end(project_id)
            while len(self._known) > _PROJECTS:
                self._known.popitem(last=False)

    def forget_all(self) -> None:
        """All that is stored was exchanged."""
        with self._door:
            self._known.clear()
