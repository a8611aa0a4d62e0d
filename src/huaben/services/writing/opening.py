"""How a writing project begins: its folder, and the chapters that it is founded with."""

from __future__ import annotations

from collections.abc import Mapping

from huaben.domain.checkpoint import FileChange
from huaben.domain.manuscript import numbered
from huaben.domain.project import Project
from huaben.domain.text import is_blank
from huaben.ports import Commit, Stale
from huaben.ports.manuscripts import Found
from huaben.services.house import House
from huaben.services.stories import stale
from huaben.services.writing.recording import Made, Standing, rewrite
from huaben.services.writing.room import desk_lock, manuscripts_of

Chapters = Mapping[str, bytes]
"""File name → bytes of chapters that are fit to be so named."""


async def found_manuscript(
    house: House, project: Project, commit: Commit, chapters: Chapters
) -> None:
    """Carry out the commit that founds a writing project, once its folder is there; what it begins with
    is its first checkpoint, in the same transaction. Raises `StorageFailed`, and then there is no
    project."""
    home = manuscripts_of(house)
    await home.found(project.id)
    if not chapters:
        done = await house.store.commit(commit)
        if isinstance(done, Stale):
            raise stale(done)
        return
    async with desk_lock(house, project.id):
        steps = {
            name: FileChange(None, await home.keep(project.id, content))
            for name, content in sorted(chapters.items())
        }
        await rewrite(house, Standing(project, None, Found()), steps, Made("begun"), commit)


def greeting_chapter(title: str, greeting: str) -> Chapters:
    """The greeting as a chapter before all others; an empty one makes none."""
    if is_blank(greeting):
        return {}
    return {numbered(0, title): f"{greeting.rstrip()}\n".encode()}
