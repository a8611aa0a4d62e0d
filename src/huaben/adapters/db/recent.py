"""The newest events of running turns, kept in memory for those who follow them live.

Apart from the database reads because it only saves them: 200 streams that are each read ten times a
second would otherwise cost more than they cost to write. Right only where every commit comes
through this process.
"""

from __future__ import annotations

import threading
from collections import OrderedDict, deque
from collections.abc import Sequence

from huaben.domain.story import Turn
from huaben.ports import Commit, Committed, LoggedEvent

_TURNS = 1024
_EVENTS = 64


class Recent:
    """Per turn the end of its log, without gaps."""

    def __init__(self) -> None:
        self._tails: OrderedDict[str, deque[LoggedEvent]] = OrderedDict()
        self._door = threading.Lock()

    def take(self, commit: Commit, done: Committed, at: str) -> None:
        """Remember what a durable commit added. Called from the writer's thread."""
        fence = commit.fence
        moved = {row.id for row in commit.rows if isinstance(row, Turn)}
        with self._door:
            for (turn_id, event), seq in zip(commit.events, done.seqs, strict=True):
                if fence is None or fence.turn_id != turn_id or turn_id in moved:
                    # Its epoch is not known here; the next reader asks the database.
                    self._tails.pop(turn_id, None)
                else:
                    self._add(turn_id, LoggedEvent(seq, fence.epoch, at, event))

    def after(self, turn_id: str, after: int, limit: int | None) -> Sequence[LoggedEvent] | None:
        """The events behind number `after`, or None when memory does not reach back that far."""
        with self._door:
            tail = self._tails.get(turn_id)
            if not tail or tail[0].seq > after + 1:
                return None
            return [logged for logged in tail if logged.seq > after][:limit]

    def forget(self, turn_id: str) -> None:
        """The log was rewritten (folded)."""
        with self._door:
            self._tails.pop(turn_id, None)

    def forget_all(self) -> None:
        """All that is stored was exchanged."""
        with self._door:
            self._tails.clear()

    def _add(self, turn_id: str, logged: LoggedEvent) -> None:
        tail = self._tails.get(turn_id)
        if tail is None or tail[-1].seq + 1 != logged.seq:
            tail = self._tails[turn_id] = deque(maxlen=_EVENTS)
        tail.append(logged)
        self._tails.move_to_end(turn_id)
        while len(self._tails) > _TURNS:
            self._tails.popitem(last=False)
