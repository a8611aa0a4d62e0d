"""decode(encode(x)) = x for everything the database stores in a form of its own."""

from __future__ import annotations

import json
from collections.abc import Generator
from contextlib import contextmanager
from typing import Literal

from hypothesis import given
from hypothesis import strategies as st
from sqlalchemy import Connection, create_engine, insert

from huaben.adapters.db import codec, schema, segments
from huaben.domain.messages import Reply, Thinking, ToolCall, Usage, WireRequest

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=8,
)  # fmt: skip
OBJECTS = st.dictionaries(st.text(max_size=5), JSON, max_size=3)
COUNTS = st.none() | st.integers(0, 10**9)
REPLIES = st.builds(
    Reply,
    text=st.text(),
    calls=st.lists(
        st.builds(ToolCall, st.text(), st.text(), st.text(), OBJECTS), max_size=3
    ).map(tuple),
    thinking=st.none() | st.builds(Thinking, st.text(), st.text(), OBJECTS),
    usage=st.builds(Usage, COUNTS, COUNTS, COUNTS, COUNTS, COUNTS),
    finish=st.none() | st.text(),
    model=st.text(),
    flags=st.lists(st.text(), max_size=3).map(tuple),
)  # fmt: skip


@given(REPLIES)
def test_a_reply_is_read_as_it_was_written(reply: Reply) -> None:
    """Whatever a provider sent, to the last field."""
    assert codec.reply_from(codec.reply_to(reply)) == reply


@given(st.binary(max_size=2000))
def test_bytes_are_unpacked_as_they_were_packed(content: bytes) -> None:
    """Compressed or not, and never larger than one byte more."""
    assert codec.unpacked(codec.packed(content)) == content
    assert len(codec.packed(content)) <= len(content) + 1


@given(st.text(alphabet=st.characters(codec=None)) | st.just("\x1bjson:") | st.just('\x1bjson:"x"'))
def test_any_words_can_be_bound(words: str) -> None:
    """What reaches the database can be encoded and has no U+0000, and is the same when it is read.
    (Two halves of one character that stand side by side come back as that character.)"""
    stored = schema.escaped(words)
    assert "\0" not in stored.encode().decode()
    joined = words.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "surrogatepass")
    read = schema.Words().process_result_value(stored, create_engine("sqlite://").dialect)
    assert read in (words, joined)


@given(JSON)
def test_json_text_is_read_as_it_was_written(value: object) -> None:
    """Also where a lone surrogate forces it to be escaped."""
    assert codec.from_json(codec.to_json(value)) == json.loads(json.dumps(value))


# ---- requests ----------------------------------------------------------------------------------

SHAPES: tuple[Literal["head", "message", "tail"], ...] = ("head", "message", "tail")
PARTS = st.lists(
    st.tuples(st.sampled_from([b"", b"a", b"b", "灯".encode(), b"x" * 300]), st.sampled_from(SHAPES)),
    max_size=6,
)  # fmt: skip
REQUESTS = PARTS.map(
    lambda parts: WireRequest(tuple(part for part, _ in parts), tuple(shape for _, shape in parts))
)


@contextmanager
def a_connection() -> Generator[Connection]:
    engine = create_engine("sqlite://")
    schema.metadata.create_all(engine)
    with engine.connect() as connection:
        yield connection
    engine.dispose()


def opened(connection: Connection, number: int, request: WireRequest) -> int:
    """Store a request as the call of that number; the length of its chain."""
    base = segments.newest(connection, "p", "story")
    outline = [{"part": n, "of": number % 3} for n, _ in enumerate(request.parts)]
    links = segments.link(connection, request, outline, base)
    values = dict.fromkeys(("user_id", "model", "state", "break_cause", "opened_at"), "")
    values |= dict.fromkeys(("closed_at", "error"), "")
    numbers = {"ordinal": number, "n": 0, "request_bytes": 0}
    ids = {"id": f"c{number}", "turn_id": "t", "project_id": "p", "purpose": "story"}
    connection.execute(insert(schema.call).values(values | numbers | ids | links))
    chain = links["chain"]
    assert isinstance(chain, int)
    return chain


@given(st.lists(REQUESTS, max_size=12))
def test_every_request_of_a_session_is_rebuilt(requests: list[WireRequest]) -> None:
    """Whatever follows what: part for part, and the outline with it."""
    with a_connection() as connection:
        for number, request in enumerate(requests):
            opened(connection, number, request)
        whole = segments.references(connection, [f"c{n}" for n in range(len(requests))])
        outlines = segments.outlines_of(connection, whole)
        for number, request in enumerate(requests):
            assert segments.request_of(connection, whole[f"c{number}"]) == request
            assert outlines[f"c{number}"] == [
                {"part": n, "of": number % 3} for n, _ in enumerate(request.parts)
            ]


def test_a_chain_ends_after_sixty_four_calls() -> None:
    """Rebuilding never walks through more than 65 rows; then a key frame begins a new chain."""
    with a_connection() as connection:
        parts = [b"head"]
        chains: list[int] = []
        for number in range(140):
            parts.append(f"message {number}".encode())
            shape: tuple[Literal["head", "message", "tail"], ...] = ("message",) * len(parts)
            chains.append(opened(connection, number, WireRequest(tuple(parts), shape)))
    assert chains == [n % 65 for n in range(140)]


def test_nothing_shared_begins_a_new_chain() -> None:
    """A call that has no first part in common with the last one is a key frame."""
    with a_connection() as connection:
        one = WireRequest((b"one", b"same"), ("head", "tail"))
        two = WireRequest((b"two", b"same"), ("head", "tail"))
        assert [opened(connection, n, request) for n, request in enumerate((one, one, two))] == [
            0,
            1,
            0,
        ]
