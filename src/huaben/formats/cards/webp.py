"""Cards in the EXIF comment of a WebP, as old programs wrote them; apart, and read only."""

import re
import struct
from collections.abc import Iterator

from huaben.formats.bounded import decode_text
from huaben.formats.cards.outcome import CardFile, Refused
from huaben.formats.cards.payload import card_from_text
from huaben.formats.report import Findings

_MAX_CHUNKS = 10_000
_MAX_CODES = 4_000_000
_CODES = re.compile(r"[0-9]{1,3}(,[0-9]{1,3})*")
_ASCII, _UNICODE = b"ASCII\x00\x00\x00", b"UNICODE\x00"


def is_webp(data: bytes) -> bool:
    """Whether the bytes begin as a WebP does."""
    return data[:4] == b"RIFF" and data[8:12] == b"WEBP"


def read_webp_card(data: bytes, filename: str) -> CardFile | Refused:
    """Reads the JSON in the EXIF UserComment, in ASCII or Unicode, or as a list of character codes."""
    for exif in _chunks(data, b"EXIF"):
        text = _comment(exif)
        if text is None:
            continue
        findings = Findings()
        card = card_from_text(_json_part(text), filename, findings)
        if isinstance(card, Refused):
            return card
        findings.kept("card_chunk", "webp:EXIF")
        return CardFile(card, "webp", findings.report(), data)
    return Refused("not_a_card", "the WebP has no character data in its EXIF comment")


def _chunks(data: bytes, kind: bytes) -> Iterator[bytes]:
    """Bodies of RIFF chunks of one kind; a length that lies ends the walk."""
    position = 12
    for _ in range(_MAX_CHUNKS):
        if position + 8 > len(data):
            return
        size = struct.unpack_from("<I", data, position + 4)[0]
        if data[position : position + 4] == kind:
            yield data[position + 8 : position + 8 + size]
        position += 8 + size + size % 2


def _comment(exif: bytes) -> str | None:
    """The comment's text: marked as EXIF asks, else whatever looks like an object."""
    head, mark, body = exif.partition(_ASCII)
    if mark:
        return decode_text(body.rstrip(b"\x00")).text
    head, mark, body = exif.partition(_UNICODE)
    if mark:
        order = "utf-16-be" if b"MM\x00*" in head else "utf-16-le"
        return body.decode(order, errors="replace").rstrip("\x00")
    begin = exif.find(b"{")
    return decode_text(exif[begin:].rstrip(b"\x00")).text if begin >= 0 else None


def _json_part(text: str) -> str:
    """The object in a comment: what follows its last brace, such as further EXIF values, is cut off."""
    codes = text[:_MAX_CODES].partition("\x00")[0]
    if _CODES.fullmatch(codes):
        return decode_text(bytes(int(code) & 0xFF for code in codes.split(","))).text
    return text[: text.rfind("}") + 1] or text
