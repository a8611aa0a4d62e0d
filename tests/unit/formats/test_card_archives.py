"""Cards in archives: CharX wherever its zip begins, BYAF, and archives that mean harm."""

import io
import json
import struct
import time
import zipfile

import pytest

from huaben.domain.jsonvalue import Json
from huaben.formats.archive import ArchiveFault, open_archive
from huaben.formats.card import CardFile, Refused, find_asset, read_card
from tests.builders import cards as build
from tests.builders.cards import refused, taken

ICON = "assets/icon/images/a.png"


def asset(uri: str, name: str = "main", ext: str = "png", kind: str = "icon") -> Json:
    """One declared asset."""
    return {"type": kind, "uri": uri, "name": name, "ext": ext}


def charx(*assets: Json, files: dict[str, bytes] | None = None) -> bytes:
    """A CharX with declared assets and packed files."""
    card = build.v3({"assets": list(assets)} if assets else {"assets": None})
    return build.archive({"card.json": build.as_json(card), **(files or {})})


def warned(file: CardFile) -> set[str]:
    """Codes of the warnings."""
    return {note.code for note in file.report.warnings}


def test_a_charx_gives_card_portrait_and_files() -> None:
    """The card, its main icon as picture, and every packed file, declared or not."""
    picture = build.picture()
    file = taken(charx(asset(f"embeded://{ICON}"), files={ICON: picture, "notes.json": b"{}"}))
    assert file.container == "charx"
    assert file.card.name == "陆小凤"
    assert file.image == picture
    assert [(item.path, item.asset is not None) for item in file.assets] == [
        (ICON, True),
        ("notes.json", False),
    ]


@pytest.mark.parametrize(
    "before", [build.JPEG, b"MZ\x90\x00" + b"stub" * 500, b"#!/bin/sh\nexit\n"]
)
def test_c16_a_zip_behind_other_bytes_is_read(before: bytes) -> None:
    """C16: a JPEG or a self-extracting stub before the zip does not hide `card.json`."""
    file = taken(before + charx(asset("embeded://a.txt", kind="x_note"), files={"a.txt": b"hi"}))
    assert file.card.name == "陆小凤"
    assert file.assets[0].read() == b"hi"


def test_c16_the_jpeg_before_the_zip_is_the_picture() -> None:
    """C16: without an icon of its own, a JPEG-and-CharX shows its JPEG."""
    assert taken(build.JPEG + charx()).image == build.JPEG


def test_c16_a_png_before_the_zip_is_read_too() -> None:
    """A plain PNG that hides a CharX is a card; a PNG with its own card stays that."""
    assert taken(build.picture() + charx()).container == "charx"
    both = build.picture(build.card_chunk(build.v2({"name": "PNG"}))) + charx()
    assert taken(both).card.name == "PNG"


def test_c16_a_card_in_a_folder_is_read_with_its_assets() -> None:
    """C16: an archive with everything one folder too deep is read as if it were not."""
    card = build.v3({"assets": [asset(f"embeded://{ICON}")]})
    files = {"my card/card.json": build.as_json(card), f"my card/{ICON}": build.picture()}
    file = taken(build.archive(files))
    assert file.image == build.picture()
    assert "card_not_at_root" in {note.code for note in file.report.changed}


def test_c16_an_archive_without_a_card_says_so() -> None:
    """C16: the refusal names what is missing and what is there instead."""
    found = refused(build.archive({"readme.txt": b"x"}))
    assert found.code == "not_a_card"
    assert "card.json" in found.detail
    assert "readme.txt" in found.detail


@pytest.mark.parametrize(
    ("uri", "path"),
    [
        (f"embeded://{ICON}", ICON),
        (f"embedded://{ICON}", ICON),
        ("__asset:0", "0"),
        ("embeded://assets/%E7%AC%91.png", "assets/笑.png"),
        ("embeded://assets/50%.png", "assets/50%.png"),
    ],
)
def test_c17_every_spelling_of_an_asset_address_resolves(uri: str, path: str) -> None:
    """C17: three schemes and percent escapes lead to the packed file, stored once as `happy.png`."""
    data = charx(asset(uri, "happy.png", "png", "emotion"), files={path: b"smile"})
    file = taken(data)
    assert "asset_missing" not in warned(file)
    found = find_asset(file.assets, uri)
    assert found is not None
    assert found.stored_name == "happy.png"
    assert found.read() == b"smile"


