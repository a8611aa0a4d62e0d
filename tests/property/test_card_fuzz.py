"""Hostile bytes: whatever is done to a card file, reading it ends in a card or a reason, soon and small.

`HUABEN_FUZZ` sets the number of files (3000 unless set).
"""

import os
import random
import resource
import time
from collections.abc import Callable

from huaben.domain.jsonvalue import Json, JsonObject, dump_json
from huaben.formats.card import CardFile, Refused, read_card, write_charx, write_json, write_png
from tests.builders import cards as build

CASES = int(os.environ.get("HUABEN_FUZZ", "3000"))
MAX_SECONDS = 30.0
MAX_GROWTH_KIB = 1024 * 1024

BOOK: Json = {"entries": [{"keys": ["雨"], "content": "@@depth 4\n雨夜", "position": ""}]}
ASSETS: Json = [
    {"type": "icon", "uri": "embeded://a.png", "name": "main", "ext": "png"},
    {"type": "emotion", "uri": "__asset:0", "name": "happy", "ext": "png"},
]
CARD = build.v3({"assets": ASSETS, "character_book": BOOK}, fav="true", chat="x")
ODD_BYTES = (
    b"",
    b"\x00",
    b"\xff" * 4,
    b"\x7f\xff\xff\xff",
    b"{",
    b'"',
    b"PK\x03\x04",
    b"\x00\x00\x00\x01",
)
ODD_VALUES: tuple[Json, ...] = (
    None, True, 0, -1, 1e308, 10**40, "", "0", "rcc||", "\u202e", [], {}, [[]], {"": {}},
    "embeded://../x", "__asset:", "9" * 400, "<START>", ["a", 1, None, {}],
)  # fmt: skip


def seeds() -> list[bytes]:
    """One sound file of every kind."""
    packed = build.packed_json(CARD)
    charx = build.archive({"card.json": build.as_json(CARD), "a.png": build.picture()})
    legacy = build.text_chunk("chara-ext-asset_:0", b"c21pbGU=")
    comment = build.exif_comment(b"ASCII\x00\x00\x00" + build.as_json(build.v1()))
    return [
        build.picture(build.card_chunk(build.v2()), legacy, after=[build.card_chunk(CARD, "ccv3")]),
        build.picture(build.ztxt_chunk("ccv3", packed)),
        build.animation(build.itxt_chunk("chara", packed, packed=True)),
        build.as_json(CARD),
        build.as_json(build.v1()),
        charx,
        build.JPEG + charx,
        build.archive(build.byaf()),
        build.webp(comment),
        "name: 陆小凤\ncontext: |\n  侠客\ngreeting: [a, {b: 'c'}]\n".encode(),
    ]


def spoiled(data: bytes, others: list[bytes], chance: random.Random) -> bytes:
    """The file after a few random injuries."""
    made = bytearray(data)
    for _ in range(chance.choice((1, 1, 2, 4))):
        at = chance.randrange(len(made) + 1)
        to = min(len(made), at + chance.choice((1, 1, 1, 2, 4, 16, 200)))
        match chance.choice((0, 0, 0, 0, 1, 2, 3, 3, 4, 5)):
            case 0:
                made[at:to] = chance.randbytes(to - at)
            case 1:
                del made[at:to]
            case 2:
                made[at:at] = made[at:to] * chance.randint(1, 20)
            case 3:
                made[at:to] = chance.choice(ODD_BYTES)
            case 4:
                other = chance.choice(others)
                made[at:] = other[chance.randrange(len(other)) :]
            case _:
                del made[at:]
    return bytes(made)


def odd_json(value: Json, chance: random.Random) -> Json:
    """The value with some of its parts replaced by odd ones."""
    if chance.random() < 0.08:
        return chance.choice(ODD_VALUES)
    if isinstance(value, list):
        return [odd_json(item, chance) for item in value]
    if isinstance(value, dict):
        return {
            key: odd_json(item, chance) for key, item in value.items() if chance.random() > 0.05
        }
    return value


def packed(value: Json, chance: random.Random) -> bytes:
    """A JSON value in one of the containers, soundly."""
    text = dump_json(value).encode()
    ways: tuple[Callable[[], bytes], ...] = (
        lambda: text,
        lambda: build.picture(build.card_chunk(value, chance.choice(("chara", "ccv3")))),
        lambda: build.archive({"card.json": text, "a.png": build.picture()}),
        lambda: build.webp(build.exif_comment(b"ASCII\x00\x00\x00" + text)),
        lambda: build.archive({**build.byaf(), "characters/ann/character.json": text}),
    )
    return chance.choice(ways)()


def check(data: bytes) -> bool:
    """Reads, and if it is a card reads its files and writes it in every form; True for a card."""
    started = time.monotonic()
    found = read_card(data, "file")
    assert isinstance(found, CardFile | Refused)
    if isinstance(found, CardFile):
        assert found.card.name.strip()
        assert dump_json(found.report.to_json())
        for asset in found.assets:
            assert isinstance(asset.read(), bytes | Refused)
        for written in (
            write_json(found.card),
            write_png(found.card, found.image),
            write_charx(found.card, found.assets, image=found.image),
        ):
            again = read_card(written)
            assert isinstance(again, CardFile)
            assert again.card.name == found.card.name
    assert time.monotonic() - started < MAX_SECONDS
    return isinstance(found, CardFile)


def test_injured_files_end_in_a_card_or_a_reason() -> None:
    """Random injuries to sound files of every kind: no crash, no hang, no growth."""
    chance = random.Random(20_261)
    sound = seeds()
    assert all(check(data) for data in sound)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    survivors = sum(check(spoiled(chance.choice(sound), sound, chance)) for _ in range(CASES))
    assert survivors > CASES // 50
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < MAX_GROWTH_KIB


def test_odd_json_in_sound_containers_ends_in_a_card_or_a_reason() -> None:
    """Values of any type in any field, in every container."""
    chance = random.Random(20_262)
    originals: list[JsonObject] = [CARD, build.v1(), build.v2()]
    survivors = 0
    for _ in range(CASES // 2):
        survivors += check(packed(odd_json(chance.choice(originals), chance), chance))
    assert survivors > CASES // 20
