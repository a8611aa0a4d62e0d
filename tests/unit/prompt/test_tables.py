"""Rows of the tables in words, in both languages."""

from __future__ import annotations

from huaben.domain.ledger import Character, Ledger, Roster
from huaben.domain.notes import MAX_TITLE_CHARS
from huaben.prompt.tables import Row, Speech, row_gone, table_rows

ZH, EN = Speech("zh", "阿迟"), Speech("en", "Ann")
LEDGER = Ledger(
    characters={"沈砚": Character(12, "淋湿了", "渡口", "话少"), "阿蘅": Character()},
    inventory=("旧伞",),
    plot_threads=("立冬前还伞",),
)
ROSTER = Roster(people={"沈砚": "雨夜"}, items={"旧伞": "雨夜"})


def texts(speech: Speech) -> dict[tuple[str, str], str]:
    return {(row.kind, row.title): row.text for row in table_rows(speech, LEDGER, ROSTER).values()}


def test_rows_in_chinese() -> None:
    """One fact on each line; who is only named has appeared."""
    assert texts(ZH) == {
        ("person", "沈砚"): "状态：淋湿了\n所在：渡口\n备注：话少\n初次出现：雨夜",
        ("relation", "沈砚"): "对阿迟的好感：12（从 -100 到 100）",
        ("person", "阿蘅"): "在故事里出现过。",
        ("item", "旧伞"): "带在身上。\n初次出现：雨夜",
        ("promise", "立冬前还伞"): "还没有了结。",
    }


def test_rows_in_english() -> None:
    """The same facts."""
    told = texts(EN)
    assert (
        told["person", "沈砚"] == "Status: 淋湿了\nWhereabouts: 渡口\nNotes: 话少\nFirst seen: 雨夜"
    )
    assert told["relation", "沈砚"] == "Affinity towards Ann: 12 (from -100 to 100)"
    assert told["item", "旧伞"] == "Carried along.\nFirst seen: 雨夜"


def test_what_is_gone_is_told_as_gone() -> None:
    """But for people, of whom the last that was known stays."""
    rows = table_rows(EN, LEDGER, ROSTER)
    gone = {key: row_gone(EN, row) for key, row in rows.items()}
    assert gone["person", "沈砚"] is None
    assert gone["item", "旧伞"] == Row("item", "旧伞", "No longer carried along.\nFirst seen: 雨夜")
    promise = gone["promise", "立冬前还伞"]
    assert promise is not None
    assert promise.text == "Settled, or no longer spoken of."


def test_names_are_one_whatever_their_case_and_width() -> None:
    """As the ledger has it."""
    upper = table_rows(EN, Ledger(inventory=("Old  Umbrella",)), Roster())
    lower = table_rows(EN, Ledger(inventory=("old umbrella",)), Roster())
    assert upper.keys() == lower.keys()


def test_a_long_name_fits_a_title_and_stands_in_the_text() -> None:
    """Two that begin alike are told apart."""
    names = ("还伞" * 150 + "甲", "还伞" * 150 + "乙")
    rows = list(table_rows(ZH, Ledger(plot_threads=names), Roster()).values())
    assert [row.text.split("\n")[0] for row in rows] == list(names)
    assert len({row.title for row in rows}) == 2
    assert all(len(row.title) <= MAX_TITLE_CHARS for row in rows)
