"""Zip archives within bounds, also behind a picture or a stub; apart because a hostile directory fills memory."""

import struct
import zlib
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from huaben.formats.bounded import InflateFault, inflate

MAX_DIRECTORY_BYTES = 4 * 1024 * 1024
MAX_MEMBERS = 20_000

_LOCAL, _CENTRAL, _END = b"PK\x03\x04", b"PK\x01\x02", b"PK\x05\x06"
_LOCAL_BYTES, _CENTRAL_BYTES, _END_BYTES = 30, 46, 22
_MAX_COMMENT = 65_535
_ENCRYPTED, _UTF8 = 0x1, 0x800
_STORED, _DEFLATED = 0, 8


@dataclass(frozen=True, slots=True)
class ArchiveFault:
    """Why an archive or a member of it cannot be read."""

    code: Literal["not_zip", "encrypted", "too_large", "unsupported", "corrupt"]
    detail: str


@dataclass(frozen=True, slots=True)
class Member:
    """A file in an archive: `start` is the offset of its local header, sizes are in bytes."""

    name: str
    start: int
    packed: int
    method: int
    encrypted: bool


@dataclass(frozen=True, slots=True)
class Archive:
    """A zip: its bytes, where it begins among them, and its files by name, folders left out.

    Names are as the archive has them: confine them before use. Of two equal names the last wins.
    """

    data: bytes
    start: int
    members: Mapping[str, Member]

    def read(self, member: Member, limit: int) -> bytes | ArchiveFault:
        """A member's bytes, at most `limit`; its checksum is not asked, so that odd writers are read."""
        if member.encrypted:
            return ArchiveFault("encrypted", f"{member.name} is encrypted")
        head = self.data[member.start : member.start + _LOCAL_BYTES]
        if len(head) < _LOCAL_BYTES or not head.startswith(_LOCAL):
            return ArchiveFault("corrupt", f"{member.name} is not where the directory says")
        name_bytes, extra_bytes = struct.unpack_from("<HH", head, 26)
        begin = member.start + _LOCAL_BYTES + name_bytes + extra_bytes
        packed = self.data[begin : begin + member.packed]
        if len(packed) < member.packed:
            return ArchiveFault("corrupt", f"{member.name} is cut short")
        if member.method == _STORED:
            if len(packed) > limit:
                return ArchiveFault("too_large", f"{member.name} has more than {limit} bytes")
            return packed
        if member.method != _DEFLATED:
            return ArchiveFault("unsupported", f"{member.name}: method {member.method}")
        found = inflate(packed, limit, window=-zlib.MAX_WBITS)
        if isinstance(found, InflateFault):
            return ArchiveFault(found.code, f"{member.name}: {found.detail}")
        return found


def has_archive(data: bytes) -> bool:
    """Whether a zip's end record stands where one may stand and a member comes before it."""
    end = _end_of(data)
    return end >= 0 and data.find(_LOCAL, 0, end) >= 0


def open_archive(data: bytes) -> Archive | ArchiveFault:
    """Reads a zip's directory; bytes before the zip are allowed (a picture, a self-extracting stub).

    At most `MAX_DIRECTORY_BYTES` of directory and `MAX_MEMBERS` files; Zip64 is not supported.
    """
    end = _end_of(data)
    if end < 0:
        return ArchiveFault("not_zip", "no end of a zip directory")
    directory_bytes, offset = struct.unpack_from("<II", data, end + 12)
    if 0xFFFFFFFF in (directory_bytes, offset):
        return ArchiveFault("unsupported", "Zip64")
    if directory_bytes > MAX_DIRECTORY_BYTES:
        return ArchiveFault("too_large", f"a directory of more than {MAX_DIRECTORY_BYTES} bytes")
    start = end - directory_bytes
    if start < offset or not data.startswith(_CENTRAL, start):
        return ArchiveFault("corrupt", "the zip directory is not where its end says")
    shift = start - offset
    members = _members(data, start, end, shift)
    if isinstance(members, ArchiveFault):
        return members
    return Archive(data, shift, members)


def _end_of(data: bytes) -> int:
    """Offset of the end record, which only a comment may follow; -1 when there is none."""
    last = max(0, len(data) - _END_BYTES + len(_END))
    return data.rfind(_END, max(0, len(data) - _END_BYTES - _MAX_COMMENT), last)


def _members(
    data: bytes, position: int, end: int, shift: int
) -> Mapping[str, Member] | ArchiveFault:
    members: dict[str, Member] = {}
    while data.startswith(_CENTRAL, position) and position + _CENTRAL_BYTES <= end:
        flags, method = struct.unpack_from("<HH", data, position + 8)
        packed = int.from_bytes(data[position + 20 : position + 24], "little")
        lengths: tuple[int, int, int] = struct.unpack_from("<HHH", data, position + 28)
        offset = int.from_bytes(data[position + 42 : position + 46], "little")
        begin = position + _CENTRAL_BYTES
        name = _name(data[begin : begin + lengths[0]], is_utf8=bool(flags & _UTF8))
        position = begin + sum(lengths)
        if name.endswith("/"):
            continue
        if len(members) == MAX_MEMBERS:
            return ArchiveFault("too_large", f"more than {MAX_MEMBERS} files")
        members[name] = Member(name, offset + shift, packed, method, bool(flags & _ENCRYPTED))
    return members


def _name(name: bytes, *, is_utf8: bool) -> str:
    """A member's name; without the UTF-8 flag many tools write UTF-8 or GBK all the same."""
    encodings = ("utf-8",) if is_utf8 else ("utf-8", "gb18030", "cp437")
    for encoding in encodings:
        try:
            return name.decode(encoding)
        except UnicodeDecodeError:
            continue
    return name.decode("utf-8", errors="replace")
