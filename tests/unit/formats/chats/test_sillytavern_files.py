"""Files of SillyTavern's lines, in all their ages and with all that happens to them."""

from __future__ import annotations

import pytest

from huaben.domain.jsonvalue import JsonObject, parse_json
from huaben.formats.chats.jsonl import write_lines
from huaben.formats.chats.survey import survey
from huaben.formats.chats.values import (
    MAX_BYTES,
    MAX_JSON_BYTES,
    MAX_LINE_BYTES,
    Chat,
    Message,
    Quarantined,
)
from huaben.formats.report import Findings
from tests.builders.chats import (
    HEADER,
    STORY,
    compact,
    entries,
    lines,
    messages,
    only,
    opened,
    quarantined,
    refused,
    row,
    said,
    texts,
)


def again(chat: Chat) -> list[bytes]:
    """The lines that the chat is written as."""
    return list(write_lines(chat, chat.entries.read(Findings())))


@pytest.mark.parametrize(
    "ending", ["", "\n", "\n\n", "\r\n", "\r\n\r\n  \r\n"], ids=lambda end: repr(end)
)
@pytest.mark.parametrize("start", [b"", b"\xef\xbb\xbf"], ids=["plain", "mark"])
def test_h01_ends_of_lines_and_of_the_file_do_not_matter(start: bytes, ending: str) -> None:
    """Blank lines at the end, CRLF and a byte order mark are no part of any message."""
    end = "\r\n" if "\r" in ending else "\n"
    data = start + lines(HEADER, *STORY, end=end) + ending.encode()
    assert texts(data) == [message["mes"] for message in STORY]
    assert only(data).header == HEADER


def test_h02_a_torn_line_stays_in_its_place() -> None:
    """The good lines are messages, the torn one is kept as it stands and written back there."""
    torn = '{"name":"渡船人","mes":"他说'.encode()
    data = lines(HEADER, STORY[0], torn, STORY[1])
    first, bad, last = entries(data)
    assert isinstance(first, Message)
    assert isinstance(last, Message)
    assert isinstance(bad, Quarantined)
    assert (bad.content, bad.place, bad.code) == (torn, 3, "torn_line")
    assert (bad.parent, last.parent) == (first.id, bad.id)
    assert again(only(data))[2] == torn + b"\n"
    found = survey(only(data))
    assert (found.messages, found.quarantined) == (2, 1)
    assert [(note.code, note.path) for note in found.report.warnings] == [("torn_line", "line 3")]


def test_a_torn_first_line_takes_no_other_with_it() -> None:
    """A file is told by its other lines where the first one is torn."""
    data = lines(b'{"user_name":"A","chat_me', *STORY)
    assert texts(data) == [message["mes"] for message in STORY]
    assert [one.place for one in quarantined(data)] == [1]


def test_a_line_that_is_no_message_is_kept(subtests: pytest.Subtests) -> None:
    """A second header, a foreign object, a number, an array: none is dropped, none is a message."""
    for odd in (b'{"chat_metadata":{}}', b'{"note":"x"}', b"17", b"[1,2]", b"NaN"):
        with subtests.test(odd=odd):
            data = lines(HEADER, STORY[0], odd, STORY[1])
            assert texts(data) == [STORY[0]["mes"], STORY[1]["mes"]]
            assert again(only(data))[2] == odd + b"\n"


def test_h04_each_swipe_has_its_own_facts() -> None:
    """Text, reasoning, model and date of each variant, whichever is in force."""
    infos: list[JsonObject] = [
        {
            "send_date": f"2024-07-12T0{n}:00:00.000Z",
            "extra": {"model": f"m{n}", "reasoning": f"想{n}"},
        }
        for n in range(3)
    ]
    (message,) = messages(
        lines(
            row("b", swipes=["a", "b", "c"], swipe_id=1, swipe_info=[*infos], **infos[1]),
        )
    )
    assert message.active == 1
    told = [
        (v.text, v.reasoning, v.model, v.moment.at if v.moment else "") for v in message.variants
    ]
    assert told == [
        (text, f"想{n}", f"m{n}", f"2024-07-12T0{n}:00:00.000Z") for n, text in enumerate("abc")
    ]


