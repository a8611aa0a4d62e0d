"""Inflating and decoding with a cap; apart because every container can hide a bomb or damaged text."""

import zlib
from dataclasses import dataclass
from typing import Literal, TypeAlias

from huaben.formats.charset import EastAsian, east_asian
from huaben.formats.report import Findings

Encoding: TypeAlias = Literal["utf-8", "utf-16", "utf-32", "latin-1", "damaged"] | EastAsian


@dataclass(frozen=True, slots=True)
class InflateFault:
    """Why compressed data was not inflated."""

    code: Literal["too_large", "corrupt"]
    detail: str


@dataclass(frozen=True, slots=True)
class Decoded:
    """A text and how its bytes were read; all but Unicode's own ways deserve a word to the user."""

    text: str
    encoding: Encoding


def inflate(data: bytes, limit: int, *, window: int = zlib.MAX_WBITS) -> bytes | InflateFault:
    """Inflates a zlib stream to at most `limit` bytes, never holding more than that.

    A negative `window` reads a bare deflate stream, as zip members are.
    """
    stream = zlib.decompressobj(window)
    try:
        inflated = stream.decompress(data, limit + 1)
    except zlib.error as why:
        return InflateFault("corrupt", str(why))
    if len(inflated) > limit:
        return InflateFault("too_large", f"inflates to more than {limit} bytes")
    if not stream.eof:
        return InflateFault("corrupt", "the compressed data ends too early")
    return inflated


def decode_text(data: bytes) -> Decoded:
    """Reads bytes as text, whatever they are: UTF-8, UTF-16 or UTF-32, else the likeliest.

    A byte order mark is dropped, and so are NULs at the end, with which some programs fill a block.
    Without a mark UTF-16 is known by the NUL beside its first character, an ASCII one. Text of an East Asian encoding is told by its everyday characters.
    Text that is UTF-8 but for some bytes keeps U+FFFD in their place (`damaged`); bytes without any
    valid multi-byte character are Latin-1, as `btoa` left them.
    """
    wide = wide_codec(data)
    if wide is not None:
        name, codec = wide
        return Decoded(data.decode(codec, errors="replace").rstrip("\0"), name)
    data = data.rstrip(b"\0")
    try:
        return Decoded(data.decode("utf-8-sig"), "utf-8")
    except UnicodeDecodeError:
        patched = data.decode("utf-8-sig", errors="replace")
    guessed = east_asian(data)
    if guessed is not None:
        return Decoded(*guessed)
    if patched.replace("\ufffd", "").isascii():
        return Decoded(data.decode("latin-1"), "latin-1")
    return Decoded(patched, "damaged")


def wide_codec(data: bytes) -> tuple[Literal["utf-16", "utf-32"], str] | None:
    """The name and the codec of a text of two or four bytes a character; None for any other bytes."""
    if data.startswith((b"\xff\xfe\0\0", b"\0\0\xfe\xff")):
        return "utf-32", "utf-32"
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        return "utf-16", "utf-16"
    if len(data) < 4 or data[2:4] == b"\0\0":
        return None
    first, second = data[0], data[1]
    if second == 0 and 0 < first < 128:
        return "utf-16", "utf-16-le"
    return ("utf-16", "utf-16-be") if first == 0 and 0 < second < 128 else None


def noted_text(data: bytes, where: str, findings: Findings) -> str:
    """Bytes as text, as `decode_text` reads them; what is not Unicode is a warning at `where`."""
    decoded = decode_text(data)
    if decoded.encoding not in ("utf-8", "utf-16", "utf-32"):
        findings.warn("bad_encoding", where, f"read as {decoded.encoding}", now=decoded.encoding)
    return decoded.text
