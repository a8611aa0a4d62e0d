"""Manuscripts as folders of real files; here the port meets the threads, what is done to files stands in
the modules beside this one."""

from __future__ import annotations

import asyncio
import logging
import re
import shutil
import threading
from collections.abc import AsyncIterator, Callable, Collection, Iterable
from dataclasses import dataclass, field
from typing import TypeVar

from huaben.adapters.folder import DataFolder
from huaben.adapters.manuscripts import journal
from huaben.adapters.manuscripts.files import make_folders, read_plain, told
from huaben.adapters.manuscripts.index import FolderIndex
from huaben.adapters.manuscripts.journal import Places
from huaben.adapters.manuscripts.objects import ObjectFolder, damaged
from huaben.domain.manuscript import is_chapter
from huaben.errors import BadInput, StorageFailed
from huaben.ports.manuscripts import MAX_CHAPTER_BYTES, Found, Moved, Rewrite

T = TypeVar("T")
_log = logging.getLogger(__name__)
_PROJECT = re.compile(r"[0-9A-Za-z][0-9A-Za-z_.-]{0,99}")
_AT_ONCE = 100


@dataclass(slots=True)
class _Desk:
    """What is remembered of one project, and the lock that its files are touched under."""

    places: Places
    objects: ObjectFolder
    index: FolderIndex
    lock: threading.Lock = field(default_factory=threading.Lock)


class FolderManuscripts:
    """Implements `Manuscripts` over `projects/<id>` in a data folder."""

    def __init__(self, folder: DataFolder) -> None:
        self._folder = folder
        self._desks: dict[str, _Desk] = {}
        self._door = threading.Lock()

    async def found(self, project_id: str) -> None:
        await self._do(project_id, "the manuscript's folder was not made", self._found)

    async def look(self, project_id: str) -> Found:
        return await self._do(
            project_id, "the manuscript cannot be read", lambda desk: desk.index.look(keep=False)
        )

    async def take(self, project_id: str) -> Found:
        def work(desk: _Desk) -> Found:
            make_folders(desk.places.objects, self._folder.root)
            return desk.index.look(keep=True)

        return await self._do(project_id, "the manuscript was not kept", work)

    async def read(self, project_id: str, name: str) -> bytes | None:
        _check_name(name)

        def work(desk: _Desk) -> bytes | None:
            return read_plain(desk.places.manuscript / name, MAX_CHAPTER_BYTES)

        return await self._do(project_id, f"{name} cannot be read", work)

    async def keep(self, project_id: str, content: bytes) -> str:
        def work(desk: _Desk) -> str:
            make_folders(desk.places.objects, self._folder.root)
            return desk.objects.put(content)

        return await self._do(project_id, "the object was not written", work)

    async def object(self, project_id: str, sha256: str) -> bytes | None:
        what = f"object {sha256} cannot be read"
        return await self._do(project_id, what, lambda desk: desk.objects.get(sha256))

    async def unsound(self, project_id: str, objects: Iterable[str]) -> list[str]:
        def work(desk: _Desk) -> list[str]:
            return [name for name in dict.fromkeys(objects) if not desk.objects.is_sound(name)]

        return await self._do(project_id, "the objects cannot be read", work)

    async def change(self, rewrite: Rewrite) -> Moved | None:
        for name in rewrite.steps:
            _check_name(name)

        def work(desk: _Desk) -> Moved | None:
            if names := journal.moved(desk.places, rewrite):
                return Moved(tuple(names))
            journal.prepare(desk.places, desk.objects, rewrite)
            try:
                journal.carry_out(desk.places, rewrite)
            except BaseException:
                journal.take_back(desk.places, rewrite)
                journal.close(desk.places, rewrite)
                raise
            return None

        return await self._do(rewrite.project_id, "the manuscript was not changed", work)

    async def settle(self, rewrite: Rewrite, *, made: bool) -> None:
        def work(desk: _Desk) -> None:
            if made:
                journal.carry_out(desk.places, rewrite)
            else:
                journal.take_back(desk.places, rewrite)
            journal.close(desk.places, rewrite)

        await self._do(rewrite.project_id, "the change was not settled", work)

    async def unsettled(self) -> list[Rewrite]:
        found: list[Rewrite] = []
        for project_id in await asyncio.to_thread(self._project_ids):
            what = "the journal cannot be read"
            try:
                found += await self._do(
                    project_id, what, lambda desk, of=project_id: _open_changes(desk, of)
                )
            except StorageFailed as fault:
                # One damaged manuscript must not keep all others out of reach.
                _log.error("%s: %s %s", project_id, fault.code, fault.message)
        return found

    async def forget(self, project_id: str) -> None:
        def work(desk: _Desk) -> None:
            if desk.places.project.is_dir():
                shutil.rmtree(desk.places.project)

        await self._do(project_id, "the manuscript was not deleted", work)
        with self._door:
            self._desks.pop(project_id, None)

    async def audit(self, project_id: str, objects: Collection[str]) -> AsyncIterator[str]:
        def names(desk: _Desk) -> list[str]:
            return sorted({*desk.objects.names(), *objects})

        found = await self._do(project_id, "the objects cannot be read", names)
        for at in range(0, len(found), _AT_ONCE):
            some = found[at : at + _AT_ONCE]
            for name in await self.unsound(project_id, some):
                is_there = await self._do(
                    project_id, "", lambda desk, name=name: desk.objects.has(name)
                )
                yield damaged(name) if is_there else f"object {name} of {project_id} is missing"
        for change in await self._do(project_id, "", lambda desk: journal.open_ids(desk.places)):
            yield f"the change {change} of the manuscript {project_id} is not settled"

    # ---- in a thread ---------------------------------------------------------------------------

    async def _do(self, project_id: str, what: str, work: Callable[[_Desk], T]) -> T:
        desk = self._desk(project_id)

        def run() -> T:
            with desk.lock, told(f"{what} ({project_id})"):
                return work(desk)

        # A change that has begun must come to its end even if nobody waits for it any more.
        return await asyncio.shield(asyncio.to_thread(run))

    def _desk(self, project_id: str) -> _Desk:
        if _PROJECT.fullmatch(project_id) is None:
            raise BadInput("bad_project", f"{project_id} is no project.")
        with self._door:
            desk = self._desks.get(project_id)
            if desk is None:
                places = Places(self._folder.root, self._folder.projects / project_id)
                objects = ObjectFolder(places.objects)
                desk = _Desk(places, objects, FolderIndex(places.manuscript, objects))
                self._desks[project_id] = desk
            return desk

    def _found(self, desk: _Desk) -> None:
        make_folders(desk.places.manuscript, self._folder.root)
        make_folders(desk.places.objects, self._folder.root)

    def _project_ids(self) -> list[str]:
        folder = self._folder.projects
        if not folder.is_dir():
            return []
        names = (one.name for one in folder.iterdir() if one.is_dir())
        return sorted(name for name in names if _PROJECT.fullmatch(name))


def _open_changes(desk: _Desk, project_id: str) -> list[Rewrite]:
    if desk.places.objects.is_dir():
        desk.objects.sweep()
    return list(journal.open_changes(desk.places, project_id))


def _check_name(name: str) -> None:
    """Keep to the folder, whoever asks."""
    if "/" in name or "\\" in name or "\0" in name or not is_chapter(name):
        raise BadInput("bad_chapter_name", f"{name!r} is no chapter of the manuscript.")
