"""Tool calls in every numbering and order that providers have been seen to use."""

import json
from typing import TypeAlias

import pytest
from hypothesis import given
from hypothesis import strategies as st

from huaben.adapters.models.calls import CallTable
from huaben.domain.jsonvalue import Json
from huaben.domain.messages import CallDelta, ToolCall

Made: TypeAlias = list[tuple[str, str, str]]


def part(
    arguments: Json = None,
    *,
    name: str | None = None,
    id: str | None = None,
    index: Json = None,
) -> Json:
    fragment: dict[str, Json] = {"function": {}}
    function: dict[str, Json] = {}
    if arguments is not None:
        function["arguments"] = arguments
    if name is not None:
        function["name"] = name
    fragment["function"] = function
    if id is not None:
        fragment["id"] = id
    if index is not None:
        fragment["index"] = index
    return fragment


def take(*chunks: list[Json]) -> tuple[Made, list[CallDelta]]:
    table = CallTable()
    deltas = [delta for chunk in chunks for delta in table.take(chunk)]
    calls = table.finished(lambda position: f"made{position}", {})
    return [(call.id, call.name, call.arguments) for call in calls], deltas


@pytest.mark.parametrize(
    ("chunks", "expected"),
    [
        (
            [[part('{"x"', name="f", id="a", index=0)], [part(":1}", index=0)]],
            [("a", "f", '{"x":1}')],
        ),
        ([[part('{"x"', name="f", id="a")], [part(":1}")]], [("a", "f", '{"x":1}')]),
        (
            [
                [part('{"p":1}', name="f", id="a", index=0)],
                [part('{"p":2}', name="f", id="b", index=0)],
            ],
            [("a", "f", '{"p":1}'), ("b", "f", '{"p":2}')],
        ),
        (
            [
                [part('{"p"', name="f", id="a", index=0), part('{"q"', name="g", id="b", index=1)],
                [part(":2}", id="b", index=0), part(":1}", id="a", index=7)],
            ],
            [("a", "f", '{"p":1}'), ("b", "g", '{"q":2}')],
        ),
        (
            [
                [part('{"p"', name="f", id="a", index=0)],
                [part('{"q"', name="g", id="b", index=1)],
                [part(":1}", index=0)],
                [part(":2}", index=1)],
            ],
            [("a", "f", '{"p":1}'), ("b", "g", '{"q":2}')],
        ),
        (
            [[part('{"x"', name="f", id="a", index=0)], [part(":1}", index=3)]],
            [("a", "f", '{"x":1}')],
        ),
        ([[part("{}", name="f", id="a", index=1)]], [("a", "f", "{}")]),
        ([[part("{}", name="f", id="a", index="2")]], [("a", "f", "{}")]),
        (
            [[part("{}", name="f", index=0)], [part("{}", name="g", index=1)]],
            [("made0", "f", "{}"), ("made1", "g", "{}")],
        ),
        (
            [[part("{}", name="f", index=0)], [part("{}", name="g", index=0)]],
            [("made0", "f", "{}"), ("made1", "g", "{}")],
        ),
        (
            [[part("{}", name="f", index=0)], [part("{}", name="f", index=0)]],
            [("made0", "f", "{}"), ("made1", "f", "{}")],
        ),
        (
            [[part("{}", name="f"), part("{}", name="f"), part("", name="f")]],
            [("made0", "f", "{}"), ("made1", "f", "{}"), ("made2", "f", "")],
        ),
        (
            [[part('{"x":1}', id="a", index=0)], [part(name="f", index=0)]],
            [("a", "f", '{"x":1}')],
        ),
        ([[part('{"x":1}')], [part(name="f")]], [("made0", "f", '{"x":1}')]),
        (
            [[part('{"x":', name="f", index=0)], [part("1}", id="late", index=0)]],
            [("late", "f", '{"x":1}')],
        ),
        (
            [[part('{"x":', name="f", id="a", index=0)], [part("1}", name="f", id="", index=0)]],
            [("a", "f", '{"x":1}')],
        ),
        (
            [[part('{"x":', name="f", id="a")], [part("1}", name="f", id="a")]],
            [("a", "f", '{"x":1}')],
        ),
        (
            [[part(name="draft_", id="a")], [part(name="write", id="a")], [part("{}", id="a")]],
            [("a", "draft_write", "{}")],
        ),
        (
            [[part(name="draft_", index=0)], [part("{}", name="draft_write", index=0)]],
            [("made0", "draft_write", "{}")],
        ),
        (
            [[part("", name="f", id="a", index=0)], [part("", index=0)]],
            [("a", "f", "")],
        ),
        (
            [[part('{"p":1}', name="f", index=0)], [part('{"q":2}', index=1)]],
            [("made0", "f", '{"p":1}'), ("made1", "", '{"q":2}')],
        ),
        (
            [[part("{}", name="f", id="c", index=0)], [part('{"q":1}', name="g", id="c", index=1)]],
            [("c", "f", "{}"), ("made1", "g", '{"q":1}')],
        ),
        (
            [
                [part('{"p":1}', name="f", id="f")],
                [part('{"p"', name="f", id="f")],
                [part(":2}", id="f")],
            ],
            [("f", "f", '{"p":1}'), ("made1", "f", '{"p":2}')],
        ),
        (
            [
                [part('{"p"', name="f", id="a", index=0)],
                [part(":1}", index=0)],
                [part('{"p":1}', name="f", id="a", index=0)],
            ],
            [("a", "f", '{"p":1}')],
        ),
        ([[part('{"x":1}', id="a")], [part(name="f", id="a")]], [("a", "f", '{"x":1}')]),
        ([[part({"雨": [1, True]}, name="f", id="a")]], [("a", "f", '{"雨":[1,true]}')]),
        ([[{"name": "f", "arguments": "{}", "id": "a"}]], [("a", "f", "{}")]),
        ([[part(), part("", id="x", index=0), None, "?", {}]], []),
        ([[part("", index=0)], [part("{}", name="f", id="a", index=1)]], [("a", "f", "{}")]),
        (
            [[part('{"__proto__":{},"constructor":1}', name="f", id="__proto__")]],
            [("__proto__", "f", '{"__proto__":{},"constructor":1}')],
        ),
    ],
    ids=[
        "one call as documented",
        "no index (T01)",
        "same index, new id (T02)",
        "a known id wins over the index (T02)",
        "two calls interleaved",
        "goes on under another index (T04)",
        "index from 1 (T05)",
        "index as a string",
        "no ids, two indexes",
        "no ids, one index, two names",
        "no ids, one index, the same name twice",
        "no ids, no indexes, one chunk",
        "name after arguments",
        "name after arguments, nothing else",
        "id after the beginning",
        "name said again",
        "id and name said again",
        "name in two pieces",
        "name growing",
        "no arguments at all (T07)",
        "a nameless second call",
        "two tools under one id",
        "a tool's own name as the id of each call",
        "the whole call said again at its end",
        "name after whole arguments, same id",
        "arguments as an object",
        "without the function level",
        "fragments that say nothing",
        "an empty fragment first (T05)",
        "names of object internals (X07)",
    ],
)
def test_fragments_become_the_calls_that_were_meant(
    chunks: list[list[Json]], expected: Made
) -> None:
    """Ids, indexes and names may be missing, reused or late; the calls come out right."""
    assert take(*chunks)[0] == expected


