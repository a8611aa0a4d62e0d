"""Inflating and decoding with a cap; apart because every container can hide a bomb or damaged text."""

import zlib
from dataclasses import dataclass
from typing import Literal, TypeAlias

from huaben.formats.charset import EastAsian, east_asian
from huaben.formats.report import Findings

Encoding: TypeAlias = Literal["utf-8", "utf-16", "latin-1", "damaged"] | EastAsian


@dataclass(frozen=True, slots=True)
class InflateFault:
    """Why compressed data was not inflated."""

    code: Literal["too_large", "corrupt"]
    detail: str


@dataclass(frozen=True, slots=True)
class Decoded:
    """A text and how its bytes were read; all but the first two deserve a word to the user."""

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
    """Reads bytes as text, whatever they are: UTF-8, UTF-16 with a mark, else the likeliest.

    A byte order mark is dropped. Text of an East Asian encoding is told by its everyday characters.
    Text that is UTF-8 but for some bytes keeps U+FFFD in their place (`damaged`); bytes without any
    valid multi-byte character are Latin-1, as `btoa` left them.
    """
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        return Decoded(data.decode("utf-16", errors="replace"), "utf-16")
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


def noted_text(data: bytes, where: str, findings: Findings) -> str:
    """Bytes as text, as `decode_text` reads them; what is not Unicode is a warning at `where`."""
    decoded = decode_text(data)
    if decoded.encoding not in ("utf-8", "utf-16"):
        findings.warn("bad_encoding", where, f"read as {decoded.encoding}")
    return decoded.text
