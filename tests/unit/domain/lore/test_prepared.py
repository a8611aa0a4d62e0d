"""Books made ready once: shared by turns and threads, and a turn costs only what it says."""

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from functools import partial
from time import thread_time

from huaben.domain.lore import (
    Book,
    CharacterFilter,
    Entry,
    LoreSettings,
    Message,
    OutBy,
    Place,
    Prepared,
    Scan,
    Selection,
    TimedState,
    Timing,
    prepare,
    select,
    silent,
)
from tests.builders.lore_turns import ROOMY, by_characters, keyed, no_time, spoken

NAMED = Book("b", (keyed(0, "龙王"), keyed(1, "umbrella"), keyed(2, "/第.章/"), keyed(3, "{{x}}")))


def chosen(prepared: Prepared, scan: Scan) -> Selection:
    """A turn that nothing came before."""
    return select(prepared, scan, 1, TimedState(), by_characters, no_time)


def uids(prepared: Prepared, scan: Scan) -> list[int]:
    """Which entries of the first book a turn gets."""
    return [each.entry.uid for each in chosen(prepared, scan).chosen]


def reasons(prepared: Prepared, scan: Scan) -> dict[str, OutBy]:
    """Why each silent entry is out, when nothing is named."""
    return {each.ref: each.reason for each in silent(prepared, scan, ())}


def test_turns_share_what_was_made_ready_and_leave_it_as_it_was() -> None:
    """What one turn reads is nothing to the next, in either mode of matching."""
    for settings in (ROOMY, replace(ROOMY, exact=True)):
        prepared = prepare([NAMED], settings)
        first = chosen(prepared, Scan(words="听说龙王来了"))
        assert uids(prepared, Scan(words="my umbrella, 第三章")) == [1, 2]
        assert uids(prepared, Scan(words="nothing")) == []
        assert chosen(prepared, Scan(words="听说龙王来了")) == first
        assert [each.entry.uid for each in first.chosen] == [0]


def test_threads_share_what_was_made_ready() -> None:
    """Many turns at once choose what each would choose alone."""
    prepared = prepare([Book("b", tuple(keyed(at, f"地名{at}") for at in range(500)))], ROOMY)
    scans = [Scan(words=f"从地名{at}走到地名{at + 1}。" * 50) for at in range(64)]
    with ThreadPoolExecutor(8) as threads:
        found = list(threads.map(partial(uids, prepared), scans))
    assert found == [[at, at + 1] for at in range(64)]


def test_keys_with_macros_are_read_in_each_turn() -> None:
    """Their own turn's expansion counts, beside keys that never change."""
    prepared = prepare([NAMED], ROOMY)
    for name in ("Ann", "龙女"):
        scan = Scan(
            words=f"{name} and the umbrella",
            expand=lambda text, name=name: text.replace("{{x}}", name),
        )
        assert uids(prepared, scan) == [1, 3]
    assert reasons(prepared, Scan(expand=lambda _: " "))["0/3"] is OutBy.NO_KEYS
    assert reasons(prepared, Scan())["0/3"] is OutBy.NO_MATCH


def test_what_nothing_speaks_of_is_counted_and_not_listed() -> None:
    """Entries that are switched off or another's are silent like the rest until a key is found."""
    entries = (
        keyed(0, "sea"),
        keyed(1, "moon"),
        keyed(2, "moon", enabled=False),
        keyed(3, "sea", enabled=False),
        keyed(4),
    )
    found = chosen(prepare([Book("b", entries)], ROOMY), Scan(words="the sea"))
    assert [(each.ref, each.reason) for each in found.left_out] == [("0/3", OutBy.DISABLED)]
    assert (len(found.chosen), found.unnamed) == (1, 3)


