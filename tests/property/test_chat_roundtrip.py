"""Chats survive the way out and in again, whatever is in them."""

from __future__ import annotations

from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from huaben.domain.jsonvalue import Json, JsonObject, dump_json, parse_json
from huaben.formats.chats.jsonl import write_lines
from huaben.formats.chats.native import write_native
from huaben.formats.chats.read import open_chats
from huaben.formats.chats.staging import staged
from huaben.formats.chats.survey import survey
from huaben.formats.chats.values import Chat, Entry, Message, Quarantined, Refused
from huaben.formats.report import Findings
from tests.builders.chats import lines, only


def as_json(value: Json) -> Json:
    """The same value, as a checker should see it."""
    return value


TEXTS = st.text(st.characters(exclude_categories=["Cs"]), max_size=40) | st.sampled_from(
    ["「上船吗？」", "<think>a</think>b", "a\u2028b", "", " ", "\r\n", "{{user}}", "𠮷野家"]
)
ODD: st.SearchStrategy[Json] = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**53), 2**53) | TEXTS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXTS, inner, max_size=3),
    max_leaves=6,
)
NAMES = st.sampled_from(["渡船人", "阿澄", "Mira", ""])
EXTRAS = st.dictionaries(st.sampled_from(["reasoning", "model", "api", "x"]), ODD, max_size=3).map(
    lambda extra: as_json({**extra})
)


INFOS = st.lists(EXTRAS.map(lambda extra: as_json({"extra": extra})), max_size=3).map(
    lambda infos: as_json([*infos])
)


@st.composite
def rows(draw: st.DrawFn) -> JsonObject:
    """A row of a file of lines, its swipes in any state."""
    raw: JsonObject = {
        "name": draw(NAMES),
        "is_user": draw(st.booleans()),
        "mes": draw(TEXTS | ODD),
    }
    if draw(st.booleans()):
        raw["is_system"] = draw(st.booleans())
    fields: list[tuple[str, st.SearchStrategy[Json]]] = [
        ("swipes", st.lists(ODD, max_size=3) | ODD),
        ("swipe_id", st.integers(-2, 4) | ODD),
        ("swipe_info", INFOS | ODD),
        ("send_date", ODD),
        ("extra", EXTRAS | ODD),
        ("unknown", ODD),
    ]
    for field, values in fields:
        if draw(st.booleans()):
            raw[field] = draw(values)
    return raw


HEADERS = st.dictionaries(TEXTS, ODD, max_size=3).map(
    lambda metadata: as_json({"chat_metadata": {**metadata}})
)
TORN = st.sampled_from(
    # Damaged UTF-8 among UTF-8; alone it would be taken for another encoding.
    [b'{"mes":"torn', b"[]", "雨".encode() + b"\xff\xfe", b'{"a":1}', b"null"]
)


@st.composite
def files(draw: st.DrawFn) -> bytes:
    """A file of lines: perhaps a header, then a row, then rows and torn lines."""
    found: list[Json | bytes] = [draw(HEADERS)] if draw(st.booleans()) else []
    found.append(draw(rows()))
    found += draw(st.lists(rows() | TORN, max_size=6))
    return lines(*found)


def read(chat: Chat) -> list[Entry]:
    return list(chat.entries.read(Findings()))


@given(files())
def test_a_file_comes_out_as_it_came_in(data: bytes) -> None:
    """Line by line the same JSON, the torn ones byte for byte; and again from there."""
    chat = only(data)
    written = b"".join(write_lines(chat, chat.entries.read(Findings())))
    before, after = data.split(b"\n"), written.removesuffix(b"\n").split(b"\n")
    assert len(before) == len(after)
    for one, other in zip(before, after, strict=True):
        assert one == other or parse_json(one.decode()) == parse_json(other.decode())
    back = only(written)
    assert read(back) == read(chat)
    assert b"".join(write_lines(back, back.entries.read(Findings()))) == written


@given(files())
def test_the_native_file_holds_the_whole_chat(data: bytes) -> None:
    """Messages, variants and what was quarantined come back equal."""
    chat = only(data)
    written = write_native(chat, chat.entries.read(Findings()))
    back = only(written)
    assert read(back) == read(chat)
    assert (back.header, back.headed, back.dialect) == (chat.header, chat.headed, chat.dialect)
    assert write_native(back, read(back)) == written


@given(files())
def test_staging_uses_every_entry_once_and_follows_parents(data: bytes) -> None:
    """Each message and variant is in some turn, in the order of the file along each path; parents
    come first; the counts of the survey agree."""
    chat = only(data)
    found, stage = staged(read(chat))
    told = {(row.place, row.variant) for turn in found for row in turn.rows}
    for entry in read(chat):
        count = len(entry.variants) if isinstance(entry, Message) else 1
        assert {(entry.place, n) for n in range(count)} <= told
    assert [turn.n for turn in found] == list(range(len(found)))
    for turn in found:
        assert (turn.parent is None) == turn.is_opening
        assert turn.parent is None or turn.parent < turn.n
        assert turn.beat <= turn.n
    assert survey(chat).turns == len(found)
    last = read(chat)[-1]
    assert stage.stands(None) == stage.stands(last.id)


@given(files(), st.data())
def test_a_changed_row_is_read_as_it_was_changed(data: bytes, draw: st.DataObject) -> None:
    """Whichever variant is chosen, the row that is written says so and keeps what is unknown."""
    chat = only(data)
    changed: list[Entry] = []
    for entry in read(chat):
        if isinstance(entry, Message):
            active = draw.draw(st.integers(0, len(entry.variants) - 1))
            entry = replace(entry, active=active)
        changed.append(entry)
    back = only(b"".join(write_lines(chat, changed)))
    for before, after in zip(changed, read(back), strict=True):
        if isinstance(before, Quarantined):
            assert after == before
            continue
        assert isinstance(after, Message)
        assert [v.text for v in after.variants] == [v.text for v in before.variants]
        assert after.text == before.text
        assert after.variant.reasoning == before.variant.reasoning
        assert after.raw.get("unknown") == before.raw.get("unknown")


@given(st.binary(max_size=200) | ODD.map(lambda value: dump_json(value).encode()))
def test_any_bytes_are_a_chat_or_a_refusal(data: bytes) -> None:
    """No exception, whatever it is; a chat can be read to its end."""
    found = open_chats(data, "x.jsonl", ("g",))
    if not isinstance(found, Refused):
        for chat in found.chats:
            survey(chat)
