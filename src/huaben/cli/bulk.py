"""`huaben import` of many files: stored first, then taken in by one background job that an interruption
does not harm; apart from the import of a few, which needs no job."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from rich.progress import BarColumn, MofNCompleteColumn, Progress, TaskID, TextColumn

from huaben.cli.chats import planted
from huaben.cli.failing import Told, system_reason
from huaben.cli.opening import read_file
from huaben.cli.speaking import err, tell, voice
from huaben.errors import HuabenError
from huaben.ports import DueJob, Page
from huaben.services import importing
from huaben.services.house import House
from huaben.services.importing import Item, Upload
from huaben.services.library import Imported, LibraryKind

LOOK_S = 0.2
AT_ONCE = 200
_KINDS: Mapping[str, LibraryKind] = {
    "card": "card",
    "lorebook": "lorebook",
    "preset": "preset",
    "persona": "persona",
    "scripts": "scripts",
    "quick_replies": "quick_replies",
}
_say = voice().say


@dataclass(frozen=True, slots=True)
class Fate:
    """What became of one file: one of the three is there."""

    path: Path
    imported: Imported | None = None
    error: HuabenError | None = None
    chats: Sequence[Mapping[str, object]] = ()


@dataclass(slots=True)
class Batch:
    """The files of one import, and a bar that tells how far it has come."""

    house: House
    files: Sequence[Path]
    max_mb: int
    bar: Progress
    unread: dict[int, HuabenError] = field(default_factory=dict[int, HuabenError])

    async def run(self) -> AsyncIterator[Fate]:
        """Import the files; their fates come in their order, when all have met theirs."""
        storing = self.bar.add_task(_say("import.storing"), total=len(self.files))
        import_id = await importing.begin(self.house, self._uploads(storing))
        self.bar.remove_task(storing)
        try:
            job = await self._wait(import_id)
        except asyncio.CancelledError:
            tell(_say("import.goes_on"))
            raise
        self.bar.stop()
        after: str | None = None
        while True:
            items, after = await importing.items(self.house, job, Page(after, AT_ONCE))
            for item in items:
                yield await self._fate(item)
            if after is None:
                break
        if job.outcome.startswith("failed"):
            _, code, message = job.outcome.split(": ", 2)
            raise HuabenError(code, message)

    async def _uploads(self, storing: TaskID) -> AsyncIterator[Upload]:
        for n, path in enumerate(self.files):
            try:
                yield Upload(path.name, await read_file(path, self.max_mb))
            except HuabenError as error:
                self.unread[n] = error
                yield Upload(path.name, error)
            except OSError as error:
                reason = _say("import.unreadable", what=system_reason(error))
                self.unread[n] = Told("unreadable_file", reason)
                yield Upload(path.name, self.unread[n])
            self.bar.advance(storing)

    async def _wait(self, import_id: str) -> DueJob:
        taking = self.bar.add_task(_say("import.taking"), total=len(self.files))
        while True:
            job = await importing.load_import(self.house, import_id)
            done = await self.house.store.count_effects(f"{job.id}/")
            self.bar.update(taking, completed=done)
            if job.outcome:
                return job
            await asyncio.sleep(LOOK_S)

    async def _fate(self, item: Item) -> Fate:
        path = self.files[item.n]
        if item.kind == "chat":
            already = item.fate == "already"
            return Fate(path, chats=await planted(self.house, item.id, already=already))
        if item.fate == "refused":
            error = self.unread.get(item.n) or HuabenError(item.code, item.message)
            return Fate(path, error=error)
        already = item.fate == "already"
        return Fate(
            path, Imported(_KINDS[item.kind], item.id, item.name, item.report or {}, already)
        )


async def import_many(house: House, files: Sequence[Path], max_mb: int) -> AsyncIterator[Fate]:
    """Import the files as one job. Raises the job's own failure after the fates that are known."""
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn())
    with Progress(*columns, console=err(), transient=True) as bar:
        async for fate in Batch(house, files, max_mb, bar).run():
            yield fate
