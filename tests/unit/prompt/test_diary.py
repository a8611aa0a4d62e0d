"""A turn as the diary words it, in both languages; nothing of it is missing."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from huaben.domain.notes import MAX_TITLE_CHARS
from huaben.prompt.diary import Happened, diary_entries, in_pieces


def test_a_turn_in_chinese() -> None:
    """Number, story time and place make the title; the user's words are quoted."""
    turn = Happened(12, "初三 清晨", "渡口", "我冷。\n\n有伞吗？", "沈砚把伞递过来。")
    assert diary_entries("zh", turn) == [
        ("第 12 拍 · 初三 清晨 · 渡口", "> 我冷。\n>\n> 有伞吗？\n\n沈砚把伞递过来。")
    ]


def test_a_turn_in_english() -> None:
    """What is not known is left out."""
    turn = Happened(1, "", "", "", "Shen Yan says nothing.")
    assert diary_entries("en", turn) == [("Turn 1", "Shen Yan says nothing.")]


def test_a_title_stays_a_title() -> None:
    """However long the ledger's time and place are, on one line."""
    turn = Happened(3, "雨" * 500, "渡\n口" * 300, "x", "y")
    ((title, _),) = diary_entries("zh", turn)
    assert len(title) <= MAX_TITLE_CHARS
    assert "\n" not in title


def test_a_long_turn_is_cut_behind_a_paragraph() -> None:
    """Each part is titled with its number."""
    text = "\n\n".join(["雨" * 9_000] * 4)
    entries = diary_entries("en", Happened(2, "", "", "", text))
    assert [title for title, _ in entries] == ["Turn 2 (1/2)", "Turn 2 (2/2)"]
    assert entries[0][1].endswith("\n\n")
    assert "".join(part for _, part in entries) == text


@given(st.text(max_size=400), st.integers(2, 60))
def test_pieces_joined_are_the_text(text: str, limit: int) -> None:
    """And none is longer than its limit."""
    pieces = list(in_pieces(text, limit))
    assert "".join(pieces) == text
    assert all(len(piece) <= limit for piece in pieces)
    assert all(pieces)


def test_no_character_is_cut_in_two() -> None:
    """A family of joined signs stays whole where a piece has room for it."""
    family = "👨\u200d👩\u200d👧"
    assert list(in_pieces(f"雨雨雨{family}", 6)) == ["雨雨雨", family]
