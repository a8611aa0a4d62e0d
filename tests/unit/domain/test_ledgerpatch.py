"""What a patch does, what of it is not taken, and how changes are told and taken back."""

import pytest

from huaben.domain.jsonvalue import Json, JsonObject
from huaben.domain.ledger import Character, Ledger, Roster, known_names
from huaben.domain.ledgerchange import (
    Change,
    Patched,
    Warned,
    WarningCode,
    changes_between,
    changes_from_json,
    changes_to_json,
    revert,
)
from huaben.domain.ledgerpatch import (
    APPEARS,
    LIST_ITEMS,
    NAME_CHARS,
    TEXT_CHARS,
    CharacterPatch,
    Patch,
    apply,
    leaves,
    read_patch,
    sparing,
    without,
)

INN = Ledger(
    time="雨夜",
    location="渡口客栈",
    characters={"阿迟": Character(12, "清醒", "柴房", "欠一把伞"), "Mira": Character(-3)},
    inventory=("油纸伞", "铜钥匙"),
    flags={"暗号": "伞下无人", "lamp": "out"},
    plot_threads=("还伞",),
)
SEEN = Roster(people={"阿迟": "雨夜", "Mira": "雨夜"}, places={"渡口客栈": "雨夜"})


def read(patch: Json) -> Patch:
    return read_patch(patch, known_names(INN, SEEN, {"迟掌柜": "阿迟"}))


def patched(patch: JsonObject) -> Patched:
    return apply(INN, SEEN, read(patch))


def warned(patch: Json) -> list[tuple[WarningCode, str]]:
    return [(warning.code, warning.path) for warning in read(patch).warnings]


# ---- merging -------------------------------------------------------------------------------------


def test_an_empty_patch_changes_nothing() -> None:
    """`{}` is a valid patch."""
    assert patched({}) == Patched(INN, SEEN)


def test_time_and_place_are_replaced() -> None:
    """Whatever they were; an empty text empties them."""
    after = patched({"time": " 次日清晨 ", "location": ""}).ledger
    assert (after.time, after.location) == ("次日清晨", "")
    assert after.characters == INN.characters


def test_characters_merge_field_by_field() -> None:
    """What a patch does not name of somebody stays."""
    after = patched({"characters": {"阿迟": {"affinity": 20}, "Mira": {"notes": "saw it"}}}).ledger
    assert after.characters == {
        "阿迟": Character(20, "清醒", "柴房", "欠一把伞"),
        "Mira": Character(-3, notes="saw it"),
    }


def test_null_deletes_a_character_and_a_field() -> None:
    """A field that is deleted is empty, a location no longer known."""
    after = patched({"characters": {"阿迟": {"location": None, "status": None}, "Mira": None}})
    assert after.ledger.characters == {"阿迟": Character(12, notes="欠一把伞")}
    assert list(after.roster.people) == ["阿迟", "Mira"]


def test_an_empty_object_lets_somebody_appear() -> None:
    """Someone new is entered with nothing known; to someone known it does nothing."""
    after = patched({"time": "次日", "characters": {"沈砚": {}, "阿迟": {}}})
    assert after.ledger.characters == {**INN.characters, "沈砚": Character()}
    assert after.roster.people["沈砚"] == "次日"


def test_flags_merge_key_by_key() -> None:
    """Null deletes a flag; an empty text is a flag without words."""
    after = patched({"flags": {"LAMP": None, "暗号": "雨停", "债": ""}}).ledger
    assert after.flags == {"暗号": "雨停", "债": ""}


def test_lists_are_replaced_whole() -> None:
    """Blank members are nothing."""
    after = patched({"inventory": ["铜钥匙", "  ", " 灯 "], "plot_threads": []}).ledger
    assert after.inventory == ("铜钥匙", "灯")
    assert after.plot_threads == ()


@pytest.mark.parametrize(
    ("written", "kept"),
    [(12.4, 12), (12.5, 13), (-12.5, -13), (-0.2, 0), (100, 100), (-100.0, -100), (0, 0)],
)
def test_affinity_is_rounded(written: float, kept: int) -> None:
    """To the nearest whole number, halves away from zero, without a word."""
    patch: JsonObject = {"characters": {"阿迟": {"affinity": written}}}
    assert patched(patch).ledger.characters["阿迟"].affinity == kept
    assert warned(patch) == []


@pytest.mark.parametrize(("written", "kept"), [(101, 100), (-1e300, -100), (10**400, 100)])
def test_affinity_is_clamped(written: float, kept: int) -> None:
    """To the limits, and that is said."""
    patch: JsonObject = {"characters": {"阿迟": {"affinity": written}}}
    assert patched(patch).ledger.characters["阿迟"].affinity == kept
    assert warned(patch) == [("clamped", "characters.阿迟.affinity")]


