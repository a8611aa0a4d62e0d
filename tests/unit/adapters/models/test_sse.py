"""Reading streams in whatever framing they come."""

import json
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from huaben.adapters.models.sse import MAX_BYTES, BodyDecoder, Payload, Unread
from huaben.errors import ProviderFailed

HELLO = {"say": "你好"}
RAIN = {"say": "rain 🌧"}


def data(value: object) -> bytes:
    return b"data: " + json.dumps(value, ensure_ascii=False).encode()


def read(*pieces: bytes, max_bytes: int = MAX_BYTES) -> list[Payload]:
    decoder = BodyDecoder(max_bytes)
    found: list[Payload] = []
    for piece in pieces:
        found += decoder.feed(piece)
    return found + decoder.close()


@pytest.mark.parametrize("end", [b"\n", b"\r", b"\r\n"], ids=["LF", "CR", "CRLF"])
def test_every_line_end_is_read(end: bytes) -> None:
    """Lines may end in LF, CR or CRLF."""
    body = data(HELLO) + end + end + data(RAIN) + end + end + b"data: [DONE]" + end + end
    assert read(body) == [HELLO, RAIN, "done"]


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        (b"data:" + json.dumps(HELLO).encode() + b"\n\n", [HELLO]),
        (b": keep-alive\n\n" + data(HELLO) + b"\n\n: bye\n\n", [HELLO]),
        (b"\xef\xbb\xbf" + data(HELLO) + b"\n\n", [HELLO]),
        (b"\n\n\r\n" + data(HELLO) + b"\n\n", [HELLO]),
        (b'data: {\ndata: "say":\ndata: "\xe4\xbd\xa0\xe5\xa5\xbd"}\n\n', [HELLO]),
        (data(HELLO) + b"\n" + data(RAIN) + b"\ndata: [DONE]\n", [HELLO, RAIN, "done"]),
        (data(HELLO), [HELLO]),
        (b'data: {"say":\ndata: "rain \xf0\x9f\x8c\xa7"}', [RAIN]),
        (b"id: 7\nretry: 100\nevent: message\n" + data(HELLO) + b"\n\n", [HELLO]),
        (b"nonsense\x00\xff\n" + data(HELLO) + b"\n\n", [HELLO]),
        (b"data\n\ndata:\n\ndata: \n\n" + data(HELLO) + b"\n\n", [HELLO]),
        (b"data: [DONE] \n\n", ["done"]),
        (b"[DONE]\n", ["done"]),
        (b"data: null\n\n", [Unread("null", broken=False)]),
        (b'data: [{"say": "\xe4\xbd\xa0\xe5\xa5\xbd"}]\n\n', [HELLO]),
        (b'data: {"say": "a\nb"}\n\n', [Unread('{"say": "a', broken=True)]),
        (b'data: {"say": "a\tb"}\n\n', [{"say": "a\tb"}]),
        (b"", []),
        (b"\r\n \n", []),
    ],
    ids=[
        "no space after the colon",
        "comments",
        "BOM",
        "blank lines first",
        "multi-line data",
        "no blank lines between",
        "no blank line at the end",
        "multi-line data cut at the end",
        "other fields",
        "noise lines",
        "empty data",
        "DONE with a trailing space",
        "a bare DONE alone",
        "data that is no object",
        "an array of chunks",
        "a line torn inside a string",
        "a raw tab inside a string",
        "nothing",
        "blank only",
    ],
)
def test_legal_and_careless_framing_is_read(body: bytes, expected: list[Payload]) -> None:
    """What the grammar allows and what servers do besides gives the same payloads."""
    assert read(body) == expected


def test_a_whole_line_is_handed_out_before_the_event_ends() -> None:
    """A data line that is complete by itself does not wait for the blank line after it."""
    decoder = BodyDecoder()
    assert decoder.feed(data(HELLO) + b"\n") == [HELLO]


def test_a_plain_json_body_is_one_payload() -> None:
    """A server that does not stream answers with one document, pretty-printed or not."""
    pretty = json.dumps(HELLO, indent=2).encode()
    assert read(pretty[:7], pretty[7:]) == [HELLO]


def test_json_lines_without_field_names_are_read() -> None:
    """Bare JSON lines count as data, also between events."""
    lines = json.dumps(HELLO).encode() + b"\n" + json.dumps(RAIN).encode() + b"\n"
    assert read(lines) == [HELLO, RAIN]
    assert read(data(HELLO) + b"\n\n" + json.dumps(RAIN).encode() + b"\n") == [HELLO, RAIN]


def test_torn_json_is_told_from_chatter() -> None:
    """Data that was meant to be JSON is a loss, other text is none."""
    body = b'data: {"choices":[{"de\n\ndata: ping\n\n'
    assert read(body) == [
        Unread('{"choices":[{"de', broken=True),
        Unread("ping", broken=False),
    ]


def test_an_error_event_is_an_error_whatever_its_data_looks_like() -> None:
    """`event: error` marks its data, object or text, and only its own."""
    body = b'event: error\ndata: {"message": "full"}\n\nevent: error\ndata: gone\n\n'
    assert read(body + data(HELLO) + b"\n\n") == [
        {"error": {"message": "full"}},
        {"error": "gone"},
        HELLO,
    ]


def test_json_ten_thousand_levels_deep_is_harmless() -> None:
    """Hostile nesting is unread data, not a crash."""
    found = read(b"data: " + b"[" * 10_000 + b"]" * 10_000 + b"\n\n")
    assert [isinstance(payload, Unread) for payload in found] == [True]


@pytest.mark.parametrize("start", [b"data: ", b"{"], ids=["a line", "a document"])
def test_an_endless_answer_is_refused(start: bytes) -> None:
    """A line or document beyond the limit ends the call instead of filling memory."""
    with pytest.raises(ProviderFailed) as raised:
        read(start + b"x" * 600, b"x" * 600, max_bytes=1000)
    assert raised.value.code == "reply_too_large"


def test_many_lines_of_one_event_are_refused() -> None:
    """An event that never becomes whole is bounded as well."""
    with pytest.raises(ProviderFailed):
        read(b"data: [\n", *[b"data: 1,\n"] * 600, max_bytes=1000)


STREAM = (
    b"\xef\xbb\xbf: hi\r\n"
    + data(HELLO)
    + b"\r\n\r\n"
    + data(RAIN)
    + b"\n\ndata: {\rdata: }\r\rdata: [DONE]\n\n"
)


@given(st.lists(st.integers(0, len(STREAM)), max_size=12))
def test_bytes_may_be_cut_anywhere(cuts: list[int]) -> None:
    """Payloads do not depend on how the network cut the bytes, inside a character or a CRLF."""
    edges = [0, *sorted(cuts), len(STREAM)]
    pieces = [STREAM[a:b] for a, b in pairwise(edges)]
    assert read(*pieces) == [HELLO, RAIN, {}, "done"]


@given(st.binary(max_size=200))
def test_any_bytes_are_read_without_a_crash(noise: bytes) -> None:
    """Garbage gives payloads or none, never an exception."""
    read(noise)
    read(b"data: ", noise, b"\n\n" + data(HELLO) + b"\n\n")
