"""Files and store change together or not at all, whatever fails and whoever leaves in the middle."""

from __future__ import annotations

import asyncio
from datetime import timedelta

import pytest

from huaben.agent.filedesk import FileEdit
from huaben.domain.checkpoint import FileChange
from huaben.domain.manuscript_replace import Replacement
from huaben.errors import StorageFailed
from huaben.ports import Binned, Commit, Page, Purged
from huaben.ports.manuscripts import Rewrite
from huaben.services.writing import chapters, replacing
from huaben.services.writing.desk import TurnFiles
from huaben.services.writing.ending import forget_manuscripts, recover
from huaben.services.writing.restoring import restore_files
from huaben.testing.store import MemoryStore
from tests.integration.writing.conftest import CHAPTERS, Desk, OpenDesk

FULL = StorageFailed("disk_full", "The disk is full.")
NAME = "001-雨夜.md"


def the_store(desk: Desk) -> MemoryStore:
    assert isinstance(desk.house.store, MemoryStore)
    return desk.house.store


async def unsettled(desk: Desk) -> list[Rewrite]:
    assert desk.house.manuscripts is not None
    return await desk.house.manuscripts.unsettled()


@pytest.mark.parametrize("open_desk", ["memory"], indirect=True)
async def test_a_save_that_the_store_refuses_leaves_the_file_as_it_was(open_desk: OpenDesk) -> None:
    """So do a deletion, a replacement and a restore; nothing is left open."""
    desk = await open_desk([])
    project = desk.project.id
    (first,) = await desk.history()
    seen = first.files[NAME]
    the_store(desk).break_with(FULL)
    words = Replacement("雨", "雪")
    refused = (
        chapters.save_chapter(desk.house, project, NAME, "新", seen),
        chapters.save_chapter(desk.house, project, "新.md", "新", "new"),
        chapters.delete_chapter(desk.house, project, NAME, seen),
        chapters.rename_chapter(desk.house, project, NAME, "000.md", seen),
        replacing.replace_all(desk.house, project, words, replacing.Chosen({NAME: seen})),
    )
    for change in refused:
        with pytest.raises(StorageFailed):
            await change
        assert desk.files == CHAPTERS
    the_store(desk).break_with(None)
    desk.write(NAME, "第二稿。\n")
    await chapters.list_chapters(desk.house, project)
    the_store(desk).break_with(FULL)
    with pytest.raises(StorageFailed):
        await restore_files(desk.house, project, first.checkpoint.id)
    assert desk.files[NAME] == "第二稿。\n"
    assert await unsettled(desk) == []


async def test_a_client_that_hangs_up_changes_nothing_about_a_save(open_desk: OpenDesk) -> None:
    """What has begun comes to its end: file and checkpoint, or neither."""
    desk = await open_desk([])
    seen = (await desk.history())[-1].files[NAME]
    for waits in range(12):
        task = asyncio.ensure_future(
            chapters.save_chapter(desk.house, desk.project.id, NAME, f"第{waits}稿。\n", seen)
        )
        for _ in range(waits):
            await asyncio.sleep(0)
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)
        # The list waits for the save where that has begun.
        found = await chapters.list_chapters(desk.house, desk.project.id)
        last = (await desk.history())[-1]
        assert found.files == last.files
        assert await unsettled(desk) == []
        seen = last.files[NAME]
    assert all(s.checkpoint.author == "user" for s in await desk.history())


async def test_stop_in_the_middle_of_a_tool_s_change_leaves_file_and_log_alike(
    open_desk: OpenDesk,
) -> None:
    """The change is waited for even by whoever is cancelled."""
    desk = await open_desk([])
    files = TurnFiles(desk.house, desk.project, "turn-1")
    seen = (await desk.history())[-1].files[NAME]
    began, go_on = asyncio.Event(), asyncio.Event()
    logged: list[object] = []

    async def recorded(effect: object) -> None:
        began.set()
        await go_on.wait()
        logged.append(effect)

    edit = FileEdit({NAME: b"changed"}, {NAME: seen})
    task = asyncio.ensure_future(files.make(edit, recorded))
    await began.wait()
    task.cancel()
    await asyncio.sleep(0)
    go_on.set()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert desk.files[NAME] == "changed"
    assert len(logged) == 1
    assert await unsettled(desk) == []


async def test_a_start_settles_what_it_finds_by_what_the_store_knows(open_desk: OpenDesk) -> None:
    """A change whose checkpoint is recorded is finished, one that nobody knows is taken back."""
    desk = await open_desk([])
    home, project = desk.house.manuscripts, desk.project.id
    assert home is not None
    (first,) = await desk.history()
    after = await home.keep(project, b"changed")
    steps = {NAME: FileChange(first.files[NAME], after)}
    assert await home.change(Rewrite("unknown", project, steps)) is None
    assert desk.files[NAME] == "changed"
    await recover(desk.house)
    assert desk.files == CHAPTERS
    known = Rewrite(first.checkpoint.id, project, steps)
    assert await home.change(known) is None
    await recover(desk.house)
    assert desk.files[NAME] == "changed"
    assert await unsettled(desk) == []


async def test_a_project_that_goes_for_good_takes_its_files_along(open_desk: OpenDesk) -> None:
    """One that only lies in the trash keeps them."""
    desk = await open_desk([])
    store, project = desk.house.store, desk.project.id
    early = (desk.house.clock.now() - timedelta(days=60)).isoformat()
    await store.commit(Commit(rows=(Binned("project", project, early),)))
    await forget_manuscripts(desk.house, [project])
    assert desk.files == CHAPTERS
    await store.commit(Commit(rows=(Purged("project", project),)))
    await forget_manuscripts(desk.house, [project])
    assert desk.house.manuscripts is not None
    assert (await desk.house.manuscripts.look(project)).gone
    assert await store.projects("local", Page()) == ([], None)
