"""Cards in PNG and APNG: found wherever they lie, written so that nothing else in the picture changes."""

import base64
import json
import time
import zlib
from dataclasses import replace

import pytest

from huaben.domain.jsonvalue import Json
from huaben.formats.card import CardFile, write_png
from huaben.formats.png import PngFault, shows_picture, text_chunks, value_of, walk_png
from tests.builders import cards as build
from tests.builders.cards import refused, taken


def codes(file: CardFile, shelf: str) -> set[str]:
    """The codes of one list of the report."""
    notes: dict[str, set[str]] = {
        "kept": {note.code for note in file.report.kept},
        "changed": {note.code for note in file.report.changed},
        "dropped": {note.code for note in file.report.dropped},
        "warnings": {note.code for note in file.report.warnings},
    }
    return notes[shelf]


def cards_in(data: bytes) -> list[tuple[str, str, Json]]:
    """Every card chunk of a PNG as (kind, keyword, JSON)."""
    png = walk_png(data)
    assert not isinstance(png, PngFault)
    found: list[tuple[str, str, Json]] = []
    for text in text_chunks(png):
        if text.keyword.lower() in ("chara", "ccv3"):
            value = value_of(png, text, 1 << 20)
            assert isinstance(value, bytes)
            found.append((text.kind, text.keyword, json.loads(base64.b64decode(value))))
    return found


def test_c01_a_card_only_in_ztxt_is_found_and_its_old_chunk_goes_on_export() -> None:
    """C01: compressed text chunks are read, and two versions never coexist after an export."""
    data = build.picture(build.ztxt_chunk("ccv3", build.packed_json(build.v3())))
    file = taken(data)
    assert file.card.name == "陆小凤"
    assert file.card.spec == "v3"
    written = write_png(replace(file.card, description="新的"), file.image)
    assert [(kind, keyword) for kind, keyword, _ in cards_in(written)] == [
        ("tEXt", "chara"),
        ("tEXt", "ccv3"),
    ]
    assert taken(written).card.description == "新的"


def test_c01_a_compressed_bomb_is_refused_by_its_cap() -> None:
    """C01: a chunk that inflates beyond 32 MiB is refused, and quickly."""
    bomb = build.picture(build.ztxt_chunk("ccv3", b"A" * (33 * 1024 * 1024)))
    assert len(bomb) < 100_000
    started = time.monotonic()
    assert refused(bomb).code == "too_large"
    assert time.monotonic() - started < 30


@pytest.mark.parametrize("packed", [False, True])
def test_international_text_chunks_are_read(packed: bool) -> None:
    """iTXt carries cards too, compressed or not, with a language and a translated keyword."""
    chunk = build.itxt_chunk("chara", build.packed_json(build.v2()), packed=packed)
    assert taken(build.picture(after=[chunk])).card.name == "陆小凤"


def test_c02_a_chunk_after_the_pixels_is_found_without_decoding_them() -> None:
    """C02: chunks are walked to the end; a picture of 20000 by 20000 points is never decoded."""
    huge = build.SIGNATURE + build.ihdr(20000, 20000)
    pixels = build.chunk(b"IDAT", zlib.compress(b"\x00" * 1000))
    data = huge + pixels + build.card_chunk(build.v2()) + build.IEND
    started = time.monotonic()
    assert taken(data).card.name == "陆小凤"
    assert time.monotonic() - started < 30


def test_a_chunk_after_the_end_mark_is_found_and_later_removed() -> None:
    """Some tools append after IEND: it is read there, and an export does not leave it behind."""
    data = build.picture() + build.card_chunk(build.v2())
    file = taken(data)
    assert file.image == data
    assert len(cards_in(write_png(file.card, file.image))) == 2


def test_c04_both_chunks_differ_and_version_3_wins_with_a_note() -> None:
    """C04: `ccv3` takes precedence over `chara`, whatever their order, and the conflict is named."""
    data = build.picture(
        build.card_chunk(build.v2({"name": "Old"})),
        after=[build.card_chunk(build.v3({"name": "New"}), "ccv3")],
    )
    file = taken(data)
    assert file.card.name == "New"
    note = next(note for note in file.report.dropped if note.code == "other_card")
    assert "name" in note.detail
    assert "chara" in note.path


def test_c04_twins_that_agree_are_no_conflict() -> None:
    """The pair that is written on every export is not reported as two cards."""
    card = build.v3({"character_book": {"entries": [{"content": "@@depth 4\n\n雨夜"}]}})
    file = taken(build.picture(build.card_chunk(card, "ccv3")))
    again = taken(write_png(file.card, file.image))
    assert "other_card" not in codes(again, "dropped")


