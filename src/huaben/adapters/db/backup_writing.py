"""What goes into a backup, and how it becomes a file; apart from reading one, which trusts nothing.

All rows are read in one transaction, so they are of one moment however long it takes. Objects never
change and are listed after that moment has begun; chapters are whole files, each as it stands.
"""

from __future__ import annotations

import hashlib
import os
import stat
import tempfile
import zipfile
from collections.abc import Callable, Generator, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Final

from sqlalchemy import Connection, Engine, func, select
from sqlalchemy.exc import SQLAlchemyError

from huaben.adapters.db import engines, faults, schema, versions
from huaben.adapters.db.backup_archive import PIECE, Packing, is_place, opened, verify
from huaben.adapters.db.backup_reading import contents_of
from huaben.adapters.db.backup_rows import lines, tables
from huaben.adapters.folder import DataFolder
from huaben.adapters.fullness import not_written
from huaben.domain.times import stamp
from huaben.errors import Conflict
from huaben.ports.vault import Made

README: Final = (
    "A backup of Huaben 话本: stories, cards, lorebooks and all that belongs to them.\n"
    "Put it back with: huaben restore FILE\n"
    "The keys of your connections are not in it; they stay in secrets.toml and your settings.\n\n"
    "这是话本的备份：故事、角色卡、设定集，以及与之相关的一切。\n"
    "恢复：huaben restore 文件\n"
    "连接的密钥不在其中，它们只在 secrets.toml 和你的设置里。\n"
)
_FOLDERS: Final = ("projects", "scenarios")


@dataclass(frozen=True, slots=True)
class Place:
    """A library: its data folder, and its server where its rows are not in the folder (else empty).
    `owner` names the turns that this process runs, `version` the program."""

    folder: DataFolder
    url: str = ""
    owner: str = ""
    version: str = ""

    @contextmanager
    def reading(self) -> Generator[Connection]:
        """A transaction of one moment, on a connection of its own."""
        engine = self._reader()
        try:
            with engine.connect() as connection:
                versions.stored_version(connection)  # the first read sets the moment
                yield connection
        except SQLAlchemyError as error:
            raise faults.unread(error) from error
        finally:
            engine.dispose()

    def _reader(self) -> Engine:
        if self.url:
            return engines.postgresql_reader(self.url)
        return engines.sqlite_reader(self.folder.database, alone=True)


@dataclass(frozen=True, slots=True)
class Order:
    """A backup to be written. `replace` lets it take the place of a file that is there. `going_on`
    raises when it is to be given up."""

    target: Path
    moment: datetime
    going_on: Callable[[], None]
    replace: bool = False


def write(place: Place, order: Order) -> Made:
    """Write the archive beside its place, sync it, read it back, then give it its name. Raises
    `Conflict("file_exists")` and `StorageFailed`; nothing is left of what did not succeed."""
    _check_target(order)
    try:
        return _write(place, order)
    except OSError as fault:
        raise not_written(fault, "backup_failed", "no backup was made") from fault


def _write(place: Place, order: Order) -> Made:
    target = order.target
    descriptor, name = tempfile.mkstemp(dir=target.parent, prefix=".backup-", suffix=".part")
    temporary = Path(name)
    try:
        with os.fdopen(descriptor, "w+b") as file:
            with zipfile.ZipFile(file, "w", allowZip64=True) as archive:
                moment = order.moment.timetuple()[:6]
                _pack(place, Packing(archive, moment, order.going_on), order)
            file.flush()
            os.fsync(file.fileno())
        with opened(temporary, order.going_on) as unpacking:
            verify(unpacking)
            contents = contents_of(unpacking.facts, unpacking.entries)
        _check_target(order)
        size = temporary.stat().st_size
        temporary.replace(target)
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise
    sync_folder(target.parent)
    return Made(target, size, contents)


