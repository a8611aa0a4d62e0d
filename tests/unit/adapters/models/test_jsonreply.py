"""A reply that is one JSON object, read while it arrives."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from huaben.adapters.models.jsonreply import ReplyScanner
from huaben.domain.messages import CallDelta, TextDelta


def scanned(*pieces: str) -> ReplyScanner:
    """The scanner after a reply that came in these pieces; what it gave out is checked against it."""
    scanner = ReplyScanner()
    out = [event for piece in pieces for event in scanner.feed(piece)]
    out += scanner.close()
    assert scanner.text == "".join(e.text for e in out if isinstance(e, TextDelta))
    for call in scanner.calls:
        given_out = [e for e in out if isinstance(e, CallDelta) and e.index == call.position]
        assert call.text == "".join(e.arguments for e in given_out)
        assert {e.name for e in given_out} <= {call.name}
    return scanner


def read(reply: str) -> tuple[str, list[tuple[str, str]], list[str]]:
    scanner = scanned(reply)
    return scanner.text, [(call.name, call.text) for call in scanner.calls], scanner.flags


WHOLE = '{"say":"雨\\n“停了”","calls":[{"tool":"draft_read","arguments":{}}]}'


def test_what_is_meant_is_read() -> None:
    """Speech is decoded, arguments pass as they were written, in the order of the calls."""
    reply = '{"say":"好","calls":[{"tool":"a","arguments":{"x": 1}},{"tool":"b","arguments":{}}]}'
    assert read(reply) == ("好", [("a", '{"x": 1}'), ("b", "{}")], [])
    assert read('{"calls":[]}') == ("", [], [])
    assert read('{"say":"","calls":[]}') == ("", [], [])


@pytest.mark.parametrize(
    ("reply", "text", "calls"),
    [
        (f"```json\n{WHOLE}\n```", "雨\n“停了”", [("draft_read", "{}")]),
        (f"\n\n```\n{WHOLE}```\n", "雨\n“停了”", [("draft_read", "{}")]),
        (f"Sure:\n{WHOLE}", "Sure:\n\n雨\n“停了”", [("draft_read", "{}")]),
        (f"{WHOLE}\nDone.", "雨\n“停了”\n\nDone.", [("draft_read", "{}")]),
        (f'{WHOLE} then {{"say":"again"}}', "雨\n“停了”\n\nthen\n\nagain", [("draft_read", "{}")]),
        ('[{"tool":"a","arguments":{}}]', "", [("a", "{}")]),
        ('{"tool":"a","arguments":{"x":[1,{"y":2}]}}', "", [("a", '{"x":[1,{"y":2}]}')]),
        ('{"name":"a","parameters":{"x":1}}', "", [("a", '{"x":1}')]),
        ('{"calls":{"tool":"a","arguments":{}}}', "", [("a", "{}")]),
        ('{"calls":[{"arguments":{"x":1},"tool":"a"}]}', "", [("a", '{"x":1}')]),
        ('{"calls":[{"id":"1","type":"function","function":{"name":"a","arguments":"{}"}}]}', "", [("a", "{}")]),
        ('{"calls":[{"tool":"a","arguments":"{\\"x\\":\\"雨\\"}"}]}', "", [("a", '{"x":"雨"}')]),
        ('{"calls":[{"tool":"a","arguments":null}]}', "", [("a", "")]),
        ('{"calls":[{"tool":"a"}]}', "", [("a", "")]),
        ('{"say":"x","calls":[{"tool":"a","arguments":{},},],}', "x", [("a", "{}")]),
        ('{"say":"x" "calls":[{"tool":"a" "arguments":{}}{"tool":"b"}]}', "x", [("a", "{}"), ("b", "")]),
        ('{"say":null,"calls":null,"mood":{"deep":[1]}}', "", []),
        ('{"say":"line\nbreak"}', "line\nbreak", []),
        ('{"say":"\\ud83c\\udf27 \\u96e8 \\/ \\q"}', "🌧 雨 / q", []),
    ],
    ids=str,
)  # fmt: skip
def test_what_is_near_it_is_read_too(reply: str, text: str, calls: list[tuple[str, str]]) -> None:
    """Fences and words around it, other names, arguments as a string, commas too many or few."""
    assert read(reply) == (text, calls, [])


@pytest.mark.parametrize(
    "prose",
    [
        "雨停了。\n\n“谁？”",
        '他写下 {"hp": 3}，又划掉 {这} 两笔。[一]',
        "a ```code``` b",
        "{",
        "[1, 2]",
        "  　首行缩进",
    ],
)
def test_prose_stays_prose(prose: str) -> None:
    """A reply without an object of ours is said, braces and fences included."""
    assert read(prose) == (prose.lstrip(" "), [], [])


@pytest.mark.parametrize(
    ("reply", "text", "calls", "flag"),
    [
        ('{"say":"半句', "半句", [], "json_cut"),
        ('{"calls":[{"tool":"w","arguments":{"content":"半', "", [("w", '{"content":"半')], "json_cut"),
        ('{"sa', "", [], "json_cut"),
        ("{'say': 'x'}", "", [("", "{'say': 'x'}")], "json_broken"),
        ('{"say":"x","calls":[oops]}', "x", [("", "oops]}")], "json_broken"),
        ('{"say" = "x"}', "", [("", '= "x"}')], "json_broken"),
    ],
)  # fmt: skip
def test_what_breaks_off_never_becomes_prose(
    reply: str, text: str, calls: list[tuple[str, str]], flag: str
) -> None:
    """Cut arguments stay cut, so that the loop refuses them; an object that cannot be read becomes
    a call that cannot run (T08)."""
    assert read(reply) == (text, calls, [flag])


def test_hostile_depth_is_harmless() -> None:
    """Ten thousand levels cost no stack (X07)."""
    deep = '{"x":' * 10_000
    assert read('{"calls":[{"tool":"a","arguments":' + deep)[1] == [("a", deep)]
    read('{"calls":[' + '{"function":' * 10_000)
    read("[" * 10_000 + '{"say":"x"}')


@given(st.data())
def test_where_a_reply_is_cut_makes_no_difference(data: st.DataObject) -> None:
    """The pieces may fall anywhere, also inside an escape or a key."""
    reply = (
        f"好\n```json\n{WHOLE}\n```\n\\ {{x}} " + '{"say":"\\ud83c\\udf27","calls":[{"tool":"é"}]}'
    )
    cuts = sorted(data.draw(st.lists(st.integers(0, len(reply)), max_size=8)))
    pieces = [reply[a:b] for a, b in zip([0, *cuts], [*cuts, len(reply)], strict=True)]
    cut, whole = scanned(*pieces), scanned(reply)
    assert (cut.text, cut.calls, cut.flags) == (whole.text, whole.calls, whole.flags)


@given(
    st.text(st.characters(codec="utf-8"), max_size=30),
    st.lists(st.tuples(st.sampled_from(["draft_write", "ask"]), st.text(max_size=20)), max_size=3),
    st.booleans(),
)
def test_what_json_writes_is_read_back(
    say: str, calls: list[tuple[str, str]], escaped: bool
) -> None:
    """Any speech and any arguments come through, escaped or not."""
    told = {"say": say, "calls": [{"tool": n, "arguments": {"content": c}} for n, c in calls]}
    scanner = scanned(json.dumps(told, ensure_ascii=escaped))
    assert scanner.text == say
    found = [(call.name, json.loads(call.text)["content"]) for call in scanner.calls]
    assert found == [(name, content) for name, content in calls]


@given(st.text("{}[]\":,\\ \n`'saycltoubrgmen01u", max_size=60))
def test_no_text_stops_it(reply: str) -> None:
    """Whatever a model writes, reading it ends."""
    scanned(reply)
