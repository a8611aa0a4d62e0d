"""Names, paths and stored forms of ledger and roster, and how the roster grows."""

import pytest

from huaben.domain.jsonvalue import Json
from huaben.domain.ledger import (
    Character,
    Ledger,
    Names,
    Path,
    Roster,
    dotted,
    enrolled,
    known_names,
    ledger_from_json,
    ledger_to_json,
    path_of,
    roster_from_json,
    roster_to_json,
)

INN = Ledger(
    time="雨夜",
    location="渡口客栈",
    characters={"阿迟": Character(12, "左手烫伤", "柴房", "欠一把伞"), "Mira": Character(-3)},
    inventory=("油纸伞",),
    flags={"暗号": "伞下无人"},
    plot_threads=("还伞",),
)

# ---- names ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("written", "spelled"),
    [
        ("阿迟", "阿迟"),
        (" 阿迟\n", "阿迟"),
        ("　阿迟　", "阿迟"),
        ("MIRA", "Mira"),
        ("ｍｉｒａ", "Mira"),
        ("Old  Tom", "old tom"),
        ("迟掌柜", "阿迟"),
        ("the ferryman", "old tom"),
        ("新来的 人", "新来的 人"),
        ("New\tOne ", "New One"),
        (" \u3000", ""),
    ],
)
def test_a_person_is_called_as_before(written: str, spelled: str) -> None:
    """Spaces, letter case and full width do not make somebody new, and an alias leads home."""
    roster = Roster(people={"old tom": ""})
    names = known_names(INN, roster, {"迟掌柜 ": "阿迟", "The Ferryman": "Old Tom"})
    assert names.person(written) == spelled


def test_an_alias_may_lead_to_somebody_who_is_yet_to_come() -> None:
    """The card knows a name before the story does."""
    assert known_names(Ledger(), Roster(), {"小砚": " 沈砚"}).person("小砚") == "沈砚"


def test_whoever_stands_in_the_ledger_keeps_their_name() -> None:
    """An alias of somebody else does not merge two people who both exist."""
    both = Ledger(characters={"阿迟": Character(), "沈迟": Character()})
    assert known_names(both, Roster(), {"阿迟": "沈迟"}).person("阿迟") == "阿迟"


def test_flags_have_names_too() -> None:
    """A flag is found again in other letter case; aliases are for people only."""
    names = known_names(Ledger(flags={"Password": "rain"}), Roster(), {"word": "Password"})
    assert names.flag(" PASSWORD ") == "Password"
    assert names.flag("word") == "word"


# ---- paths ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("path", "spelling"),
    [
        (("time",), "time"),
        (("inventory",), "inventory"),
        (("characters",), "characters"),
        (("characters", "阿迟"), "characters.阿迟"),
        (("characters", "阿迟", "affinity"), "characters.阿迟.affinity"),
        (("characters", "Mr. Gray", "notes"), "characters.Mr. Gray.notes"),
        (("characters", "J.R."), "characters.J.R.."),
        (("characters", "J.R.", "status"), "characters.J.R..status"),
        (("characters", "a.status"), "characters.a.status."),
        (("flags", "暗号"), "flags.暗号"),
        (("flags", "v1.2.status"), "flags.v1.2.status"),
        (("flags", "."), "flags.."),
    ],
)
def test_a_path_and_its_spelling_are_one(path: Path, spelling: str) -> None:
    """Dots in names stay as they are, and yet each spelling means one place."""
    assert dotted(path) == spelling
    assert path_of(spelling) == path


@pytest.mark.parametrize(
    "spelling", ["", "mood", "time.now", "inventory.0", "flags.", "characters.", ".time", "Time"]
)
def test_what_is_no_place_has_no_path(spelling: str) -> None:
    """A spelling is a place of the ledger or nothing."""
    assert path_of(spelling) is None


def test_a_path_is_understood_with_the_names_in_use() -> None:
    """The name inside a path is led home like any other."""
    names = known_names(INN, Roster(), {"迟掌柜": "阿迟"})
    assert names.path("characters.迟掌柜.affinity") == ("characters", "阿迟", "affinity")
    assert names.path("characters.mira") == ("characters", "Mira")
    assert names.path("flags. 暗号") == ("flags", "暗号")
    assert names.path("plot_threads") == ("plot_threads",)
    assert Names().path("nothing.here") is None