def test_h05_a_file_without_a_header_loses_no_message() -> None:
    """Group chats of old begin with a message."""
    data = lines(*STORY)
    assert texts(data)[0] == STORY[0]["mes"]
    assert only(data).headed is False
    assert b"".join(again(only(data))).splitlines() == [compact_like(line) for line in STORY]


def compact_like(value: JsonObject) -> bytes:
    """As our own writer spells it."""
    return compact(value).replace(b'": ', b'":').replace(b', "', b',"')


def test_headers_of_every_age_are_read() -> None:
    """Names of the header, or of the messages where it says `unused` or nothing."""
    headers: list[tuple[JsonObject, str, str]] = [
        (HEADER, "阿澄", "渡船人"),
        (
            {"chat_metadata": {}, "user_name": "unused", "character_name": "unused"},
            "阿澄",
            "渡船人",
        ),
        ({"user_name": "Ann", "character_name": "Bob"}, "Ann", "Bob"),
        ({"user_name": "Ann"}, "Ann", "渡船人"),
        ({"chat_metadata": {"tainted": True}}, "阿澄", "渡船人"),
    ]
    for header, user, character in headers:
        data = lines(header, *STORY)
        found = survey(only(data))
        assert (found.user, found.character, found.messages) == (user, character, 5), header
        assert parse_json(again(only(data))[0].decode()) == header


def test_h08_only_a_newline_ends_a_line() -> None:
    """U+2028, U+2029, U+0085, VT and FF within a text part nothing."""
    text = "a\u2028b\u2029c\x85d"
    assert texts(lines(HEADER, row(text), said("e"))) == [text, "e"]


@pytest.mark.parametrize(
    ("fields", "variants", "active"),
    [
        ({"mes": "x", "swipes": []}, ["x"], 0),
        ({"mes": "x", "swipes": None}, ["x"], 0),
        ({"mes": "c", "swipes": ["a", "b", "c"], "swipe_id": 5}, ["a", "b", "c"], 2),
        ({"mes": "a", "swipes": ["a", "b", "c"], "swipe_id": -1}, ["a", "b", "c"], 0),
        ({"mes": "x", "swipes": [""], "swipe_id": 0}, ["", "x"], 1),
        ({"mes": "", "swipes": ["", "b"], "swipe_id": 0}, ["", "b"], 0),
        ({"mes": "b", "swipes": ["a", "b"]}, ["a", "b"], 1),
        ({"mes": "b", "swipes": ["a", "b"], "swipe_id": 0}, ["a", "b"], 1),
        ({"mes": "x", "swipes": ["a", "b"], "swipe_id": 1}, ["a", "b", "x"], 2),
        ({"mes": "x", "swipes": ["a", 7, None], "swipe_id": "1"}, ["a", "7", "", "x"], 3),
        ({"mes": "x", "swipes": "x"}, ["x"], 0),
        ({"mes": "x", "swipe_id": 3}, ["x"], 0),
        ({"mes": None, "swipes": ["a", "b"], "swipe_id": 1}, ["a", "b"], 1),
        ({"mes": "b", "swipes": ["a", "b"], "swipe_id": 1, "swipe_info": [None]}, ["a", "b"], 1),
    ],
)
def test_h10_the_text_in_force_is_always_a_variant(
    fields: JsonObject, variants: list[str], active: int
) -> None:
    """`mes` wins whatever the swipes say, an empty text is one like others, an index is brought into
    range; and the row is written as it was."""
    raw: JsonObject = {"name": "A", "is_user": False, **fields}
    data = lines(HEADER, raw)
    (message,) = messages(data)
    assert [variant.text for variant in message.variants] == variants
    assert message.active == active
    assert parse_json(again(only(data))[1].decode()) == raw


