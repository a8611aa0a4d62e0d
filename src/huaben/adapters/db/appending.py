"""Commits that only append to logs, many in three statements: what running turns do all the time.

Apart from the general commit because it is the hot path: 200 streams flush ten times a second. It
needs no savepoints, since everything that can be refused is known before the first write.
"""

from __future__ import annotations

from collections.abc import Sequence

from sqlalchemy import Connection

from huaben.adapters.db.counting import passed
from huaben.adapters.db.numbering import TurnLogs, Written, tops_of
from huaben.errors import StorageFailed
from huaben.ports import Commit, Committed


def only_appends(commit: Commit) -> bool:
    """Whether the commit is of the kind that is carried out here."""
    return not (commit.rows or commit.expected or commit.due or commit.project_events)


def append_all(
    connection: Connection, commits: Sequence[Commit], now: str
) -> list[Written | Exception]:
    """Carry out commits that only append; the answer of each, in their order. A commit that is
    refused or at fault leaves the others standing. Raises what the database raises."""
    logs = TurnLogs(connection, (turn_id for commit in commits for turn_id in _touched(commit)))
    answers = [_answer(commit, logs, now) for commit in commits]
    logs.write()
    return answers


def _touched(commit: Commit) -> list[str]:
    fenced = [] if commit.fence is None else [commit.fence.turn_id]
    return fenced + [turn_id for turn_id, _ in commit.events]


def _answer(commit: Commit, logs: TurnLogs, now: str) -> Written | Exception:
    if commit.fence is not None:
        epoch = logs.epoch(commit.fence.turn_id)
        if epoch != commit.fence.epoch:
            return Written(passed(commit.fence, epoch), {})
    try:
        seqs = logs.add(commit.events, now)
    except (StorageFailed, TypeError, ValueError) as fault:  # the mistake of this commit alone
        return fault
    return Written(Committed({}, seqs), tops_of(commit.events, seqs))
