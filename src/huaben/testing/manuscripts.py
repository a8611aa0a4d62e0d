"""Manuscripts in memory with the behaviour of the real ones: the same contract suite runs on both."""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import AsyncIterator, Collection, Iterable
from dataclasses import dataclass, field

from huaben.domain.checkpoint import FileChange
from huaben.domain.manuscript import Chapter, in_order, is_chapter
from huaben.errors import BadInput, HuabenError, StorageFailed
from huaben.ports.manuscripts import Found, Moved, Rewrite

EARLY = "2026-01-01T00:00:00.000Z"


@dataclass(slots=True)
class Desk:
    """One manuscript. Tests edit `files` as a user edits a folder; `read_only` are names of files that
    are marked so."""

    files: dict[str, bytes] = field(default_factory=dict[str, bytes])
    objects: dict[str, bytes] = field(default_factory=dict[str, bytes])
    journal: dict[str, Rewrite] = field(default_factory=dict[str, Rewrite])
    read_only: set[str] = field(default_factory=set[str])
    gone: bool = True


class MemoryManuscripts:
    """Implements `Manuscripts`. `break_with` makes every change raise, until it is called with None."""

    def __init__(self) -> None:
        self._desks: dict[str, Desk] = {}
        self._broken: HuabenError | None = None

    def desk(self, project_id: str) -> Desk:
        """The manuscript of a project, for a test to look at and to edit by hand."""
        return self._desks.setdefault(project_id, Desk())

    def break_with(self, fault: HuabenError | None) -> None:
        self._broken = fault

    async def found(self, project_id: str) -> None:
        self.desk(project_id).gone = False

    async def look(self, project_id: str) -> Found:
        await asyncio.sleep(0)  # as with the real one, others run before the answer comes
        desk = self.desk(project_id)
        if desk.gone:
            return Found(gone=True)
        names = in_order(name for name in desk.files if is_chapter(name))
        return Found(tuple(_chapter(name, desk.files[name]) for name in names))

    async def take(self, project_id: str) -> Found:
        found = await self.look(project_id)
        desk = self.desk(project_id)
        for chapter in found.chapters:
            desk.objects[chapter.hash] = desk.files[chapter.name]
        return found

    async def read(self, project_id: str, name: str) -> bytes | None:
        _check_name(name)
        return self.desk(project_id).files.get(name)

    async def keep(self, project_id: str, content: bytes) -> str:
        if self._broken is not None:
            raise self._broken
        name = _digest(content)
        self.desk(project_id).objects[name] = content
        return name

    async def object(self, project_id: str, sha256: str) -> bytes | None:
        content = self.desk(project_id).objects.get(sha256)
        if content is not None and _digest(content) != sha256:
            raise StorageFailed("object_damaged", f"object {sha256} is damaged")
        return content

    async def unsound(self, project_id: str, objects: Iterable[str]) -> list[str]:
        kept = self.desk(project_id).objects
        return [n for n in dict.fromkeys(objects) if n not in kept or _digest(kept[n]) != n]

    async def change(self, rewrite: Rewrite) -> Moved | None:
        await asyncio.sleep(0)
        desk = self.desk(rewrite.project_id)
        for name in rewrite.steps:
            _check_name(name)
        now = {name: _digest(content) for name, content in desk.files.items()}
        moved = [name for name, step in rewrite.steps.items() if now.get(name) != step.before]
        if moved:
            return Moved(tuple(moved))
        needed = {h for s in rewrite.steps.values() for h in (s.before, s.after) if h is not None}
        if await self.unsound(rewrite.project_id, needed):
            raise StorageFailed("object_missing", "an object is missing; nothing was changed")
        if desk.read_only & set(rewrite.steps):
            raise StorageFailed("read_only_file", "a file is read-only; nothing was changed")
        if self._broken is not None:
            raise self._broken
        desk.gone = False
        desk.journal[rewrite.id] = rewrite
        for name, step in rewrite.steps.items():
            _make(desk, name, step.after)
        return None

    async def settle(self, rewrite: Rewrite, *, made: bool) -> None:
        desk = self.desk(rewrite.project_id)
        for name, step in rewrite.steps.items():
            wanted = step if made else FileChange(step.after, step.before)
            found = desk.files.get(name)
            if (None if found is None else _digest(found)) == wanted.before:
                _make(desk, name, wanted.after)
        desk.journal.pop(rewrite.id, None)

    async def unsettled(self) -> list[Rewrite]:
        return [one for desk in self._desks.values() for one in desk.journal.values()]

    async def forget(self, project_id: str) -> None:
        self._desks.pop(project_id, None)

    async def audit(self, project_id: str, objects: Collection[str]) -> AsyncIterator[str]:
        desk = self.desk(project_id)
        for name in await self.unsound(project_id, sorted({*objects, *desk.objects})):
            state = "is damaged" if name in desk.objects else "is missing"
            yield f"object {name} of {project_id} {state}"
        for change in sorted(desk.journal):
            yield f"the change {change} of the manuscript {project_id} is not settled"


def _make(desk: Desk, name: str, sha256: str | None) -> None:
    if sha256 is None:
        desk.files.pop(name, None)
    else:
        desk.files[name] = desk.objects[sha256]


def _chapter(name: str, content: bytes) -> Chapter:
    try:
        chars: int | None = len(content.decode())
    except UnicodeDecodeError:
        chars = None
    return Chapter(name, _digest(content), len(content), chars, EARLY)


def _digest(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


def _check_name(name: str) -> None:
    if "/" in name or "\\" in name or "\0" in name or not is_chapter(name):
        raise BadInput("bad_chapter_name", f"{name!r} is no chapter of the manuscript.")
