"""What fits: tokens, numbers of entries, and who goes first when not all fit."""

from dataclasses import replace

import pytest

from huaben.domain.lore import (
    Book,
    ChosenBy,
    LoreSettings,
    OutBy,
    Recursion,
    sillytavern,
    sillytavern_budget,
)
from tests.builders.lore_turns import ROOMY, keyed, turn

TEN = "x" * 10


def budget(tokens: int, **changed: object) -> LoreSettings:
    """Settings with a budget in characters, as the tests count."""
    return replace(LoreSettings(budget=tokens), **changed)


def test_the_entry_that_reaches_the_budget_is_out_and_all_after_it() -> None:
    """No later, smaller one is tried; equal to the budget is over it (SillyTavern's rule)."""
    entries = [
        keyed(0, "x", content=TEN, order=3),
        keyed(1, "x", content=TEN, order=2),
        keyed(2, "x", content="y", order=1),
    ]
    found = turn(entries, "x", budget(20))
    assert (found.uids, found.out) == ([0], {1: OutBy.BUDGET, 2: OutBy.BUDGET})
    assert found.left_out(1).detail == "10 + 10 tokens of 20"
    assert turn(entries, "x", budget(21)).uids == [0, 1]


def test_what_does_not_fit_can_be_passed_over() -> None:
    """With `skip` a smaller one after it is tried."""
    entries = [
        keyed(0, "x", content=TEN, order=3),
        keyed(1, "x", content=TEN, order=2),
        keyed(2, "x", content="y", order=1),
    ]
    assert turn(entries, "x", budget(20, overflow="skip")).uids == [0, 2]


def test_an_entry_may_ignore_the_budget() -> None:
    """It is in though others are out, and its tokens count for those after it."""
    entries = [
        keyed(0, "x", content=TEN, order=3, ignore_budget=True),
        keyed(1, "x", content="y", order=2),
        keyed(2, "x", content=TEN, order=1, ignore_budget=True),
    ]
    assert turn(entries, "x", budget(5)).uids == [0, 2]


def test_once_the_budget_is_reached_nothing_recurses() -> None:
    """A later pass would find no room."""
    entries = [keyed(0, "x", content="y"), keyed(1, "x", content=TEN), keyed(2, "y")]
    assert turn(entries, "x", budget(8)).out == {1: OutBy.BUDGET, 2: OutBy.NO_MATCH}


def test_the_number_of_entries_can_be_limited() -> None:
    """By order, over all passes, and 0 is no limit."""
    entries = [keyed(at, "x", content=f"k{at}", order=at) for at in range(4)]
    found = turn(entries, "x", replace(ROOMY, max_entries=2))
    assert (found.uids, found.out) == ([3, 2], {1: OutBy.MAX_ENTRIES, 0: OutBy.MAX_ENTRIES})


def test_a_book_keeps_to_its_own_budget() -> None:
    """Its entries beyond it are out and other books' are not; exact matching reads past it."""
    book = Book("b", (keyed(0, "x", content=TEN), keyed(1, "x", content=TEN)), token_budget=15)
    other = Book("c", (keyed(2, "x", content=TEN),))
    found = turn([book, other], "x")
    assert (found.uids, found.out) == ([0, 2], {1: OutBy.BOOK_BUDGET})
    assert turn([replace(book, exact=True), other], "x").uids == [0, 1, 2]
    assert turn([replace(book, token_budget=0), other], "x").uids == [0, 1, 2]


CONSTANT = keyed(0, constant=True, content=TEN, order=1)
KEYED = keyed(1, "x", content=TEN, order=9)


def test_l19_a_constant_may_fall_out_of_the_budget_and_is_named() -> None:
    """By default constants queue like the others, as SillyTavern does, with a warning."""
    found = turn([CONSTANT, KEYED], "x", budget(15))
    assert (found.uids, found.out) == ([1], {0: OutBy.BUDGET})
    assert [(each.code, each.ref) for each in found.selection.warnings] == [
        ("constant_over_budget", "0/0")
    ]


def test_l19_constants_can_go_first() -> None:
    """What SillyTavern's documentation says, by a switch."""
    found = turn([CONSTANT, KEYED], "x", budget(15, constants="first"))
    assert (found.uids, found.out) == ([0], {1: OutBy.BUDGET})
    assert found.selection.warnings == ()


def test_constants_of_the_system_prefix_cost_nothing_here() -> None:
    """They are marked, counted, and take neither budget nor number from the others."""
    entries = [CONSTANT, KEYED, replace(CONSTANT, uid=2, probability=99.99)]
    found = turn(entries, "x", budget(15, constants="resident", max_entries=1))
    assert [(each.entry.uid, each.resident) for each in found.selection.chosen] == [
        (0, True),
        (2, False),
    ]
    assert found.chosen(0).tokens == 10
    assert found.out == {1: OutBy.MAX_ENTRIES}


def test_decorators_that_yield_go_last() -> None:
    """`@@ignore_on_max_context` gives way to every other entry."""
    entries = [
        keyed(0, "x", content=f"@@ignore_on_max_context\n{TEN}", order=9),
        keyed(1, "x", content=TEN, order=1),
    ]
    assert turn(entries, "x").uids == [1, 0]
    assert turn(entries, "x", budget(15)).uids == [1]
    assert turn(entries, "x", replace(ROOMY, exact=True)).uids == [0, 1]


def test_a_failed_roll_costs_nothing_and_is_final() -> None:
    """It is out for the whole evaluation, however often it is called, and frees its place."""
    entries = [
        keyed(0, "x", content=TEN, probability=0, order=9),
        keyed(1, "x", content=f"again x {TEN}"),
        keyed(2, "again", content="y", recursion=Recursion(prevents=True)),
    ]
    found = turn(entries, "x", budget(30))
    assert (found.uids, found.out) == ([1, 2], {0: OutBy.PROBABILITY})
    assert found.left_out(0).detail.endswith("needed below 0")


@pytest.mark.parametrize(
    ("percent", "context", "cap", "tokens"),
    [(25, 8192, 0, 2048), (25, 8192, 500, 500), (0, 8192, 0, 1), (25, 2, 0, 1), (50, 3, 0, 2)],
)
def test_sillytaverns_budget_is_a_share_of_the_context(
    percent: float, context: int, cap: int, tokens: int
) -> None:
    """Rounded half up, at least 1, then the cap."""
    assert sillytavern_budget(percent, context, cap) == tokens


def test_sillytaverns_settings_are_those_of_a_new_user() -> None:
    """Exact, two messages, a quarter of the context, whole words, recursion."""
    settings = sillytavern(4096)
    assert (settings.exact, settings.scan_depth, settings.budget) == (True, 2, 1024)
    assert (settings.whole_words, settings.recursive, settings.constants) == (
        True,
        True,
        "budgeted",
    )


def test_the_trace_tells_constant_from_key() -> None:
    """A constant whose key stands in the text is there because it is constant."""
    entry = keyed(0, "x", constant=True)
    assert turn([entry], "x").chosen(0).reason is ChosenBy.CONSTANT
