"""Entries that call each other, delayed levels, and the search for a least number of entries."""

from dataclasses import replace
from itertools import pairwise

import pytest

from huaben.domain.lore import Book, Entry, Logic, LoreSettings, OutBy, Recursion, Scan
from tests.builders.lore_turns import ROOMY, Turn, keyed, spoken, turn


def chain(length: int) -> list[Entry]:
    """Entries of which each calls the next."""
    return [keyed(at, f"k{at}", content=f"k{at + 1}") for at in range(length)]


def test_l13_entries_that_call_each_other_are_chosen_once() -> None:
    """A calls B, B calls A, C calls itself: each once, and the turn ends."""
    entries = [
        keyed(0, "a", content="b"),
        keyed(1, "b", content="a"),
        keyed(2, "a", content="a, a and a"),
    ]
    found = turn(entries, "a")
    assert found.uids == [0, 2, 1]
    assert found.chosen(1).where == "recursion 0/0"
    assert [found.chosen(uid).step for uid in (0, 2, 1)] == [1, 1, 2]


def test_l13_a_chain_of_ten_thousand_entries_comes_to_its_end() -> None:
    """Every link is found, one pass each."""
    assert len(turn(chain(10_000), "k0").uids) == 10_000


@pytest.mark.parametrize(("steps", "reached"), [(1, 1), (2, 2), (50, 50), (0, 200)])
def test_l13_the_number_of_passes_can_be_limited(steps: int, reached: int) -> None:
    """The first pass counts: a limit of 1 is no recursion."""
    settings = replace(ROOMY, max_recursion_steps=steps)
    assert len(turn(chain(200), "k0", settings).uids) == reached


def test_l13_the_budget_ends_a_chain() -> None:
    """What does not fit is named, and nothing is called after it."""
    found = turn(chain(200), "k0", LoreSettings(budget=30))
    assert found.uids == list(range(12))
    assert found.out[12] is OutBy.BUDGET
    assert found.out[13] is OutBy.NO_MATCH


def test_without_recursion_only_the_chat_is_scanned() -> None:
    """By the settings, or by a card's book of its own that says so (not where matching is exact)."""
    off = replace(ROOMY, recursive=False)
    assert turn(chain(3), "k0", off).uids == [0]
    closed = Book("b", tuple(chain(3)), recursive=False)
    assert turn([closed], "k0").uids == [0]
    assert turn([replace(closed, exact=True)], "k0").uids == [0, 1, 2]
    assert turn([replace(closed, recursive=True)], "k0").uids == [0, 1, 2]


def test_l14_an_entry_excluded_from_recursion_needs_the_chat() -> None:
    """Hit only through another's content it stays out; hit by the chat it is in."""
    entries = [
        keyed(0, "a", content="b"),
        keyed(1, "b", recursion=Recursion(excluded=True)),
    ]
    assert turn(entries, "a").out == {1: OutBy.RECURSION_EXCLUDED}
    assert turn(entries, "a b").uids == [0, 1]


def test_l14_an_entry_that_prevents_recursion_calls_nobody() -> None:
    """Its content is not scanned, alone or beside others."""
    quiet = keyed(0, "a", content="b", recursion=Recursion(prevents=True))
    entries = [quiet, keyed(1, "b"), keyed(2, "a", content="c"), keyed(3, "c")]
    found = turn(entries, "a")
    assert (found.uids, found.out) == ([0, 2, 3], {1: OutBy.NO_MATCH})


def test_l14_delayed_levels_open_one_after_another() -> None:
    """Level 1 in the first recursion, level 3 when nothing new happens any more."""
    entries = [
        keyed(0, "a", content="b"),
        keyed(1, "a", recursion=Recursion(delay_level=3)),
        keyed(2, "a", recursion=Recursion(delay_level=1)),
        keyed(3, "b", content="c"),
        keyed(4, "c"),
    ]
    found = turn(entries, "a")
    assert found.uids == [0, 2, 3, 4, 1]
    assert [found.chosen(uid).step for uid in found.uids] == [1, 2, 2, 3, 5]