def test_a_piece_names_its_place_in_the_finished_reply() -> None:
    """The index of a delta is the position of its call, whatever the provider counted."""
    calls, deltas = take(
        [part("", index=4)],
        [part('{"a"', name="f", id="x", index=5)],
        [part("{}", name="g", id="y", index=5)],
        [part(":1}", id="x")],
    )
    assert [name for _, name, _ in calls] == ["f", "g"]
    assert deltas == [
        CallDelta(0, "f", '{"a"'),
        CallDelta(1, "g", "{}"),
        CallDelta(0, "f", ":1}"),
    ]


def test_signatures_are_kept_with_their_call() -> None:
    """What Gemini wants back travels with the call it came with, stamped with its origin."""
    signed: dict[str, Json] = {"google": {"thought_signature": "c2ln"}}
    table = CallTable()
    table.take([{"id": "a", "function": {"name": "f"}, "extra_content": signed}])
    table.take([{"id": "b", "function": {"name": "g"}}])
    assert table.finished(str, {"origin": "m@h"}) == (
        ToolCall("a", "f", "", {"extra_content": signed, "origin": "m@h"}),
        ToolCall("b", "g", ""),
    )


@given(
    st.lists(
        st.dictionaries(st.sampled_from("abc"), st.text(max_size=8), max_size=2),
        min_size=1,
        max_size=4,
    ),
    st.data(),
)
def test_however_arguments_are_cut_they_are_the_same(
    wanted: list[dict[str, str]], data: st.DataObject
) -> None:
    """Interleaved pieces of several calls, cut anywhere, join to the arguments that were sent."""
    sources = [json.dumps(value, ensure_ascii=False) for value in wanted]
    queue = [
        [part("", name=f"tool{n}", id=f"id{n}", index=n)]
        + [part(piece, index=n) for piece in source]
        for n, source in enumerate(sources)
    ]
    chunks: list[list[Json]] = []
    while any(queue):
        n = data.draw(st.sampled_from([i for i, left in enumerate(queue) if left]))
        chunks.append([queue[n].pop(0)])
    made, _ = take(*chunks)
    assert sorted(arguments for _, _, arguments in made) == sorted(sources)
