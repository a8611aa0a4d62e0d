"""Entries that stay, rest, wait and fire once, counted in messages of the chat."""

from dataclasses import replace

import pytest

from huaben.domain.jsonvalue import Json
from huaben.domain.lore import (
    Book,
    ChosenBy,
    Entry,
    OutBy,
    Scan,
    TimedState,
    Timing,
    timed_from_json,
)
from huaben.domain.lore.timing import Effect
from tests.builders.lore_turns import Turn, keyed, turn


def at(length: int, words: str = "nothing", *, dry_run: bool = False) -> Scan:
    """A turn at this length of the chat."""
    return Scan(words=words, length=length, dry_run=dry_run)


def line(entry: Entry, *scans: Scan) -> list[Turn]:
    """Turns one after another, each starting from the state of the one before."""
    turns: list[Turn] = []
    for scan in scans:
        turns.append(turn([entry], scan, timed=turns[-1].timed if turns else None))
    return turns


def activity(entry: Entry, *scans: Scan) -> list[bool]:
    """Whether the entry was active, turn by turn."""
    return [bool(each.uids) for each in line(entry, *scans)]


def test_a_sticky_entry_stays_without_its_key() -> None:
    """It ends when the chat has grown by its number of messages."""
    entry = keyed(0, "x", timing=Timing(sticky=3))
    turns = line(entry, at(5, "x"), at(6), at(7), at(8), at(9))
    assert [bool(each.uids) for each in turns] == [True, True, True, False, False]
    assert turns[1].chosen(0).reason is ChosenBy.STICKY


def test_l16_stickiness_is_bound_to_the_text_before_macros() -> None:
    """An entry that tells the time is the same entry a minute later."""
    entry = keyed(0, "x", content="{{time}}", timing=Timing(sticky=3))
    told = 0

    def clock(text: str) -> str:
        nonlocal told
        told += 1
        return text.replace("{{time}}", f"{told} o'clock")

    first = turn([entry], replace(at(5, "x"), expand=clock))
    second = turn([entry], replace(at(6), expand=clock), timed=first.timed)
    third = turn([entry], replace(at(7), expand=clock), timed=second.timed)
    assert [each.uids for each in (first, second, third)] == [[0]] * 3
    assert first.chosen(0).text != third.chosen(0).text


def test_an_edited_entry_is_no_longer_sticky() -> None:
    """Its effect waits for the old text until its end; the new text starts afresh."""
    entry = keyed(0, "x", timing=Timing(sticky=5))
    state = turn([entry], at(5, "x")).timed
    edited = replace(entry, content="new")
    assert turn([edited], at(7), timed=state).uids == []
    assert turn([entry], at(7), timed=turn([edited], at(6), timed=state).timed).uids == [0]
    moved = replace(entry, display_index=7, raw={"a": 1}, slot="9")
    assert turn([moved], at(7), timed=state).uids == [0]


def test_a_swipe_undoes_what_its_turn_began() -> None:
    """A chat that has not grown past the start has not had the turn that began the effect."""
    entry = keyed(0, "x", timing=Timing(sticky=5, cooldown=9))
    state = turn([entry], at(5, "x")).timed
    swiped = turn([entry], at(5), timed=state)
    assert (swiped.uids, swiped.timed) == ([], TimedState())
    assert turn([entry], at(4), timed=state).timed == TimedState()


def test_an_entry_rests_after_it_was_active() -> None:
    """Through its cooldown its keys are of no use."""
    entry = keyed(0, "x", timing=Timing(cooldown=3))
    turns = line(entry, *(at(length, "x") for length in range(5, 10)))
    assert [bool(each.uids) for each in turns] == [True, False, False, True, False]
    assert turns[1].out == {0: OutBy.COOLDOWN}


def test_rest_begins_when_stickiness_ends_and_is_protected() -> None:
    """Sticky first, then the whole cooldown; going back one message does not undo it."""
    entry = keyed(0, "x", timing=Timing(sticky=2, cooldown=3))
    scans = [at(length, "x") for length in (5, 6, 7, 8, 9, 10)]
    turns = line(entry, *scans)
    assert [bool(each.uids) for each in turns] == [True, True, False, False, False, True]
    ended = turns[2].timed
    assert ended.cooldown["book.0"] == Effect(ended.cooldown["book.0"].mark, 7, 10, protected=True)
    assert turn([entry], at(7, "x"), timed=ended).out == {0: OutBy.COOLDOWN}


def test_an_effect_in_force_does_not_begin_anew() -> None:
    """A key found again while sticky does not prolong the stay."""
    entry = keyed(0, "x", timing=Timing(sticky=3))
    assert activity(entry, at(5, "x"), at(6, "x"), at(7, "x"), at(8)) == [True, True, True, False]


