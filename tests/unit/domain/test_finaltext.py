"""The final text: what is kept of the speech behind a draft."""

from collections.abc import Sequence

import pytest

from huaben.domain.finaltext import Block, dedupe_blocks, final_text, format_blocks

DRAFT = "P1\n\nP2"
INN = "夜雨敲着客栈的窗。\n\n沈青推开门，抖落斗笠上的水。"


def tail(*spoken: str) -> str:
    """What `DRAFT` gains by this speech, without the blank line in between."""
    whole = final_text(DRAFT, spoken)
    assert whole.startswith(DRAFT)
    return whole[len(DRAFT) :].removeprefix("\n\n")


def shapes(text: str) -> list[tuple[str, str, str]]:
    return [(block.kind, block.name, block.text) for block in format_blocks(text)]


@pytest.mark.parametrize(
    ("spoken", "whole"),
    [
        pytest.param("P1 and P2, retold.", "P1\n\nP2", id="a retelling"),
        pytest.param(
            "<status>mood +2 | place: inn</status>",
            "P1\n\nP2\n\n<status>mood +2 | place: inn</status>",
            id="a status bar",
        ),
        pytest.param(
            "<bar>x</bar><content>P1\n\nP2</content>",
            "P1\n\nP2\n\n<bar>x</bar>",
            id="a bar and the draft in content tags",
        ),
    ],
)
def test_worked_examples_come_out_byte_for_byte(spoken: str, whole: str) -> None:
    """The three examples of the design give exactly these bytes."""
    assert final_text("P1\n\nP2", [spoken]) == whole


@pytest.mark.parametrize(
    "spoken",
    [
        [],
        [""],
        [" \n", "\u3000"],
        [INN],
        [f"\n{INN}\n"],
        ["沈青推开门"],
        ["写好了，请过目。"],
        ["Done. She said “a < b”, <3, 1 <2> 3 <- and <https://inn.example/a>."],
    ],
)
def test_speech_without_a_block_leaves_the_draft(spoken: Sequence[str]) -> None:
    """Nothing, the draft again, a part of it and free prose all give the draft as it is."""
    assert final_text(INN, spoken) == INN


def test_a_blank_draft_takes_the_speech() -> None:
    """Where nothing was written, what was spoken is the text, its indents and comments with it."""
    assert final_text("", ["　　夜雨。", "他说：<b>走</b>。<!-- hp 3 -->"]) == (
        "　　夜雨。\n\n他说：<b>走</b>。<!-- hp 3 -->"
    )
    assert final_text(" \n", ["Rain."]) == "Rain."
    assert final_text(" \n", [" "]) == " \n"
    assert final_text("", []) == ""


def test_a_blank_draft_takes_no_block_twice() -> None:
    """Identical blocks of spoken prose appear once."""
    spoken = "<状态>雨</状态>\n\n夜雨。\n\n<状态>雨</状态>\n\n她走了。\n\n<状态>雨</状态>"
    assert final_text("", [spoken]) == "<状态>雨</状态>\n\n夜雨。\n\n她走了。"


def test_a_repeated_draft_is_stripped_from_the_front() -> None:
    """Blocks of the repetition are the draft's own; what follows is the tail."""
    draft = "夜雨。<b>走</b>\n\n<mood>冷</mood>"
    assert final_text(draft, [f"\n{draft}\n<mood>暖</mood>"]) == f"{draft}\n\n<mood>暖</mood>"
    assert final_text(draft, ["<think>a</think>" + draft, "<x/>"]) == f"{draft}\n\n<x/>"


def test_a_repetition_with_comments_is_one_too() -> None:
    """Comments and thoughts within the draft do not hide that it was repeated."""
    draft = "Rain. <!-- wet --><b>Go</b>"
    assert final_text(draft, [draft + "\n<mood>cold</mood>"]) == draft + "\n\n<mood>cold</mood>"


def test_a_repetition_in_the_middle_is_not_cut() -> None:
    """A block that quotes the draft keeps the quotation."""
    assert tail(f"Here: <quote>{DRAFT}</quote>") == f"<quote>{DRAFT}</quote>"


def test_marks_behind_a_repetition_are_still_in_the_middle_of_a_line() -> None:
    """Stripping the draft does not make a line start."""
    assert tail(DRAFT + "```\nx\n```") == ""
    assert tail(DRAFT + "\n```\nx\n```") == "```\nx\n```"


def test_blocks_are_kept_in_order_without_the_prose_around_them() -> None:
    """Pairs, single tags and fences stay, each behind a blank line; words between them go."""
    spoken = "Here.\n<状态栏>雨</状态栏> and\n```yaml\nhp: 3\n```\nthen <img src='a.png'/> bye"
    assert tail(spoken, "<opt>1</opt>") == (
        "<状态栏>雨</状态栏>\n\n```yaml\nhp: 3\n```\n\n<img src='a.png'/>\n\n<opt>1</opt>"
    )


def test_pieces_are_one_text() -> None:
    """A pair may open in one reply and close in the next, with a blank line in between."""
    assert tail("<a>1", " ", "2</a>") == "<a>1\n\n2</a>"


