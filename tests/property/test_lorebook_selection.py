"""What must hold of every selection: it ends, it is whole, and it is the same again."""

from collections.abc import Sequence
from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from huaben.domain.lore import (
    Book,
    Entry,
    Group,
    Logic,
    LoreSettings,
    Place,
    Recursion,
    Scan,
    TimedState,
    Timing,
    key_matches,
    prepare,
    select,
    timed_from_json,
)
from huaben.domain.lore.fold import fold_key
from tests.builders.lore_turns import by_characters, no_time, spoken, turn

WORD = st.sampled_from(["龙王", "海", "sea", "moon", "AI", "地名7", "#a", "/s.a/i", "ß", "é"])
TEXT = st.lists(WORD, max_size=4).map("，".join) | st.lists(WORD, max_size=4).map(" ".join)
ENTRIES = st.builds(
    Entry,
    uid=st.just(0),
    keys=st.lists(WORD, max_size=3).map(tuple),
    secondary=st.lists(WORD, max_size=2).map(tuple),
    logic=st.sampled_from(Logic),
    content=TEXT,
    constant=st.booleans(),
    order=st.integers(0, 3),
    probability=st.sampled_from([0, 50, 100]),
    ignore_budget=st.booleans(),
    group=st.builds(Group, st.lists(st.sampled_from("gh"), max_size=2, unique=True).map(tuple)),
    recursion=st.builds(Recursion, st.booleans(), st.booleans(), st.integers(0, 3)),
    timing=st.builds(Timing, st.integers(0, 2), st.integers(0, 2), st.integers(0, 2)),
    scan_depth=st.none() | st.integers(0, 3),
    whole_words=st.none() | st.booleans(),
)
BOOKS = st.lists(
    st.builds(
        Book,
        name=st.sampled_from(["a", "b", ""]),
        entries=st.lists(ENTRIES, max_size=6).map(
            lambda entries: tuple(replace(each, uid=at) for at, each in enumerate(entries))
        ),
        exact=st.booleans(),
        place=st.sampled_from(Place),
        recursive=st.none() | st.booleans(),
    ),
    max_size=3,
)
SETTINGS = st.builds(
    LoreSettings,
    exact=st.booleans(),
    scan_depth=st.integers(0, 3),
    recursive=st.booleans(),
    max_recursion_steps=st.integers(0, 3),
    min_activations=st.integers(0, 4),
    min_activations_depth=st.integers(0, 3),
    group_scoring=st.booleans(),
    budget=st.sampled_from([0, 5, 50]),
    max_entries=st.integers(0, 3),
    constants=st.sampled_from(["budgeted", "first", "resident"]),
    overflow=st.sampled_from(["stop", "skip"]),
    selection=st.sampled_from(["keys", "hybrid"]),
)
SCANS = st.builds(
    Scan,
    messages=st.lists(TEXT, max_size=4).map(lambda texts: spoken(*texts)),
    words=TEXT,
    length=st.none() | st.integers(0, 20),
)


@given(BOOKS, SCANS, SETTINGS, st.integers())
def test_every_selection_ends_and_accounts_for_every_entry(
    books: Sequence[Book], scan: Scan, settings: LoreSettings, seed: int
) -> None:
    """Recursion terminates; each entry is in or out exactly once; limits hold; it can be repeated."""
    found = turn(books or [Book("a")], scan, settings, seed=seed)
    refs = [each.ref for each in (*found.selection.chosen, *found.others)]
    assert sorted(refs) == sorted(
        f"{index}/{entry.uid}" for index, book in enumerate(books) for entry in book.entries
    )
    assert found.selection.unnamed == len(found.silent)
    counted = [
        each
        for each in found.selection.chosen
        if not (each.entry.ignore_budget or each.resident or each.entry.probability == 0)
    ]
    if settings.budget:
        assert sum(each.tokens for each in counted) < settings.budget
    if settings.max_entries:
        assert len(counted) <= settings.max_entries
    assert timed_from_json(found.timed.to_json()) == found.timed
    assert turn(books or [Book("a")], scan, settings, seed=seed) == found


@given(BOOKS, st.lists(SCANS, min_size=2, max_size=3), SETTINGS)
def test_books_made_ready_once_choose_as_if_made_ready_for_each_turn(
    books: Sequence[Book], scans: Sequence[Scan], settings: LoreSettings
) -> None:
    """Whatever one turn read, the next one starts from the books alone and from what lasts."""
    prepared = prepare(books or [Book("a")], settings)
    timed = TimedState()
    for scan in scans:
        found = select(prepared, scan, 1, timed, by_characters, no_time)
        fresh = turn(books or [Book("a")], scan, settings, timed=timed)
        assert found == fresh.selection
        timed = found.timed


@given(WORD.filter(lambda key: not key.startswith("/")), TEXT, st.booleans(), st.booleans())
def test_one_entry_fires_as_its_key_matches(key: str, text: str, whole: bool, exact: bool) -> None:
    """The automaton over all keys agrees with the rule for one."""
    entry = Entry(0, (key,), content="x", whole_words=whole)
    found = turn([Book("b", (entry,), exact=exact)], text)
    assert bool(found.uids) is key_matches(key, text, whole_words=whole, exact=exact)


@given(st.text(max_size=6), st.text(max_size=30))
def test_a_key_that_matches_stands_in_the_folded_text(key: str, text: str) -> None:
    """Boundaries only ever take hits away."""
    if key_matches(key, text):
        assert key_matches(key, text, whole_words=False)
        assert fold_key(key.strip()) in fold_key(text) or fold_key(key) in fold_key(text)
