"""The vault of a library on SQLite or PostgreSQL: its verbs in threads, one at a time; what they do stands
in the files beside this one."""

from __future__ import annotations

import asyncio
import json
import os
import re
import tempfile
import threading
from collections.abc import AsyncGenerator, AsyncIterable, Callable, Coroutine
from contextlib import asynccontextmanager, suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import Final, TypeVar

from filelock import FileLock, Timeout
from sqlalchemy.exc import SQLAlchemyError

from huaben.adapters.db.backup_exchanging import (
    check_still,
    exchange,
    nothing_restored,
    planned,
    put_files_in_place,
)
from huaben.adapters.db.backup_loading import discard, stage
from huaben.adapters.db.backup_reading import compare, read
from huaben.adapters.db.backup_writing import Order, Place, write
from huaben.adapters.db.store import SqlStore
from huaben.adapters.fullness import not_written
from huaben.domain.times import stamp
from huaben.errors import Conflict, HuabenError, NotFound
from huaben.ports import Clock, Ids
from huaben.ports.vault import Archive, BackedUp, Made, Preview, Restored

T = TypeVar("T")
GoingOn = Callable[[], None]

_LAST: Final = "last.json"
_MADE: Final = "huaben"
_BEFORE: Final = "before-restore"
_NAME: Final = re.compile(rf"({_MADE}|{_BEFORE})-(\d{{8}}-\d{{6}})(?:-\d+)?\.zip")
_RECEIVED: Final = ".received-"


class _GivenUp(Exception):
    """Whoever waited for the work no longer does."""


