"""Checkpoints: noticing what was edited by hand, recording what an agent or the user changed, and changing
files and history together. The one place that writes the history of a manuscript."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from huaben.domain.checkpoint import (
    Checkpoint,
    CheckpointAuthor,
    CheckpointCause,
    Delta,
    Manifest,
    Snapshot,
    applied,
    combined,
    delta_of,
    difference,
)
from huaben.domain.events import ProjectEvent
from huaben.domain.project import Project
from huaben.domain.story import UNFINISHED, Turn
from huaben.domain.turnview import TurnView
from huaben.errors import Conflict, HuabenError
from huaben.ports import Commit, Committed, Stale
from huaben.ports.manuscripts import Found, Rewrite
from huaben.services.house import House
from huaben.services.stories import load_view, stale
from huaben.services.writing.quiet import wake, with_care
from huaben.services.writing.room import finished, manuscripts_of

EVENT = "chapters_changed"
"""The kind of a project's event that a checkpoint makes."""


@dataclass(frozen=True, slots=True)
class Standing:
    """A manuscript as it stands: its last checkpoint, the files that lie there, and the turn at the head of its
    story where it was looked for."""

    project: Project
    last: Snapshot | None
    found: Found
    turn: Turn | None = None

    @property
    def files(self) -> Manifest:
        return self.found.manifest

    @property
    def number(self) -> int:
        """How many checkpoints there are."""
        return self.last.checkpoint.number if self.last else 0


@dataclass(frozen=True, slots=True)
class Made:
    """Who makes a checkpoint, and why; the fields are a checkpoint's own."""

    cause: CheckpointCause
    author: CheckpointAuthor = "user"
    turn: str | None = None
    message: str = ""
    aborted: bool = False
    restored_from: str | None = None
    name: str = ""


@dataclass(frozen=True, slots=True)
class Recorded:
    """A checkpoint that is durable, and the answer to the commit that it was part of."""

    snapshot: Snapshot
    done: Committed


@dataclass(frozen=True, slots=True)
class Work:
    """What a turn has changed since the last checkpoint."""

    turn: Turn
    delta: Delta


async def notice(
    house: House, project: Project, *, with_work: bool = False, ended: Turn | None = None
) -> Standing:
    """Look at the folder, and give what was edited by hand a checkpoint of its own, by the user.

    What a turn has written and no checkpoint holds yet is recorded before it, as the turn's; where nothing
    was edited by hand it stays for the end of the turn, unless `with_work`, or `ended` is the turn as it
    ends. The caller holds the desk's lock. Raises `Conflict("manuscript_gone")` when there is no folder: that is no deletion of chapters.
    """
    found = await manuscripts_of(house).take(project.id)
    if found.gone:
        raise Conflict(
            "manuscript_gone",
            "The folder of the manuscript is gone.",
            "Bring it back, or restore a checkpoint: that makes it anew.",
        )
    desk = await house.store.at_desk(project.id)
    at = Standing(project, desk.last, found, desk.turn)
    files: Manifest = desk.last.files if desk.last else {}
    now = found.manifest
    if now == files:
        return at
    work = await _unsaved(house, at)
    reached = applied(files, work.delta) if work else files
    by_hand = reached != now
    if work and reached != files:
        turn = ended if ended is not None and ended.id == work.turn.id else work.turn
        if by_hand or with_work or turn.run == "ended":
            at = replace(at, last=(await record(house, at, reached, by_turn(turn))).snapshot)
    if by_hand:
        at = replace(at, last=(await record(house, at, now, Made("found"))).snapshot)
    return at


async def _unsaved(house: House, at: Standing) -> Work | None:
    """What the turn at the head has written to files since the last checkpoint, by its log."""
    if at.turn is None or at.turn.kind != "turn":
        return None
    delta = combined(written(await load_view(house, at.turn.id), at.number))
    return Work(at.turn, delta) if delta else None


