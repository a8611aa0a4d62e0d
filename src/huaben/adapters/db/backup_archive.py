"""The archive of a backup: a zip with a list of all that is in it; apart from what goes in, so that the
rules for reading what may come from anywhere stand in one place.

Every member is hashed as it is written and as it is read. The list comes last, and an archive without
it is none. Nothing is held in memory but the list.
"""

from __future__ import annotations

import hashlib
import json
import re
import shutil
import stat
import zipfile
import zlib
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final, cast

from huaben.errors import BadInput

LIST: Final = "manifest.jsonl"
"""The facts on the first line, then a line for each file: place, size, SHA-256."""
PROGRAM: Final = "huaben"
FORMAT: Final = 1
PIECE: Final = 1024 * 1024
MAX_FACTS_BYTES: Final = 1024 * 1024
MAX_LINE_BYTES: Final = 512 * 1024 * 1024
MAX_DIRECTORY_BYTES: Final = 128 * 1024 * 1024
"""Of the zip's own directory, which is read as a whole: room for a million files."""
MAX_RATIO: Final = 200
"""How many times its size an archive may unpack to, beyond `FREE_BYTES`."""
FREE_BYTES: Final = 256 * 1024 * 1024
_END_BYTES: Final = 22 + 65_535 + 56 + 20
"""Where the end of a zip may stand: its record, a comment, and those of zip64."""
_DECODER: Final = json.JSONDecoder()

_PART = r"(?!\.{1,2}(?:/|$))[^/\\\x00-\x1f\x7f:]+"
_NAMES: Final = re.compile(
    rf"README\.txt|prices\.toml|tables/[a-z_]+\.jsonl|objects/[0-9a-f]{{2}}/[0-9a-f]{{64}}"
    rf"|(?:projects|scenarios)(?:/{_PART})+"
)
"""The places that a member may name; whatever else an archive holds is no backup of ours."""


@dataclass(frozen=True, slots=True)
class Entry:
    """A member: its place in the archive, its size in bytes, its SHA-256."""

    name: str
    bytes: int
    sha256: str


# ---- writing -----------------------------------------------------------------------------------


@dataclass(slots=True)
class Packing:
    """An archive that is being written. `going_on` raises when it is to be given up."""

    zip: zipfile.ZipFile
    moment: tuple[int, int, int, int, int, int]
    going_on: Callable[[], None]
    entries: list[Entry] = field(default_factory=list[Entry])

    def add(self, name: str, pieces: Iterable[bytes]) -> Entry:
        """Write a member from its pieces."""
        digest, size = hashlib.sha256(), 0
        iterator = iter(pieces)
        first = next(iterator, b"")
        info = zipfile.ZipInfo(name, self.moment)
        info.external_attr = (stat.S_IFREG | 0o600) << 16
        info.compress_type = zipfile.ZIP_DEFLATED if _shrinks(first) else zipfile.ZIP_STORED
        with self.zip.open(info, "w", force_zip64=True) as member:
            for piece in _chained(first, iterator):
                self.going_on()
                digest.update(piece)
                size += len(piece)
                member.write(piece)
        entry = Entry(name, size, digest.hexdigest())
        self.entries.append(entry)
        return entry

    def close(self, facts: Mapping[str, object]) -> None:
        """Write the list, with these facts about the whole."""
        files = list(self.entries)
        told: dict[str, object] = {"program": PROGRAM, "format": FORMAT, **facts}
        self.add(LIST, [line(told), *(line([one.name, one.bytes, one.sha256]) for one in files)])


def line(value: object) -> bytes:
    """A value as a line of JSON, without white space between its parts."""
    return json.dumps(value, separators=(",", ":"), allow_nan=False).encode() + b"\n"


def _chained(first: bytes, rest: Iterator[bytes]) -> Iterator[bytes]:
    yield first
    yield from rest


def _shrinks(piece: bytes) -> bool:
    """Whether compressing is worth its time: pictures are compressed already."""
    sample = piece[: 64 * 1024]
    return len(zlib.compress(sample, 1)) < len(sample) * 9 // 10