def test_two_spellings_of_one_person_are_one_person() -> None:
    """Also within a patch: the later one adds to the earlier."""
    after = patched({"characters": {"迟掌柜": {"affinity": 15}, " 阿迟": {"status": "烫伤"}}})
    assert after.ledger.characters["阿迟"] == Character(15, "烫伤", "柴房", "欠一把伞")
    assert list(after.ledger.characters) == ["阿迟", "Mira"]


def test_two_spellings_of_a_stranger_are_one_stranger() -> None:
    """Although the story does not know them yet; the first spelling stays."""
    after = patched(
        {
            "characters": {"Rina": {"affinity": 1}, "RINA ": {"notes": "new"}},
            "flags": {"Oath": "given", "oath": "kept"},
        }
    ).ledger
    assert after.characters == {**INN.characters, "Rina": Character(1, notes="new")}
    assert after.flags == {**INN.flags, "Oath": "kept"}


def test_the_story_time_of_new_names_can_be_given() -> None:
    """Without one, new names are noted under the time that the patch leads to."""
    patch = read({"time": "次日", "inventory": ["灯"]})
    assert apply(INN, SEEN, patch).roster.items == {"灯": "次日"}
    assert apply(INN, SEEN, patch, "第三拍").roster.items == {"灯": "第三拍"}


# ---- what is not taken ---------------------------------------------------------------------------


@pytest.mark.parametrize("value", [None, True, 3, "time", [], [{"time": "次日"}]])
def test_a_patch_that_is_no_object_says_nothing(value: Json) -> None:
    """It changes nothing and leaves a warning."""
    assert read(value) == Patch(warnings=read(value).warnings)
    assert warned(value) == [("wrong_type", "")]


@pytest.mark.parametrize(
    ("patch", "code", "path"),
    [
        ({"weather": "rain"}, "unknown_key", "weather"),
        ({"Time": "dawn"}, "unknown_key", "Time"),
        ({"roster": {"people": {}}}, "unknown_key", "roster"),
        ({"time": None}, "wrong_type", "time"),
        ({"location": 3}, "wrong_type", "location"),
        ({"characters": ["阿迟"]}, "wrong_type", "characters"),
        ({"characters": {"阿迟": "hurt"}}, "wrong_type", "characters.阿迟"),
        ({"characters": {"阿迟": {"mood": "sad"}}}, "unknown_key", "characters.阿迟.mood"),
        ({"characters": {"阿迟": {"affinity": "+5"}}}, "wrong_type", "characters.阿迟.affinity"),
        ({"characters": {"阿迟": {"affinity": True}}}, "wrong_type", "characters.阿迟.affinity"),
        ({"characters": {"阿迟": {"affinity": None}}}, "wrong_type", "characters.阿迟.affinity"),
        ({"characters": {"阿迟": {"notes": ["x"]}}}, "wrong_type", "characters.阿迟.notes"),
        ({"characters": {" ": {"affinity": 1}}}, "blank_name", "characters. "),
        ({"flags": {"暗号": True}}, "wrong_type", "flags.暗号"),
        ({"flags": {"": "x"}}, "blank_name", "flags."),
        ({"flags": "暗号"}, "wrong_type", "flags"),
        ({"inventory": "伞、灯"}, "wrong_type", "inventory"),
        ({"inventory": ["灯", {"name": "伞"}]}, "wrong_type", "inventory"),
        ({"plot_threads": {"还伞": True}}, "wrong_type", "plot_threads"),
    ],
)
def test_what_cannot_be_meant_is_left_out_by_name(
    patch: JsonObject, code: WarningCode, path: str
) -> None:
    """The item alone is dropped with a warning, and everything beside it is done."""
    assert warned(patch) == [(code, path)]
    assert patched(patch).ledger == INN
    beside = patched({**patch, "time": "次日"} if "time" not in patch else {**patch, "flags": {}})
    assert [warning.code for warning in beside.warnings] == [code]
    assert beside.ledger.characters == INN.characters


