"""Messages arranged so that a provider accepts them and nothing is lost."""

from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from huaben.adapters.models.shaping import BLANK_RESULT, NOT_RUN, OPENING, shaped
from huaben.domain.connection import Alternation
from huaben.domain.messages import (
    Assistant,
    Message,
    System,
    Thinking,
    ToolCall,
    ToolResult,
    User,
)

READ = ToolCall("a", "draft_read", "{}")
WRITE = ToolCall("b", "draft_write", "{}")
ODD: Sequence[Message] = (
    System("规则"),
    System("Card"),
    Assistant("开场"),
    Assistant("又一句"),
    User("走"),
    System("note"),
)


@pytest.mark.parametrize(
    ("alternation", "expected"),
    [
        ("as_is", [*ODD]),
        (
            "merge",
            [System("规则\n\nCard"), Assistant("开场\n\n又一句"), User("走"), System("note")],
        ),
        ("semi", [System("规则\n\nCard"), Assistant("开场\n\n又一句"), User("走\n\nnote")]),
        (
            "strict",
            [
                System("规则\n\nCard"),
                User(OPENING),
                Assistant("开场\n\n又一句"),
                User("走\n\nnote"),
            ],
        ),
    ],
)
def test_roles_are_arranged_as_the_provider_demands(
    alternation: Alternation, expected: list[Message]
) -> None:
    """Neighbours merge, one system message leads, a user begins: each demand on top of the last
    (T16)."""
    assert shaped(ODD, alternation) == expected


def test_thought_is_merged_with_its_messages() -> None:
    """Merging assistant messages keeps what either thought (T13)."""
    first = Assistant("a", thinking=Thinking("one", "reasoning", {"x": 1}))
    second = Assistant("b", (READ,), Thinking("two", "reasoning", {"y": 2}))
    merged = shaped([first, second, ToolResult("a", "draft_read", "文")], "merge")[0]
    assert merged == Assistant(
        "a\n\nb", (READ,), Thinking("one\n\ntwo", "reasoning", {"x": 1, "y": 2})
    )


def test_blank_messages_are_left_out() -> None:
    """No empty text block is sent; a message that only calls is not empty."""
    blank: list[Message] = [System(""), User(" \n"), Assistant("")]
    calling = Assistant("", (READ,))
    result = ToolResult("a", "draft_read", "文")
    assert shaped([*blank, User("走"), calling, result], "as_is") == [User("走"), calling, result]


def test_a_final_assistant_message_ends_without_white_space() -> None:
    """Only the last one: what stands inside the history keeps its bytes."""
    history: list[Message] = [Assistant("开场 \n"), User("走 \n")]
    assert shaped(history, "as_is") == history
    assert shaped([User("走"), Assistant("雨 \n")], "as_is")[-1] == Assistant("雨")


def test_every_call_has_its_result_right_after_it() -> None:
    """Results are brought to their calls in the order of the calls; a missing one is said so."""
    late: list[Message] = [
        Assistant("", (READ, WRITE)),
        User("走"),
        ToolResult("b", "draft_write", "ok"),
    ]
    assert shaped(late, "as_is") == [
        Assistant("", (READ, WRITE)),
        ToolResult("a", "draft_read", NOT_RUN),
        ToolResult("b", "draft_write", "ok"),
        User("走"),
    ]


def test_ids_that_come_again_belong_to_the_latest_reply() -> None:
    """Servers that call every reply's first call `a` are answered reply by reply."""
    messages: list[Message] = [
        Assistant("", (READ,)),
        ToolResult("a", "draft_read", "one"),
        Assistant("", (READ,)),
        ToolResult("a", "draft_read", "two"),
    ]
    assert shaped(messages, "strict")[1:] == messages


def test_a_result_without_its_call_is_kept_as_words() -> None:
    """What no call asked for is refused as a result, but not dropped in silence."""
    alone = ToolResult("z", "lorebook_read", "旧伞")
    assert shaped([alone, Assistant("", (READ,)), alone], "as_is") == [
        User("[lorebook_read] 旧伞"),
        Assistant("", (READ,)),
        ToolResult("a", "draft_read", NOT_RUN),
        User("[lorebook_read] 旧伞"),
    ]


def test_an_empty_result_is_sent_as_such() -> None:
    """A tool that had nothing to say still answers."""
    found = shaped([Assistant("", (READ,)), ToolResult("a", "draft_read", "")], "as_is")
    assert found[1] == ToolResult("a", "draft_read", BLANK_RESULT)


MESSAGES = st.one_of(
    st.builds(System, st.text(max_size=3)),
    st.builds(User, st.text(max_size=3)),
    st.builds(Assistant, st.text(max_size=3)),
    st.builds(Assistant, st.text(max_size=3), st.sampled_from([(READ,), (READ, WRITE)])),
    st.builds(ToolResult, st.sampled_from("abz"), st.just("t"), st.text(max_size=3)),
)


@given(st.lists(MESSAGES, max_size=8))
def test_any_conversation_ends_up_strictly_alternating(messages: list[Message]) -> None:
    """After the system message user and assistant take turns, results aside."""
    found = shaped(messages, "strict")
    assert [type(message) for message in found[1:]].count(System) == 0
    spoken = [type(m) for m in found if not isinstance(m, System | ToolResult)]
    assert spoken[:1] == [User]
    for n, message in enumerate(found[1:], 1):
        same = type(message) is type(found[n - 1])
        assert not same or isinstance(message, ToolResult)


@given(st.lists(MESSAGES, max_size=6))
def test_shaping_twice_changes_nothing(messages: list[Message]) -> None:
    """What was shaped is in shape."""
    once = shaped(messages, "strict")
    assert shaped(once, "strict") == once


def test_what_comes_later_changes_nothing_before_it() -> None:
    """A turn's next request begins with all messages of the one before it."""
    turn: list[Message] = [
        System("规则"),
        Assistant("开场"),
        User("走"),
        Assistant("", (READ,)),
        ToolResult("a", "draft_read", "文"),
        Assistant("嗯", (WRITE,)),
        ToolResult("b", "draft_write", "ok"),
    ]
    modes: tuple[Alternation, ...] = ("as_is", "merge", "semi", "strict")
    for mode in modes:
        earlier, later = shaped(turn[:5], mode), shaped(turn, mode)
        assert later[: len(earlier)] == earlier
