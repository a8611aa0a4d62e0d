"""Long texts taken apart into chapters, and put together again."""

import pytest

from huaben.domain.manuscript_parts import Part, headed, joined, parts


@pytest.mark.parametrize(
    ("text", "titles"),
    [
        ("# 雨夜\n\n雨。\n\n# 渡口\n\n没有人。\n", ["雨夜", "渡口"]),
        ("## One\ntext\n### Deeper\nmore\n## Two\n", ["One", "Two"]),
        ("第一章 雨夜\n雨。\n第二章　渡口\n没有人。\n", ["第一章 雨夜", "第二章 渡口"]),
        ("楔子\n很久以前。\n第十二回 旧伞\n伞。\n", ["楔子", "第十二回 旧伞"]),
        (
            "Chapter 1\nRain.\n\nCHAPTER TWO: The ferry\nNobody.\n",
            ["Chapter 1", "CHAPTER TWO: The ferry"],
        ),
        ("开头几句。\n\n# 一\n甲\n", ["", "一"]),
        ("\n\n# 一\n甲\n# 二\n乙\n", ["一", "二"]),
        ("没有标题的文字。\n", [""]),
        ("", [""]),
        ("他翻到第一章，停住了。\n", [""]),
        ("```\n# no heading\n```\n# 一\n甲\n", ["", "一"]),
        ("# 一\r\n甲\r\n# 二\r\n", ["一", "二"]),
        ("#没有空格\n# \n# 有\n", ["", "有"]),
    ],
)
def test_a_text_is_taken_apart_at_its_chapter_headings(text: str, titles: list[str]) -> None:
    """Joined the parts are the text again, to the letter."""
    found = parts(text)
    assert [part.title for part in found] == titles
    assert "".join(part.text for part in found) == text


def test_many_headings_take_no_longer_than_their_text() -> None:
    """Twenty thousand of them, with code blocks between."""
    text = "# 一\n```\n# 不是\n```\n" * 20_000
    assert len(parts(text)) == 20_000


def test_chapters_are_joined_with_a_blank_line_between() -> None:
    """Each ends with a line end; an empty one adds nothing."""
    assert joined(["一", "二\n", "", "三\n"]) == "一\n\n二\n\n三\n"
    assert joined([]) == ""


def test_a_chapter_without_a_heading_gets_its_title() -> None:
    """One that has a heading keeps it."""
    assert headed("雨夜", "雨下了一夜。") == "# 雨夜\n\n雨下了一夜。"
    assert headed("雨夜", "\n# 第一章\n\n雨。") == "\n# 第一章\n\n雨。"
    assert headed("雨夜", "\ufeff第一章 雨\n雨。") == "\ufeff第一章 雨\n雨。"
    assert parts(headed("一", "甲")) == [Part("一", "# 一\n\n甲")]