# ---- reading -----------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Unpacking:
    """An archive that is open to be read: its list was found sound, its members were not read yet."""

    zip: zipfile.ZipFile
    facts: Mapping[str, object]
    entries: Mapping[str, Entry]
    going_on: Callable[[], None]

    def pieces(self, name: str) -> Generator[bytes]:
        """The bytes of a member. Raises `BadInput("backup_damaged")`, at the latest behind the last
        piece, when they are not those of the list."""
        entry = self.entries[name]
        digest, left = hashlib.sha256(), entry.bytes
        with closing(_unpacked(self.zip, name)) as unpacked:
            for piece in unpacked:
                self.going_on()
                digest.update(piece)
                left -= len(piece)
                if left < 0:
                    break
                yield piece
        if left != 0 or digest.hexdigest() != entry.sha256:
            raise damaged(f"{name} does not hold what the list says")


@contextmanager
def opened(path: Path, going_on: Callable[[], None]) -> Generator[Unpacking]:
    """Open an archive. Raises `BadInput`: `not_a_backup`, `backup_damaged` (cut short, members that
    are missing, doubled or not in the list), `backup_too_large` (it would unpack to far more than a
    library does, or than the disk of the archive has room for)."""
    try:
        _check_directory(path)
        archive = zipfile.ZipFile(path)
    except (zipfile.BadZipFile, EOFError, ValueError, OverflowError) as why:
        raise _no_backup(f"{path.name} is no whole zip: {why}") from why
    with archive:
        members = archive.infolist()
        if LIST not in archive.NameToInfo:
            raise _no_backup(f"{path.name} has no list of what is in it")
        with closing(_unpacked(archive, LIST)) as pieces:
            every = split(pieces)
            facts = _facts(path.name, next(every, b""))
            entries = _entries(every)
        _check_members(members, entries)
        _check_size(path, members, entries)
        yield Unpacking(archive, facts, entries, going_on)


def _check_directory(path: Path) -> None:
    """Refuse a directory that would fill the memory, before it is read."""
    size = path.stat().st_size
    with path.open("rb") as file:
        file.seek(max(0, size - _END_BYTES))
        end = file.read()
    at = end.rfind(b"PK\x05\x06")
    if at < 0:
        raise zipfile.BadZipFile("it ends without a directory")
    directory = int.from_bytes(end[at + 12 : at + 16], "little")
    if (
        directory == 0xFFFFFFFF
    ):  # too long for this field: the record of zip64 before it has another
        far = end.rfind(b"PK\x06\x06", 0, at)
        directory = int.from_bytes(end[far + 40 : far + 48], "little") if far >= 0 else size
    if directory > MAX_DIRECTORY_BYTES:
        raise _too_large(f"its directory has {directory:,} bytes")


def _unpacked(archive: zipfile.ZipFile, name: str) -> Generator[bytes]:
    try:
        with archive.open(name) as member:
            while piece := member.read(PIECE):
                yield piece
    except (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, RuntimeError) as why:
        raise damaged(f"{name} cannot be unpacked: {why}") from why


def split(pieces: Iterable[bytes]) -> Iterator[bytes]:
    """The lines of a member that comes in pieces. Raises `BadInput` for one without end."""
    begun: list[bytes] = []
    size = 0
    for piece in pieces:
        first, *following = piece.split(b"\n")
        begun.append(first)
        size += len(first)
        for part in following:
            yield b"".join(begun)
            begun, size = [part], len(part)
        if size > MAX_LINE_BYTES:
            raise damaged("a line is too long")
    if size:
        yield b"".join(begun)


def values(text: bytes, number: int) -> list[object]:
    """The list of so many plain values on a line: texts, numbers, truths, nothing. Read one by one,
    so that no line can ask for more memory than its own length. Raises `BadInput`."""
    found: list[object] = []
    try:
        told, at = text.decode(), 1
        for place in range(number):
            if told[at] in "[{" or told[at - 1] != ("," if place else "["):
                raise ValueError("nested")
            value, at = _DECODER.raw_decode(told, at)
            found.append(value)
            at += 1
        if told[at - 1 :] != "]":
            raise ValueError("more")
    except (ValueError, IndexError) as why:
        raise damaged(f"a line is no list of {number} values") from why
    return found