class SqlVault:
    """Implements `Vault`; see there for what each verb promises."""

    def __init__(self, store: SqlStore, place: Place, clock: Clock, ids: Ids) -> None:
        self._store = store
        self._place = place
        self._clock = clock
        self._ids = ids

    # ---- backing up ----------------------------------------------------------------------------

    async def back_up(self, target: Path | None = None, *, replace: bool = False) -> Made:
        async with self._alone():
            moment = self._clock.now()
            path = target or self._free_name(_MADE, moment)

            def work(going_on: GoingOn) -> Made:
                made = write(self._place, Order(path, moment, going_on, replace))
                self._remember(made)
                return made

            return await _in_thread(work)

    async def last(self) -> BackedUp | None:
        try:
            text = await asyncio.to_thread((self._folder / _LAST).read_text, "utf-8")
            told: object = json.loads(text)
        except (OSError, ValueError):
            return None
        match told:
            case {"at": str() as at, "file": str() as file, "bytes": int() as size,
                  "last_turn": str() as last_turn}:  # fmt: skip
                return BackedUp(at, file, size, last_turn)
            case _:
                return None

    def _remember(self, made: Made) -> None:
        """When the last backup was; the backup stands without it."""
        told = {
            "at": made.contents.at,
            "file": str(made.path.absolute()),
            "bytes": made.bytes,
            "last_turn": made.contents.last_turn,
        }
        with suppress(OSError):
            unfinished = self._folder / f"{_LAST}.part"
            unfinished.write_text(json.dumps(told), "utf-8")
            unfinished.replace(self._folder / _LAST)

    async def archives(self) -> list[Archive]:
        return await asyncio.to_thread(self._archives)

    def _archives(self) -> list[Archive]:
        found: list[Archive] = []
        for path in self._folder.glob("*.zip"):
            named = _NAME.fullmatch(path.name)
            if named is None:
                continue
            moment = datetime.strptime(named[2], "%Y%m%d-%H%M%S").replace(tzinfo=UTC)
            kind = "before_restore" if named[1] == _BEFORE else "made"
            found.append(Archive(path.name, kind, stamp(moment), path.stat().st_size))
        return sorted(found, key=lambda one: (one.at, one.name), reverse=True)

    def place(self, name: str) -> Path:
        path = self._folder / name
        if _NAME.fullmatch(name) is None or not path.is_file():
            raise NotFound("backup_not_found", f"There is no backup {name}.", name=name)
        return path

    # ---- what arrives --------------------------------------------------------------------------

    async def receive(self, pieces: AsyncIterable[bytes]) -> Path:
        try:
            descriptor, name = tempfile.mkstemp(
                dir=self._prepared(), prefix=_RECEIVED, suffix=".zip"
            )
            try:
                with os.fdopen(descriptor, "wb") as file:
                    async for piece in pieces:
                        await asyncio.to_thread(file.write, piece)
            except BaseException:
                os.unlink(name)  # noqa: PTH108 - at once, in whatever is going wrong
                raise
        except OSError as fault:
            raise not_written(fault, "not_received", "the backup was not stored") from fault
        return Path(name)

    async def let_go(self, received: Path) -> None:
        if received.parent == self._folder and received.name.startswith(_RECEIVED):
            await asyncio.to_thread(received.unlink, missing_ok=True)

    async def look_into(self, archive: Path) -> Preview:
        def work(going_on: GoingOn) -> Preview:
            known = read(archive, going_on)
            with self._place.reading() as connection:
                return compare(connection, known)

        return await _in_thread(work)

    # ---- restoring -----------------------------------------------------------------------------

    async def restore(self, archive: Path) -> Restored:
        async with self._alone():
            restore_id = self._ids.new()

            def prepare(going_on: GoingOn) -> Restored:
                with self._place.reading() as connection:
                    check_still(self._place, connection)
                contents = read(archive, going_on).contents
                staged = stage(self._place, archive, contents, restore_id, going_on)
                moment = self._clock.now()
                before = Order(self._free_name(_BEFORE, moment), moment, lambda: None)
                prepared.append(lambda: exchange(self._place, staged, before))
                return Restored(contents, before.target)

            prepared: list[Callable[[], Made]] = []
            try:
                restored = await _in_thread(prepare)
                await _to_its_end(self._store.exchanging(prepared[0]))
            except OSError as fault:
                raise nothing_restored(fault) from fault
            finally:
                await self._clear_undecided(f"restored/{restore_id}")
            return restored

    async def recover(self) -> None:
        plan = await asyncio.to_thread(planned, self._place)
        if plan is not None and await self._store.effect(plan.key) is not None:
            await asyncio.to_thread(put_files_in_place, self._place)
        await self._discard()
        for left in self._folder.glob(f"{_RECEIVED}*"):
            left.unlink(missing_ok=True)

    async def _clear_undecided(self, key: str) -> None:
        """What is decided and not through is left for the next start."""
        with suppress(HuabenError):
            if await self._store.effect(key) is None:
                await self._discard()

    async def _discard(self) -> None:
        """What is left is in nobody's way; the next restore clears it too."""
        with suppress(OSError, SQLAlchemyError):
            await asyncio.to_thread(discard, self._place)

    # ---- the folder ----------------------------------------------------------------------------

    @property
    def _folder(self) -> Path:
        return self._place.folder.backups

    def _prepared(self) -> Path:
        self._folder.mkdir(mode=0o700, exist_ok=True)
        return self._folder

    def _free_name(self, kind: str, moment: datetime) -> Path:
        stem = f"{kind}-{moment.astimezone(UTC):%Y%m%d-%H%M%S}"
        path, number = self._prepared() / f"{stem}.zip", 1
        while path.exists():
            number += 1
            path = self._folder / f"{stem}-{number}.zip"
        return path

    @asynccontextmanager
    async def _alone(self) -> AsyncGenerator[None]:
        """Also among processes: one that only reads the library may back it up."""
        try:
            lock = FileLock(self._prepared() / ".lock", timeout=0, mode=0o600, thread_local=False)
            lock.acquire()
        except Timeout as taken:
            raise Conflict(
                "vault_busy", "A backup or restore is under way.", "Wait for its end."
            ) from taken
        except OSError as fault:
            raise not_written(fault, "backup_failed", "no backup can be kept") from fault
        try:
            yield
        finally:
            lock.release()


async def _in_thread(work: Callable[[GoingOn], T]) -> T:
    """Do it in a thread; when nobody waits any more, it is given up soon and waited for."""
    stop = threading.Event()

    def going_on() -> None:
        if stop.is_set():
            raise _GivenUp

    working = asyncio.ensure_future(asyncio.to_thread(work, going_on))
    try:
        return await asyncio.shield(working)
    except asyncio.CancelledError:
        stop.set()
        with suppress(Exception):
            await working
        raise


async def _to_its_end(work: Coroutine[object, object, T]) -> T:
    """What has begun is waited for even by whoever is cancelled meanwhile."""
    working = asyncio.ensure_future(work)
    try:
        return await asyncio.shield(working)
    except asyncio.CancelledError:
        with suppress(Exception):
            await working
        raise