def test_h11_the_name_of_a_file_says_nothing() -> None:
    """Lines in a `.json`, JSON in a `.jsonl`, a single line, an array of rows: all are read."""
    rows = [*STORY]
    for name, data in (
        ("chat.json", lines(HEADER, *STORY)),
        ("渡船人 - 2024-7-12@01h31m37s.png", lines(*STORY)),
        ("chat.jsonl", compact([*rows])),
        ("", compact([HEADER, *rows])),
        ("one.txt", lines(STORY[0])),
    ):
        (chat,) = opened(data, name).chats
        assert chat.dialect == "sillytavern"
        assert texts(chat)[0] == STORY[0]["mes"], name


def test_h13_reasoning_belongs_to_its_own_variant() -> None:
    """What another swipe was thought with is never shown at this one."""
    infos: list[JsonObject] = [{"extra": {"reasoning": "甲"}}, {"extra": {}}]
    (message,) = messages(
        lines(row("b", swipes=["a", "b"], swipe_id=1, swipe_info=[*infos], extra={}))
    )
    assert [variant.reasoning for variant in message.variants] == ["甲", ""]


def test_thought_within_the_text_of_old_files_is_told_apart() -> None:
    """It is no part of the story, and is written back where it stood."""
    data = lines(
        HEADER,
        row("<think>\n先问。\n</think>\n\n「谁？」", swipes=["<think>x</think>a", "b"]),
        said("<think>mine</think> stays"),
        row("She wrote <think> on the wall."),
    )
    first, second, third = messages(data)
    assert [(v.text, v.reasoning) for v in first.variants] == [
        ("a", "x"),
        ("b", ""),
        ("「谁？」", "先问。"),
    ]
    assert second.text == "<think>mine</think> stays"
    assert (third.text, third.variant.reasoning) == ("She wrote <think> on the wall.", "")
    assert [parse_json(line.decode()) for line in again(only(data))[1:]] == [
        message.raw for message in (first, second, third)
    ]


def test_hidden_rows_stay_and_are_marked() -> None:
    """`is_system` hides a row from the model; it is no reason to lose it."""
    data = lines(HEADER, STORY[0], said("(OOC)", is_system=True), STORY[2])
    assert [message.hidden for message in messages(data)] == [False, True, False]
    assert survey(only(data)).hidden == 1


def test_chub_lines_are_flattened() -> None:
    """Objects in place of texts, which Chub writes."""
    raw: JsonObject = {
        "name": "Mira",
        "is_user": False,
        "mes": {"message": "Hello"},
        "swipes": [{"message": "Hi"}, {"message": "Hello"}],
        "swipe_id": 1,
    }
    data = lines({"user_name": "You", "character_name": "Mira"}, raw)
    (message,) = messages(data)
    assert ([v.text for v in message.variants], message.active) == (["Hi", "Hello"], 1)
    assert parse_json(again(only(data))[1].decode()) == raw


def test_speakers_of_a_group_are_kept_on_each_message() -> None:
    """Name and identity of each stay with the message."""
    data = lines(
        row("甲说", name="甲", original_avatar="a.png"),
        row("乙说", name="乙", original_avatar="b.png", force_avatar="/thumbnail?x=b.png"),
        said("我说"),
    )
    found = survey(only(data))
    assert found.is_group
    assert dict(found.speakers) == {"甲": 1, "乙": 1}
    assert [message.raw.get("original_avatar") for message in messages(data)][:2] == [
        "a.png",
        "b.png",
    ]


def test_everything_unknown_is_kept_and_named_once() -> None:
    """A field of an extension, in rows and in the header, comes back as it was."""
    odd = [row(f"{n}", my_extension={"n": n, "x": [1.5, None, True]}) for n in range(3)]
    header: JsonObject = {**HEADER, "other": {"deep": [[]]}}
    data = lines(header, *odd)
    found = survey(only(data))
    assert [(n.code, n.path) for n in found.report.kept if n.code == "unknown_field"] == [
        ("unknown_field", "mes[].my_extension")
    ]
    assert [parse_json(line.decode()) for line in again(only(data))] == [header, *odd]
    assert {note.path for note in opened(data).report.kept} == {"chat_metadata.scenario"}


