"""What counts as evidence of an item, and how evidence finds its item."""

import pytest

from huaben.domain.evidence import stands, weigh
from huaben.domain.jsonvalue import JsonObject
from huaben.domain.ledger import Character, Ledger, Roster, known_names
from huaben.domain.ledgerchange import Warned
from huaben.domain.ledgerpatch import read_patch
from huaben.domain.matching import Found, Repeated, locate

WORDS = "我把伞递给他。“拿着，”我说。"
PROSE = "天亮了。阿迟接过伞，左手还裹着布。\n\n“暗号是‘伞下无人’，”他说，“记住了？”\n\nMira's lamp went out."
TURN = (WORDS, PROSE)
NAMES = known_names(Ledger(characters={"阿迟": Character()}), Roster(), {"迟掌柜": "阿迟"})


def canon(patch: JsonObject, evidence: dict[str, str]) -> list[str]:
    weighed = weigh(read_patch(patch, NAMES), evidence, TURN, NAMES)
    return [".".join(path) for path in weighed.canon]


@pytest.mark.parametrize(
    ("quotation", "supports"),
    [
        ("天亮了", True),
        ("  天亮了。\n", True),
        ("我把伞递给他", True),
        ("伞", True),
        ("\"暗号是'伞下无人'，\"他说", True),
        ("「记住了？」", True),
        ("Mira’s lamp", True),
        ("mira's lamp", False),
        ("天黑了", False),
        ("他说“拿着", False),
        ("我说。”天亮了", False),
        ("", False),
        (" \u200b", False),
        ("。", False),
        ("……", False),
    ],
)
def test_a_quotation_must_stand_in_the_turn(quotation: str, supports: bool) -> None:
    """In the user's words or in the prose, by the rungs of the matching ladder, and say something."""
    assert canon({"time": "清晨"}, {"time": quotation}) == (["time"] if supports else [])


@pytest.mark.parametrize("quotation", ["天亮了", " 伞 ", '"拿着，"', "伞", "雪", "天亮了!", "a'b"])
def test_it_agrees_with_the_ladder(quotation: str) -> None:
    """Found once or more often is found."""
    for text in TURN:
        found = isinstance(locate(text, quotation), Found | Repeated)
        assert stands(text, quotation) is found


def test_items_without_evidence_are_claims() -> None:
    """Each with what was quoted in vain, shortened, or nothing."""
    patch = read_patch({"time": "清晨", "location": "渡口", "flags": {"债": "清"}}, NAMES)
    quoted = {"time": "天亮了", "location": "渡口的雾" * 40, "flags.别的": "天亮了"}
    weighed = weigh(patch, quoted, TURN, NAMES)
    assert weighed.canon == {("time",): "天亮了"}
    assert list(weighed.claims) == [("location",), ("flags", "债")]
    assert weighed.claims["flags", "债"] == ""
    assert weighed.claims["location",].startswith("渡口的雾")
    assert len(weighed.claims["location",]) == 60
    assert weighed.warnings == (Warned("unknown_evidence", "flags.别的", "天亮了"),)


PEOPLE: JsonObject = {
    "characters": {
        "阿迟": {"affinity": 5, "status": "左手裹着布"},
        "Mr. Gray": {"notes": "x"},
        "J.R.": {},
        "Tom": None,
    },
    "flags": {"暗号": "伞下无人", "v1.2": "x", "a.status": None},
    "inventory": ["灯"],
}


@pytest.mark.parametrize(
    ("key", "item"),
    [
        ("characters.阿迟.affinity", "characters.阿迟.affinity"),
        ("characters. 阿迟 .affinity", "characters.阿迟.affinity"),
        ("characters.迟掌柜.status", "characters.阿迟.status"),
        ("patch.characters.阿迟.status", "characters.阿迟.status"),
        ("characters.Mr. Gray.notes", "characters.Mr. Gray.notes"),
        ("characters.mr.  gray.notes", "characters.Mr. Gray.notes"),
        ("characters.J.R.", "characters.J.R."),
        ("characters.J.R..", "characters.J.R."),
        ("characters.Tom", "characters.Tom"),
        ("flags.暗号", "flags.暗号"),
        (" flags.暗号", "flags.暗号"),
        ("flags.v1.2", "flags.v1.2"),
        ("flags. V1.2", "flags.v1.2"),
        ("flags.a.status", "flags.a.status"),
        ("inventory", "inventory"),
        ("inventory.0", "inventory"),
        ("inventory[0]", "inventory"),
        ("inventory.灯", "inventory"),
    ],
)
def test_evidence_finds_its_item(key: str, item: str) -> None:
    """Dots in names, aliases and members of lists do not lead astray."""
    assert canon(PEOPLE, {key: "天亮了"}) == [item]


@pytest.mark.parametrize(
    "key",
    [
        "",
        "characters",
        "characters.阿迟",
        "characters.Tom.affinity",
        "flags",
        "暗号",
        "time",
        "inventories",
    ],
)
def test_evidence_of_nothing_supports_nothing(key: str) -> None:
    """A quotation for a whole person is none for each thing said of them."""
    weighed = weigh(read_patch(PEOPLE, NAMES), {key: "天亮了"}, TURN, NAMES)
    assert not weighed.canon
    assert [warning.code for warning in weighed.warnings] == ["unknown_evidence"]


def test_a_field_and_a_name_that_looks_like_one_are_told_apart() -> None:
    """A person may be called as another one's field is spelled."""
    patch: JsonObject = {"characters": {"a.status": None, "a": {"status": "hurt"}}}
    assert canon(patch, {"characters.a.status": "天亮了"}) == ["characters.a.status"]
    weighed = weigh(read_patch(patch, NAMES), {"characters.a.status": "伞"}, TURN, NAMES)
    assert list(weighed.canon) == [("characters", "a", "status")]
    weighed = weigh(read_patch(patch, NAMES), {"characters.a.status.": "伞"}, TURN, NAMES)
    assert list(weighed.canon) == [("characters", "a.status")]


def test_the_first_good_quotation_counts() -> None:
    """Of several for one item, one that stands in the turn is enough."""
    quoted = {"inventory.0": "一盏灯", "inventory.1": "Mira's lamp", "inventory": "天亮了"}
    weighed = weigh(read_patch({"inventory": ["灯"]}, NAMES), quoted, TURN, NAMES)
    assert weighed.canon == {("inventory",): "Mira's lamp"}
    assert weighed.claims == {}
