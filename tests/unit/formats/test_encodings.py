"""Cards and lorebooks saved in the encodings of East Asia are read whole, and the encoding is named."""

import json
import zipfile
from io import BytesIO

import pytest

from huaben.domain.jsonvalue import Json
from huaben.formats.bounded import decode_text
from huaben.formats.report import Note
from tests.builders import cards, lorebooks

SIMPLIFIED = "陆小凤坐在茶楼里，听着窗外的雨声。“你来得正好，{{user}}。”他笑着说。"
TRADITIONAL = "陸小鳳坐在茶樓裡，聽著窗外的雨聲。「你來得正好，{{user}}。」他笑著說。"
JAPANESE = "彼女は茶屋の窓から雨を見ている。「ちょうどいいところに来たね」と笑った。"


@pytest.mark.parametrize(
    ("text", "encoding"),
    [
        (SIMPLIFIED, "gb18030"),
        ("薛冰：你好", "gb18030"),
        ("雨", "gb18030"),
        ("Nothing but English, and one tea-house, 茶楼.", "gb18030"),
        (SIMPLIFIED + "🍵", "gb18030"),
        (TRADITIONAL, "gb18030"),
        (TRADITIONAL, "big5"),
        ("花滿樓", "big5"),
        (JAPANESE, "shift_jis"),
        ("チャット", "shift_jis"),
    ],
)
def test_text_of_another_encoding_is_read_as_it_was_written(text: str, encoding: str) -> None:
    """Each encoding is known by how common the characters are that come of it."""
    data = json.dumps({"name": text}, ensure_ascii=False).encode(encoding)
    decoded = decode_text(data)
    assert (decoded.text, decoded.encoding) == (data.decode(encoding), encoding)


@pytest.mark.parametrize(
    "text",
    [
        "Zoë sat in the café.",
        "naïve, señor",
        "Übermäßig größer",
        "“Hello,” she said — “é”",
        "ÀÉÎÕÜ",
    ],
)
def test_western_text_is_not_taken_for_chinese(text: str) -> None:
    """A few letters with accents stay what they are."""
    data = text.encode("cp1252")
    assert decode_text(data).encoding == "latin-1"


@pytest.mark.parametrize("text", [SIMPLIFIED, TRADITIONAL, JAPANESE])
def test_damaged_utf_8_stays_utf_8(text: str) -> None:
    """One bad byte is one bad character, not a text of another encoding."""
    data = text.encode()
    for damaged in (data + b"\xff", data[:-1], data[:7] + data[8:], b"\xa0" + data):
        decoded = decode_text(damaged)
        assert decoded.encoding == "damaged"
        assert decoded.text.count("\ufffd") <= 3


def warned(notes: tuple[Note, ...]) -> list[str]:
    """What the report says of the encoding."""
    return [note.detail for note in notes if note.code == "bad_encoding"]


@pytest.mark.parametrize(
    ("text", "encoding"), [(SIMPLIFIED, "gb18030"), (TRADITIONAL, "big5"), (JAPANESE, "shift_jis")]
)
def test_a_card_in_another_encoding_is_whole_and_says_so(text: str, encoding: str) -> None:
    """In a file of JSON, in a picture and in an archive alike."""
    value: Json = {"name": "雨", "description": text, "first_mes": ""}
    data = json.dumps(value, ensure_ascii=False).encode(encoding)
    archive = BytesIO()
    with zipfile.ZipFile(archive, "w") as made:
        made.writestr("card.json", data)
    picture = cards.picture(cards.text_chunk("chara", data))
    for file in (data, picture, archive.getvalue()):
        found = cards.taken(file)
        assert found.card.description == text
        assert warned(found.report.warnings) == [f"read as {encoding}"]


@pytest.mark.parametrize(
    ("text", "encoding"), [(SIMPLIFIED, "gb18030"), (TRADITIONAL, "big5"), (JAPANESE, "shift_jis")]
)
def test_a_lorebook_in_another_encoding_is_whole_and_says_so(text: str, encoding: str) -> None:
    """A lorebook is no longer refused for it."""
    value: Json = {"entries": {"0": {"uid": 0, "key": ["雨"], "content": text}}}
    found = lorebooks.taken(json.dumps(value, ensure_ascii=False).encode(encoding))
    assert found.book.entries[0].content == text
    assert warned(found.report.warnings) == [f"read as {encoding}"]


def test_a_lorebook_in_utf_16_needs_no_word() -> None:
    """A byte order mark says all."""
    value: Json = {"entries": {"0": {"uid": 0, "key": ["雨"], "content": "rain"}}}
    found = lorebooks.taken(json.dumps(value, ensure_ascii=False).encode("utf-16"))
    assert found.book.entries[0].keys == ("雨",)
    assert found.report.warnings == ()


@pytest.mark.parametrize("encoding", ["utf-16-le", "utf-16-be", "utf-16", "utf-32"])
def test_wide_text_is_read_with_a_mark_or_without(encoding: str) -> None:
    """What a Windows program saves as "Unicode" is whole, and nothing needs saying."""
    text = json.dumps({"name": SIMPLIFIED}, ensure_ascii=False)
    decoded = decode_text(text.encode(encoding))
    assert (decoded.text, decoded.encoding) == (text, encoding[:6])


def test_nuls_that_fill_a_block_are_no_text() -> None:
    """A file or a chunk that was padded to its block's end is read as if it were not."""
    assert decode_text(b'{"name":"A"}\n\0\0\0').text == '{"name":"A"}\n'
    assert decode_text('{"name":"雨"}\0\0'.encode("utf-16")).text == '{"name":"雨"}'
    assert decode_text(b"\0\0\0\0").text == ""