def test_c17_a_file_declared_twice_is_stored_once() -> None:
    """C17: two declarations of one file give one file; two files of one name get two names."""
    emotion = asset("embeded://a.png", "happy", "png", "emotion")
    again = asset("embedded://a.png", "happy.png", "png", "emotion")
    other = asset("embeded://b.png", "Happy", "PNG", "emotion")
    file = taken(charx(emotion, again, other, files={"a.png": b"a", "b.png": b"b"}))
    assert [item.stored_name for item in file.assets] == ["happy.png", "Happy-2.png"]


def test_c17_a_missing_asset_is_a_warning() -> None:
    """C17: the card is imported without it."""
    file = taken(charx(asset("embeded://gone.png"), asset("https://example.org/a.png")))
    assert {"asset_missing", "asset_remote", "picture_missing"} <= warned(file)


@pytest.mark.parametrize(
    "path",
    [
        "../evil.png",
        "a/../../evil.png",
        "/etc/evil.png",
        "C:\\evil.png",
        "..\\evil.png",
        "%2e%2e/x",
    ],
)
def test_paths_that_leave_the_archive_are_dropped(path: str) -> None:
    """No packed path leads out of the container; the report names each."""
    file = taken(charx(asset(f"embeded://{path}"), files={path: b"x", "good.png": b"y"}))
    assert [item.path for item in file.assets] == ["good.png"]
    assert {note.code for note in file.report.dropped} == {"unsafe_path"}


def test_stored_names_are_safe_on_every_system() -> None:
    """Separators, control characters and reserved names do not reach a file system."""
    names = ["a/b\\c.png", "<img>", "con", "x" * 500, "...", "a\n.png", "雨 夜"]
    assets = [asset(f"embeded://{index}", name) for index, name in enumerate(names)]
    files = {str(index): b"x" for index in range(len(names))}
    stored = [item.stored_name for item in taken(charx(*assets, files=files)).assets]
    assert len(set(stored)) == len(names)
    for name in stored:
        assert not set('/\\<>:"|?*\n') & set(name)
        assert len(name) <= 100
    assert stored[2] == "_con.png"
    assert stored[-1] == "雨 夜.png"


@pytest.mark.parametrize("encoding", ["utf-8", "gb18030"])
def test_chinese_member_names_without_the_utf8_mark_are_read(encoding: str) -> None:
    """Old tools write UTF-8 or GBK names unmarked; the assets are found all the same."""
    card = build.v3({"assets": [asset("embeded://图片/笑脸.png")]})
    files = {
        b"card.json": build.as_json(card),
        "图片/笑脸.png".encode(encoding): build.picture(),
    }
    assert taken(build.renamed_archive(files)).image == build.picture()


def test_an_encrypted_archive_is_named_as_such() -> None:
    """Nothing is guessed about a locked zip."""
    assert refused(build.locked(charx())).code == "encrypted_archive"


def test_a_packed_module_is_kept_and_named() -> None:
    """A RisuAI module is not read, but it is among the files and in the report."""
    file = taken(charx(files={"module.risum": b"\x6f\x00"}))
    assert "risu_module" in warned(file)
    assert [item.path for item in file.assets] == ["module.risum"]


def test_a_zip_bomb_in_card_json_is_refused_quickly() -> None:
    """A card that inflates to gigabytes is stopped at its cap."""
    bomb = build.archive({"card.json": b" " * (65 * 1024 * 1024)})
    started = time.monotonic()
    assert refused(bomb).code == "too_large"
    assert time.monotonic() - started < 30


def test_a_bomb_among_the_assets_harms_only_itself() -> None:
    """Assets are inflated when asked for, each within its cap."""
    data = charx(
        asset("embeded://bomb.png", kind="background"),
        files={"bomb.png": b"\x00" * (65 * 1024 * 1024)},
    )
    file = taken(data)
    found = file.assets[0].read()
    assert isinstance(found, Refused)
    assert found.code == "too_large"


