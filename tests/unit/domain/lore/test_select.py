"""Which entries a turn gets and why: keys, logic, windows, books and the trace of it all."""

from dataclasses import replace
from itertools import product

import pytest

from huaben.domain.lore import (
    Book,
    CharacterFilter,
    ChosenBy,
    Entry,
    Group,
    Logic,
    LoreSettings,
    Message,
    OutBy,
    Place,
    Scan,
    Sources,
    SourceTexts,
    Timing,
)
from huaben.domain.lore.chance import passes, roll
from tests.builders.lore_turns import ROOMY, external, keyed, spoken, turn

EXACT = replace(ROOMY, exact=True)


def test_an_entry_is_chosen_by_a_key_in_the_words() -> None:
    """The trace names the key as typed, where it was found, and what it cost."""
    chosen = turn([keyed(3, "伞", " 旧伞 ", title="旧伞", content="一把伞。")], "拿起旧伞").chosen(
        3
    )
    assert (chosen.reason, chosen.key, chosen.where) == (ChosenBy.KEY, "伞", "words")
    assert (chosen.text, chosen.tokens, chosen.ref, chosen.score) == ("一把伞。", 4, "0/3", 2)


def test_every_entry_is_in_or_out_with_a_reason() -> None:
    """Nothing is silently missing from the trace."""
    entries = [
        keyed(0, "sea"),
        keyed(1, "moon"),
        keyed(2),
        keyed(3, "sea", enabled=False),
        keyed(4, "sea", content=" \n"),
        keyed(5, "sea", triggers=("swipe",)),
        keyed(6, "/se.[/"),
        keyed(7, "/\\p{Nonsense}/u"),
        keyed(8, "sea", secondary=("moon",)),
        keyed(9, "sea", forbidden=("the",)),
        keyed(10, "sea", required=("the", "moon")),
        keyed(11, "sea", constant=True, probability=0),
    ]
    found = turn(entries, "the sea")
    assert found.uids == [0]
    assert found.out == {
        1: OutBy.NO_MATCH,
        2: OutBy.NO_KEYS,
        3: OutBy.DISABLED,
        4: OutBy.EMPTY,
        5: OutBy.TRIGGER,
        6: OutBy.NO_MATCH,
        7: OutBy.UNSUPPORTED_KEY,
        8: OutBy.SECONDARY,
        9: OutBy.FORBIDDEN,
        10: OutBy.REQUIRED,
        11: OutBy.PROBABILITY,
    }
    assert [(each.code, each.ref) for each in found.selection.warnings] == [
        ("pattern_unsupported", "0/7")
    ]


LOGIC = {
    # (a found, b found): AND ANY, NOT ALL, NOT ANY, AND ALL
    (False, False): (False, True, True, False),
    (False, True): (True, True, False, False),
    (True, False): (True, True, False, False),
    (True, True): (True, False, False, True),
}


@pytest.mark.parametrize("exact", [False, True])
@pytest.mark.parametrize(("logic", "found"), list(product(Logic, LOGIC)))
def test_l07_secondary_keys_narrow_by_their_logic(
    logic: Logic, found: tuple[bool, bool], exact: bool
) -> None:
    """All four logics look at every secondary key, not at the first alone."""
    entry = keyed(0, "x", secondary=("a", "b"), logic=logic)
    words = "x" + " a" * found[0] + " b" * found[1]
    active = bool(turn([entry], words, EXACT if exact else ROOMY).uids)
    assert active is LOGIC[found][logic]


def test_secondary_keys_count_only_where_the_entry_is_selective() -> None:
    """A list that is switched off, or empty, narrows nothing."""
    entries = [
        keyed(0, "x", secondary=("a",), selective=False),
        keyed(1, "x", secondary=(), logic=Logic.NOT_ALL),
        keyed(2, "x", secondary=(" ",), logic=Logic.NOT_ALL),
        keyed(3, "x", secondary=("x", ""), logic=Logic.AND_ALL),
    ]
    assert turn(entries, "x").uids == [0, 1, 2]


def test_a_blank_key_never_matches() -> None:
    """Nor does one whose macro leaves nothing."""
    scan = Scan(words="a  b", expand=lambda text: text.replace("{{x}}", " "))
    assert turn([keyed(0, "", "  ", "{{x}}")], scan).out == {0: OutBy.NO_KEYS}


