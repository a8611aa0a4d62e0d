"""Inclusion groups: one member of each, by stickiness, score, priority or a draw."""

from collections import Counter
from dataclasses import replace

import pytest

from huaben.domain.lore import Entry, Group, Logic, OutBy, Recursion, Scan, Timing
from tests.builders.lore_turns import ROOMY, keyed, spoken, turn


def member(uid: int, *names: str, keys: tuple[str, ...] = ("x",), **changed: object) -> Entry:
    """A member of these groups."""
    return replace(keyed(uid, *keys, group=Group(names)), **changed)


def weighing(entry: Entry, weight: float) -> Entry:
    """The same member with another weight."""
    return replace(entry, group=replace(entry.group, weight=weight))


def first(entry: Entry, *, scoring: bool | None = None, prioritised: bool = True) -> Entry:
    """The same member with priority, or with scoring of its own."""
    group = replace(entry.group, prioritised=prioritised, scoring=scoring)
    return replace(entry, group=group)


def test_one_member_of_a_group_is_drawn() -> None:
    """Over many seeds each wins, the losers are named, and others are not touched."""
    entries = [member(0, "g"), member(1, "g"), member(2, "h"), keyed(3, "x")]
    wins = Counter[int]()
    for seed in range(200):
        found = turn(entries, "x", seed=seed)
        assert len(found.uids) == 3
        wins[found.uids[0]] += 1
        assert list(found.out.values()) == [OutBy.GROUP_DRAW]
        assert found.selection.left_out[0].detail == "group g"
    assert 60 < wins[0] < 140


def test_a_weight_is_a_share_of_the_draw() -> None:
    """Three to one is about three to one; nothing never wins; nothing at all lets the first win."""
    entries = [weighing(member(0, "g"), 300), weighing(member(1, "g"), 100)]
    wins = sum(turn(entries, "x", seed=seed).uids == [0] for seed in range(400))
    assert 260 < wins < 340
    never = [weighing(member(0, "g"), 0), member(1, "g")]
    assert all(turn(never, "x", seed=seed).uids == [1] for seed in range(50))
    nothing = [weighing(member(uid, "g"), 0) for uid in range(3)]
    assert turn(nothing, "x").uids == [0]


def test_priority_beats_the_draw_and_the_larger_order_beats_priority() -> None:
    """`groupOverride` members are not drawn: the one with the highest order wins."""
    entries = [member(0, "g", order=900), first(member(1, "g", order=1)), first(member(2, "g"))]
    found = turn(entries, "x")
    assert found.uids == [2]
    assert found.out == {0: OutBy.GROUP_PRIORITY, 1: OutBy.GROUP_PRIORITY}


def test_sticky_members_shut_out_the_rest() -> None:
    """All sticky ones stay, whatever the draw would have been."""
    sticky = Timing(sticky=9)
    entries = [member(0, "g", keys=("first",), timing=sticky), member(1, "g"), member(2, "g")]
    start = turn(entries, Scan(words="first", length=3))
    assert start.uids == [0]
    for seed in range(20):
        found = turn(entries, Scan(words="x", length=5), seed=seed, timed=start.timed)
        assert found.uids == [0]
        assert found.out == {1: OutBy.GROUP_STICKY, 2: OutBy.GROUP_STICKY}


@pytest.mark.parametrize("names", [("g",), ("g", "h"), ("h", "g")])
def test_l17_a_group_that_has_an_entry_takes_no_other(names: tuple[str, ...]) -> None:
    """A member that recursion triggers in a later pass comes too late, also by one of two groups."""
    entries = [member(0, "g", content="then y"), member(1, *names, keys=("y",))]
    found = turn(entries, "x")
    assert (found.uids, found.out) == ([0], {1: OutBy.GROUP_TAKEN})


def test_l17_an_entry_of_two_groups_blocks_both() -> None:
    """With a member of two groups active, neither group takes another."""
    entries = [
        member(0, "g", "h", content="then y"),
        member(1, "g", keys=("y",)),
        member(2, "h", keys=("y",)),
        member(3, "i", keys=("y",)),
    ]
    assert turn(entries, "x").uids == [0, 3]


def test_an_entry_of_two_groups_must_pass_both() -> None:
    """Losing one group is losing, and the loser no longer stands in the other."""
    entries = [first(member(0, "g")), member(1, "g", "h"), member(2, "h")]
    assert turn(entries, "x").uids == [0, 2]


def test_a_group_whose_winner_fails_its_roll_is_open_in_the_next_pass() -> None:
    """The winner is out for the whole evaluation; recursion lets another member in."""
    entries = [
        first(member(0, "g", probability=0)),
        member(1, "g"),
        keyed(2, "x", content="go on"),
    ]
    found = turn(entries, "x")
    assert found.uids == [2, 1]
    assert found.out == {0: OutBy.PROBABILITY}


def test_scoring_keeps_the_members_with_most_keys_found() -> None:
    """Globally, or for a member that asks for itself; None follows the settings."""
    entries = [member(0, "g", keys=("x", "a", "b")), member(1, "g", keys=("x", "a"))]
    scored = replace(ROOMY, group_scoring=True)
    for seed in range(20):
        found = turn(entries, "x a b", scored, seed=seed)
        assert (found.uids, found.out) == ([0], {1: OutBy.GROUP_SCORE})
        own = [entries[0], first(entries[1], scoring=True, prioritised=False)]
        assert turn(own, "x a b", seed=seed).uids == [0]
        exempt = [entries[0], first(entries[1], scoring=False)]
        assert turn(exempt, "x a b", scored, seed=seed).uids == [1]


@pytest.mark.parametrize(
    ("logic", "words", "winner"),
    [
        (Logic.AND_ANY, "x a", 0),
        (Logic.AND_ALL, "x a b", 0),
        (Logic.NOT_ALL, "x y a", 1),
        (Logic.NOT_ANY, "x y", 1),
    ],
)
def test_secondary_keys_score_where_they_must_be_found(
    logic: Logic, words: str, winner: int
) -> None:
    """AND ANY adds what it finds, AND ALL only all of it, the NOT logics nothing."""
    entries = [
        member(0, "g", secondary=("a", "b"), logic=logic),
        member(1, "g", keys=("x", "y")),
    ]
    found = turn(entries, words, replace(ROOMY, group_scoring=True))
    score = {0: 1 + words.count("a") + words.count("b") if "AND" in logic.name else 1}
    score[1] = 1 + words.count("y")
    assert score[winner] > score[1 - winner]
    assert found.uids == [winner]


def test_scores_count_what_the_pass_sees() -> None:
    """In recursion the text of other entries scores as well."""
    entries = [
        keyed(0, "x", content="a b"),
        member(1, "g", keys=("a", "b"), recursion=Recursion(delay_level=1)),
        member(2, "g", keys=("a", "c"), recursion=Recursion(delay_level=1)),
    ]
    scored = replace(ROOMY, group_scoring=True)
    assert turn(entries, Scan(messages=spoken("x")), scored).uids == [0, 1]


def test_many_groups_and_members_are_settled_quickly() -> None:
    """Thousands of members of one group, and thousands of groups, are no trouble."""
    crowd = [member(at, "g", str(at)) for at in range(3000)]
    assert len(turn(crowd, "x").uids) == 1
