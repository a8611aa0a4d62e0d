"""Going back: a manuscript as it was at a checkpoint, and the files that go along when the head of the
discussion moves. Both are checkpoints themselves, and both are whole or nothing."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from huaben.domain.checkpoint import (
    Checkpoint,
    Delta,
    MoveConflict,
    Snapshot,
    difference,
    move_plan,
)
from huaben.domain.project import Project
from huaben.domain.story import Tree
from huaben.errors import Conflict, StorageFailed
from huaben.ports import Commit, Committed, Head, Stale
from huaben.services.house import House
from huaben.services.stories import load_story, stale
from huaben.services.writing.history import load_checkpoint
from huaben.services.writing.recording import Made, Standing, notice, rewrite
from huaben.services.writing.room import check_idle, desk_lock, load_manuscript, manuscripts_of


@dataclass(frozen=True, slots=True)
class Way:
    """From one node of the discussion to another."""

    tree: Tree
    start: str
    target: str


async def restore_files(house: House, project_id: str, checkpoint_id: str) -> Snapshot | None:
    """Make the manuscript what it was at a checkpoint; the discussion stays where it is. None where it is
    that already.

    Edits by hand get a checkpoint of their own first. Raises `NotFound`, `Conflict` (`turn_running`,
    `ask_open`), `StorageFailed("object_missing")` before anything is touched.
    """
    project = await load_manuscript(house, project_id)
    async with house.lock(project_id), desk_lock(house, project_id):
        check_idle(await load_story(house, project_id))
        target = await load_checkpoint(house, project_id, checkpoint_id)
        standing = await _present(house, project)
        steps = difference(standing.files, target.files)
        if not steps:
            return None
        await check_sound(house, project_id, steps)
        made = Made("restored", restored_from=checkpoint_id, message=target.checkpoint.message)
        return (await rewrite(house, standing, steps, made)).snapshot


async def commit_move(house: House, commit: Commit, *, force: bool = False) -> Committed | Stale:
    """Carry out a commit that may move the head; where the story is a manuscript's, its files go along as
    in `move_files`."""
    head = next((row for row in commit.rows if isinstance(row, Head)), None)
    project = await house.store.project(head.project_id) if head else None
    if head is None or project is None or project.mode != "writing":
        return await house.store.commit(commit)
    before = await house.store.head(project.id)
    tree = Tree(await house.store.skeleton(project.id))
    if before is None or before.turn_id == head.turn_id or head.turn_id not in tree:
        return await house.store.commit(commit)
    way = Way(tree, before.turn_id, head.turn_id)
    return await move_files(house, project.id, way, commit, force=force)


async def move_files(
    house: House, project_id: str, way: Way, commit: Commit, *, force: bool = False
) -> Committed:
    """Carry out a move of the head and take the files along: those that the turns left behind had changed
    become as before them, those of the turns come to as after them; no other file is touched.

    `commit` is the move itself, in the same transaction as the checkpoint. The caller holds the project's
    lock. Raises `Conflict` (`conflict` naming files that were changed by hand since, unless `force`;
    `stale`).
    """
    project = await load_manuscript(house, project_id)
    async with desk_lock(house, project_id):
        standing = await notice(house, project, with_work=True)
        undone, redone = await _on_the_way(house, project_id, way)
        plan = move_plan(
            standing.files, [c.delta for c in undone], [c.delta for c in redone], force=force
        )
        if isinstance(plan, MoveConflict):
            raise _conflict(plan)
        if not plan:
            done = await house.store.commit(commit)
            if isinstance(done, Stale):
                raise stale(done)
            return done
        await check_sound(house, project_id, plan)
        origin = await _came_from(house, project_id, undone, redone)
        made = Made("moved", restored_from=origin)
        return (await rewrite(house, standing, plan, made, commit)).done


async def check_sound(house: House, project_id: str, steps: Delta) -> None:
    """Raises `StorageFailed("object_missing")` when a text that is to come back is missing or altered."""
    wanted = [step.after for step in steps.values() if step.after is not None]
    unsound = await manuscripts_of(house).unsound(project_id, wanted)
    if unsound:
        names = sorted(name for name, step in steps.items() if step.after in unsound)
        raise StorageFailed(
            "object_missing",
            f"The history has lost the text of {', '.join(names)}; nothing was changed.",
            "Restore the data folder's history from a backup, or choose another checkpoint.",
            files=tuple(names),
        )


async def _present(house: House, project: Project) -> Standing:
    """The manuscript as it stands; one whose folder is gone stands empty and can be restored."""
    home = manuscripts_of(house)
    found = await home.look(project.id)
    if found.gone:
        return Standing(project, await house.store.latest_snapshot(project.id), found)
    return await notice(house, project, with_work=True)


async def _on_the_way(
    house: House, project_id: str, way: Way
) -> tuple[list[Checkpoint], list[Checkpoint]]:
    """The checkpoints of the turns that are left, latest first, and of those that are come to, earliest
    first."""
    left, come = way.tree.path(way.start), way.tree.path(way.target)
    shared = {node.id for node in left} & {node.id for node in come}
    leaving = [node.id for node in reversed(left) if node.id not in shared]
    coming = [node.id for node in come if node.id not in shared]
    found = await house.store.checkpoints(project_id, [*leaving, *coming])
    undone = [c for turn in leaving for c in reversed(found) if c.turn == turn]
    redone = [c for turn in coming for c in found if c.turn == turn]
    return undone, redone


async def _came_from(
    house: House, project_id: str, undone: Sequence[Checkpoint], redone: Sequence[Checkpoint]
) -> str | None:
    """The checkpoint whose state a move leads back to: the last that was done again, or the one before
    the first that was taken back."""
    if redone:
        return redone[-1].id
    first = min(one.number for one in undone)
    before = await house.store.snapshots(project_id, first, 1)
    return before[0].checkpoint.id if before else None


def _conflict(found: MoveConflict) -> Conflict:
    listed = ", ".join(found.names)
    return Conflict(
        "conflict",
        f"Changed by hand since: {listed}.",
        "Their present text has a checkpoint. Go back all the same with force, or keep it.",
        files=found.names,
    )