def test_macros_in_keys_and_content_are_expanded() -> None:
    """A key is expanded, then trimmed; content is expanded before it is counted."""
    scan = Scan(words="Ann waits", expand=lambda text: text.replace("{{user}}", "Ann"))
    chosen = turn([keyed(0, " {{user}} ", content="{{user}} waits.")], scan).chosen(0)
    assert (chosen.text, chosen.tokens) == ("Ann waits.", 10)


CHAT = Scan(messages=spoken("one", "two", "three", "four", "five"), words="six")
NAMES = ("one", "two", "three", "four", "five", "six")


@pytest.mark.parametrize(
    ("settings", "own", "seen"),
    [
        (ROOMY, None, 5),
        (replace(ROOMY, scan_depth=1), None, 2),
        (replace(ROOMY, scan_depth=0), None, 0),
        (replace(EXACT, scan_depth=2), None, 2),
        (replace(EXACT, scan_depth=0), None, 0),
        (ROOMY, 1, 1),
        (ROOMY, 0, 0),
        (EXACT, 3, 3),
        (ROOMY, 99, 6),
    ],
)
def test_a_window_reaches_as_far_back_as_its_depth(
    settings: LoreSettings, own: int | None, seen: int
) -> None:
    """The settings count story messages beside the words, an entry's own depth counts the words too."""
    entries = [keyed(at, name, scan_depth=own) for at, name in enumerate(NAMES)]
    assert sorted(turn(entries, CHAT, settings).uids) == list(range(6 - seen, 6))


def test_the_trace_names_the_message_from_the_first() -> None:
    """Message 0 is the greeting; the number is that of the whole chat."""
    assert turn([keyed(0, "four")], CHAT).chosen(0).where == "message 3"
    later = replace(CHAT, length=106)
    assert turn([keyed(0, "four")], later).chosen(0).where == "message 103"


def test_a_pattern_sees_names_and_message_starts() -> None:
    """Each message is `Name: text` behind U+0001, newest first, so one speaker can be meant."""
    messages = (Message("Ann", "hello"), Message("龙王", "well, hello"))
    entries = [
        keyed(0, "/\\x01龙王:[^\\x01]*?hello/"),
        keyed(1, "/\\x01Ben:[^\\x01]*?hello/"),
        keyed(2, "/well[^]*Ann:/"),
        keyed(3, "ann"),
    ]
    found = turn(entries, Scan(messages=messages))
    assert found.uids == [0, 2, 3]
    assert found.chosen(0).where == "message 1"
    assert turn(entries, Scan(messages=messages), replace(ROOMY, include_names=False)).uids == []


def test_a_plain_key_does_not_reach_over_two_messages() -> None:
    """Neither by its words nor by the end of one and the start of the next."""
    scan = Scan(messages=spoken("old", "umbrella"))
    assert turn([keyed(0, "umbrella old"), keyed(1, "old\numbrella")], scan).uids == []


def test_texts_beside_the_chat_are_scanned_where_an_entry_asks() -> None:
    """Each of the six sources on its own, and injected prompts for every entry, even at depth 0."""
    texts = SourceTexts("pa", "de", "pe", "dp", "sc", "cn")
    keys = ("pa", "de", "pe", "dp", "sc", "cn")
    asked = [Sources(*(at == bit for bit in range(6))) for at in range(6)]
    entries = [keyed(at, keys[at], sources=asked[at], scan_depth=0) for at in range(6)]
    entries += [keyed(6 + at, keys[at]) for at in range(6)]
    found = turn(entries, Scan(sources=texts))
    assert found.uids == list(range(6))
    assert [found.chosen(at).where for at in range(6)] == [
        "persona",
        "description",
        "personality",
        "depth_prompt",
        "scenario",
        "creator_notes",
    ]
    injected = turn([keyed(0, "note", scan_depth=0)], Scan(injected=("a note",)))
    assert injected.chosen(0).where == "injected"


def test_settings_and_entries_decide_case_and_whole_words() -> None:
    """None follows the settings."""
    entries = [
        keyed(0, "sea"),
        keyed(1, "sea", case_sensitive=True),
        keyed(2, "se", whole_words=False),
        keyed(3, "se"),
        keyed(4, "sea", case_sensitive=False),
    ]
    assert turn(entries, "SEA").uids == [0, 2, 4]
    assert turn(entries, "SEA", replace(ROOMY, case_sensitive=True)).uids == [4]
    assert turn(entries, "SEA", replace(ROOMY, whole_words=False)).uids == [0, 2, 3, 4]