def test_unsupported_packing_is_named() -> None:
    """Only stored and deflated members are unpacked."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_BZIP2) as made:
        made.writestr("card.json", build.as_json(build.v3()))
    assert refused(buffer.getvalue()).code == "unsupported"


def test_a_directory_that_lies_is_refused() -> None:
    """Sizes, offsets and counts that do not fit end in a fault, not in a crash."""
    data = bytearray(charx(files={"a.png": b"x"}))
    end = data.rfind(b"PK\x05\x06")
    for at, value in ((12, 0xFFFFFFFE), (16, 0xFFFFFFFE), (12, 5), (16, 0xFFFFFFFF), (12, 0)):
        lie = bytearray(data)
        struct.pack_into("<I", lie, end + at, value)
        assert isinstance(read_card(bytes(lie)), Refused)


def test_a_directory_of_too_many_files_is_refused() -> None:
    """A zip of fifty thousand empty files costs no more than its limit."""
    found = open_archive(build.archive({f"{number}": b"" for number in range(20_001)}))
    assert isinstance(found, ArchiveFault)
    assert found.code == "too_large"


def test_a_cut_archive_is_refused() -> None:
    """A zip without its end is corrupt, at any cut."""
    data = charx(files={ICON: build.picture()})
    for cut in range(4, len(data) - 1, 7):
        assert isinstance(read_card(data[:cut]), Refused)


def test_a_backyard_archive_is_read_as_version_3() -> None:
    """BYAF: persona, scenarios, lore and images arrive under a card's names, placeholders rewritten."""
    file = taken(build.archive(build.byaf()))
    card = file.card
    assert file.container == "byaf"
    assert (card.name, card.extensions["display_name"]) == ("Ann", "Ann Chen")
    assert card.description == "A calm host. {{not ours}} {other}"
    assert card.scenario == "{{char}} waits for {{user}} in a tea house."
    assert card.greetings == ("Welcome, {{user}}.", "雨夜，{{user}}。")
    assert card.mes_example == "<START>\n{{user}}: Hello\n{{char}}: 你好"
    assert card.system_prompt == "Write as {{char}}."
    assert card.creator == "someone"
    assert (card.creation_date, card.modification_date) == (1_711_022_400, 1_711_108_800)
    assert card.book is not None
    assert '"keys": ["tea", "茶"]' in json.dumps(card.book, ensure_ascii=False)
    assert file.image == build.picture()


def test_a_backyard_archive_keeps_what_has_no_field_but_not_its_chats() -> None:
    """BYAF: model settings stay in the extensions; the former owner's chat does not, and is named."""
    file = taken(build.archive(build.byaf()))
    kept = json.dumps(file.card.extensions["byaf"])
    assert '"temperature": 0.7' in kept
    assert "secret" not in json.dumps(dict(file.card.raw))
    assert ("chat_not_imported", "1 messages") in {
        (note.code, note.detail) for note in file.report.dropped
    }


def test_a_backyard_archive_with_parts_missing_or_odd_is_read_or_refused() -> None:
    """BYAF: a lost scenario is a warning, a lost character a refusal, odd types are nothing."""
    files = build.byaf()
    del files["scenarios/2.json"]
    assert "unreadable_scenario" in warned(taken(build.archive(files)))
    del files["characters/ann/character.json"]
    assert refused(build.archive(files)).code == "corrupt"
    assert refused(build.archive({"manifest.json": b"{}"})).code == "not_a_card"
    assert refused(build.archive({"manifest.json": b"["})).code == "corrupt"
    odd: dict[str, Json] = {
        "loreItems": [5, {"key": 1}],
        "images": {"path": 1},
        "createdAt": "x",
        "name": 7,
    }
    wrong: dict[str, Json] = {"firstMessages": 5, "exampleMessages": [5, {}], "narrative": []}
    assert taken(build.archive(build.byaf(character=odd, scenario=wrong))).card.name == "7"


def test_a_bomb_of_many_scenarios_is_bounded_in_all() -> None:
    """BYAF: a hundred scenarios of forty megabytes each are not held together."""
    files = build.byaf()
    big = build.as_json({"narrative": "x" * (40 * 1024 * 1024)})
    paths: list[Json] = [f"scenarios/{number}.json" for number in range(100)]
    manifest: Json = {"characters": ["characters/ann/character.json"], "scenarios": paths}
    bombs = {f"scenarios/{number}.json": big for number in range(3)}
    file = taken(build.archive({**files, **bombs, "manifest.json": build.as_json(manifest)}))
    assert "unreadable_scenario" in warned(file)
