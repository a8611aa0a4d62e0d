"""What all verbs of a manuscript begin with: its project, its files, its lock."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from typing import TypeVar

from huaben.domain.project import Project
from huaben.errors import Conflict, StorageFailed
from huaben.ports.manuscripts import Manuscripts
from huaben.services.house import House
from huaben.services.stories import Story, load_project

T = TypeVar("T")


async def load_manuscript(house: House, project_id: str) -> Project:
    """The project of that id. Raises `NotFound`, and `Conflict("no_manuscript")` for a roleplay
    project, which has no chapters."""
    project = await load_project(house, project_id)
    if project.mode != "writing":
        raise Conflict(
            "no_manuscript",
            "A roleplay project has no chapters.",
            "Turn its story into a writing project to have some.",
        )
    return project


def manuscripts_of(house: House) -> Manuscripts:
    """Where the manuscripts of this house lie. Raises `StorageFailed` for a house without files."""
    if house.manuscripts is None:
        raise StorageFailed("no_files", "This program was opened without a folder for manuscripts.")
    return house.manuscripts


def desk_lock(house: House, project_id: str) -> asyncio.Lock:
    """The lock of a manuscript's files and history. Not the project's own: a running turn takes it for
    each of its changes, while the user may save a chapter. Whoever takes both takes the project's first."""
    return house.lock(f"{project_id}/manuscript")


def check_idle(story: Story) -> None:
    """Raises `Conflict` (`ask_open`, `turn_running`) while a turn is at work on the files."""
    active = story.active
    if active is None:
        return
    if active.run == "waiting":
        raise Conflict(
            "ask_open", "A question waits for its answer.", "Answer it or stop the turn."
        )
    raise Conflict("turn_running", "A turn is running.", "Wait for its end or stop it.")


async def finished(work: Coroutine[None, None, T]) -> T:
    """Work that comes to its end even if nobody waits for it any more: a change of files must never be
    left between the disk and the store because a client hung up or a turn was stopped."""
    task = asyncio.ensure_future(work)
    try:
        return await asyncio.shield(task)
    except asyncio.CancelledError:
        await asyncio.wait([task])
        raise