def test_matching_is_exact_by_book_or_for_all() -> None:
    """The corrected rule is the default; one book or the settings can ask for SillyTavern's."""
    plain, exact = Book("a", (keyed(0, "ель"),)), Book("b", (keyed(1, "ель"),), exact=True)
    assert turn([plain, exact], "мельница").uids == [1]
    assert turn([plain, exact], "мельница", EXACT).uids == [0, 1]


def test_wildcards_stand_in_for_letters_where_the_book_knows_them() -> None:
    """Agnai's stars; exact matching takes them as typed."""
    entry = keyed(0, "lantern*", wildcards=True)
    assert turn([entry], "two Lanterns").chosen(0).where == "words"
    assert turn([entry], "two Lanterns", EXACT).uids == []
    assert turn([keyed(0, "lantern*")], "two lanterns").uids == []


def test_books_are_considered_chat_persona_character_world() -> None:
    """Each by order, larger first; the strategy mixes character and world."""
    books = [
        Book("w", (keyed(0, "x", order=50), keyed(1, "x", order=300)), place=Place.GLOBAL),
        Book("k", (keyed(2, "x", order=200),), place=Place.CHARACTER),
        Book("p", (keyed(3, "x", order=1),), place=Place.PERSONA),
        Book("c", (keyed(4, "x", order=2),), place=Place.CHAT),
    ]
    assert turn(books, "x").uids == [4, 3, 2, 1, 0]
    assert turn(books, "x", replace(ROOMY, strategy="evenly")).uids == [4, 3, 1, 2, 0]
    assert turn(books, "x", replace(ROOMY, strategy="global_first")).uids == [4, 3, 1, 0, 2]


def test_a_book_in_two_places_is_read_once_in_the_higher() -> None:
    """The world beats chat, persona and character; books without a name are never the same."""
    entry = keyed(0, "x")
    low, high = Book("b", (entry,), place=Place.PERSONA), Book("b", (entry,), place=Place.GLOBAL)
    found = turn([low, high], "x")
    assert [each.ref for each in found.selection.chosen] == ["1/0"]
    assert [(each.ref, each.reason) for each in found.others] == [("0/0", OutBy.BOOK_ELSEWHERE)]
    nameless = [replace(low, name=""), replace(high, name="")]
    assert len(turn(nameless, "x").uids) == 2
    assert len(turn([replace(low, id="1"), replace(high, id="2")], "x").uids) == 2


def test_l23_only_the_speaker_s_own_books_are_read() -> None:
    """In a group John's book and the world's fire when John speaks, Mary's does not."""
    books = [
        Book("John", (keyed(0, "x"),), place=Place.CHARACTER, owner="John"),
        Book("Mary", (keyed(1, "x"),), place=Place.CHARACTER, owner="Mary"),
        Book("world", (keyed(2, "x"),)),
    ]
    found = turn(books, Scan(words="x", speaker="John"))
    assert (found.uids, found.out) == ([0, 2], {1: OutBy.OTHER_SPEAKER})


@pytest.mark.parametrize(
    ("chosen", "active"),
    [
        (CharacterFilter(names=("ann",)), True),
        (CharacterFilter(names=("ben",)), False),
        (CharacterFilter(exclude=True, names=("ann",)), False),
        (CharacterFilter(exclude=True, names=("ben",)), True),
        (CharacterFilter(tags=("sea", "city")), True),
        (CharacterFilter(tags=("city",)), False),
        (CharacterFilter(exclude=True, tags=("sea",)), False),
        (CharacterFilter(names=("ann",), tags=("city",)), False),
        (CharacterFilter(names=("Ann of the Sea",)), True),
    ],
)
def test_a_filter_lets_an_entry_speak_for_some_characters(
    chosen: CharacterFilter, active: bool
) -> None:
    """By the name of the picture (or the character), and by tags; both must agree."""
    scan = Scan(words="x", speaker="Ann of the Sea", avatar="ann", tags=("sea",))
    found = turn([keyed(0, "x", filter=chosen)], scan)
    assert (found.uids == [0]) is active
    assert active or found.out == {0: OutBy.FILTER}