def test_the_silent_are_told_by_what_is_known_besides_texts() -> None:
    """No text is needed for it; whoever is named already is passed over."""
    entries = (
        keyed(0, "a", enabled=False),
        keyed(1, "a", filter=CharacterFilter(names=("ben",))),
        keyed(2, "a", timing=Timing(delay=9)),
        keyed(3, "a", triggers=("swipe",)),
        keyed(4, "a", content="@@is_greeting 2\nx"),
        keyed(5),
        keyed(6, "a"),
        keyed(7, "a"),
    )
    books = [Book("b", entries), Book("m", (keyed(0, "a"),), place=Place.CHARACTER, owner="Mary")]
    scan = Scan(avatar="ann", speaker="Ann", length=3, greeting=0)
    told = {each.ref: each.reason for each in silent(prepare(books, ROOMY), scan, {"0/7"})}
    assert told == {
        "0/0": OutBy.DISABLED,
        "0/1": OutBy.FILTER,
        "0/2": OutBy.DELAY,
        "0/3": OutBy.TRIGGER,
        "0/4": OutBy.GREETING,
        "0/5": OutBy.NO_KEYS,
        "0/6": OutBy.NO_MATCH,
        "1/0": OutBy.OTHER_SPEAKER,
    }


def test_a_turn_costs_what_it_says_and_not_how_many_entries_there_are() -> None:
    """Ten turns over ten thousand entries, as many of them switched off, take less than making the
    entries ready once."""
    entries = tuple(
        keyed(at, f"地名{at}", f"place{at}", enabled=at % 2 > 0) for at in range(10_000)
    )
    scan = Scan(
        messages=spoken(*["雨点顺着伞骨往下坠……the place9 is far。" * 20] * 4), words="地名7"
    )
    began = thread_time()
    prepared = prepare([Book("b", entries)], ROOMY)
    ready = thread_time()
    found = [uids(prepared, scan) for _ in range(10)]
    assert thread_time() - ready < ready - began
    assert found == [[7, 9]] * 10


def test_residents_stand_in_prompt_order_and_titles_in_the_books_order() -> None:
    """A constant is no title that could be looked up, and what is switched off is neither."""
    entries = (
        Entry(0, constant=True, title="later", order=2),
        Entry(1, constant=True, title="sooner", order=1),
        Entry(2, ("伞",), title="旧伞"),
        Entry(3, ("x",), title="off", enabled=False),
        Entry(4, ("{{user}}",)),
        Entry(5, constant=True, content="@@depth 1\nx"),
    )
    prepared = prepare([Book("b", entries)], ROOMY)
    assert [ref for ref, _ in prepared.residents] == ["0/1", "0/0"]
    assert prepared.titles == ("旧伞", "{{user}}")
    assert prepared.titles_with_macros == (1,)


def test_as_many_messages_are_asked_for_as_an_entry_may_see() -> None:
    """Its own depth, a decorator's or its book's; widening windows see one more than their limit, or
    all there are."""
    deep = Book("b", (keyed(0, "x", scan_depth=7),))
    decorated = Book("b", (keyed(0, "x", content="@@scan_depth 9\nx"),))
    assert prepare([NAMED], ROOMY).messages_needed == 4
    assert prepare([NAMED, deep], ROOMY).messages_needed == 7
    assert prepare([decorated], ROOMY).messages_needed == 9
    assert prepare([replace(NAMED, scan_depth=11)], ROOMY).messages_needed == 11
    widening = LoreSettings(scan_depth=2, min_activations=3, min_activations_depth=6)
    assert prepare([NAMED], widening).messages_needed == 7
    assert prepare([NAMED], replace(widening, min_activations_depth=0)).messages_needed == 1000


def test_only_the_messages_that_a_window_reaches_are_read() -> None:
    """However long the chat is, a shallow window makes it short."""
    prepared = prepare([NAMED], replace(ROOMY, scan_depth=1))
    scan = Scan(messages=(Message("", "umbrella"), Message("", "…")), words="龙王")
    assert uids(prepared, scan) == [0]