def test_an_entry_waits_for_the_chat_to_be_long_enough() -> None:
    """Delay counts messages of the whole chat, and counts for constants too."""
    entry = keyed(0, "x", timing=Timing(delay=4))
    turns = line(entry, at(3, "x"), at(4, "x"))
    assert [bool(each.uids) for each in turns] == [False, True]
    assert turns[0].out == {0: OutBy.DELAY}
    constant = keyed(0, constant=True, timing=Timing(delay=4))
    assert activity(constant, at(3), at(4)) == [False, True]


def test_sticky_beats_cooldown_chance_and_recursion_rules() -> None:
    """A sticky entry does not roll again and needs no pass of its own."""
    entry = keyed(0, "x", timing=Timing(sticky=9, cooldown=9), probability=100)
    state = turn([entry], at(5, "x")).timed
    unlucky = replace(entry, probability=0)
    mark = turn([unlucky], at(5), timed=TimedState()).timed
    assert mark == TimedState()
    assert turn([entry], at(6), timed=state).uids == [0]


def test_a_dry_run_neither_reads_nor_writes_effects() -> None:
    """What a preview chooses leaves no trace, and is not swayed by one."""
    entry = keyed(0, "x", timing=Timing(sticky=5))
    state = turn([entry], at(5, "x")).timed
    preview = turn([entry], at(6, dry_run=True), timed=state)
    assert (preview.uids, preview.timed) == ([], state)
    assert turn([entry], at(5, "x", dry_run=True)).timed == TimedState()


def test_effects_of_books_that_are_away_last_until_their_end() -> None:
    """Another character's entries are not forgotten while the book is not here."""
    entry = keyed(0, "x", timing=Timing(sticky=5))
    state = turn([entry], at(5, "x")).timed
    away = turn([Book("other")], at(7), timed=state).timed
    assert away == state
    assert turn([entry], at(8), timed=away).uids == [0]
    assert turn([Book("other")], at(10), timed=state).timed == TimedState()


def test_an_entry_that_lost_its_timing_loses_its_effects() -> None:
    """Effects that an entry no longer asks for are dropped."""
    entry = keyed(0, "x", timing=Timing(sticky=5, cooldown=5))
    state = turn([entry], at(5, "x")).timed
    assert turn([replace(entry, timing=Timing())], at(6), timed=state).timed == TimedState()


ONCE = keyed(0, "x", content="@@dont_activate_after_match\nA single knock.")
KEPT = keyed(0, "x", content="@@keep_activate_after_match\nThe door is open.")


def test_a_one_shot_entry_fires_once() -> None:
    """It is spent from the next message on, and fires again only if that turn is undone."""
    turns = line(ONCE, at(5, "x"), at(7, "x"), at(99, "x"))
    assert [bool(each.uids) for each in turns] == [True, False, False]
    assert turns[1].out == {0: OutBy.SPENT}
    assert turn([ONCE], at(5, "x"), timed=turns[0].timed).uids == [0]


def test_l35_a_one_shot_entry_enabled_again_fires_once_again() -> None:
    """Its count goes back to what the author wrote: one shot, not any number."""
    fired = turn([ONCE], at(5, "x")).timed
    disabled = turn([replace(ONCE, enabled=False)], at(7, "x"), timed=fired).timed
    for state in (disabled, fired.renewed("book.0")):
        again = turn([ONCE], at(9, "x"), timed=state)
        assert again.uids == [0]
        assert turn([ONCE], at(11, "x"), timed=again.timed).out == {0: OutBy.SPENT}


def test_an_entry_that_is_kept_stays_for_ever_once_it_fired() -> None:
    """Without its key, with the reason."""
    turns = line(KEPT, at(5), at(7, "x"), at(9), at(500))
    assert [bool(each.uids) for each in turns] == [False, True, True, True]
    assert turns[3].chosen(0).reason is ChosenBy.KEPT


def test_the_state_goes_through_json() -> None:
    """It is stored with the turn and comes back equal."""
    entries = [keyed(0, "x", timing=Timing(sticky=5, cooldown=2)), replace(ONCE, uid=1)]
    state = turn(entries, at(5, "x")).timed
    assert state.sticky
    assert state.matched
    assert timed_from_json(state.to_json()) == state
    assert set(state.to_json()) == {"sticky", "cooldown", "matched"}


@pytest.mark.parametrize(
    "value",
    [
        None,
        [],
        "x",
        {"sticky": 7},
        {"sticky": {"a": None, "b": {"start": "1", "end": 2}, "c": {"start": 1}}},
    ],
)
def test_a_broken_state_is_no_state(value: Json) -> None:
    """Whatever cannot be read is no effect."""
    assert timed_from_json(value) == TimedState()