@pytest.mark.parametrize(
    ("patch", "path"),
    [
        ({"time": "夜" * (TEXT_CHARS + 1)}, "time"),
        ({"characters": {"Mira": {"notes": "n" * 1_000_000}}}, "characters.Mira.notes"),
        ({"flags": {"lamp": "x" * (TEXT_CHARS + 1)}}, "flags.lamp"),
        ({"inventory": ["伞"] * (LIST_ITEMS + 1)}, "inventory"),
        ({"plot_threads": ["还伞", "x" * (TEXT_CHARS + 1)]}, "plot_threads"),
        ({"flags": {"名" * (NAME_CHARS + 1): "x"}}, f"flags.{'名' * 39}…"),
    ],
)
def test_what_is_too_long_for_a_ledger_is_left_out_by_name(patch: JsonObject, path: str) -> None:
    """The ledger is sent with every turn, so that one value cannot crowd the story out of the window."""
    assert patched(patch).ledger == INN
    assert warned(patch) == [("too_long", path)]


def test_what_just_fits_is_taken() -> None:
    """The limits themselves are allowed, and blanks around a text do not count."""
    text, items, name = "夜" * TEXT_CHARS, ["伞"] * LIST_ITEMS, "n" * NAME_CHARS
    written: JsonObject = {"time": f"  {text}\n", "inventory": [*items], "flags": {name: "x"}}
    after = patched(written).ledger
    assert (after.time, after.inventory, after.flags[name]) == (text, tuple(items), "x")
    assert warned(written) == []


def test_a_stranger_of_whom_nothing_holds_does_not_appear() -> None:
    """An entry whose every field was dropped is no appearance."""
    assert patched({"characters": {"沈砚": {"mood": "sad"}}}).ledger == INN


def test_a_warning_tells_what_was_found() -> None:
    """In the words of JSON."""
    values: list[tuple[Json, str]] = [
        (None, "null"),
        (True, "boolean"),
        (1.5, "number"),
        ([], "array"),
        ({}, "object"),
    ]
    for value, kind in values:
        assert read({"time": value}).warnings == (Warned("wrong_type", "time", kind),)
    assert read({"flags": "暗号"}).warnings == (Warned("wrong_type", "flags", "string"),)


# ---- items ---------------------------------------------------------------------------------------

EVERYTHING: JsonObject = {
    "time": "次日",
    "location": "渡口",
    "characters": {"阿迟": {"affinity": 1, "notes": "x"}, "Mira": None, "沈砚": {}},
    "inventory": [],
    "flags": {"暗号": None, "债": "清"},
    "plot_threads": ["查账"],
}


def test_each_item_has_a_path() -> None:
    """Fields and flags singly, lists whole, and one for a character that comes or goes."""
    assert leaves(read(EVERYTHING)) == (
        ("time",),
        ("location",),
        ("characters", "阿迟", "affinity"),
        ("characters", "阿迟", "notes"),
        ("characters", "Mira"),
        ("characters", "沈砚"),
        ("inventory",),
        ("flags", "暗号"),
        ("flags", "债"),
        ("plot_threads",),
    )


def test_each_item_can_be_left_out_alone() -> None:
    """The others stay, and a warning says why it is gone."""
    patch = read(EVERYTHING)
    for path in leaves(patch):
        rest = without(patch, {path: "why"}, "unsupported")
        assert leaves(rest) == tuple(other for other in leaves(patch) if other != path)
        assert [warning.detail for warning in rest.warnings] == ["why"]
    everything = dict.fromkeys(leaves(patch), "")
    assert without(patch, everything, "locked").characters == {}
    assert without(patch, {("flags", "nothing"): ""}, "locked") is patch


def test_a_character_that_lost_every_field_does_not_appear() -> None:
    """What is left of them is nothing."""
    patch = read({"characters": {"沈砚": {"affinity": 1}}})
    assert without(patch, {("characters", "沈砚", "affinity"): ""}, "locked").characters == {}
    assert patch.characters == {"沈砚": CharacterPatch(affinity=1)}


@pytest.mark.parametrize(
    ("lock", "spared"),
    [
        (("time",), ["time"]),
        (("inventory",), ["inventory"]),
        (("flags",), ["flags.暗号", "flags.债"]),
        (("flags", "债"), ["flags.债"]),
        (("characters", "阿迟"), ["characters.阿迟.affinity", "characters.阿迟.notes"]),
        (("characters", "阿迟", "notes"), ["characters.阿迟.notes"]),
        (("characters", "阿迟", "status"), []),
        (("characters", "Mira", "affinity"), ["characters.Mira"]),
    ],
)
def test_a_lock_holds_for_all_beneath_it(lock: tuple[str, ...], spared: list[str]) -> None:
    """And somebody with a locked field cannot be deleted."""
    kept = sparing(read(EVERYTHING), [lock])
    assert [(w.code, w.path) for w in kept.warnings] == [("locked", path) for path in spared]
    assert len(leaves(kept)) == 10 - len(spared)


def test_appearing_is_an_empty_patch_of_a_character() -> None:
    """So that an entry with nothing in it differs from none."""
    assert read({"characters": {"沈砚": {}}}).characters == {"沈砚": APPEARS}


