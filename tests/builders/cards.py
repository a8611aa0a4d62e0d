"""Card files made in code, sound and odd; apart so that every test says what is odd about its own."""

import base64
import io
import json
import struct
import zipfile
import zlib
from collections.abc import Mapping, Sequence

from huaben.domain.card import Card
from huaben.domain.jsonvalue import Json, JsonObject
from huaben.formats.card import CardFile, Refused, read_card, write_json

SIGNATURE = b"\x89PNG\r\n\x1a\n"


def chunk(kind: bytes, data: bytes) -> bytes:
    """One PNG chunk."""
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


def ihdr(width: int = 4, height: int = 4) -> bytes:
    """The header of an 8-bit grey picture."""
    return chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 0, 0, 0, 0))


def idat(width: int = 4, height: int = 4) -> bytes:
    """The pixels of a grey picture."""
    return chunk(b"IDAT", zlib.compress(b"\x00" * ((width + 1) * height)))


IEND = chunk(b"IEND", b"")


def picture(*before: bytes, after: Sequence[bytes] = ()) -> bytes:
    """A 4 by 4 PNG with chunks before and after its pixels."""
    return b"".join((SIGNATURE, ihdr(), *before, idat(), *after, IEND))


def animation(*extra: bytes) -> bytes:
    """A two-frame APNG."""
    control = chunk(b"acTL", struct.pack(">II", 2, 0))
    frame = struct.pack(">IIIIHHBB", 4, 4, 0, 0, 1, 10, 0, 0)
    second = struct.pack(">I", 2) + zlib.compress(b"\x00" + b"\x80" * 4 * 4)
    parts = (
        SIGNATURE,
        ihdr(),
        control,
        chunk(b"fcTL", struct.pack(">I", 0) + frame),
        idat(),
        chunk(b"fcTL", struct.pack(">I", 1) + frame),
        chunk(b"fdAT", second),
    )
    return b"".join((*parts, *extra, IEND))


def packed_json(value: Json) -> bytes:
    """Base64 of UTF-8 JSON, as in a text chunk."""
    return base64.b64encode(json.dumps(value, ensure_ascii=False).encode())


def text_chunk(keyword: str, value: bytes) -> bytes:
    """A tEXt chunk."""
    return chunk(b"tEXt", keyword.encode("latin-1") + b"\x00" + value)


def ztxt_chunk(keyword: str, value: bytes) -> bytes:
    """A zTXt chunk."""
    return chunk(b"zTXt", keyword.encode("latin-1") + b"\x00\x00" + zlib.compress(value))


def itxt_chunk(keyword: str, value: bytes, *, packed: bool = False) -> bytes:
    """An iTXt chunk, compressed or not."""
    body = zlib.compress(value) if packed else value
    head = keyword.encode("latin-1") + b"\x00" + (b"\x01" if packed else b"\x00") + b"\x00"
    return chunk(b"iTXt", head + b"zh\x00\xe9\x94\xae\x00" + body)


def card_chunk(value: Json, keyword: str = "chara") -> bytes:
    """The usual tEXt chunk of a card."""
    return text_chunk(keyword, packed_json(value))


def v1(**fields: Json) -> JsonObject:
    """A version 1 card."""
    base: JsonObject = {
        "name": "陆小凤",
        "description": "四条眉毛的侠客，好管闲事。",
        "personality": "从容、机敏",
        "scenario": "京城的茶楼",
        "first_mes": "“你来得正好，{{user}}。”",
        "mes_example": "<START>\n{{char}}: 请坐。",
    }
    return {**base, **fields}


def v2(data: Mapping[str, Json] | None = None, **top: Json) -> JsonObject:
    """A version 2 card with every field."""
    fields: JsonObject = {
        **v1(),
        "creator_notes": "A tea-house mystery.",
        "system_prompt": "{{original}} Stay in character.",
        "post_history_instructions": "",
        "alternate_greetings": ["雨夜。", "A letter waits."],
        "tags": ["武侠", "mystery"],
        "creator": "佚名",
        "character_version": "1.2",
        "extensions": {"talkativeness": 0.7, "depth_prompt": {"prompt": "雨", "depth": 2}},
    }
    return {
        "spec": "chara_card_v2",
        "spec_version": "2.0",
        "data": {**fields, **(data or {})},
        **top,
    }


def v3(data: Mapping[str, Json] | None = None, **top: Json) -> JsonObject:
    """A version 3 card with the fields that version 2 lacks."""
    added: JsonObject = {
        "nickname": "小凤",
        "creator_notes_multilingual": {"zh": "茶楼疑案", "en": "A tea-house mystery."},
        "source": ["https://example.org/cards/1"],
        "group_only_greetings": ["大家都到了。"],
        "creation_date": 1_700_000_000,
        "modification_date": 1_700_000_500,
        "assets": [{"type": "icon", "uri": "ccdefault:", "name": "main", "ext": "png"}],
    }
    fields = {**added, **(data or {})}
    return {**v2(fields), "spec": "chara_card_v3", "spec_version": "3.0", **top}