@pytest.mark.parametrize(
    ("draft", "gap"),
    [
        ("Rain.", "\n\n"),
        ("Rain.\n", "\n"),
        ("Rain.\n\n", ""),
        ("Rain.\r\n", "\n"),
        ("Rain. ", "\n\n"),
    ],
)
def test_one_blank_line_parts_draft_and_tail(draft: str, gap: str) -> None:
    """Line ends that the draft has already are used, never rewritten."""
    assert final_text(draft, ["<a>1</a>"]) == f"{draft}{gap}<a>1</a>"


def test_identical_blocks_appear_once() -> None:
    """A block that the tail or the draft has already is not added again."""
    assert tail("<a>1</a><a>2</a><a>1</a>", "<a>1</a>") == "<a>1</a>\n\n<a>2</a>"
    assert final_text("雨 <a>1</a>", ["<a>1</a> <a>2</a>"]) == "雨 <a>1</a>\n\n<a>2</a>"


def test_many_newlines_become_two() -> None:
    """Runs of three and more shrink in the tail, by their own line ends; the draft keeps its own."""
    assert tail("<a>1\n\n\n\n2\n\n3</a>") == "<a>1\n\n2\n\n3</a>"
    assert tail("<a>1\r\n\r\n\r\n2</a>") == "<a>1\r\n\r\n2</a>"
    assert final_text("a\n\n\nb", ["<a/>"]) == "a\n\n\nb\n\n<a/>"
    assert tail("<a>1\n\n2</a>", "<a>1\n\n\n2</a>") == "<a>1\n\n2</a>"


@pytest.mark.parametrize(
    "block",
    [
        "<状态栏>雨</状态栏>",
        "<状态（一）>雨</状态（一）>",
        "<📜log>x</📜log>",
        "<a-b_c:d.2>x</a-b_c:d.2>",
        "<_x>y</_x >",
        "<Status>x</sTATUS>",
        "<系统>叮！</系统>",
        "<system_status>hp 3</system_status>",
        "<notes-panel/>",
        "<br/>",
        "<br />",
        '<bar title="a > b" x=\'</bar>\' y = "/">x</bar>',
        "<name is=O'Neil>x</name>",
        "<card\n  id=1\n>x</card>",
        "<a></a>",
        "<p>1 < 2 <3 <- <b> unclosed</p>",
    ],
)
def test_names_and_attributes_of_any_kind_make_a_tag(block: str) -> None:
    """Chinese and decorated names, quoted `>` and line breaks are read whole."""
    assert tail(f"prose {block} prose") == block


@pytest.mark.parametrize(
    "spoken",
    [
        "<status>never closed",
        "closed only</status>",
        "a <b or c",
        "<3>x</3> <-a>x</-a> < a>x</ a> <>x</>",
        '<bar title="no end>x</bar>',
        "<https://inn.example/x>y</https:>",
        "<status",
        "</status/>",
        "<a b=<c>x</a>",
    ],
)
def test_what_is_no_closed_tag_is_dropped(spoken: str) -> None:
    """Unclosed tags, stray ends and signs that only look like tags leave nothing."""
    assert tail(spoken) == ""


def test_an_unclosed_tag_does_not_take_others_with_it() -> None:
    """Closed blocks behind or within an unclosed tag stay."""
    assert tail("I add <status> now: <bar>x</bar>\n<status>y</status>") == (
        "<bar>x</bar>\n\n<status>y</status>"
    )


def test_a_pair_holds_its_inner_tags() -> None:
    """The outermost pair is the block, of one name or several, crossed ones included."""
    nested = "<div><div>1</div><img/></div>"
    assert shapes(f"{nested}<a><b>x</a>y</b>") == [
        ("pair", "div", nested),
        ("pair", "a", "<a><b>x</a>"),
    ]


def test_blocks_have_their_places_in_the_text() -> None:
    """Offsets are code points of the text that was given, hidden stretches counted."""
    text = "雨🌙<think>x</think><A n='1'>2</A>\n~~~\nx\n~~~ \n<i/>"
    blocks = format_blocks(text)
    assert [(block.kind, block.name) for block in blocks] == [
        ("pair", "a"),
        ("fence", ""),
        ("single", "i"),
    ]
    assert [text[block.start : block.end] for block in blocks] == [b.text for b in blocks]
    assert format_blocks("<x/>") == (Block("single", "x", 0, 4, "<x/>"),)


@pytest.mark.parametrize(
    "fence",
    [
        "```\nhp: 3\n```",
        "   ```yaml\nhp: 3\n  ```",
        "~~~ a`b\nhp: 3\n~~~~",
        "````\n```\nx\n```\n````",
        "```\r\nhp: 3\r\n```",
        "~~~\n```\n~~~",
        "```html\n<a>x</a>\n<b>\n```",
        "```\n```",
    ],
)
def test_closed_fences_at_a_line_start_are_blocks(fence: str) -> None:
    """Three marks or more, up to three spaces in front, closed by at least as many."""
    assert tail(f"prose\n{fence}  \nprose") == fence


