"""The blocks of world state and roster: what has a line, and what gives way when names are many."""

import pytest

from huaben.domain.ledger import Character, Ledger, Roster
from huaben.domain.project import Language
from huaben.prompt.segments import Piece
from huaben.prompt.worldstate import ROSTER_CHARS, roster_block, world_state_block


@pytest.mark.parametrize("language", ["zh", "en"])
def test_nothing_is_no_block(language: Language) -> None:
    """An empty ledger or roster is not mentioned."""
    assert world_state_block(language, Ledger()) == Piece("world_state", "")
    assert roster_block(language, Roster()) == Piece("roster", "")


def test_what_is_empty_has_no_line() -> None:
    """And of a person only what is known is told, affinity always."""
    ledger = Ledger(characters={"阿迟": Character(-7, notes="怕水")}, flags={"灯": ""})
    assert world_state_block("zh", ledger).text.splitlines() == [
        "【世界状态】",
        "阿迟（好感 -7；怕水）",
        "标记「灯」：",
    ]


def test_each_thing_has_one_line() -> None:
    """Line ends in what was entered do not make more."""
    ledger = Ledger(
        "dawn\n\nof the third day",
        characters={"Mira": Character(3, "tired,\nwet", "the\tferry")},
        inventory=("a lamp", "a\nkey"),
        flags={"password": "rain\r\nor shine"},
    )
    assert world_state_block("en", ledger).text.splitlines() == [
        "【World state】",
        "Time: dawn of the third day",
        "Mira (affinity 3; tired, wet; whereabouts: the ferry)",
        "Flag “password”: rain or shine",
        "Carried: a lamp, a key",
    ]


def test_nothing_entered_passes_for_a_title_or_a_template() -> None:
    """Brackets of titles are opened by others, braces stay as they are."""
    ledger = Ledger("【语言】{text}", characters={"{name}": Character(status="{x}")})
    roster = Roster(people={"【阿迟】": "{time}"})
    text = f"{world_state_block('zh', ledger).text}\n{roster_block('zh', roster).text}"
    assert [line for line in text.splitlines() if "【" in line] == ["【世界状态】", "【登场名录】"]
    assert "时间：〖语言〗{text}" in text
    assert "{name}（好感 0；{x}）" in text
    assert "人物：〖阿迟〗（{time}）" in text


def crowd(count: int) -> Roster:
    return Roster(
        people={f"第{number}位住店的客人": "雨夜" for number in range(count)},
        threads={"还伞": "雨夜", "查账": ""},
    )


def test_a_long_roster_loses_its_times_and_no_name() -> None:
    """Above the limit the names alone are told, all of them, and the reason says so."""
    block = roster_block("zh", crowd(100))
    assert "雨夜" not in block.text
    assert all(f"第{number}位住店的客人" in block.text for number in range(100))
    assert block.text.endswith("线索：还伞；查账")
    assert block.reason == "story times left out: 1412 characters, over 1200"


def test_names_are_told_however_many() -> None:
    """Also when the names alone are over the limit."""
    names = {f"somebody with the rather long name of {number}": "" for number in range(100)}
    block = roster_block("en", Roster(people=names))
    assert len(block.text) > ROSTER_CHARS
    assert all(name in block.text for name in names)


def test_the_limit_itself_is_not_above_it() -> None:
    """Exactly at the limit the times stay."""
    short = roster_block("zh", Roster(people={"阿迟": "夜"})).text
    fitting = Roster(people={"阿迟": "夜", "长" * (ROSTER_CHARS - len(short) - 1): ""})
    assert len(roster_block("zh", fitting).text) == ROSTER_CHARS
    assert "阿迟（夜）" in roster_block("zh", fitting).text
    over = Roster(people={"阿迟": "夜", "长" * (ROSTER_CHARS - len(short)): ""})
    assert "（夜）" not in roster_block("zh", over).text
