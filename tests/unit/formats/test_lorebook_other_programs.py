"""Lorebooks of NovelAI, Agnai, RisuAI, KoboldAI and AI Dungeon: read whole, kept in what is written."""

import json
from dataclasses import replace

import pytest

from huaben.domain.jsonvalue import Json, JsonObject
from huaben.domain.lore import Entry, Logic
from huaben.formats.base64ish import encode_base64
from huaben.formats.lorebook import BookFile, read_book, write_book
from huaben.formats.png import Png, default_picture, walk_png, with_text
from tests.builders.lorebooks import as_file, book_of, card_book, card_entry, refused, taken

NOVELAI: JsonObject = {
    "lorebookVersion": 6,
    "entries": [
        {
            "text": "住在东海。",
            "keys": ["龙王", "/dra(?:gon|ke){1,2}/i"],
            "displayName": "龙王",
            "enabled": False,
            "forceActivation": True,
            "searchRange": 1000,
            "keyRelative": False,
            "nonStoryActivatable": False,
            "contextConfig": {"prefix": "[", "suffix": "\n", "budgetPriority": 400},
            "category": "",
            "id": "a-1",
            "lastUpdatedAt": 1,
            "loreBiasGroups": [{"phrases": []}],
            "odd": 1,
        },
        {"text": "A lantern.", "keys": ["lantern"], "displayName": "Lantern", "enabled": True},
    ],
    "settings": {"orderByKeyLocations": False},
    "categories": [],
    "order": [],
}
AGNAI: JsonObject = {
    "kind": "memory",
    "name": "Harbour",
    "description": "港口",
    "entries": [
        {
            "name": "灯",
            "entry": "A lantern.",
            "keywords": ["lantern*", "灯"],
            "priority": 7,
            "weight": 30,
            "enabled": True,
        },
        {"name": "Off", "entry": "x", "keywords": ["y"], "enabled": False},
    ],
}
RISU: JsonObject = {
    "type": "risu",
    "ver": 1,
    "data": [
        {
            "key": "龙王, dragon",
            "secondkey": "sea, 海",
            "insertorder": 40,
            "comment": "龙王",
            "content": "住在东海。",
            "mode": "normal",
            "alwaysActive": False,
            "selective": True,
            "activationPercent": 35,
            "extentions": {"risu_case_sensitive": True},
        },
        {"key": "\uf000folder:1", "comment": "Places", "mode": "folder", "content": ""},
        {"key": "/dra(?:gon|ke){1,2}, sea/i", "useRegex": True, "mode": "constant", "content": "b"},
        {"key": "a/b, c", "useRegex": True, "mode": "child", "folder": "\uf000folder:1"},
    ],
}
LITE: JsonObject = {
    "gamestarted": True,
    "worldinfo": [
        {
            "key": "龙王,dragon",
            "keysecondary": "sea",
            "keyanti": "dead, 死",
            "content": "住在东海。",
            "comment": "龙王",
            "folder": None,
            "selective": True,
            "constant": False,
            "probability": "35",
            "wigroup": "Places",
            "widisabled": True,
        },
        {"key": "x", "keysecondary": "", "keyanti": "dead", "content": "", "selective": False},
    ],
}
UNITED: JsonObject = {
    "worldinfo_v2": {
        "folders": {"Places": ["3"]},
        "entries": {
            "3": {
                "uid": 3,
                "key": ["龙王", "dragon"],
                "keysecondary": ["sea"],
                "content": "住在东海。",
                "comment": "龙王",
                "folder": "Places",
                "selective": True,
                "constant": False,
            }
        },
    }
}
DUNGEON: list[Json] = [
    {
        "keys": "龙王, dragon",
        "value": "住在东海。",
        "type": "character",
        "title": "龙王",
        "description": "d",
        "useForCharacterCreation": True,
    },
    {"keys": "lantern", "entry": "A lantern.", "title": "Lantern"},
]
ALL: dict[str, Json] = {
    "novelai": NOVELAI,
    "agnai": AGNAI,
    "risu": RISU,
    "kobold_lite": LITE,
    "kobold_united": UNITED,
    "ai_dungeon": DUNGEON,
}


def plain(entry: Entry) -> Entry:
    """An entry without where it came from."""
    return replace(entry, raw={}, slot=None, dialect="sillytavern")


def kept(found: BookFile) -> set[tuple[str, str]]:
    """Codes and places of what was kept."""
    return {(note.code, note.path) for note in found.report.kept}


def test_novelai() -> None:
    """Forced entries are constant, the budget priority is the order, what is not honoured is named."""
    found = taken(NOVELAI, "海.lorebook")
    assert found.book.name == "海"
    assert [plain(entry) for entry in found.book.entries] == [
        Entry(
            0,
            keys=("龙王", "/dra(?:gon|ke){1,2}/i"),
            title="龙王",
            content="住在东海。",
            constant=True,
            enabled=False,
            order=400,
        ),
        Entry(1, keys=("lantern",), title="Lantern", content="A lantern."),
    ]
    assert kept(found) == {
        ("not_honoured", "settings"),
        ("not_honoured", "entries[*].searchRange"),
        ("not_honoured", "entries[*].lastUpdatedAt"),
        ("not_honoured", "entries[*].loreBiasGroups"),
        ("not_honoured", "entries.0.contextConfig.prefix"),
        ("unknown_field", "entries[*].odd"),
    }


def test_agnai() -> None:
    """Weight is the order, priority the priority, and a star or question mark makes a wildcard."""
    book = taken(AGNAI).book
    assert (book.name, book.description) == ("Harbour", "港口")
    assert [plain(entry) for entry in book.entries] == [
        Entry(
            0,
            keys=("lantern*", "灯"),
            title="灯",
            content="A lantern.",
            order=30,
            priority=7,
            wildcards=True,
        ),
        Entry(1, keys=("y",), title="Off", content="x", enabled=False),
    ]