@pytest.mark.parametrize(
    "spoken",
    [
        "prose ```\nx\n```",
        "```x```",
        "```a`b\nx\n```",
        "    ```\nx\n    ```",
        "``\nx\n``",
        "````\nx\n```",
        "```\nx\n~~~",
        "```\nx\n``` y",
        "```\nnever closed",
    ],
)
def test_other_marks_are_not_fences(spoken: str) -> None:
    """Marks within a line, too few, indented or without their end leave nothing."""
    assert tail(spoken) == ""


def test_an_unclosed_fence_hides_nothing() -> None:
    """A status bar behind a fence that was never closed is still kept."""
    assert tail("```\n<a>x</a>") == "<a>x</a>"


def test_a_fence_is_opaque_to_tags() -> None:
    """A pair holds a whole fence; an end within a fence closes nothing outside."""
    assert tail("<a>\n```\n</a>\n```\n</a>") == "<a>\n```\n</a>\n```\n</a>"
    assert tail("<a>\n```\n</a>\n```\n") == "```\n</a>\n```"


def test_comments_are_removed_first() -> None:
    """A block in a comment is none, a comment in a block is cut, one across replies counts."""
    assert tail("<!-- <a>1</a> --><b>2<!-- x -->3</b>") == "<b>23</b>"
    assert tail("<!-- <a>1</a>", "--><b>2</b>") == "<b>2</b>"
    assert tail("<!-- <think> --><a>1</a>") == "<a>1</a>"
    assert tail("<!--><a>1</a>") == "<a>1</a>"


def test_an_unclosed_comment_is_words() -> None:
    """What follows it is read as ever."""
    assert tail("<!-- <a>1</a>") == "<a>1</a>"
    assert final_text("", ["雨 <!-- 雨<think>x</think>停"]) == "雨 <!-- 雨停"


@pytest.mark.parametrize(
    ("content", "left"),
    [
        ("P1\n\nP2", ""),
        ("\nP2\n", ""),
        ("", ""),
        ("P2\n\nP3", "<content>P3</content>"),
        ("\nP1\n\nP2\n\n　　P3\n", "<content>\n　　P3\n</content>"),
        ("P2\n<a>1</a>", "<content><a>1</a></content>"),
        ("P3", "<content>P3</content>"),
        ("P0\n\nP1\n\nP2", "<content>P0\n\nP1\n\nP2</content>"),
        ("P1\n\nP3", "<content>P1\n\nP3</content>"),
    ],
)
def test_content_loses_its_overlap_with_the_end(content: str, left: str) -> None:
    """The longest start that repeats the end of the draft goes; nothing left, no block."""
    assert tail(f"<content>{content}</content>") == left


def test_the_overlap_is_the_longest() -> None:
    """Where shorter ends fit too, the longest one counts."""
    assert final_text("雨雨晴雨雨", ["<Content id='1'>雨雨晴雨雨雨</Content>"]) == (
        "雨雨晴雨雨\n\n<Content id='1'>雨</Content>"
    )
    assert final_text("aabaabaa", ["<content>aabaac</content>"]) == (
        "aabaabaa\n\n<content>c</content>"
    )


def test_a_lone_sign_is_no_overlap() -> None:
    """The asterisk or quotation mark that opens the next sentence is not taken for a repetition."""
    for sign in ('"', "*", "”"):
        block = f"<content>{sign}Go{sign}</content>"
        assert final_text(f"{sign}Stay{sign}", [block]) == f"{sign}Stay{sign}\n\n{block}"


def test_other_blocks_keep_what_repeats_the_draft() -> None:
    """Only `<content>` is compared with the end of the draft."""
    assert tail("<recap>P2</recap>") == "<recap>P2</recap>"


def test_dedupe_leaves_other_text_alone() -> None:
    """Without a second block the text is as it was, but for runs of newlines."""
    assert dedupe_blocks("\n雨 <a>1</a>\n<a>2</a>\n") == "\n雨 <a>1</a>\n<a>2</a>\n"
    assert dedupe_blocks("a\n\n\n\nb") == "a\n\nb"
    assert dedupe_blocks("a\n```\nx\n```\nb\n```\nx\n```\n\nc") == "a\n```\nx\n```\nb\n\nc"


def test_dedupe_keeps_emphasis_in_prose() -> None:
    """Two words in the same italics are prose; two equal status bars are not."""
    prose = "<i>嗯。</i>她说。\n他答：<i>嗯。</i>\nA<br/>B<br/>C"
    kept = "<i>嗯。</i>她说。\n他答：<i>嗯。</i>\nA<br/>B"
    assert (
        dedupe_blocks("<i>嗯。</i>她说。\n他答：<i>嗯。</i>")
        == "<i>嗯。</i>她说。\n他答：<i>嗯。</i>"
    )
    assert dedupe_blocks(prose).startswith(kept)
    assert dedupe_blocks("<b>1</b>\n雨\n<b>1</b>") == "<b>1</b>\n雨"
