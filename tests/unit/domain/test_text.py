"""Counting and cutting text: worked examples in Chinese, English and emoji."""

import pytest

from huaben.domain.text import (
    BadOffset,
    clip,
    from_utf16,
    from_utf16_each,
    graphemes,
    is_blank,
    looks_chinese,
    scrub,
    shared_start,
    shorten,
    to_utf16,
    to_utf16_each,
    utf16_len,
    utf16_slice,
)


@pytest.mark.parametrize(
    ("text", "units"),
    [("", 0), ("inn", 3), ("客栈", 2), ("a🌙b", 4), ("𠮷野家", 4), ("a\ud83db", 3)],
)
def test_length_counts_utf16_code_units(text: str, units: int) -> None:
    """A character outside the basic plane counts two, any other one."""
    assert utf16_len(text) == units


def test_offsets_follow_the_clients_count() -> None:
    """Indices behind an emoji move by two units."""
    text = "月🌙亮"
    assert [to_utf16(text, index) for index in range(4)] == [0, 1, 3, 4]
    assert [from_utf16(text, offset) for offset in (0, 1, 3, 4)] == [0, 1, 2, 3]


def test_an_offset_inside_a_surrogate_pair_is_refused_with_the_length() -> None:
    """Half a character is no place, and the refusal says how long the text is."""
    assert from_utf16("月🌙亮", 2) == BadOffset("inside_surrogate_pair", 4)
    assert utf16_slice("🌙", 1) == BadOffset("inside_surrogate_pair", 2)
    assert utf16_slice("🌙", 0, 1) == BadOffset("inside_surrogate_pair", 2)


@pytest.mark.parametrize("offset", [-1, 5, 10**12])
def test_an_offset_outside_the_text_is_refused_with_the_length(offset: int) -> None:
    """Nothing is clamped, on either side."""
    assert from_utf16("月🌙亮", offset) == BadOffset("outside", 4)
    assert utf16_slice("月🌙亮", offset) == BadOffset("outside", 4)
    assert utf16_slice("月🌙亮", 0, offset) == BadOffset("outside", 4)


def test_a_range_that_runs_backwards_is_refused() -> None:
    """The end may equal the start but not come before it."""
    assert utf16_slice("客栈里", 2, 1) == BadOffset("reversed", 3)
    assert utf16_slice("客栈里", 2, 2) == ""


def test_a_slice_is_exact_text() -> None:
    """Absent bounds mean the ends, and the end is exclusive."""
    text = "她看见🌙了。"
    assert utf16_slice(text) == text
    assert utf16_slice(text, 3) == "🌙了。"
    assert utf16_slice(text, None, 5) == "她看见🌙"
    assert utf16_slice(text, 3, 5) == "🌙"
    assert utf16_slice(text, 7) == ""


def test_a_wrong_index_of_our_own_is_a_fault() -> None:
    """Indices are the program's, so a wrong one raises."""
    with pytest.raises(IndexError):
        to_utf16("客栈", 3)
    with pytest.raises(IndexError):
        to_utf16("客栈", -1)
    with pytest.raises(IndexError):
        to_utf16_each("客栈", (2, 1))


def test_many_offsets_are_converted_in_one_pass() -> None:
    """Places in order, repeated ones too, come back in order, and one wrong place refuses all."""
    assert to_utf16_each("a🌙b🌙", (0, 1, 1, 2, 4)) == (0, 1, 1, 3, 6)
    assert from_utf16_each("a🌙b🌙", (0, 1, 1, 3, 6)) == (0, 1, 1, 2, 4)
    assert from_utf16_each("a🌙b🌙", (0, 3, 5)) == BadOffset("inside_surrogate_pair", 6)
    assert from_utf16_each("a🌙b🌙", ()) == ()


def test_halves_of_a_pair_that_stand_apart_keep_their_places() -> None:
    """Even text that no store can keep is counted without merging its characters."""
    text = "a\ud83d\ude00b"
    assert [from_utf16(text, offset) for offset in range(5)] == [0, 1, 2, 3, 4]


@pytest.mark.parametrize(
    ("text", "clean"),
    [
        ("客栈🌙", "客栈🌙"),
        ("a\ud83d", "a\ufffd"),
        ("\ud83db", "\ufffdb"),
        ("\ude00\ud83d", "\ufffd\ufffd"),
        ("\ud83d\ude00", "😀"),
    ],
)
def test_lone_surrogates_become_replacement_characters(text: str, clean: str) -> None:
    """Text can always be stored as UTF-8, and a pair in two halves is the character it spells."""
    assert scrub(text) == clean


def test_graphemes_keep_what_readers_see_as_one() -> None:
    """Emoji with modifiers, families, combining marks and line ends stay whole."""
    assert graphemes("a👍🏽b") == ["a", "👍🏽", "b"]
    assert graphemes("👨‍👩‍👧客e\u0301\r\n") == ["👨‍👩‍👧", "客", "e\u0301", "\r\n"]
    assert graphemes("") == []


@pytest.mark.parametrize(
    "text",
    ["", " \t\r\n", "\u3000\u00a0\u2028", "\u200b\u200d\ufeff", "\u00ad\u2060\u3164\u2800", "\x00"],
)
def test_text_that_shows_nothing_is_blank(text: str) -> None:
    """White space, zero-width characters, fillers and controls do not make prose."""
    assert is_blank(text)


@pytest.mark.parametrize("text", [".", "　。", "\u200b客", "🌙", "0", "\ufffd"])
def test_text_that_shows_anything_is_not_blank(text: str) -> None:
    """One visible character is enough."""
    assert not is_blank(text)


@pytest.mark.parametrize(
    ("text", "chinese"),
    [
        ("夜雨敲着客栈的窗。", True),
        ("我用 Python 写话本，名叫 Huaben。", True),
        ("Rain tapped at the window of the inn.", False),
        ("He said 你好 and sat down by the fire.", False),
        ("雨のなかを、ひとりで歩いていた。", False),
        ("비가 오는 밤이었다.", False),
        ("", False),
        ("123 … !", False),
    ],
)
def test_chinese_is_guessed_from_the_share_of_han(text: str, chinese: bool) -> None:
    """Foreign names do not tip Chinese prose, nor a greeting in Chinese an English one."""
    assert looks_chinese(text) is chinese


def test_clipping_never_cuts_a_cluster() -> None:
    """A cluster that does not fit whole is left out, unless it is all there is."""
    assert clip("客栈里", 3) == "客栈里"
    assert clip("客栈里", 2) == "客栈"
    assert clip("ab👍🏽c", 3) == "ab"
    assert clip("ab👍🏽c", 4) == "ab👍🏽"
    assert clip("e" + "\u0301" * 9, 3) == "e\u0301\u0301"


def test_shortened_text_says_so() -> None:
    """Text within the limit is untouched, longer text ends in an ellipsis within it."""
    assert shorten("夜雨敲窗", 4) == "夜雨敲窗"
    assert shorten("夜雨敲窗。", 4) == "夜雨敲…"


def test_the_shared_start_is_measured() -> None:
    """Where one text is the start of the other, all of it is shared."""
    assert shared_start("夜雨敲窗", "夜雨落") == 2
    assert shared_start("inn", "inns") == 3
    assert shared_start("", "inn") == 0