def test_l05_risu() -> None:
    """Comma strings are lists, but a pattern is one key with its commas and flags."""
    found = taken(RISU)
    assert [plain(entry) for entry in found.book.entries] == [
        Entry(
            0,
            keys=("龙王", "dragon"),
            secondary=("sea", "海"),
            title="龙王",
            content="住在东海。",
            order=40,
            probability=35,
            case_sensitive=True,
        ),
        Entry(2, keys=("/dra(?:gon|ke){1,2}, sea/i",), content="b", constant=True, selective=False),
        Entry(3, keys=("/a\\/b, c/",), selective=False),
    ]
    assert kept(found) == {
        ("folder_kept", "entries.1"),
        ("not_honoured", "entries.3.mode"),
        ("not_honoured", "entries[*].folder"),
    }


def test_l34_kobold_lite() -> None:
    """Anti keys are NOT ANY where they stand alone, and forbidden keys beside secondary ones."""
    found = taken(LITE, "save.json")
    assert [plain(entry) for entry in found.book.entries] == [
        Entry(
            0,
            keys=("龙王", "dragon"),
            secondary=("sea",),
            forbidden=("dead", "死"),
            title="龙王",
            content="住在东海。",
            probability=35,
            enabled=False,
        ),
        Entry(1, keys=("x",), secondary=("dead",), logic=Logic.NOT_ANY),
    ]
    assert kept(found) == {("not_lore", ""), ("not_honoured", "entries[*].wigroup")}


@pytest.mark.parametrize("value", [UNITED, UNITED["worldinfo_v2"]])
def test_kobold_united(value: Json) -> None:
    """The second version's lists, inside a save or alone."""
    book = book_of(value)
    assert book.dialect == "kobold_united"
    assert [plain(entry) for entry in book.entries] == [
        Entry(3, keys=("龙王", "dragon"), secondary=("sea",), title="龙王", content="住在东海。")
    ]


def test_ai_dungeon() -> None:
    """An array of cards; the text is in `value` or `entry`."""
    found = taken(DUNGEON, "cards.json")
    assert [plain(entry) for entry in found.book.entries] == [
        Entry(0, keys=("龙王", "dragon"), title="龙王", content="住在东海。"),
        Entry(1, keys=("lantern",), title="Lantern", content="A lantern."),
    ]
    assert not found.report.changed
    assert book_of(found.book.raw).entries == found.book.entries


@pytest.mark.parametrize("dialect", list(ALL))
def test_what_another_program_had_goes_into_every_file_we_write(dialect: str) -> None:
    """Each original entry is found again, whole, in both kinds of file, and the meaning is the same."""
    book = book_of(ALL[dialect])
    assert book.dialect == dialect
    as_st = book_of(json.loads(write_book(book)))
    as_v3 = book_of(json.loads(write_book(book, "lorebook_v3")))
    for written in (as_st, as_v3):
        assert [plain(entry) for entry in written.entries] == [plain(e) for e in book.entries]
        for before, after in zip(book.entries, written.entries, strict=True):
            assert json.dumps(before.raw) in json.dumps(after.raw)


@pytest.mark.parametrize("entries", [None, 7, "x", [None, [], 3], {"a": 1}])
@pytest.mark.parametrize("dialect", ["novelai", "agnai", "risu", "kobold_lite", "kobold_united"])
def test_odd_containers_do_no_harm(dialect: str, entries: Json) -> None:
    """Whatever stands where entries should be, reading yields a book or a refusal."""
    value: dict[str, JsonObject] = {
        "novelai": {"lorebookVersion": 1, "entries": entries},
        "agnai": {"kind": "memory", "entries": entries},
        "risu": {"type": "risu", "data": entries if isinstance(entries, list) else []},
        "kobold_lite": {"worldinfo": entries if isinstance(entries, list) else []},
        "kobold_united": {"worldinfo_v2": {"entries": entries}},
    }
    assert book_of(value[dialect]).entries == ()


def test_a_card_with_a_book_is_refused_as_a_card() -> None:
    """The book inside is not torn out of its card."""
    card: JsonObject = {
        "spec": "chara_card_v3",
        "data": {"name": "A", "character_book": card_book(card_entry())},
    }
    assert refused(card).code == "card_file"


def picture(*texts: tuple[str, bytes]) -> bytes:
    """A picture with these text chunks."""
    png = walk_png(default_picture())
    assert isinstance(png, Png)
    return with_text(png, texts, without=lambda keyword: False)


def test_a_lorebook_that_novelai_put_in_a_picture_is_read() -> None:
    """The `naidata` chunk, packed or plain; a card's picture is a card."""
    packed = encode_base64(as_file(NOVELAI, None))
    for text in (packed, as_file(NOVELAI)):
        found = taken(picture(("naidata", text)), "海.png")
        assert (found.book.dialect, found.book.name) == ("novelai", "海")
        assert found.book.entries == book_of(NOVELAI).entries
    assert refused(picture(("chara", b"e30="))).code == "card_file"
    assert refused(picture()).code == "not_a_lorebook"
    assert refused(picture(("naidata", b"%%%"))).code == "corrupt"


@pytest.mark.parametrize("dialect", list(ALL))
def test_a_damaged_file_is_a_book_or_a_refusal(dialect: str) -> None:
    """Cut anywhere, or with one byte changed, reading never fails."""
    data = as_file(ALL[dialect])
    for at in range(0, len(data), 7):
        read_book(data[:at])
        read_book(data[:at] + b"\x00" + data[at + 1 :])
        read_book(data[:at] + b"[" + data[at + 1 :])
