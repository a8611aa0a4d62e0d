"""Entries made ready for choosing: their rules settled, standing in order.

Separate from the evaluation, which then only asks and decides.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import TypeAlias

from huaben.domain.lore.matching import KeyRule
from huaben.domain.lore.obey import Obeyed, obey
from huaben.domain.lore.scan import LoreSettings
from huaben.domain.lore.timing import TimedEntry, mark_of
from huaben.domain.lore.values import Book, Entry, Place, Recursion
from huaben.domain.lore.window import source_bits


@dataclass(frozen=True, slots=True)
class Ready:
    """One entry with what every evaluation under the same settings needs to know of it.

    `original` is as the book has it, `obeyed` with its decorators worked in. `rank` is the place in
    the order of consideration, `ref` what the entry is called in one selection and `timed_key` from
    turn to turn. `sources` are the texts beside the chat that it asks for, as bits. `depth` counts
    messages with this turn's words among them, None for the window of the settings.
    """

    original: Entry
    obeyed: Obeyed
    book: Book
    book_index: int
    rank: int
    ref: str
    timed_key: str
    exact: bool
    rule: KeyRule
    recursion: Recursion
    sources: int
    depth: int | None = None

    @property
    def entry(self) -> Entry:
        """The entry as its decorators want it."""
        return self.obeyed.entry

    @property
    def timed(self) -> TimedEntry:
        """The entry as timing sees it; only one with lasting effects needs a mark."""
        timing = self.entry.timing
        remembers = self.obeyed.once or self.obeyed.keeps
        lasting = bool(timing.sticky or timing.cooldown or remembers)
        mark = mark_of(self.original) if lasting else ""
        return TimedEntry(self.timed_key, mark, timing.sticky, timing.cooldown, remembers)


_Shelved: TypeAlias = tuple[int, Book]
_Row: TypeAlias = tuple[Entry, Obeyed, _Shelved]


def make_ready(books: Sequence[Book], settings: LoreSettings) -> tuple[Ready, ...]:
    """The entries in the order they are considered.

    Formats §2.3: chat, persona, then character and global books by strategy, each by `order`
    descending, entries of equal order as their book has them. `@@ignore_on_max_context` yields to
    all others.
    """
    rows: dict[Place, list[_Row]] = {place: [] for place in Place}
    for index, book in enumerate(books):
        exact = book.exact or settings.exact
        for entry in _in_book_order(book, exact=exact):
            rows[book.place].append((entry, obey(entry, exact=exact), (index, book)))
    ordered = [
        *_by_order(rows[Place.CHAT]),
        *_by_order(rows[Place.PERSONA]),
        *_cast_and_world(rows[Place.CHARACTER], rows[Place.GLOBAL], settings),
    ]
    ordered.sort(key=lambda row: row[1].yields)
    return tuple(_ready(rank, row, settings) for rank, row in enumerate(ordered))


def _in_book_order(book: Book, *, exact: bool) -> Sequence[Entry]:
    """SillyTavern keys a card's entries by id and so walks them by it; other files by their order."""
    if exact and book.dialect in ("character_book", "lorebook_v3"):
        return sorted(book.entries, key=lambda entry: entry.uid)
    return book.entries


def _by_order(rows: Iterable[_Row]) -> list[_Row]:
    return sorted(rows, key=lambda row: -row[1].entry.order)


def _cast_and_world(cast: list[_Row], world: list[_Row], settings: LoreSettings) -> list[_Row]:
    match settings.strategy:
        case "evenly":
            return _by_order([*world, *cast])
        case "character_first":
            return [*_by_order(cast), *_by_order(world)]
        case "global_first":
            return [*_by_order(world), *_by_order(cast)]


def _ready(rank: int, row: _Row, settings: LoreSettings) -> Ready:
    original, obeyed, (index, book) = row
    exact = book.exact or settings.exact
    entry = obeyed.entry
    return Ready(
        original=original,
        obeyed=obeyed,
        book=book,
        book_index=index,
        rank=rank,
        ref=f"{index}/{original.uid}",
        timed_key=f"{book.identity}.{original.uid}",
        exact=exact,
        rule=_rule(entry, settings, exact=exact),
        recursion=_recursion(entry, book, exact=exact),
        sources=source_bits(entry.sources),
        depth=_depth(entry, book, exact=exact),
    )


def _rule(entry: Entry, settings: LoreSettings, *, exact: bool) -> KeyRule:
    case, whole = entry.case_sensitive, entry.whole_words
    return KeyRule(
        case_sensitive=settings.case_sensitive if case is None else case,
        whole_words=settings.whole_words if whole is None else whole,
        exact=exact,
    )


def _recursion(entry: Entry, book: Book, *, exact: bool) -> Recursion:
    """The entry's part in recursion; a book that forbids it takes none (SillyTavern reads past that)."""
    if exact or book.recursive is not False:
        return entry.recursion
    return replace(entry.recursion, excluded=True, prevents=True)


def _depth(entry: Entry, book: Book, *, exact: bool) -> int | None:
    if entry.scan_depth is not None or exact:
        return entry.scan_depth
    # A book that says 0 means that it does not say.
    return book.scan_depth or None
