"""Markdown as fiction uses it, in blocks and runs."""

import pytest

from huaben.formats.prose import (
    Block,
    Break,
    Code,
    Heading,
    Paragraph,
    Run,
    inline,
    plain_text,
    read_prose,
)


def styled(text: str) -> str:
    """Runs as `<styles:text>`."""
    return "".join(
        f"<{'+'.join(sorted(run.styles))}:{run.text}>" if run.styles else run.text
        for run in inline(text)
    )


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("他*没有*回头。", "他<em:没有>回头。"),
        ("**「重点」**内容", "<strong:「重点」>内容"),
        ("***都***是", "<em+strong:都>是"),
        ("**粗*斜*粗**", "<strong:粗><em+strong:斜><strong:粗>"),
        ("_a_ and a_b_c", "<em:a> and a_b_c"),
        ("~~删~~留", "<strike:删>留"),
        ("`code *x*` out", "<code:code *x*> out"),
        ("``a ` b``", "<code:a ` b>"),
        ("一*没有配对", "一*没有配对"),
        ("2 * 3 * 4", "2 * 3 * 4"),
        (r"\*不是\*斜体", "*不是*斜体"),
        ("见[这里](https://example.org)。", "见这里。"),
        ("![雨](rain.png)", "雨"),
        ("one<br>two", "one\ntwo"),
        ("a < b & c > d", "a < b & c > d"),
        ("", ""),
    ],
)
def test_emphasis_is_read_as_prose_means_it(text: str, expected: str) -> None:
    """Also directly beside Chinese; what has no partner stays as it was typed."""
    assert styled(text) == expected


def paragraph(text: str, quoted: int = 0, marker: str = "") -> Paragraph:
    return Paragraph((Run(text),), quoted, marker)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("一段。\n\n二段。\n", (paragraph("一段。"), paragraph("二段。"))),
        ("一段。\n二段。", (paragraph("一段。"), paragraph("二段。"))),
        ("　　一段\n　　二段", (paragraph("一段"), paragraph("二段"))),
        ("One line\ngoes on.", (paragraph("One line goes on."),)),
        ("# 雨夜\n雨。", (Heading(1, (Run("雨夜"),)), paragraph("雨。"))),
        ("### Deeper ###", (Heading(3, (Run("Deeper"),)),)),
        ("前\n\n***\n\n后", (paragraph("前"), Break(), paragraph("后"))),
        ("- - -", (Break(),)),
        ("> 引文\n> 又一句", (paragraph("引文", 1), paragraph("又一句", 1))),
        (">> deep", (paragraph("deep", 2),)),
        (
            "- one\n- two\n1. three",
            (paragraph("one", 0, "-"), paragraph("two", 0, "-"), paragraph("three", 0, "1.")),
        ),
        ("```\n# not\n\n  kept\n```\n后", (Code("# not\n\n  kept"), paragraph("后"))),
        ("```\nopen", (Code("open"),)),
        ("", ()),
        ("\ufeff一\r\n\r\n二", (paragraph("一"), paragraph("二"))),
        ("#不是标题", (paragraph("#不是标题"),)),
    ],
)
def test_a_text_is_read_in_blocks(text: str, expected: tuple[Block, ...]) -> None:
    """Paragraphs, headings, breaks, quotes, items, code; a Chinese line is a paragraph of its own."""
    assert read_prose(text) == expected


def test_two_spaces_at_the_end_break_the_line() -> None:
    """Within the paragraph."""
    (block,) = read_prose("床前明月光  \n疑是地上霜")
    assert isinstance(block, Paragraph)
    assert plain_text(block.runs) == "床前明月光\n疑是地上霜"


@pytest.mark.parametrize(
    "text",
    ["*" * 50_000, "*a " * 50_000, "*(" * 20_000 + ")*" * 20_000, "`" * 1000 + "a" * 50_000,
     "[" * 50_000, "> " * 50_000, "_a" * 50_000, "- " * 50_000, "~~" * 50_000],
)  # fmt: skip
def test_hostile_texts_are_read_all_the_same(text: str) -> None:
    """In time linear in their length."""
    assert read_prose(text)