def _check_target(order: Order) -> None:
    if not order.replace and order.target.exists():
        raise Conflict(
            "file_exists",
            f"{order.target} is there already.",
            "Name another file.",
            path=str(order.target),
        )


def sync_folder(folder: Path) -> None:
    """Make durable which files a folder has."""
    if os.name != "posix":  # elsewhere a folder cannot be opened, and renames are journalled
        return
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


# ---- what goes in ------------------------------------------------------------------------------


def _pack(place: Place, packing: Packing, order: Order) -> None:
    packing.add("README.txt", [README.encode()])
    left_out: list[str] = []
    with place.reading() as connection:
        facts = _facts(connection)
        counts: dict[str, int] = {}
        for table in tables():
            counted = _Counted(lines(connection, table))
            packing.add(f"tables/{table.name}.jsonl", counted)
            counts[table.name] = counted.lines - 1
        _pack_objects(place.folder.objects, packing, left_out)
        for path, name in _beside(place.folder):
            _pack_file(path, name, packing, left_out)
    packing.close(
        {
            "version": place.version,
            "schema": schema.HEAD,
            "at": stamp(order.moment),
            **facts,
            "tables": counts,
            "left_out": left_out,
        }
    )


def _facts(connection: Connection) -> dict[str, object]:
    turn = schema.turn
    living = {
        "projects": schema.project,
        "cards": schema.card,
        "lorebooks": schema.lorebook,
    }
    facts: dict[str, object] = {}
    for name, table in living.items():
        chosen = select(func.count()).select_from(table).where(table.c.deleted_at.is_(None))
        facts[name] = int(connection.execute(chosen).scalar_one())
    turns = select(func.count()).select_from(turn).where(turn.c.kind == "turn")
    facts["turns"] = int(connection.execute(turns).scalar_one())
    facts["last_turn"] = str(connection.execute(select(func.max(turn.c.id))).scalar() or "")
    return facts


class _Counted:
    """Pieces that go by, with the number of their lines."""

    def __init__(self, pieces: Iterator[bytes]) -> None:
        self._pieces = pieces
        self.lines = 0

    def __iter__(self) -> Iterator[bytes]:
        for piece in self._pieces:
            self.lines += piece.count(b"\n")
            yield piece


def _pack_objects(folder: Path, packing: Packing, left_out: list[str]) -> None:
    for path in sorted(folder.glob("??/*")):
        name = f"objects/{path.parent.name}/{path.name}"
        if not is_place(name) or not path.is_file():
            continue
        if _digest(path, packing.going_on) == path.name:
            packing.add(name, _pieces(path))
        else:
            left_out.append(name)


def _beside(folder: DataFolder) -> Iterator[tuple[Path, str]]:
    """The files of the user's own, with their places in the archive."""
    if folder.prices.is_file():
        yield folder.prices, folder.prices.name
    for top in _FOLDERS:
        for parent, folders, files in os.walk(folder.root / top):
            folders.sort()
            for file in sorted(files):
                path = Path(parent) / file
                yield path, path.relative_to(folder.root).as_posix()


def _pack_file(path: Path, name: str, packing: Packing, left_out: list[str]) -> None:
    try:
        sound = is_place(name) and stat.S_ISREG(path.lstat().st_mode) and bool(name.encode())
    except UnicodeEncodeError:
        sound = False
    except FileNotFoundError:
        return  # it went while the others were packed
    if not sound:
        left_out.append(name.encode("utf-8", "replace").decode())
        return
    try:
        file = path.open("rb")
    except FileNotFoundError:
        return
    with file:
        packing.add(name, iter(lambda: file.read(PIECE), b""))


def _pieces(path: Path) -> Iterator[bytes]:
    with path.open("rb") as file:
        while piece := file.read(PIECE):
            yield piece


def _digest(path: Path, going_on: Callable[[], None]) -> str:
    digest = hashlib.sha256()
    for piece in _pieces(path):
        going_on()
        digest.update(piece)
    return digest.hexdigest()