def _facts(name: str, text: bytes) -> Mapping[str, object]:
    if len(text) > MAX_FACTS_BYTES:
        raise damaged("what it says of itself is too long")
    try:
        facts: object = json.loads(text)
    except (ValueError, RecursionError) as why:
        raise damaged(f"what {name} says of itself is not JSON") from why
    if not isinstance(facts, dict):
        raise _no_backup(f"{name} does not say what it is")
    told = cast("dict[str, object]", facts)  # the keys of a JSON object are strings
    if told.get("program") != PROGRAM:
        raise _no_backup(f"{name} was not written by this program")
    if told.get("format") != FORMAT:
        raise BadInput(
            "backup_newer",
            f"{name} has the format {told.get('format')}, this program reads {FORMAT}.",
            "Restore it with the version that wrote it, or a newer one.",
        )
    return told


def _entries(every: Iterator[bytes]) -> Mapping[str, Entry]:
    entries: dict[str, Entry] = {}
    for text in every:
        match values(text, 3):
            case [str() as name, int() as size, str() as sha256] if size >= 0:
                entry = Entry(name, size, sha256)
            case _:
                raise damaged("the list has a line that names no file")
        if not is_place(entry.name) or entry.name in entries:
            raise damaged(f"the list names a place that no backup has: {entry.name!r}")
        if entry.name.startswith("objects/") and entry.name[11:] != entry.sha256:
            raise damaged(f"{entry.name} is not named for its bytes")
        entries[entry.name] = entry
    return entries


def is_place(name: str) -> bool:
    """Whether a member of that name belongs into a backup, and stays within its folder."""
    return _NAMES.fullmatch(name) is not None and len(name) <= 1_000


def _check_members(members: list[zipfile.ZipInfo], entries: Mapping[str, Entry]) -> None:
    seen: set[str] = set()
    for info in members:
        name = info.filename
        if name in seen or (name != LIST and name not in entries):
            raise damaged(f"it holds {name!r}, which the list does not name once")
        if info.flag_bits & 0x1 or stat.S_ISLNK(info.external_attr >> 16):
            raise damaged(f"{name!r} is encrypted or a link")
        if info.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
            raise damaged(f"{name!r} is packed in a way that backups are not")
        if name != LIST and info.file_size != entries[name].bytes:
            raise damaged(f"{name!r} has not the size that the list says")
        seen.add(name)
    missing = entries.keys() - seen
    if missing:
        raise damaged(f"{len(missing):,} files are missing, the first is {min(missing)}")


def _check_size(path: Path, members: list[zipfile.ZipInfo], entries: Mapping[str, Entry]) -> None:
    packed = path.stat().st_size
    if sum(info.compress_size for info in members) > packed:
        raise _too_large("its members lie over one another")
    unpacked = sum(entry.bytes for entry in entries.values())
    if unpacked > FREE_BYTES + MAX_RATIO * packed:
        raise _too_large(f"{packed:,} bytes would unpack to {unpacked:,}")
    free = shutil.disk_usage(path.parent).free
    if unpacked > free:
        raise _too_large(f"it unpacks to {unpacked:,} bytes, the disk has {free:,} free")


def verify(unpacking: Unpacking) -> None:
    """Read every member to its end. Raises as `Unpacking.pieces`."""
    for name in unpacking.entries:
        for _ in unpacking.pieces(name):
            pass


def damaged(detail: str) -> BadInput:
    return BadInput(
        "backup_damaged",
        f"The backup is damaged: {detail}.",
        "Take another one. Nothing was changed.",
    )


def _no_backup(detail: str) -> BadInput:
    return BadInput("not_a_backup", f"This is no backup: {detail}.", "Nothing was changed.")


def _too_large(detail: str) -> BadInput:
    return BadInput(
        "backup_too_large", f"The backup cannot be unpacked: {detail}.", "Nothing was changed."
    )