def test_text_in_other_encodings_is_read() -> None:
    """UTF-16 and GB 18030 are made out as a whole; one damaged byte harms one line only."""
    text = b"\n".join(compact(one) for one in (HEADER, *STORY)).decode()
    for encoding in ("utf-16", "gb18030"):
        assert texts(text.encode(encoding)) == [message["mes"] for message in STORY], encoding
    data = lines(HEADER, STORY[0], '{"name":"A","mes":"坏'.encode() + b'\xff"}', STORY[1])
    assert texts(data) == [STORY[0]["mes"], "坏\ufffd", STORY[1]["mes"]]
    assert "bad_encoding" in {note.code for note in survey(only(data)).report.warnings}


def test_a_line_beyond_its_limit_is_quarantined() -> None:
    """One enormous line is kept as it is and stops nothing."""
    data = lines(HEADER, STORY[0], row("x" * MAX_LINE_BYTES), STORY[1])
    assert texts(data) == [STORY[0]["mes"], STORY[1]["mes"]]
    assert [one.code for one in quarantined(data)] == ["too_large"]


def test_hostile_json_ends_in_words(subtests: pytest.Subtests) -> None:
    """Depth, prototypes, huge numbers, half characters: a message, a quarantined line or a refusal."""
    deep = b"[" * 10_000
    with subtests.test("alone"):
        assert refused(deep).code in ("too_deep", "corrupt")
        assert refused(deep + b"]" * 10_000).code == "too_deep"
    with subtests.test("as a line"):
        inside = b'{"mes":"x","extra":' + b'{"a":' * 10_000 + b"1" + b"}" * 10_001
        data = lines(HEADER, STORY[0], inside)
        assert [one.code for one in quarantined(data)] == ["too_deep"]
    with subtests.test("prototype"):
        raw: JsonObject = {
            "name": "A",
            "mes": "x",
            "__proto__": {"is_user": True},
            "constructor": 1,
        }
        assert messages(lines(HEADER, raw))[0].role == "assistant"
        assert parse_json(again(only(lines(HEADER, raw)))[1].decode()) == raw
    with subtests.test("numbers and halves"):
        (message,) = messages(lines(HEADER, b'{"mes":"\\ud83d x","name":5,"swipe_id":9e99}'))
        assert message.text == "\ufffd x"
    with subtests.test("neither"):
        for data in (b"", b"\n\n", b"\x89PNG\r\n\x1a\n\0\0", b"hello", b'"mes"', b"{}", b"[]"):
            assert refused(data).code in ("not_a_chat", "corrupt"), data


def test_a_file_beyond_its_limit_is_refused() -> None:
    """Nothing of it is read."""
    assert refused(bytes(MAX_BYTES + 1)).code == "too_large"
    assert refused(b"[" + b" " * MAX_JSON_BYTES).code == "too_large"


def test_h02_what_a_power_cut_leaves_takes_no_message_with_it() -> None:
    """NULs fill the last block of a file whose computer lost power: every line before them is there, a
    torn one kept in its place, and lines that were written behind them are read."""
    assert texts(lines(HEADER, *STORY) + b"\n" + b"\0" * 5000) == [row["mes"] for row in STORY]
    torn = '{"name":"渡船人","mes":"他说'.encode()
    data = lines(HEADER, STORY[0], torn + b"\0" * 5000, b"\0\0" + compact(STORY[1]))
    first, bad, last = entries(data)
    assert isinstance(first, Message)
    assert isinstance(bad, Quarantined)
    assert isinstance(last, Message)
    assert last.text == STORY[1]["mes"]


@pytest.mark.parametrize("encoding", ["utf-16-le", "utf-16-be", "utf-16", "utf-32"])
def test_wide_text_is_a_chat_with_a_mark_or_without(encoding: str) -> None:
    """A chat that went through a Windows editor reads as it was."""
    data = lines(HEADER, *STORY).decode().encode(encoding)
    assert texts(data) == [row["mes"] for row in STORY]