def test_l14_a_delayed_entry_needs_a_recursion() -> None:
    """With nothing to recurse on, a single level never opens, a constant no more than any other."""
    entries = [
        keyed(0, "a", recursion=Recursion(delay_level=1)),
        keyed(1, constant=True, recursion=Recursion(delay_level=1)),
    ]
    assert turn(entries, "a").out == {0: OutBy.RECURSION_ONLY, 1: OutBy.RECURSION_ONLY}
    awake = [*entries, keyed(2, "a")]
    assert turn(awake, "a").uids == [2, 0, 1]


def test_a_hidden_key_is_scanned_in_recursion_only() -> None:
    """`{{hidden_key:A}}` leaves nothing in the prompt and calls A's entry (card specification V3)."""

    def expand(text: str) -> str:
        return text.replace("{{hidden_key:深海}}", "")

    entries = [keyed(0, "a", content="{{hidden_key:深海}}The tide."), keyed(1, "深海")]
    found = turn(entries, Scan(words="a", expand=expand))
    assert found.uids == [0, 1]
    assert found.chosen(0).text == "The tide."


def test_a_pattern_sees_what_other_entries_say() -> None:
    """The recursion's text follows the chat in the window of a pattern."""
    entries = [
        keyed(0, "a", content="the tide", order=2),
        keyed(1, "a", content="rises", order=1),
        keyed(2, "/a\\n\\x01the tide\\nrises/"),
        keyed(3, "/t.de/"),
    ]
    found = turn(entries, "a")
    assert found.uids == [0, 1, 2, 3]
    assert found.chosen(3).where == "recursion 0/0"


CHAT = Scan(messages=spoken("one", "two", "three", "four"), words="x")


def shallow(least: int, *, deepest: int = 0) -> LoreSettings:
    """A window of the words alone that widens until enough entries are active."""
    return replace(
        ROOMY, exact=True, scan_depth=1, min_activations=least, min_activations_depth=deepest
    )


def numbered(*extra: Entry) -> list[Entry]:
    """An entry for each message, the first calling `deep`."""
    names = ("one", "two", "three", "four")
    return [*(keyed(at, name, content=f"deep{at}") for at, name in enumerate(names)), *extra]


@pytest.mark.parametrize(
    ("least", "deepest", "found"),
    [(0, 0, []), (1, 0, [3]), (2, 0, [3, 2]), (9, 0, [3, 2, 1, 0]), (9, 2, [3, 2])],
)
def test_the_window_widens_until_enough_is_found(
    least: int, deepest: int, found: list[int]
) -> None:
    """One message at a time, until the number, the depth or the chat's end."""
    assert turn(numbered(), CHAT, shallow(least, deepest=deepest)).uids == found


def test_an_entry_with_a_depth_of_its_own_does_not_widen() -> None:
    """Only the common window grows."""
    entries = [replace(entry, scan_depth=2) for entry in numbered()]
    assert turn(entries, CHAT, shallow(9)).uids == [3]


def test_each_widened_pass_is_followed_by_recursion() -> None:
    """What was found deeper calls others before the window widens again."""
    entries = numbered(keyed(9, "deep2", content="and more"))
    found = turn(entries, CHAT, shallow(3))
    assert found.uids == [3, 2, 9]
    assert found.chosen(9).where == "recursion 0/2"


def test_widened_passes_do_not_scan_what_entries_said() -> None:
    """A NOT logic that the recursion's text refuted may hold in a pass that does not see it."""
    entries = [
        keyed(0, "x", content="word"),
        keyed(1, "four", secondary=("word",), logic=Logic.NOT_ANY),
    ]
    found = turn(entries, CHAT, shallow(2))
    assert found.uids == [0, 1]


def test_a_limit_of_passes_holds_for_widening_too() -> None:
    """The first pass, then one wider."""
    settings = replace(shallow(9), max_recursion_steps=2)
    assert turn(numbered(), CHAT, settings).uids == [3]


def test_constants_count_as_active() -> None:
    """Two constants satisfy a least number of two."""
    entries = numbered(keyed(8, constant=True), keyed(9, constant=True))
    assert turn(entries, CHAT, shallow(2)).uids == [8, 9]


def steps_of(found: Turn) -> list[int]:
    """The pass of each chosen entry."""
    return [each.step for each in found.selection.chosen]


def test_the_order_of_choosing_follows_the_passes() -> None:
    """What an earlier pass chose stands before what a later one did."""
    found = turn(chain(20), "k0")
    assert all(before <= after for before, after in pairwise(steps_of(found)))
    assert [each.order for each in found.selection.chosen] == list(range(20))
