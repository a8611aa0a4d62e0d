"""Thinking and prompt tags: what never comes into a final text, however broken it is."""

import pytest

from huaben.domain.finaltext import final_text, format_blocks

DRAFT = "P1\n\nP2"


def tail(*spoken: str) -> str:
    """What `DRAFT` gains by this speech, without the blank line in between."""
    whole = final_text(DRAFT, spoken)
    assert whole.startswith(DRAFT)
    return whole[len(DRAFT) :].removeprefix("\n\n")


def test_a_blank_draft_takes_no_thought() -> None:
    """Thinking is cut out of speech that becomes the text, and the gap it left closes."""
    spoken = "<think>她会走吗？</think>\n\n夜雨。\n\n<notes>x</notes>\n\n她走了。"
    assert final_text("", [spoken]) == "夜雨。\n\n她走了。"
    assert final_text("", ["<think>only a thought</think>"]) == ""
    assert final_text("", ["<!-- <think> -->Rain."]) == "Rain."


def test_a_block_that_holds_a_thought_is_kept_without_it() -> None:
    """The offsets span the thought, the text does not have it."""
    text = "雨<a>1<think>x</think><!-- y -->2</a>!"
    (block,) = format_blocks(text)
    assert (block.start, block.end, block.text) == (1, len(text) - 1, "<a>12</a>")
    assert tail(text) == "<a>12</a>"


@pytest.mark.parametrize(
    "name",
    [
        *("think", "Thinking", "thought", "ANALYSIS", "cot", "notes", "reasoning", "x:thinking"),
        *("chain-of-thought", "think_2", "思考", "思考过程", "思维链", "分析", "推理"),
        *("system", "system_prompt", "system-prompt", "Jailbreak", "instructions", "提示词"),
    ],
)
def test_hidden_classes_are_no_format(name: str) -> None:
    """Thinking and prompt tags go with all they hold, tags and fences included."""
    spoken = f"<{name} a='>'>secret <a>secret</a>\n```\nsecret\n```\n</{name}>\n<b>x</b><{name}/>"
    assert tail(spoken) == "<b>x</b>"


@pytest.mark.parametrize(
    "spoken",
    [
        "<b>x</b><think>secret <a>secret</a>",
        "<b>x</b><think>secret <think>secret</think> <a>secret</a>",
        "<b>x</b><think",
        "<b>x</b><think <a>secret</a>",
        "<a>secret</a></think><b>x</b>",
        "<think>secret</think><b>x</b><think>y</think> <a>secret</a></think>",
        "<thinking><a>secret</a></think><b>x</b>",
        "<think>a <notes> b</think><b>x</b>",
        "<think>a</notes><a>secret</a></think><b>x</b>",
        "<think>a<think>b</think><a>secret</a></think><b>x</b>",
        "<b><think>secret</think>x</b>",
        "<a title='<think>secret</think>'/><b>x</b>",
        "<b>x</b>\n```\n<think>secret\n```",
        "<b>x</b><think a='</think>'>secret</think>",
    ],
)
def test_thinking_never_leaks(spoken: str) -> None:
    """Unclosed, never opened, nested, crossed or put together by a cut: no thought comes through."""
    whole = final_text(DRAFT, [spoken])
    assert "secret" not in whole
    assert "think" not in whole
    told = final_text("", [spoken])
    assert "secret" not in told
    assert "<think" not in told


@pytest.mark.parametrize(
    ("spoken", "kept"),
    [
        ("<a><th<!-- -->ink>x</a>", "<a>ink>x</a>"),
        ("<a><th<think>y</think>ink>x</a>", "<a>ink>x</a>"),
        ("<a><<!-- -->/think>x</a>", "<a>/think>x</a>"),
        ("<a><<!-- -->th<!-- -->ink>x</a>", "<a>think>x</a>"),
        ("<a><th<x<!-- -->ink>x</a>", "<a>ink>x</a>"),
        ("<a><th<!-- --><x<!-- -->ink>x</a>", "<a>ink>x</a>"),
    ],
)
def test_the_ends_of_a_cut_make_no_tag(spoken: str, kept: str) -> None:
    """What a comment or a thought kept apart does not become a thinking tag without it."""
    assert tail(spoken) == kept


def test_an_unclosed_thought_ends_with_its_reply() -> None:
    """The status bar of the next reply is kept, and so is what an earlier reply said."""
    assert tail("<a>1</a>", "<a>2</a><think>x <b>y</b>", "<a>3</a>") == (
        "<a>1</a>\n\n<a>2</a>\n\n<a>3</a>"
    )
    assert tail("<a>1</a>", "<a>2</a></think><a>3</a>") == "<a>1</a>\n\n<a>3</a>"


def test_a_thought_may_go_on_over_replies() -> None:
    """What opens in one reply and closes two later hides all between."""
    assert tail("<think>a", "<a>1</a>", "b</think><a>2</a>") == "<a>2</a>"


def test_half_a_prompt_tag_hides_only_itself() -> None:
    """The system that speaks in a story, its tag never closed, does not swallow the status bar."""
    assert tail("<System> Level up! <a>1</a>") == "<a>1</a>"
    assert tail("<a>1</a></system>") == "<a>1</a>"
    assert tail("<a>1</a><system>x<think>y</think><b>z</b>") == "<a>1</a>\n\n<b>z</b>"


def test_a_cut_leaves_other_signs_alone() -> None:
    """Only a half tag that the cut would complete goes with it."""
    assert final_text("", ["x <y<think>z</think> w"]) == "x <y w"
    assert final_text("", ["x <y<think>z</think>w"]) == "x w"
