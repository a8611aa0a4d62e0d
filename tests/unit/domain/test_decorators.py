"""Decorator lines of lorebook entries: in force, ignored, taken out."""

import time

import pytest

from huaben.domain.decorators import Decorated, Decorator, parse_decorators


def test_content_without_decorators_is_returned_as_it_is() -> None:
    """Blank lines, signs in the middle and line ends stay."""
    for content in (
        "",
        "\n\n雨夜。\n",
        "text\n@@depth 4",
        "a@@b",
        "@ x",
        "@@ x",
        "@@@@depth 1\r\n",
    ):
        assert parse_decorators(content) == Decorated(content)


def test_decorators_and_the_blank_lines_round_them_are_taken_out() -> None:
    """What is left is the text alone, its own blank lines and end included."""
    found = parse_decorators("\n@@depth 4\r\n\n@@role user\n\n\n雨夜里灯灭了。\n\n第二段\n")
    assert found.content == "雨夜里灯灭了。\n\n第二段\n"
    assert found.count("depth") == 4
    assert found.word("role") == "user"
    assert parse_decorators("@@activate").content == ""


def test_each_kind_is_read_by_its_method() -> None:
    """Flags, counts, words and lists."""
    found = parse_decorators(
        "@@activate_only_after 3\n@@is_greeting 0\n@@position before_desc\n@@depth -1\n"
        "@@ignore_on_max_context\n@@additional_keys 雨, rain\n@@additional_keys night\n"
        "@@exclude_keys sun\n@@is_user_icon Lu, the hero\n@@disable_ui_prompt system_prompt\nx"
    )
    assert found.count("activate_only_after") == 3
    assert found.count("is_greeting") == 0
    assert found.count("depth") == -1
    assert found.count("scan_depth") is None
    assert found.has("ignore_on_max_context")
    assert not found.has("keep_activate_after_match")
    assert found.lists("additional_keys") == (("雨", "rain"), ("night",))
    assert found.lists("exclude_keys") == (("sun",),)
    assert found.word("is_user_icon") == "Lu, the hero"
    assert found.word("disable_ui_prompt") == "system_prompt"
    assert found.word("position") == "before_desc"
    assert found.content == "x"


def test_the_first_of_a_repeated_name_counts() -> None:
    """A second depth is nothing."""
    assert parse_decorators("@@depth 1\n@@depth 2\nx").count("depth") == 1


@pytest.mark.parametrize(
    "line",
    ["@@unknown 4", "@@depth", "@@depth x", "@@depth 1,2", "@@role narrator", "@@position pt_x"],
)
def test_unknown_names_and_bad_values_are_ignored_and_taken_out(line: str) -> None:
    """They are kept apart for a report, and do nothing."""
    found = parse_decorators(f"{line}\n雨")
    assert found.content == "雨"
    assert found.decorators == ()
    assert len(found.ignored) == 1


@pytest.mark.parametrize("lost", range(6))
def test_a_fallback_is_used_when_all_above_it_were_ignored(lost: int) -> None:
    """Chains of at least five are followed, and end at the first that is understood."""
    chain = ["@@x_0 1", *(f"@@@x_{number} 1" for number in range(1, lost + 1))]
    found = parse_decorators(
        "\n".join([*chain, "@@@depth 2", "@@@role user", "@@role system", "x"])
    )
    assert found.decorators == (Decorator("depth", ("2",)), Decorator("role", ("system",)))


def test_a_fallback_of_a_bad_value_is_used() -> None:
    """An ignored decorator is one not understood, whatever the cause."""
    assert parse_decorators("@@depth deep\n@@@depth 3\nx").count("depth") == 3


def test_a_fallback_without_anything_above_is_ignored() -> None:
    """It has nothing to fall back from."""
    found = parse_decorators("@@@depth 3\nx")
    assert (found.decorators, found.content) == ((), "x")


def test_activate_beats_dont_activate() -> None:
    """Both present means active."""
    assert parse_decorators("@@dont_activate\n@@activate\nx").forced is True
    assert parse_decorators("@@dont_activate\nx").forced is False
    assert parse_decorators("x").forced is None


def test_a_hundred_thousand_lines_are_no_trouble() -> None:
    """Reading is linear in the content."""
    started = time.monotonic()
    lists = "@@additional_keys a\n" * 50_000
    found = parse_decorators(lists + "@@depth 1\n@@depth 2\n" * 50_000 + "@" * 100_000)
    assert len(found.decorators) == 50_001
    assert time.monotonic() - started < 30