def test_an_unreadable_chunk_gives_way_to_a_readable_one() -> None:
    """A broken `ccv3` does not hide a sound `chara`; the report says so."""
    data = build.picture(build.text_chunk("ccv3", b"!!!"), build.card_chunk(build.v2()))
    file = taken(data)
    assert file.card.name == "陆小凤"
    assert "unreadable_chunk" in codes(file, "warnings")


@pytest.mark.parametrize("keyword", ["Chara", "CHARA", "CCV3", "ccv3"])
def test_keywords_are_read_in_any_case(keyword: str) -> None:
    """Version 1 spells the keyword with a capital."""
    assert taken(build.picture(build.card_chunk(build.v1(), keyword))).card.name == "陆小凤"


def test_c05_emoji_accents_and_chinese_quotes_arrive_exactly() -> None:
    """C05: base64 of UTF-8 JSON is read as UTF-8."""
    card = build.v1(name="Zoë 🌙", first_mes="“你好”")
    file = taken(build.picture(build.card_chunk(card)))
    assert file.card.name == "Zoë 🌙"
    assert file.card.first_mes == "“你好”"
    assert "mojibake" not in codes(file, "warnings")


def _wrapped(value: bytes) -> bytes:
    return b"\r\n".join(value[at : at + 76] for at in range(0, len(value), 76))


@pytest.mark.parametrize("name", ["A", "陆小凤~~~???", "Zoë>>>"])
def test_base64_is_read_leniently(name: str) -> None:
    """Unpadded, URL-safe, wrapped, with junk after the padding: what others decode is decoded."""
    value = build.packed_json(build.v1(name=name))
    bare = value.rstrip(b"=")
    url_safe = value.replace(b"+", b"-").replace(b"/", b"_")
    for spoiled in (bare, url_safe, _wrapped(value), bare + b"==AAAA"):
        assert taken(build.picture(build.text_chunk("chara", spoiled))).card.name == name


@pytest.mark.parametrize("lead", [b"", b" \n", b"\xef\xbb\xbf"])
def test_c07_bare_json_in_a_text_chunk_is_read(lead: bytes) -> None:
    """C07: a value that is JSON and not base64 is told by its first brace."""
    value = lead + json.dumps(build.v1(), ensure_ascii=False).encode()
    file = taken(build.picture(build.text_chunk("chara", value)))
    assert file.card.name == "陆小凤"
    assert "not_base64" in codes(file, "changed")


def test_c19_an_animation_survives_an_export_byte_for_byte() -> None:
    """C19: an APNG is read, and the written file without its card chunks is the old one."""
    bare = build.animation()
    data = build.animation(build.card_chunk(build.v2()))
    file = taken(data)
    assert file.container == "apng"
    written = write_png(file.card, file.image)
    png = walk_png(written)
    assert not isinstance(png, PngFault)
    rest = build.SIGNATURE + b"".join(
        written[chunk.start : chunk.end] for chunk in png.chunks if chunk.kind != b"tEXt"
    )
    assert rest == bare


def test_every_other_chunk_and_trailing_byte_is_kept() -> None:
    """An export keeps foreign text, unknown chunks, a wrong checksum and bytes after the end."""
    odd = build.chunk(b"prVt", b"mine")[:-1] + b"\x00"
    other = build.text_chunk("Comment", "雨".encode())
    data = build.picture(odd, build.card_chunk(build.v2()), after=[other]) + b"\x00tail\x01"
    file = taken(data)
    written = write_png(file.card, data)
    assert odd in written
    assert other in written
    assert written.endswith(b"\x00tail\x01")


@pytest.mark.parametrize(
    "pixels",
    [
        build.chunk(b"IDAT", zlib.compress(b"\x00" * 20)[:-6]),
        build.chunk(b"IDAT", b"not zlib"),
        b"",
        build.idat()[:-3],
    ],
    ids=["short stream", "no stream", "no pixels", "cut chunk"],
)
def test_c20_a_corrupt_picture_still_gives_its_card(pixels: bytes) -> None:
    """C20: sound metadata and broken pixels give the card; the default picture stands in."""
    data = build.SIGNATURE + build.ihdr() + build.card_chunk(build.v2()) + pixels
    if not pixels.endswith(build.idat()[-20:-3]):
        data += build.IEND
    file = taken(data)
    assert file.card.name == "陆小凤"
    assert file.image is None
    assert "picture_damaged" in codes(file, "warnings")
    again = taken(write_png(file.card, file.image))
    assert again.image is not None


