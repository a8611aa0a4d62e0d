"""How a picture's place is marked in a text and found again."""

from __future__ import annotations

import pytest

from huaben.domain.image import (
    MAX_CAPTION_CHARS,
    MAX_IMAGES_A_TURN,
    MAX_PROMPT_CHARS,
    captioned,
    image_id,
    marker,
    markers,
    wished,
    with_markers,
    without_markers,
)

_TURN = "0197a3c0-0000-7000-8000-000000000001"


@pytest.mark.parametrize("caption", ["雨夜里的旧伞", "An old umbrella (torn) in the rain", ""])
def test_a_marker_is_read_back_where_it_stands(caption: str) -> None:
    """With its picture and its caption; the text around it is untouched."""
    mark = marker(image_id(_TURN, 0), caption)
    text = f"雨点往下坠。\n\n{mark}\n\nShe took it."
    (found,) = markers(text)
    assert (found.id, found.caption) == (f"{_TURN}-0", caption)
    assert text[found.start : found.end] == mark
    assert with_markers(text, lambda one: f"<{one.id}>") == (
        f"雨点往下坠。\n\n<{_TURN}-0>\n\nShe took it."
    )


@pytest.mark.parametrize(
    "text",
    [
        "他说：![x](image:1-0) 就这样",
        "![x](https://example.org/a.png)",
        "![x](image:../secret)",
        "![x\ny](image:1-0)",
        "![](image:)",
        "",
    ],
)
def test_other_lines_are_prose(text: str) -> None:
    """A marker has its line to itself and names an id of ours."""
    assert list(markers(text)) == []
    assert without_markers(text) == text


def test_a_model_reads_the_text_without_markers() -> None:
    """Nor does it read the blank lines that were about them."""
    first, second = marker("a-0", "伞"), marker("a-1", "灯")
    assert without_markers(f"{first}\n\n一。\n\n{second}\n\n二。\n\n{first}") == "一。\n\n二。"


def test_a_caption_is_one_line_that_ends_no_marker() -> None:
    """Whatever a model gives for it."""
    assert captioned("  旧伞](x)\n[店\0] ") == "旧伞)(x) (店\ufffd)"
    assert len(captioned("长" * 999)) == MAX_CAPTION_CHARS
    (found,) = markers(marker("a-0", "x](y) ![z"))
    assert found.id == "a-0"


def test_a_wish_says_what_to_draw_and_under_which_name() -> None:
    """The same id for the same place of the same turn; without a caption its words are the caption."""
    wish = wished(_TURN, 1, " 画一把旧伞 ")
    assert wish is not None
    assert (wish.id, wish.prompt, wish.caption, wish.place) == (
        f"{_TURN}-1", "画一把旧伞", "画一把旧伞", 1,
    )  # fmt: skip
    long = wished(_TURN, 0, "x" * 9999, "caption")
    assert long is not None
    assert (len(long.prompt), long.caption) == (MAX_PROMPT_CHARS, "caption")


def test_nothing_is_wished_without_words_or_without_end() -> None:
    """A blank prompt is no wish, and a turn has room for a few."""
    assert wished(_TURN, 0, " \n\u200b") is None
    assert wished(_TURN, MAX_IMAGES_A_TURN, "an umbrella") is None
