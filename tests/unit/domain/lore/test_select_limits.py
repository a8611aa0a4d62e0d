"""What a selection may cost: patterns in time, books in size."""

from dataclasses import replace
from itertools import count
from time import thread_time

import pytest

from huaben.domain.lore import (
    Book,
    Entry,
    OutBy,
    Recursion,
    Scan,
    key_matches,
)
from tests.builders.lore_turns import ROOMY, keyed, spoken, turn


def test_l25_a_hostile_key_is_stopped_and_named_and_the_rest_is_chosen() -> None:
    """The turn goes on without it, and says which key was too slow."""
    hostile = keyed(0, "/(x+x+)+y/")
    books = [Book("b", (hostile, keyed(1, "xx", whole_words=False), keyed(2, "/x{3}/")))]
    scan = Scan(words="x" * 5000)
    found = turn(books, scan, clock_ms=lambda: thread_time() * 1000)
    assert (found.uids, found.out) == ([1, 2], {0: OutBy.STOPPED_KEY})
    assert [each.code for each in found.selection.warnings] == ["pattern_stopped"]
    assert "/(x+x+)+y/" in found.selection.warnings[0].detail


def test_patterns_share_the_time_of_the_turn() -> None:
    """Once it is spent the rest are stopped as well, each by name."""
    ticks = count(0, 60)
    books = [Book("b", tuple(keyed(at, f"/x{at}?/") for at in range(6)))]
    found = turn(books, Scan(words="x"), clock_ms=lambda: float(next(ticks)))
    assert found.uids == [0, 1, 2, 3, 4]
    assert found.out == {5: OutBy.STOPPED_KEY}


def test_ten_thousand_entries_over_a_long_chat_are_chosen_in_a_moment() -> None:
    """Each text is read once for all keys: twenty times the keys is not twenty times the time."""
    entries = tuple(keyed(at, f"地名{at}", f"place{at}", f"龙{at}号") for at in range(10_000))
    story = "“今天去地名77，”他说：the place9 is far……真的吗？"
    scan = Scan(messages=spoken(*[story * 20] * 40), words="龙7号")
    assert sum(len(message.text) for message in scan.messages) > 25_000
    began = thread_time()
    found = turn([Book("b", entries)], scan, replace(ROOMY, scan_depth=100))
    assert thread_time() - began < 5
    assert sorted(found.uids) == [7, 9, 77]


def test_a_key_is_found_wherever_a_long_text_is_cut() -> None:
    """The automaton reads long texts in pieces; a hit across a cut is one hit."""
    for at in (3990, 3995, 3999, 4000, 4001):
        text = "海" * at + "龙王殿下" + "海" * 5000
        assert turn([keyed(0, "龙王殿下")], text).uids == [0]
        assert key_matches("龙王殿下", text)


@pytest.mark.parametrize("length", [200, 201, 5000])
def test_a_long_key_is_a_key(length: int) -> None:
    """Beyond what the automaton takes it is found all the same."""
    key = "龙" * length
    assert turn([keyed(0, key)], f"看{key}！").uids == [0]
    assert turn([keyed(0, key)], f"看{key[1:]}！").uids == []


def test_thousands_of_levels_of_recursion_come_to_an_end() -> None:
    """Every level opens in its turn, and none is asked before."""
    entries = [
        Entry(at, (), content="x", constant=True, recursion=Recursion(delay_level=at + 1))
        for at in range(3000)
    ]
    found = turn([*entries, keyed(3000, "go")], "go")
    assert found.uids == [3000, *range(3000)]