def as_json(value: Json) -> bytes:
    """A JSON file."""
    return json.dumps(value, ensure_ascii=False).encode()


def archive(files: Mapping[str, bytes]) -> bytes:
    """A zip with deflated members."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as made:
        for name, data in files.items():
            made.writestr(name, data)
    return buffer.getvalue()


def renamed_archive(files: Mapping[bytes, bytes]) -> bytes:
    """A zip whose members have raw names without the UTF-8 mark, as old Chinese tools write them."""
    plain = {f"{'x' * (len(name) - 4)}{index:04}": name for index, name in enumerate(files)}
    data = archive({fake: files[name] for fake, name in plain.items()})
    for fake, name in plain.items():
        data = data.replace(fake.encode(), name)
    return data


def locked(data: bytes) -> bytes:
    """The zip with every member marked as encrypted."""
    changed = bytearray(data)
    for mark, at in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
        place = changed.find(mark)
        while place >= 0:
            changed[place + at] |= 1
            place = changed.find(mark, place + 4)
    return bytes(changed)


JPEG = b"\xff\xd8\xff\xe0\x00\x10JFIF\x00\x01\x01\x00\x00\x01\x00\x01\x00\x00\xff\xd9"


def webp(exif: bytes, *, kind: bytes = b"EXIF") -> bytes:
    """A WebP with an EXIF chunk after a stand-in for its pixels."""

    def riff(name: bytes, body: bytes) -> bytes:
        return name + struct.pack("<I", len(body)) + body + b"\x00" * (len(body) % 2)

    body = b"WEBP" + riff(b"VP8L", b"\x2f\x00\x00\x00\x00") + riff(kind, exif)
    return b"RIFF" + struct.pack("<I", len(body)) + body


def exif_comment(comment: bytes) -> bytes:
    """A TIFF block whose UserComment is `comment`."""
    head = b"II*\x00\x08\x00\x00\x00"
    pointer = struct.pack("<HHHIII", 1, 0x8769, 4, 1, 26, 0)
    inner = struct.pack("<HHHIII", 1, 0x9286, 7, len(comment), 44, 0)
    return head + pointer + inner + comment


def byaf(
    *, character: Mapping[str, Json] | None = None, scenario: Mapping[str, Json] | None = None
) -> dict[str, bytes]:
    """The files of a Backyard AI archive with two scenarios."""
    folder = "characters/ann"
    first: JsonObject = {
        "schemaVersion": 1,
        "narrative": "{character} waits for {user} in a tea house.",
        "formattingInstructions": "Write as {character}.",
        "exampleMessages": [
            {"characterID": "ann", "text": "#{user}: Hello\n#{character}: 你好"},
        ],
        "firstMessages": [{"characterID": "ann", "text": "Welcome, {user}."}],
        "messages": [{"type": "human", "text": "secret"}],
        "temperature": 0.7,
        **(scenario or {}),
    }
    second: JsonObject = {"firstMessages": [{"characterID": "ann", "text": "雨夜，{user}。"}]}
    who: JsonObject = {
        "schemaVersion": 1,
        "id": "ann",
        "name": "Ann",
        "displayName": "Ann Chen",
        "isNSFW": False,
        "persona": "A calm host. {{not ours}} {other}",
        "createdAt": "2024-03-21T12:00:00Z",
        "updatedAt": "2024-03-22T12:00:00+00:00",
        "loreItems": [{"key": "tea, 茶", "value": "{character} loves tea."}],
        "images": [{"path": "images/a.png", "label": "Portrait"}],
        **(character or {}),
    }
    manifest: JsonObject = {
        "schemaVersion": 1,
        "createdAt": "2024-03-21T12:00:00Z",
        "author": {"name": "someone", "backyardURL": "https://example.org/u"},
        "characters": [f"{folder}/character.json"],
        "scenarios": ["scenarios/1.json", "scenarios/2.json"],
    }
    return {
        "manifest.json": as_json(manifest),
        f"{folder}/character.json": as_json(who),
        "scenarios/1.json": as_json(first),
        "scenarios/2.json": as_json(second),
        f"{folder}/images/a.png": picture(),
    }


def taken(data: bytes, filename: str = "") -> CardFile:
    """The card file that reading gives, or a failure that shows the refusal."""
    found = read_card(data, filename)
    assert isinstance(found, CardFile), found
    return found


def refused(data: bytes, filename: str = "") -> Refused:
    """The refusal that reading gives, or a failure."""
    found = read_card(data, filename)
    assert isinstance(found, Refused), found
    return found


def exported(card: Card) -> JsonObject:
    """The JSON that is written for a card."""
    written: JsonObject = json.loads(write_json(card))
    return written


def data_of(value: JsonObject) -> JsonObject:
    """The `data` object of a card's JSON."""
    data = value["data"]
    assert isinstance(data, dict)
    return data


def noted(file: CardFile) -> dict[str, set[str]]:
    """Codes of the report by list."""
    report = file.report
    return {
        "changed": {note.code for note in report.changed},
        "dropped": {note.code for note in report.dropped},
        "warnings": {note.code for note in report.warnings},
    }
