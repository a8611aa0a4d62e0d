"""Books made ready for many turns: all of a selection that no turn can change, worked out once.

Separate from choosing, so that a turn costs what it says and not how many entries there are.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeVar

from huaben.domain.lore.keyring import Keyring, is_templated, make_keyring
from huaben.domain.lore.ready import Ready, make_ready
from huaben.domain.lore.scan import MAX_SCAN_DEPTH, LoreSettings, as_typed, may_hold_macros
from huaben.domain.lore.search import Searchable, entry_title, searchable
from huaben.domain.lore.values import Book, Entry

_T = TypeVar("_T")


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Prepared:
    """Books under one set of settings, for `select`; any number of threads and turns may share it.

    `readies` stand by rank. `keyring` has the keys of all but the `templated` ones, whose macros a
    turn expands. `always` are the ranks that need no key. `by_ref` and `by_timed` find ranks by an
    entry's two names, in ascending order. `levels` are the levels of recursion that each book's
    entries wait for, `depths` the depths of their windows (`Ready`). `residents` are the entries of the system prefix with their refs, in prompt
    order; `titles` those of what else can be looked up, in the books' order, some of them with
    macros. `searchable` is there where the settings ask for a search.
    """

    books: tuple[Book, ...]
    settings: LoreSettings
    readies: tuple[Ready, ...]
    keyring: Keyring
    templated: tuple[Ready, ...]
    always: tuple[int, ...]
    by_ref: Mapping[str, Sequence[int]]
    by_timed: Mapping[str, Sequence[int]]
    levels: Mapping[int, frozenset[int]]
    depths: Mapping[int, frozenset[int | None]]
    residents: tuple[tuple[str, Entry], ...]
    titles: tuple[str, ...]
    titles_with_macros: tuple[int, ...]
    searchable: Searchable | None

    @property
    def messages_needed(self) -> int:
        """How many of a chat's latest messages any selection may look at."""
        settings = self.settings
        widened = 0
        if settings.min_activations:
            deepest = settings.min_activations_depth
            widened = deepest + 1 if deepest else MAX_SCAN_DEPTH
        own = max((depth or 0 for depths in self.depths.values() for depth in depths), default=0)
        return min(MAX_SCAN_DEPTH, max(settings.scan_depth, widened, own))


def prepare(books: Sequence[Book], settings: LoreSettings) -> Prepared:
    """The books made ready. Takes time in proportion to their entries: a few tenths of a second for
    ten thousand."""
    readies = make_ready(books, settings)
    templated = tuple(ready for ready in readies if is_templated(ready))
    waiting = {ready.rank for ready in templated}
    titles = _titles(books)
    fixed = (ready for ready in readies if ready.rank not in waiting)
    return Prepared(
        books=tuple(books),
        settings=settings,
        readies=readies,
        keyring=make_keyring(fixed, as_typed),
        templated=templated,
        always=tuple(each.rank for each in readies if each.obeyed.forced or each.entry.constant),
        by_ref=_grouped((ready.ref, ready.rank) for ready in readies),
        by_timed=_grouped((ready.timed_key, ready.rank) for ready in readies),
        levels=_of_each_book((each, each.recursion.delay_level) for each in readies),
        depths=_of_each_book((each, each.depth) for each in readies),
        residents=_residents(books),
        titles=titles,
        titles_with_macros=tuple(at for at, each in enumerate(titles) if may_hold_macros(each)),
        searchable=searchable(books) if settings.selection == "hybrid" else None,
    )


def _grouped(pairs: Iterable[tuple[str, int]]) -> Mapping[str, Sequence[int]]:
    found: dict[str, list[int]] = {}
    for name, rank in pairs:
        found.setdefault(name, []).append(rank)
    return found


def _of_each_book(facts: Iterable[tuple[Ready, _T]]) -> Mapping[int, frozenset[_T]]:
    found: dict[int, set[_T]] = {}
    for ready, fact in facts:
        found.setdefault(ready.book_index, set()).add(fact)
    return {index: frozenset(each) for index, each in found.items()}


def _residents(books: Sequence[Book]) -> tuple[tuple[str, Entry], ...]:
    found = [
        (f"{index}/{entry.uid}", entry)
        for index, book in enumerate(books)
        for entry in book.entries
        if entry.resident
    ]
    return tuple(sorted(found, key=lambda row: row[1].order))


def _titles(books: Sequence[Book]) -> tuple[str, ...]:
    return tuple(
        entry_title(entry)
        for book in books
        for entry in book.entries
        if entry.enabled and not entry.constant
    )
