"""PNG and APNG as a list of chunks, pixels untouched; apart because cards and lorebooks both live in text chunks."""

import struct
import zlib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

from huaben.formats.bounded import InflateFault, inflate

SIGNATURE = b"\x89PNG\r\n\x1a\n"
MAX_CHUNKS = 200_000
MAX_PIXEL_BYTES = 64 * 1024 * 1024

_TEXT_KINDS = (b"tEXt", b"zTXt", b"iTXt")
_KEYWORD_BYTES = 255
_EDGE = 12
_PIXEL_PIECE = 1 << 20

TextKind: TypeAlias = Literal["tEXt", "zTXt", "iTXt"]


@dataclass(frozen=True, slots=True)
class Chunk:
    """Where a chunk lies: `start` is the offset of its length field, `size` counts its data alone."""

    kind: bytes
    start: int
    size: int

    @property
    def body(self) -> slice:
        """The data, without length, type and checksum."""
        return slice(self.start + 8, self.start + 8 + self.size)

    @property
    def end(self) -> int:
        """Offset of the first byte after the checksum."""
        return self.start + _EDGE + self.size


@dataclass(frozen=True, slots=True)
class Png:
    """A walked PNG. `whole` says that IEND was met and no chunk is cut short; bytes may follow IEND."""

    data: bytes
    chunks: tuple[Chunk, ...]
    whole: bool

    @property
    def is_animated(self) -> bool:
        """Whether it is an APNG."""
        return any(chunk.kind == b"acTL" for chunk in self.chunks)


@dataclass(frozen=True, slots=True)
class PngFault:
    """Why bytes are not a PNG that can be walked."""

    code: Literal["not_png", "too_large"]
    detail: str


@dataclass(frozen=True, slots=True)
class TextChunk:
    """A text chunk, its value still packed: `value_of` unpacks it. The keyword is as in the file."""

    keyword: str
    kind: TextKind
    chunk: Chunk


def walk_png(data: bytes) -> Png | PngFault:
    """Finds every chunk, those after IDAT and after IEND too, by stepping over lengths alone.

    A chunk that claims more bytes than are left ends the walk and makes the PNG not whole.
    """
    if not data.startswith(SIGNATURE):
        return PngFault("not_png", "the signature is missing")
    chunks: list[Chunk] = []
    position = len(SIGNATURE)
    ended = False
    cut = False
    while position + _EDGE <= len(data):
        kind = data[position + 4 : position + 8]
        if not (kind.isalpha() and kind.isascii()):
            cut = not ended
            break
        chunk = Chunk(kind, position, int.from_bytes(data[position : position + 4], "big"))
        if chunk.end > len(data):
            cut = not ended
            break
        if len(chunks) == MAX_CHUNKS:
            return PngFault("too_large", f"more than {MAX_CHUNKS} chunks")
        chunks.append(chunk)
        ended = ended or kind == b"IEND"
        position = chunk.end
    return Png(data, tuple(chunks), whole=ended and not cut)


def text_chunks(png: Png) -> Iterator[TextChunk]:
    """Every text chunk with a keyword, in file order, whatever its kind."""
    for chunk in png.chunks:
        if chunk.kind not in _TEXT_KINDS:
            continue
        keyword = _keyword(png.data, chunk)
        if keyword is not None:
            kind: TextKind = (
                "tEXt" if chunk.kind == b"tEXt" else "zTXt" if chunk.kind == b"zTXt" else "iTXt"
            )
            yield TextChunk(keyword, kind, chunk)


def value_of(png: Png, text: TextChunk, limit: int) -> bytes | InflateFault:
    """The value of a text chunk, inflated where it is compressed, at most `limit` bytes."""
    body = png.data[text.chunk.body]
    value = body[len(text.keyword) + 1 :]
    packed = False
    if text.kind == "zTXt":
        packed, value = True, value[1:]
    elif text.kind == "iTXt":
        packed, value = value[:1] == b"\x01", _after_nuls(value[2:], 2)
    if packed:
        return inflate(value, limit)
    if len(value) > limit:
        return InflateFault("too_large", f"holds more than {limit} bytes")
    return value


def with_text(
    png: Png, added: Sequence[tuple[str, bytes]], *, without: Callable[[str], bool]
) -> bytes:
    """The same file with new tEXt chunks before IEND and every text chunk that `without` names gone.

    All other bytes are copied as they are, wrong checksums and bytes after IEND included. The PNG
    must be whole.
    """
    dropped = {text.chunk.start for text in text_chunks(png) if without(text.keyword)}
    view = memoryview(png.data)
    parts: list[bytes | memoryview] = [SIGNATURE]
    for chunk in png.chunks:
        if chunk.start in dropped:
            continue
        if chunk.kind == b"IEND" and added:
            parts += [make_text(keyword, value) for keyword, value in added]
            added = ()
        parts.append(view[chunk.start : chunk.end])
    last = png.chunks[-1].end if png.chunks else len(SIGNATURE)
    parts.append(view[last:])
    return b"".join(parts)


def make_chunk(kind: bytes, data: bytes) -> bytes:
    """One chunk with its length and checksum."""
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


def make_text(keyword: str, value: bytes) -> bytes:
    """One tEXt chunk."""
    return make_chunk(b"tEXt", keyword.encode("latin-1") + b"\x00" + value)


def shows_picture(png: Png) -> bool:
    """Whether a viewer can be expected to show it: sound header, all pixel data there and unpacking.

    Inflates the pixel data in pieces, nothing kept, and trusts the rest beyond `MAX_PIXEL_BYTES`.
    """
    header = next((chunk for chunk in png.chunks if chunk.kind == b"IHDR"), None)
    if not png.whole or header is None or header.size != 13:
        return False
    width, height = struct.unpack_from(">II", png.data, header.body.start)
    return bool(width and height) and _pixels_unpack(png)


def default_picture() -> bytes:
    """A small plain portrait for cards without a picture: 128 by 192 points, a dark book on paper."""
    rows = bytearray()
    for y in range(192):
        inside = 48 <= y < 144
        row = bytearray(b"\xff" * 16)
        if inside:
            row[4:12] = b"\x00" * 8
            row[8] = 0x7F if 56 <= y < 136 else 0x00
        rows += b"\x00" + row
    header = struct.pack(">IIBBBBB", 128, 192, 1, 0, 0, 0, 0)
    return (
        SIGNATURE
        + make_chunk(b"IHDR", header)
        + make_chunk(b"IDAT", zlib.compress(bytes(rows), 9))
        + make_chunk(b"IEND", b"")
    )


def _keyword(data: bytes, chunk: Chunk) -> str | None:
    head = data[chunk.body.start : min(chunk.body.stop, chunk.body.start + _KEYWORD_BYTES + 1)]
    keyword, nul, _ = head.partition(b"\x00")
    return keyword.decode("latin-1") if nul else None


def _after_nuls(data: bytes, count: int) -> bytes:
    for _ in range(count):
        data = data.partition(b"\x00")[2]
    return data


def _pixels_unpack(png: Png) -> bool:
    stream = zlib.decompressobj()
    seen = 0
    for chunk in png.chunks:
        if chunk.kind != b"IDAT":
            continue
        waiting = png.data[chunk.body]
        while waiting and not stream.eof:
            try:
                seen += len(stream.decompress(waiting, _PIXEL_PIECE))
            except zlib.error:
                return False
            if seen > MAX_PIXEL_BYTES:
                return True
            waiting = stream.unconsumed_tail
    return stream.eof