def written(view: TurnView, number: int) -> list[Delta]:
    """The changes of files that a turn's tools made after the checkpoint of that number."""
    deltas: list[Delta] = []
    for tool in view.tools:
        effect: Mapping[str, object] = tool.effect or {}
        delta = delta_of(effect.get("files"))
        if delta is not None and effect.get("after") == number:
            deltas.append(delta)
    return deltas


def by_turn(turn: Turn) -> Made:
    """A checkpoint of the work of a turn, under the user's words; marked where it was stopped or failed."""
    return Made("turn", "agent", turn.id, turn.user_text, turn.outcome in UNFINISHED)


async def record(
    house: House,
    standing: Standing,
    files: Manifest,
    made: Made,
    commit: Commit | None = None,
    *,
    checkpoint_id: str | None = None,
) -> Recorded:
    """Commit the next checkpoint, together with whatever else is in `commit`. Raises `Conflict` when
    another one came first."""
    project, last = standing.project, standing.last
    delta = difference(last.files if last else {}, files)
    checkpoint = Checkpoint(
        id=checkpoint_id or house.ids.new(),
        project_id=project.id,
        user_id=project.user_id,
        at=house.now(),
        author=made.author,
        delta=delta,
        number=standing.number + 1,
        turn=made.turn,
        message=made.message,
        aborted=made.aborted,
        restored_from=made.restored_from,
        name=made.name,
        cause=made.cause,
    )
    snapshot = Snapshot(checkpoint, files)
    node = standing.turn.id if standing.turn else None
    whole = await with_care(house, project, checkpoint, commit or Commit(), node)
    done = await house.store.commit(
        replace(
            whole,
            expected={**whole.expected, ("manuscript", project.id): standing.number},
            rows=(*whole.rows, snapshot),
            project_events=(*whole.project_events, (project.id, _event(checkpoint))),
        )
    )
    if isinstance(done, Stale):
        raise stale(done)
    wake(house, whole.due)
    return Recorded(snapshot, done)


async def rewrite(
    house: House, standing: Standing, steps: Delta, made: Made, commit: Commit | None = None
) -> Recorded:
    """Change files and record it, both or neither; with `commit` something else in the same transaction.
    The caller holds the desk's lock. Raises `Conflict("file_changed")` when a file is not what the steps
    take it for; when the store fails, the files are as it has recorded them."""
    return await finished(_rewrite(house, standing, steps, made, commit))


async def _rewrite(
    house: House, standing: Standing, steps: Delta, made: Made, commit: Commit | None
) -> Recorded:
    home, project = manuscripts_of(house), standing.project
    change = Rewrite(house.ids.new(), project.id, steps)
    moved = await home.change(change)
    if moved is not None:
        raise changed_meanwhile(moved.names)
    files = applied(standing.files, steps)
    try:
        recorded = await record(house, standing, files, made, commit, checkpoint_id=change.id)
    except HuabenError:
        # A database that broke off while it committed may have the checkpoint all the same.
        known = await house.store.snapshot(change.id) is not None
        await home.settle(change, made=known)
        raise
    await home.settle(change, made=True)
    return recorded


def changed_meanwhile(names: Sequence[str]) -> Conflict:
    """The refusal of a change whose files somebody edited in between."""
    listed = ", ".join(names)
    return Conflict(
        "file_changed", f"Changed meanwhile: {listed}.", "Look at it again.", files=tuple(names)
    )


def _event(checkpoint: Checkpoint) -> ProjectEvent:
    changed = checkpoint.changed
    detail: Mapping[str, object] = {
        "checkpoint": checkpoint.id,
        "author": checkpoint.author,
        "added": list(changed.added),
        "modified": list(changed.modified),
        "renamed": [list(pair) for pair in changed.renamed],
        "removed": list(changed.removed),
    }
    return ProjectEvent(EVENT, checkpoint.turn, detail)