def test_the_default_picture_can_be_shown() -> None:
    """A card without a picture is exported in a whole, valid PNG."""
    png = walk_png(write_png(taken(build.as_json(build.v2())).card, None))
    assert not isinstance(png, PngFault)
    assert shows_picture(png)


def test_a_picture_that_is_not_png_is_replaced_by_the_default() -> None:
    """A JPEG cannot carry text chunks: the export is a PNG all the same."""
    card = taken(build.as_json(build.v2())).card
    assert taken(write_png(card, b"\xff\xd8\xff\xe0JPEG")).card.name == "陆小凤"


def test_a_png_export_holds_version_2_and_version_3() -> None:
    """Both chunks are complete for their version, private marks are in neither."""
    file = taken(build.picture(build.card_chunk(build.v2(fav=True, chat="A - 2023"))))
    both = {keyword: value for _, keyword, value in cards_in(write_png(file.card, file.image))}
    chara, ccv3 = both["chara"], both["ccv3"]
    assert isinstance(chara, dict)
    assert isinstance(ccv3, dict)
    assert (chara["spec"], chara["spec_version"]) == ("chara_card_v2", "2.0")
    assert (ccv3["spec"], ccv3["spec_version"]) == ("chara_card_v3", "3.0")
    data = ccv3["data"]
    assert isinstance(data, dict)
    assert data["group_only_greetings"] == []
    assert chara["fav"] is False
    assert "chat" not in chara


def test_decorators_are_stripped_from_the_version_2_twin_only() -> None:
    """A version 3 card written as version 2 has entries without decorator lines."""
    entry: Json = {"keys": ["雨"], "content": "@@depth 4\n@@@role user\n\n雨夜里灯灭了。"}
    file = taken(
        build.picture(build.card_chunk(build.v3({"character_book": {"entries": [entry]}})))
    )
    both = {keyword: value for _, keyword, value in cards_in(write_png(file.card, file.image))}
    assert '"content": "雨夜里灯灭了。"' in json.dumps(both["chara"], ensure_ascii=False)
    assert "@@depth 4" in json.dumps(both["ccv3"], ensure_ascii=False)


def test_c29_an_encrypted_risu_card_is_named_as_such() -> None:
    """C29: the refusal says what the file is, in a chunk bare or packed, and as a file."""
    text = b"rcc||rccv1||AAAA||hash||e30="
    assert refused(build.picture(build.text_chunk("chara", text))).code == "encrypted_risu"
    packed = base64.b64encode(text)
    assert refused(build.picture(build.text_chunk("ccv3", packed))).code == "encrypted_risu"
    assert refused(text).code == "encrypted_risu"


def test_pictures_without_a_card_say_so() -> None:
    """A plain picture, a lorebook picture and a cut one are told apart."""
    assert refused(build.picture()).code == "not_a_card"
    assert refused(build.picture(build.text_chunk("naidata", b"e30="))).code == "lorebook_file"
    whole = build.picture(after=[build.card_chunk(build.v2())])
    assert refused(whole[:-100]).code == "corrupt"


def test_lengths_that_lie_neither_crash_nor_hang() -> None:
    """A chunk that claims four gigabytes ends the walk."""
    liar = b"\xff\xff\xff\xffIDAT" + b"\x00" * 20
    assert refused(build.SIGNATURE + build.ihdr() + liar).code == "corrupt"
    early = build.SIGNATURE + build.ihdr() + build.card_chunk(build.v2()) + liar
    assert taken(early).image is None


def test_many_bombs_do_not_add_up() -> None:
    """Only a few candidates are tried, so a hundred bombs cost no more than those."""
    bomb = build.ztxt_chunk("chara", b" " * (31 * 1024 * 1024))
    started = time.monotonic()
    refused(build.picture(*[bomb] * 100))
    assert time.monotonic() - started < 30


def test_legacy_assets_are_addressed_and_kept_on_export() -> None:
    """Assets in text chunks are read when asked for, by both spellings, and stay in the picture."""
    assets: Json = [{"type": "emotion", "uri": "__asset:0", "name": "happy.png", "ext": "png"}]
    first = build.text_chunk("chara-ext-asset_:0", base64.b64encode(b"first"))
    second = build.text_chunk("chara-ext-asset_1", base64.b64encode(b"second"))
    data = build.picture(first, second, build.card_chunk(build.v3({"assets": assets}), "ccv3"))
    file = taken(data)
    assert [(asset.path, asset.stored_name) for asset in file.assets] == [
        ("0", "happy.png"),
        ("1", "1"),
    ]
    assert [asset.read() for asset in file.assets] == [b"first", b"second"]
    assert first in write_png(file.card, file.image)
