"""Regex scripts of other programs: read in every age, kept whole, what will not run named."""

from __future__ import annotations

import json

import pytest

from huaben.domain.jsonvalue import Json, JsonObject
from huaben.domain.scripts import Script
from huaben.formats.regex_scripts import (
    Refused,
    ScriptsFile,
    digest_of,
    read_file,
    scoped,
    scripts_of,
    split_pattern,
)

WHOLE: JsonObject = {
    "id": "0d1c",
    "scriptName": "隐藏状态",
    "findRegex": "/<状态>([\\s\\S]*?)<\\/状态>/gi",
    "replaceString": "$1",
    "trimStrings": ["“", "”"],
    "placement": [1, 2, 5],
    "disabled": False,
    "markdownOnly": True,
    "promptOnly": True,
    "runOnEdit": True,
    "substituteRegex": 2,
    "minDepth": 1,
    "maxDepth": "6",
}


def read(value: Json, filename: str = "scripts.json") -> ScriptsFile:
    found = read_file(json.dumps(value).encode(), filename)
    assert isinstance(found, ScriptsFile), found
    return found


def one(**changes: Json) -> Script:
    return read({**WHOLE, **changes}).scripts[0]


def test_every_field_is_read() -> None:
    """One object is a file of one script."""
    assert read(WHOLE).scripts == (
        Script(
            id="global//0",
            name="隐藏状态",
            pattern="<状态>([\\s\\S]*?)<\\/状态>",
            flags="gi",
            replacement="$1",
            trim=("“", "”"),
            placements=frozenset({"user", "reply", "lore"}),
            display=True,
            prompt=True,
            run_on_edit=True,
            macros="escaped",
            min_depth=1,
            max_depth=6,
        ),
    )
    assert read(WHOLE).name == "隐藏状态"
    assert read([WHOLE, WHOLE], "mine.json").name == "mine"


@pytest.mark.parametrize(
    ("written", "pattern", "flags"),
    [
        ("/a/g", "a", "g"),
        ("/a\\/b/", "a\\/b", ""),
        ("/a/b/i", "a/b", "i"),
        ("a.b", "a.b", ""),
        ("/a", "/a", ""),
        ("/a/zz", "/a/zz", ""),
        ("/a\nb/m", "a\nb", "m"),
        ("/龙王/u", "龙王", "u"),
    ],
)
def test_a_pattern_is_written_with_slashes_or_bare(written: str, pattern: str, flags: str) -> None:
    """A raw newline is part of it."""
    assert split_pattern(written) == (pattern, flags)


@pytest.mark.parametrize(
    ("least", "most", "read_as"),
    [
        (None, None, (None, None)),
        ("", "", (None, None)),
        (-1, 0, (-1, 0)),
        (-2, -1, (None, None)),
        (2.0, "3", (2, 3)),
        ([], "x", (None, None)),
    ],
)
def test_limits_of_depth(least: Json, most: Json, read_as: tuple[int | None, int | None]) -> None:
    """From −1 and from 0 on; anything else is no limit."""
    script = one(minDepth=least, maxDepth=most)
    assert (script.min_depth, script.max_depth) == read_as


def test_old_placements_are_migrated() -> None:
    """0 was the display and the prompt, 4 a command."""
    old = one(placement=[0], markdownOnly=False, promptOnly=False)
    assert (old.display, old.prompt) == (True, True)
    assert old.placements == {"user", "reply", "slash", "lore", "reasoning"}
    assert one(placement=[0, 2]).placements == {"reply"}
    assert one(placement=[4, "1"]).placements == {"slash", "user"}
    assert one(placement=None).placements == frozenset()


def test_odd_types_are_forgiven() -> None:
    """Nothing raises, and what is unknown is kept and named."""
    file = read({"findRegex": "(", "trimStrings": "x", "substituteRegex": True, "mine": [1]})
    script = file.scripts[0]
    assert (script.name, script.trim, script.macros) == ("#1", (), "raw")
    assert ("unknown_field", "[0].mine") in [(n.code, n.path) for n in file.report.kept]
    bad = read({"findRegex": "/(/", "scriptName": "坏"})
    told = bad.report.warnings
    assert [note.code for note in told] == ["script_unsupported"]
    assert told[0].detail.startswith("坏: syntax")


def test_what_does_not_run_here_is_named() -> None:
    """Commands and thought are no place for scripts here."""
    told = [(n.code, n.detail) for n in read({**WHOLE, "placement": [3, 6]}).report.kept]
    assert ("placement_idle", "slash") in told
    assert ("placement_idle", "reasoning") in told


def test_scoped_scripts_carry_their_owner() -> None:
    """Out of a card's or a preset's extensions; what is none is passed over."""
    members = scoped({"regex_scripts": [WHOLE, 5, {"scriptName": "no pattern"}]})
    found = scripts_of(members, "card", "card-1")
    assert [(script.scope, script.owner, script.id) for script in found] == [
        ("card", "card-1", "card/card-1/0")
    ]
    assert scoped({"regex_scripts": None}) == []
    assert digest_of(members) != digest_of(members[:1])
    assert digest_of(members) == digest_of(list(members))


@pytest.mark.parametrize("data", [b"", b"{}", b"[]", b"[1]", b'{"findRegex": 3}', b"\xff"])
def test_other_bytes_are_refused(data: bytes) -> None:
    """With a reason."""
    assert isinstance(read_file(data), Refused)


def test_the_file_is_kept_as_it_came() -> None:
    """Unknown fields and the shape of the file included."""
    both: list[Json] = [WHOLE, {**WHOLE, "x": {"y": None}}]
    for value in (WHOLE, both):
        assert read(value).raw == value