# ---- the roster ----------------------------------------------------------------------------------


def test_everyone_and_everything_named_is_enrolled_with_the_time() -> None:
    """People, items, places of the scene and of people, and threads."""
    grown = enrolled(Roster(), Ledger(), INN, "雨夜，亥时")
    assert grown == Roster(
        people={"阿迟": "雨夜，亥时", "Mira": "雨夜，亥时"},
        items={"油纸伞": "雨夜，亥时"},
        places={"渡口客栈": "雨夜，亥时", "柴房": "雨夜，亥时"},
        threads={"还伞": "雨夜，亥时"},
    )


def test_a_name_keeps_its_first_time() -> None:
    """Whoever comes back is not new, in whatever spelling."""
    known = Roster(people={"mira": "the first day"})
    assert enrolled(known, Ledger(), INN, "later").people == {
        "mira": "the first day",
        "阿迟": "later",
    }


def test_the_first_time_is_short() -> None:
    """At most thirty characters on one line, and a cut shows."""
    grown = enrolled(Roster(), Ledger(), INN, "那一年的\n" + "冬" * 40)
    assert grown.people["阿迟"] == "那一年的 " + "冬" * 24 + "…"
    assert len(grown.people["阿迟"]) == 30


def test_the_oldest_leave_at_the_cap() -> None:
    """A hundred people, items and places and sixty threads; what came last stays."""
    many = [f"第{number}" for number in range(130)]
    crowd = Ledger(
        characters={name: Character(location=name) for name in many},
        inventory=tuple(many),
        plot_threads=tuple(many),
    )
    grown = enrolled(Roster(people={"古人": "很久以前"}), Ledger(), crowd, "")
    for group, size in ((grown.people, 100), (grown.items, 100), (grown.places, 100)):
        assert list(group) == many[-size:]
    assert list(grown.threads) == many[-60:]
    assert enrolled(grown, crowd, crowd, "later") == grown


# ---- as JSON -------------------------------------------------------------------------------------


def test_the_public_form_of_a_ledger() -> None:
    """As the interface promises it, with a location only where one is known."""
    assert ledger_to_json(INN) == {
        "time": "雨夜",
        "location": "渡口客栈",
        "characters": {
            "阿迟": {"affinity": 12, "status": "左手烫伤", "location": "柴房", "notes": "欠一把伞"},
            "Mira": {"affinity": -3, "status": "", "notes": ""},
        },
        "inventory": ["油纸伞"],
        "flags": {"暗号": "伞下无人"},
        "plot_threads": ["还伞"],
    }
    assert roster_to_json(Roster(places={"渡口": ""})) == {
        "people": {},
        "items": {},
        "places": {"渡口": ""},
        "threads": {},
    }


def test_what_is_absent_is_empty_and_what_is_newer_is_ignored() -> None:
    """A record of an earlier or later program can be read."""
    assert ledger_from_json({"weather": "rain", "characters": {"阿迟": {"mood": 1}}}) == Ledger(
        characters={"阿迟": Character()}
    )
    assert roster_from_json({}) == Roster()


@pytest.mark.parametrize(
    "stored",
    [
        None,
        [],
        {"time": 3},
        {"characters": []},
        {"characters": {"阿迟": "here"}},
        {"characters": {"阿迟": {"affinity": True}}},
        {"characters": {"阿迟": {"affinity": 101}}},
        {"characters": {"阿迟": {"affinity": 1.5}}},
        {"characters": {"阿迟": {"status": None}}},
        {"inventory": "伞"},
        {"inventory": ["伞", 1]},
        {"flags": {"暗号": None}},
    ],
)
def test_a_damaged_record_is_named(stored: Json) -> None:
    """What the program never writes is not guessed at."""
    with pytest.raises(ValueError, match="stored"):
        ledger_from_json(stored)


def test_a_damaged_roster_is_named() -> None:
    """Likewise for the roster."""
    with pytest.raises(ValueError, match="stored people"):
        roster_from_json({"people": {"阿迟": 1}})
    with pytest.raises(ValueError, match="stored roster"):
        roster_from_json(["阿迟"])
