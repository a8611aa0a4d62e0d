"""PNG as chunks: walked, read and rewritten without touching pixels."""

import struct
import time
import zlib

import pytest

from huaben.formats.bounded import InflateFault, decode_text, inflate
from huaben.formats.png import (
    MAX_CHUNKS,
    Png,
    PngFault,
    default_picture,
    shows_picture,
    text_chunks,
    value_of,
    walk_png,
    with_text,
)
from tests.builders import cards as build


def walked(data: bytes) -> Png:
    """The walked PNG, or a failure."""
    png = walk_png(data)
    assert isinstance(png, Png)
    return png


def test_chunks_are_found_to_the_last_byte() -> None:
    """Offsets and sizes tile the file."""
    data = build.picture(build.text_chunk("a", b"b"))
    png = walked(data)
    assert [chunk.kind for chunk in png.chunks] == [b"IHDR", b"tEXt", b"IDAT", b"IEND"]
    assert png.chunks[-1].end == len(data)
    assert png.whole


@pytest.mark.parametrize("cut", [8, 9, 20, 33, 40, 60])
def test_a_cut_png_is_not_whole(cut: int) -> None:
    """Any cut before the end mark shows."""
    assert not walked(build.picture()[:cut]).whole


def test_other_bytes_are_no_png() -> None:
    """The signature is asked first."""
    for data in (b"", b"\x89PNG", build.JPEG):
        assert isinstance(walk_png(data), PngFault)


def test_millions_of_empty_chunks_are_refused() -> None:
    """The number of chunks is bounded."""
    flood = build.SIGNATURE + build.chunk(b"teSt", b"") * (MAX_CHUNKS + 1)
    found = walk_png(flood)
    assert isinstance(found, PngFault)
    assert found.code == "too_large"


def test_text_is_read_from_every_kind_of_chunk() -> None:
    """tEXt, zTXt and iTXt, plain and compressed."""
    value = "四条眉毛".encode()
    chunks = (
        build.text_chunk("one", value),
        build.ztxt_chunk("two", value),
        build.itxt_chunk("three", value),
        build.itxt_chunk("four", value, packed=True),
    )
    png = walked(build.picture(*chunks, build.chunk(b"tEXt", b"no keyword end")))
    texts = list(text_chunks(png))
    assert [text.keyword for text in texts] == ["one", "two", "three", "four"]
    assert [value_of(png, text, 100) for text in texts] == [value] * 4
    for text in texts:
        assert isinstance(value_of(png, text, 3), InflateFault)


def test_rewriting_changes_only_what_was_asked() -> None:
    """Dropping and adding text leaves all other bytes, also behind the end."""
    old = build.text_chunk("chara", b"old")
    data = build.picture(old, build.text_chunk("other", b"x")) + b"tail"
    made = with_text(walked(data), [("chara", b"new")], without=lambda word: word == "chara")
    expected = data.replace(old, b"").replace(
        build.IEND, build.text_chunk("chara", b"new") + build.IEND
    )
    assert made == expected
    assert with_text(walked(data), (), without=lambda _: False) == data


def test_the_default_picture_is_whole_and_shows() -> None:
    """It is small, too."""
    data = default_picture()
    assert shows_picture(walked(data))
    assert len(data) < 2000


def test_a_picture_shows_only_with_a_sound_header_and_all_its_pixels() -> None:
    """Header and pixel stream are checked, not the pixels' meaning."""
    assert shows_picture(walked(build.picture()))
    assert shows_picture(walked(build.animation()))
    assert not shows_picture(walked(build.SIGNATURE + build.idat() + build.IEND))
    assert not shows_picture(walked(build.SIGNATURE + build.ihdr(0, 4) + build.idat() + build.IEND))
    short = build.chunk(b"IHDR", b"1234")
    assert not shows_picture(walked(build.SIGNATURE + short + build.idat() + build.IEND))


def test_checking_a_huge_picture_is_bounded() -> None:
    """A pixel bomb of a gigabyte is not unpacked to its end."""
    packer = zlib.compressobj(9)
    pixels = b"".join(packer.compress(b"\x00" * (1 << 20)) for _ in range(200)) + packer.flush()
    data = build.SIGNATURE + build.ihdr(20000, 20000) + build.chunk(b"IDAT", pixels) + build.IEND
    started = time.monotonic()
    assert shows_picture(walked(data))
    assert time.monotonic() - started < 30


def test_inflating_stops_at_the_limit() -> None:
    """Exactly the limit is allowed, one more is not; cut and broken streams are faults."""
    packed = zlib.compress(b"x" * 1000)
    assert inflate(packed, 1000) == b"x" * 1000
    for data, limit in ((packed, 999), (packed[:-5], 1000), (b"noise", 1000), (b"", 1000)):
        assert isinstance(inflate(data, limit), InflateFault)
    assert inflate(zlib.compress(b""), 0) == b""


@pytest.mark.parametrize(
    ("data", "text", "encoding"),
    [
        ("雨".encode(), "雨", "utf-8"),
        (b"\xef\xbb\xbfa", "a", "utf-8"),
        ("雨".encode("utf-16"), "雨", "utf-16"),
        (b"Zo\xeb", "Zoë", "latin-1"),
        ("雨".encode() + b"\xff", "雨\ufffd", "damaged"),
        (struct.pack(">HH", 0xFEFF, 0xD800), "\ufffd", "utf-16"),
    ],
)
def test_bytes_become_text_whatever_they_are(data: bytes, text: str, encoding: str) -> None:
    """UTF-8 first, then what is likely; the answer says which."""
    decoded = decode_text(data)
    assert (decoded.text, decoded.encoding) == (text, encoding)
