"""Finding a reader's words in prose: what stands there is found, with its exact place."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from huaben.domain.finding import among, excerpt, places, sought
from huaben.domain.terms import text_tokens
from huaben.domain.text import utf16_slice

PROSE = "雨下了一夜。“打烊了。”沈砚抬起头，把旧伞递过去。\n\nShe took the Old Umbrella and left."


def found(query: str, text: str = PROSE) -> list[str]:
    return [text[start:end] for start, end in places(text, sought(query))]


@pytest.mark.parametrize(
    ("query", "words"),
    [
        ("旧伞", ["旧伞"]),
        ("沈砚抬起头，把", ["沈砚抬起头，把"]),
        ("“打烊", ["“打烊"]),
        ("umbrella", ["Umbrella"]),
        ("umbr", ["Umbr"]),
        ("旧伞 umbrella", ["旧伞", "Umbrella"]),
        ("old umbrella", ["Old", "Umbrella"]),
        ("ＯＬＤ", ["Old"]),
        ("了", ["了", "了"]),
    ],
)
def test_words_are_found_where_they_stand(query: str, words: list[str]) -> None:
    """In both languages, whatever case and width, a word by its beginning, signs as they are."""
    assert found(query) == words


@pytest.mark.parametrize(
    "query", ["伞旧", "brella", "旧伞 lantern", "。，", "", " ", "旧 伞 打烊了!"]
)
def test_what_does_not_stand_there_is_not_found(query: str) -> None:
    """Another order, the end of a word, one piece of two missing, signs alone."""
    assert found(query) == []


def test_places_do_not_overlap() -> None:
    """Two pieces that share characters are one place."""
    assert found("旧伞 伞递") == ["旧伞递"]
    assert found("aa", "aaaaa") == ["aa"]
    assert found("雨雨", "雨雨雨雨雨") == ["雨雨", "雨雨"]


def test_places_are_those_of_the_text_as_it_was_written() -> None:
    """Where folding changes lengths too, and never half a letter."""
    assert found("cafe\u0301", "Zum CAFÉ hin") == ["CAFÉ"]
    assert found("strasse", "Die Straße") == ["Straße"]
    assert found("s", "ß") == []


def test_an_excerpt_shows_the_surroundings_of_the_first_place() -> None:
    """Offsets are UTF-16 units; those of the spans count from the excerpt's beginning."""
    text = "🏮" * 50 + "旧伞，" + "夜" * 200 + "旧伞"
    shown = excerpt(text, places(text, sought("旧伞")))
    assert shown.spans == ((60, 62),)
    assert utf16_slice(shown.text, 60, 62) == "旧伞"
    assert utf16_slice(text, shown.start + 60, shown.start + 62) == "旧伞"
    assert len(shown.text) == 30 + 90


def test_an_excerpt_cuts_no_character_in_two() -> None:
    """Neither a family nor an accent at its edges."""
    text = "👨‍👩‍👧" + "x" * 26 + " 旧伞" + "夜" * 86 + "e\u0301" * 5
    shown = excerpt(text, places(text, sought("旧伞")))
    assert shown.start == 0
    assert shown.text.endswith("e\u0301")


@given(text=st.text(max_size=40), query=st.text(max_size=8))
def test_the_index_never_hides_what_stands_there(text: str, query: str) -> None:
    """What is found by looking is also found by its tokens."""
    wanted = sought(query)
    if places(text, wanted):
        assert among(wanted, text_tokens(text))


@given(text=st.text(alphabet="灯雨a b7é'’ß가 。", max_size=30), data=st.data())
def test_words_of_a_text_are_found_in_it(text: str, data: st.DataObject) -> None:
    """Any stretch of words between two spaces, be it looked for as it stands."""
    words = text.split()
    if not words:
        return
    wanted = sought(data.draw(st.sampled_from(words)))
    if wanted.tokens:
        assert places(text, wanted)
        assert among(wanted, text_tokens(text))