# ---- changes -------------------------------------------------------------------------------------


def test_changes_tell_each_place_that_differs() -> None:
    """Before and after, in the public form; someone who came or went as a whole."""
    changes = patched(
        {
            "time": "次日",
            "characters": {"阿迟": {"affinity": 20, "location": None}, "Mira": None, "沈砚": {}},
            "flags": {"lamp": None, "暗号": "伞下无人"},
            "inventory": ["灯"],
        }
    ).changes
    assert changes == (
        Change(("time",), "雨夜", "次日"),
        Change(("characters", "阿迟", "affinity"), 12, 20),
        Change(("characters", "阿迟", "location"), "柴房", None, 2),
        Change(("characters", "Mira"), {"affinity": -3, "status": "", "notes": ""}, None, 1),
        Change(("characters", "沈砚"), None, {"affinity": 0, "status": "", "notes": ""}),
        Change(("inventory",), ["油纸伞", "铜钥匙"], ["灯"]),
        Change(("flags", "lamp"), "out", None, 1),
        Change(("roster", "people", "沈砚"), None, "次日"),
        Change(("roster", "items", "灯"), None, "次日"),
    )


def test_reverting_gives_back_what_was() -> None:
    """Values and order, in the ledger and in the roster."""
    done = patched({**EVERYTHING, "characters": {"阿迟": None, "沈砚": {"location": "渡口"}}})
    back = revert(done.ledger, done.roster, done.changes)
    assert (back.ledger, back.roster, back.warnings) == (INN, SEEN, ())
    assert list(back.ledger.characters) == ["阿迟", "Mira"]
    assert list(back.ledger.flags) == ["暗号", "lamp"]
    again = revert(back.ledger, back.roster, back.changes)
    assert (again.ledger, again.roster) == (done.ledger, done.roster)


def test_what_changed_again_since_is_left_alone() -> None:
    """An old version is taken back only where nothing was built on it."""
    first = patched({"time": "次日", "characters": {"阿迟": {"affinity": 20}, "沈砚": {}}})
    second = apply(
        first.ledger,
        first.roster,
        read({"time": "第三日", "characters": {"沈砚": {"status": "累"}}}),
    )
    back = revert(second.ledger, second.roster, first.changes)
    assert back.ledger.time == "第三日"
    assert back.ledger.characters["阿迟"].affinity == 12
    assert back.ledger.characters["沈砚"] == Character(status="累")
    assert [(w.code, w.path) for w in back.warnings] == [
        ("changed_since", "time"),
        ("changed_since", "characters.沈砚"),
    ]
    assert "沈砚" in back.roster.people


def test_a_character_that_is_gone_takes_nothing_back() -> None:
    """A field cannot be put back to somebody who was deleted since."""
    first = patched({"characters": {"Mira": {"status": "angry"}}})
    gone = apply(first.ledger, first.roster, read({"characters": {"Mira": None}}))
    back = revert(gone.ledger, gone.roster, first.changes)
    assert "Mira" not in back.ledger.characters
    assert back.warnings == (Warned("changed_since", "characters.Mira.status"),)


def test_names_that_left_at_the_cap_come_back() -> None:
    """In their old places."""
    full = Roster(items={f"物{number}": "" for number in range(100)})
    done = apply(INN, full, read({"inventory": ["灯", "伞"]}))
    assert list(done.roster.items)[-2:] == ["灯", "伞"]
    assert len(done.roster.items) == 100
    back = revert(done.ledger, done.roster, done.changes)
    assert list(back.roster.items) == list(full.items)


@pytest.mark.parametrize(
    "stored", [None, [1], [{}], [{"path": []}], [{"path": ["time", 1]}], [{"path": "time"}]]
)
def test_damaged_changes_are_named(stored: Json) -> None:
    """A change that names no place is none of ours."""
    with pytest.raises(ValueError, match="stored change"):
        changes_from_json(stored)


def test_changes_are_stored_and_read() -> None:
    """To equal values."""
    changes = patched(EVERYTHING).changes
    assert changes_from_json(changes_to_json(changes)) == changes


def test_an_empty_ledger_differs_from_a_full_one_in_everything() -> None:
    """Each section is a place of its own, each character and flag one as a whole."""
    places = [change.path for change in changes_between((Ledger(), SEEN), (INN, SEEN))]
    assert places == [
        ("time",),
        ("location",),
        ("characters", "阿迟"),
        ("characters", "Mira"),
        ("inventory",),
        ("flags", "暗号"),
        ("flags", "lamp"),
        ("plot_threads",),
    ]
