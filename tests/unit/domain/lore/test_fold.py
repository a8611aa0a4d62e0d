"""Folding: equal to the whole text's normal form, with a true way back."""

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from huaben.domain.lore.fold import fold, fold_key


def folded_whole(text: str) -> str:
    """The definition: NFKC, full case folding, NFKC."""
    composed = unicodedata.normalize("NFKC", text).casefold()
    return unicodedata.normalize("NFKC", composed)


@given(st.text(max_size=30))
def test_folding_by_clusters_equals_folding_the_whole(text: str) -> None:
    """Where a text is cut for the way back changes nothing of the result."""
    assert fold(text).text == folded_whole(text) == fold_key(text)


@given(st.text(max_size=30))
def test_every_folded_character_comes_from_somewhere(text: str) -> None:
    """The way back covers the original from start to end without a gap and in order."""
    folded = fold(text)
    reached = 0
    for at in range(len(folded.text)):
        start, end = folded.span(at, at + 1)
        assert start <= reached <= end or start == reached
        reached = max(reached, end)
    assert reached == len(text) or not folded.text


@pytest.mark.parametrize(
    ("text", "start", "end", "origin"),
    [
        ("aßb", 1, 3, "ß"),
        ("x İy", 2, 4, "İ"),
        ("“…”", 1, 4, "…"),
        ("cafe\u0301!", 3, 4, "e\u0301"),
        ("ﾊﾞｽ", 0, 1, "ﾊﾞ"),
        ("각", 0, 1, "각"),
    ],
)
def test_a_folded_passage_leads_back_to_what_was_written(
    text: str, start: int, end: int, origin: str
) -> None:
    """A letter that grew or shrank is found again whole."""
    begin, stop = fold(text).span(start, end)
    assert text[begin:stop] == origin


def test_case_is_kept_where_asked() -> None:
    """Only the width is folded then."""
    assert fold("Ｓｅａ", case_sensitive=True).text == "Sea"
