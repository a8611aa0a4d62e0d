"""What the end of a turn and the start of the program owe to a manuscript: a checkpoint of what the turn
changed, and the settling of what a dead process left between disk and store."""

from __future__ import annotations

import logging
from collections.abc import AsyncIterator, Iterable, Mapping

from huaben.domain.story import Turn
from huaben.errors import Conflict, HuabenError
from huaben.ports import Page
from huaben.ports.manuscripts import Rewrite
from huaben.services.house import House
from huaben.services.stories import load_view
from huaben.services.writing.recording import notice
from huaben.services.writing.room import desk_lock, manuscripts_of

_log = logging.getLogger(__name__)


async def close_turn(house: House, ended: Turn) -> None:
    """Give what a turn has changed its checkpoint before its end is recorded; `ended` is the turn as it
    will be then. A roleplay turn, and one that changed no file, gets none.

    Raises `StorageFailed`: the end of the turn then waits, as it does for the store."""
    project = await house.store.project(ended.project_id)
    if project is None or project.mode != "writing":
        return
    async with desk_lock(house, project.id):
        try:
            await notice(house, project, with_work=True, ended=ended)
        except Conflict as refused:
            # The folder is gone. The turn ends all the same; its work is in the log and in the objects.
            _log.error("turn %s has no checkpoint: %s", ended.id, refused.message)


async def recover(house: House) -> None:
    """Settle every change of files that an earlier process left open: what the store has recorded is
    finished, anything else is taken back."""
    if house.manuscripts is None:
        return
    for change in await house.manuscripts.unsettled():
        try:
            await house.manuscripts.settle(change, made=await is_recorded(house, change))
        except HuabenError as fault:
            # One damaged manuscript must not keep all others out of reach.
            _log.error("change %s is not settled: %s %s", change.id, fault.code, fault.message)


async def is_recorded(house: House, change: Rewrite) -> bool:
    """Whether the store knows of a change: by its checkpoint, or by the log of the turn that made it."""
    if change.turn is None:
        return await house.store.snapshot(change.id) is not None
    view = await load_view(house, change.turn)
    effects: list[Mapping[str, object]] = [tool.effect or {} for tool in view.tools]
    return any(effect.get("change") == change.id for effect in effects)


async def forget_manuscripts(house: House, projects: Iterable[str]) -> None:
    """Delete the files of projects that are gone for good; of one that is there after all none."""
    for project_id in projects:
        if house.manuscripts is not None and await house.store.project(project_id) is None:
            await house.manuscripts.forget(project_id)


async def audit(house: House) -> AsyncIterator[str]:
    """Every fault of the files of all manuscripts, in one sentence each."""
    if house.manuscripts is None:
        return
    after: str | None = None
    while True:
        projects, after = await house.store.projects(house.user_id, Page(after, 200))
        for project in projects:
            if project.mode == "writing":
                async for fault in _faults(house, project.id):
                    yield fault
        if after is None:
            return


async def _faults(house: House, project_id: str) -> AsyncIterator[str]:
    home = manuscripts_of(house)
    try:
        records = await house.store.checkpoints(project_id)
        steps = [step for one in records for step in one.delta.values()]
        wanted = {sha256 for step in steps for sha256 in (step.before, step.after) if sha256}
        if (await home.look(project_id)).gone:
            yield f"the folder of the manuscript {project_id} is gone"
        async for fault in home.audit(project_id, wanted):
            yield fault
    except HuabenError as fault:
        yield f"the manuscript {project_id} cannot be checked: {fault.message}"
