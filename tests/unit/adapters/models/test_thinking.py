"""Thought told from prose, and characters cut in half made whole."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from huaben.adapters.models.thinking import SurrogateMender, ThinkSplitter


def split(*pieces: str) -> tuple[str, str]:
    """Thought and prose, after what was held back and what turned out otherwise."""
    splitter = ThinkSplitter()
    thought, prose = "", ""
    told = [item for piece in pieces for item in splitter.feed(piece)] + splitter.close()
    for kind, text in told:
        if kind == "turned":
            thought, prose = thought + prose, ""
        elif kind == "thought":
            thought += text
        else:
            prose += text
    return thought, prose


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("<think>想想。</think>雨停了。", ("想想。", "雨停了。")),
        ("\n <think>\nhm\n</think>\n\nThe rain stopped.", ("\nhm\n", "The rain stopped.")),
        ("<think>想</think>\n\n　　雨停了。", ("想", "　　雨停了。")),
        ("<think>no end of it", ("no end of it", "")),
        ("先想想。</think>\n雨停了。", ("先想想。", "雨停了。")),
        ("<think>a</think>One.<think>b</think> Two.", ("ab", "One.Two.")),
        ("<think>a</think>One.</think>Two.", ("a", "One.Two.")),
        ("<think>a <think> b</think>c", ("a <think> b", "c")),
        ("Write `<think>` and `</think>`.", ("", "Write `<think>` and `</think>`.")),
        ("<thinking>a</thinking>", ("", "<thinking>a</thinking>")),
        ("a < b, <b>bold</b>, 1<2", ("", "a < b, <b>bold</b>, 1<2")),
        ("　　雨停了。\n\n", ("", "　　雨停了。\n\n")),
        ("  \n", ("", "  \n")),
        ("ends with <thi", ("", "ends with <thi")),
        ("", ("", "")),
    ],
)
def test_thought_never_becomes_prose(text: str, expected: tuple[str, str]) -> None:
    """Tags decide what is thought: paired, unclosed, unopened, repeated or merely mentioned."""
    assert split(text) == expected
    assert split(*text) == expected


@given(
    st.lists(st.sampled_from(["<think>", "</think>", "<", "th", "雨", "\n", " ", "`"])), st.data()
)
def test_where_text_was_cut_changes_nothing(parts: list[str], data: st.DataObject) -> None:
    """Any cut of the same text gives the same thought and the same prose."""
    text = "".join(parts)
    cut = data.draw(st.integers(0, len(text)))
    assert split(text[:cut], text[cut:]) == split(text) == split(*text)


def test_prose_is_not_held_back() -> None:
    """Text without a sign of a tag goes on at once."""
    splitter = ThinkSplitter()
    assert splitter.feed("雨") == [("text", "雨")]
    assert splitter.feed(" falls") == [("text", " falls")]
    assert splitter.feed(" <") == [("text", " ")]
    assert splitter.feed("b>") == [("text", "<b>")]


def test_another_tag_may_be_agreed_on() -> None:
    """A connection whose model thinks in another tag names it."""
    splitter = ThinkSplitter("reasoning")
    assert splitter.feed("<reasoning>a</reasoning>b") == [("thought", "a"), ("text", "b")]


@given(st.text(st.characters(), max_size=20), st.integers(1, 3))
def test_characters_cut_by_utf16_units_are_made_whole(text: str, size: int) -> None:
    """However a provider cuts UTF-16, the text that arrives is the text that was sent."""
    units = text.encode("utf-16-le", "surrogatepass")
    step = 2 * size
    pieces = [
        units[at : at + step].decode("utf-16-le", "surrogatepass")
        for at in range(0, len(units), step)
    ]
    mender = SurrogateMender()
    mended = "".join(mender.feed(piece) for piece in pieces) + mender.close()
    assert mended == units.decode("utf-16-le", "replace")


def test_a_lone_half_becomes_a_replacement_character() -> None:
    """Half a character that nothing follows cannot be sent or stored as it is."""
    mender = SurrogateMender()
    assert mender.feed("a\ud83d") + mender.feed("b") + mender.feed("\ude00") == "a\ufffdb\ufffd"
    assert mender.feed("\ud83d") + mender.close() == "\ufffd"
