"""Decorators at the head of an entry: obeyed, stripped, or named."""

from dataclasses import replace

import pytest

from huaben.domain.lore import ChosenBy, OutBy, Position, Role, Scan
from tests.builders.lore_turns import ROOMY, keyed, replies, spoken, turn

EXACT = replace(ROOMY, exact=True)


@pytest.mark.parametrize("settings", [ROOMY, EXACT])
def test_activate_beats_keys_and_dont_activate_beats_constants(settings: object) -> None:
    """The two that SillyTavern obeys as well; decorators never reach the prompt."""
    entries = [
        keyed(0, "moon", content="@@activate\n\nThe moon."),
        keyed(1, "x", content="@@dont_activate\nx", constant=True),
        keyed(2, "x", content="@@depth 2\nThe sea."),
        keyed(3, content="@@activate\nx", enabled=False),
    ]
    found = turn(entries, "x", ROOMY if settings is ROOMY else EXACT)
    assert [(each.entry.uid, each.text) for each in found.selection.chosen] == [
        (0, "The moon."),
        (2, "The sea."),
    ]
    assert found.chosen(0).reason is ChosenBy.DECORATOR
    assert found.out == {1: OutBy.DONT_ACTIVATE, 3: OutBy.DISABLED}


def test_place_depth_and_role_are_taken_over() -> None:
    """On the entry of the result; the book's own entry is not changed."""
    entries = [
        keyed(0, "x", content="@@depth 2\n@@role assistant\na"),
        keyed(1, "x", content="@@position after_desc\na"),
        keyed(2, "x", content="@@depth -3\na"),
        keyed(3, "x", content="@@end\na"),
    ]
    found = turn(entries, "x")
    first = found.chosen(0).entry
    assert (first.position, first.depth, first.role) == (Position.AT_DEPTH, 2, Role.ASSISTANT)
    assert found.chosen(1).entry.position is Position.AFTER_CHAR
    assert [found.chosen(uid).entry.depth for uid in (2, 3)] == [0, 0]
    assert turn(entries, "x", EXACT).chosen(0).entry == entries[0]


def test_a_window_of_its_own() -> None:
    """`scan_depth` counts this turn's words as a message."""
    scan = Scan(messages=spoken("sea", "moon"), words="x")
    entries = [
        keyed(0, "sea", content="@@scan_depth 2\na"),
        keyed(1, "sea", content="@@scan_depth 3\na"),
    ]
    assert turn(entries, scan).uids == [1]


def test_additional_and_excluded_keys() -> None:
    """Of each list of additional keys one must be found, of the excluded none."""
    content = "@@additional_keys 海, sea\n@@additional_keys storm\n@@exclude_keys harbour\na"
    entry = keyed(0, "x", content=content)
    assert turn([entry], "x 大海 storm").uids == [0]
    assert turn([entry], "x sea").out == {0: OutBy.REQUIRED}
    assert turn([entry], "x sea storm harbour").out == {0: OutBy.FORBIDDEN}
    every = keyed(0, "x", content="@@exclude_keys_all a, b\nc")
    assert turn([every], "x a").uids == [0]
    assert turn([every], "x a b").out == {0: OutBy.FORBIDDEN}


@pytest.mark.parametrize(
    ("line", "count", "out"),
    [
        ("@@activate_only_after 3", 2, OutBy.TOO_EARLY),
        ("@@activate_only_after 3", 3, None),
        ("@@activate_only_every 2", 3, OutBy.NOT_THIS_TURN),
        ("@@activate_only_every 2", 4, None),
        ("@@activate_only_every 0", 3, None),
    ],
)
def test_an_entry_can_keep_to_some_turns(line: str, count: int, out: OutBy | None) -> None:
    """Counted in replies, which are the messages that are not the user's."""
    found = turn([keyed(0, "x", content=f"{line}\na")], replies(count))
    assert found.out.get(0) is out


def test_an_entry_can_belong_to_one_greeting() -> None:
    """Where it is known which greeting the chat began with."""
    entry = keyed(0, "x", content="@@is_greeting 1\na")
    assert turn([entry], Scan(words="x", greeting=1)).uids == [0]
    assert turn([entry], Scan(words="x", greeting=0)).out == {0: OutBy.GREETING}
    assert turn([entry], Scan(words="x")).uids == [0]


def test_what_risuai_adds_is_obeyed_where_an_entry_has_a_field_for_it() -> None:
    """Chance, ways of matching, and a part in recursion."""
    entries = [
        keyed(0, "x", content="@@probability 0\na"),
        keyed(1, "se", content="@@match_partial_word\na"),
        keyed(2, "se", content="@@match_full_word\na", whole_words=False),
        keyed(3, "x", content="@@unrecursive\ncalls k"),
        keyed(4, "k"),
        keyed(5, "x", content="calls j"),
        keyed(6, "j", content="@@no_recursive_search\na"),
        keyed(7, "x", content="@@priority 7\na"),
    ]
    found = turn(entries, "x sea")
    assert found.uids == [1, 3, 5, 7]
    assert found.chosen(7).entry.priority == 7
    assert found.out == {
        0: OutBy.PROBABILITY,
        2: OutBy.NO_MATCH,
        4: OutBy.NO_MATCH,
        6: OutBy.RECURSION_EXCLUDED,
    }


def test_what_is_not_obeyed_is_named_when_its_entry_speaks() -> None:
    """Unknown decorators, and those that need what a prompt here has not."""
    content = "@@reverse_depth 2\n@@position scenario\n@@is_user_icon me.png\n@@sing loudly\na"
    found = turn([keyed(0, "x", content=content), keyed(1, "y", content=content)], "x")
    assert found.chosen(0).text == "a"
    assert [(each.code, each.ref, each.detail) for each in found.selection.warnings] == [
        ("decorator_not_honoured", "0/0", "reverse_depth"),
        ("decorator_not_honoured", "0/0", "is_user_icon"),
        ("decorator_not_honoured", "0/0", "position scenario"),
        ("decorator_not_honoured", "0/0", "sing loudly"),
    ]