def test_exact_filters_know_pictures_only() -> None:
    """As in SillyTavern, a display name is no name of a filter."""
    scan = Scan(words="x", speaker="Ann", avatar="ann_2")
    entries = [keyed(0, "x", filter=CharacterFilter(names=("Ann",)))]
    assert turn(entries, scan, EXACT).uids == []


def test_what_something_else_found_is_active_with_its_score() -> None:
    """Vector search and interfaces name entries by reference; other rules still hold."""
    found = turn([keyed(0), keyed(1, enabled=False)], external({"0/0": 0.75, "0/1": 0.5}))
    assert (found.uids, found.chosen(0).reason, found.chosen(0).score) == (
        [0],
        ChosenBy.EXTERNAL,
        0.75,
    )
    assert found.left_out(1).score == 0.5


def test_the_hybrid_selection_adds_what_a_search_finds() -> None:
    """After all key hits, under the same rules, with the score of the search."""
    entries = [
        keyed(0, "moon", content="龙王住在东海。"),
        keyed(1, "龙王", content="x", order=1),
        keyed(2, "star", content="nothing"),
        keyed(3, "sun", content="东海。", timing=Timing(delay=9)),
    ]
    assert turn(entries, "听说龙王在东海").uids == [1]
    found = turn(entries, "听说龙王在东海", replace(ROOMY, selection="hybrid"))
    assert found.uids == [1, 0]
    assert found.chosen(0).reason is ChosenBy.SEARCH
    assert found.chosen(0).score > found.left_out(3).score > 0
    assert found.out[3] is OutBy.DELAY


def test_the_same_turn_chooses_the_same() -> None:
    """Chance is the seed's alone, and one entry's luck does not hang on another's presence."""
    entries = [keyed(at, "x", probability=50) for at in range(40)]
    first = turn(entries, "x", seed=7)
    assert turn(entries, "x", seed=7) == first
    assert turn(entries, "x", seed=8) != first
    assert turn(entries[:20], "x", seed=7).uids == [uid for uid in first.uids if uid < 20]


@pytest.mark.parametrize(
    ("entry", "least", "most"),
    [
        (keyed(0, "x", probability=1), 10, 30),
        (keyed(0, "x", probability=0), 0, 0),
        (keyed(0, "x", probability=100), 2000, 2000),
        (keyed(0, "x", probability=0, use_probability=False), 2000, 2000),
    ],
)
def test_l20_probability_is_a_percentage(entry: Entry, least: int, most: int) -> None:
    """One percent is about one in a hundred, none is never and all is always."""
    fired = sum(bool(turn([entry], "x", seed=seed).uids) for seed in range(2000))
    assert least <= fired <= most


def test_l20_one_percent_of_ten_thousand_rolls() -> None:
    """The dice are even: 1 % passes about 100 times, 0 % never."""
    rolls = [roll(seed, "probability", "book.0") for seed in range(10_000)]
    assert 70 <= sum(passes(1, each) for each in rolls) <= 130
    assert not any(passes(0, each) for each in rolls)
    assert all(passes(100, each) for each in rolls)


def test_entries_of_a_card_walk_by_id_only_where_matching_is_exact() -> None:
    """SillyTavern keys them by id; the array's own order is kept otherwise."""
    book = Book("b", (keyed(5, "x"), keyed(2, "x")), dialect="character_book")
    assert turn([book], "x").uids == [5, 2]
    assert turn([book], "x", EXACT).uids == [2, 5]


def test_resident_entries_are_those_that_nothing_else_decides() -> None:
    """A constant with chance, timing, group, trigger or filter is chosen like the others."""
    plain = keyed(0, constant=True)
    decided_elsewhere = [
        replace(plain, probability=50),
        replace(plain, timing=Timing(sticky=1)),
        replace(plain, group=Group(("g",))),
        replace(plain, triggers=("swipe",)),
        replace(plain, filter=CharacterFilter(names=("a",))),
        replace(plain, enabled=False),
        replace(plain, constant=False),
        replace(plain, content="@@depth 2\nx"),
    ]
    assert plain.resident
    assert replace(plain, probability=50, use_probability=False).resident
    assert not any(entry.resident for entry in decided_elsewhere)
