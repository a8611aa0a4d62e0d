"""A file of lines as lines; apart because a string may hold what most splitters take for a line's end."""

import codecs
from collections.abc import Iterator
from itertools import islice
from typing import Final

from huaben.domain.jsonvalue import JsonFault, JsonObject, parse_json
from huaben.formats.bounded import decode_text, wide_codec
from huaben.formats.chats.values import MAX_LINE_BYTES
from huaben.formats.report import Findings

_BOM: Final = b"\xef\xbb\xbf"
_SLICE: Final = 1 << 16


def lines_of(data: bytes) -> Iterator[tuple[int, bytes]]:
    """The lines that are not blank, each with its number from 1; one by one, without a copy of the file.

    Only `\\n` ends a line, and one `\\r` before it goes: U+2028 and its like may stand within a
    string (formats §0, trap 6). A byte order mark at the very beginning is no part of the first.
    NULs around a line are what a power cut leaves of a block, and no part of it either.
    """
    start, number = len(_BOM) if data.startswith(_BOM) else 0, 0
    while start < len(data):
        number += 1
        end = data.find(b"\n", start)
        end = len(data) if end < 0 else end
        line = data[start:end].strip(b"\0").removesuffix(b"\r")
        if line.strip():
            yield number, line
        start = end + 1


def first_lines(data: bytes, count: int) -> list[bytes]:
    """The first lines that are not blank, at most so many."""
    return [line for _, line in islice(lines_of(data), count)]


def object_in(line: bytes) -> JsonObject | JsonFault:
    """The JSON object of a line; bytes that are no UTF-8 are U+FFFD."""
    if len(line) > MAX_LINE_BYTES:
        return JsonFault("too_large", f"a line of {len(line)} bytes, at most {MAX_LINE_BYTES}")
    value = parse_json(line.decode("utf-8", "replace"))
    if isinstance(value, dict | JsonFault):
        return value
    return JsonFault("syntax", f"a JSON {type(value).__name__}, not an object")


def is_utf8(data: bytes) -> bool:
    """Whether all of it is UTF-8, looked at in slices."""
    decoder = codecs.getincrementaldecoder("utf-8")()
    try:
        for start in range(0, len(data), _SLICE):
            decoder.decode(data[start : start + _SLICE])
        decoder.decode(b"", final=True)
    except UnicodeDecodeError:
        return False
    return True


def as_utf8(data: bytes, findings: Findings) -> bytes:
    """The bytes in UTF-8, whatever they were written in. UTF-8 with a few damaged bytes stays as it is:
    the lines that hold them are named, the others are whole."""
    if wide_codec(data) is None and is_utf8(data):
        return data
    decoded = decode_text(data)
    if decoded.encoding == "damaged":
        findings.warn("bad_encoding", "", "damaged UTF-8")
        return data
    findings.changed("bad_encoding", "", f"read as {decoded.encoding}", now=decoded.encoding)
    return decoded.text.encode("utf-8", "replace")
