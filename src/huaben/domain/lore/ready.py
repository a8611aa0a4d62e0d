"""Entries made ready for one evaluation: their rules settled, standing in order.

Separate from the evaluation, which then only asks and decides.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from huaben.domain.lore.matching import KeyRule
from huaben.domain.lore.obey import Obeyed, obey
from huaben.domain.lore.scan import LoreSettings, Scan
from huaben.domain.lore.timing import TimedEntry, mark_of
from huaben.domain.lore.trace import OutBy
from huaben.domain.lore.values import Book, Entry, Place, Recursion


@dataclass(frozen=True, slots=True)
class Ready:
    """One entry with what an evaluation needs to know of it.

    `original` is as the book has it, `obeyed` with its decorators worked in. `depth` counts messages
    with this turn's words among them, None for the window of the settings. `rank` is the place in
    the order of consideration, `out` an obstacle that no text can lift.
    """

    original: Entry
    obeyed: Obeyed
    book: Book
    book_index: int
    exact: bool
    rule: KeyRule
    recursion: Recursion
    depth: int | None = None
    rank: int = 0
    out: OutBy | None = None
    out_detail: str = ""

    @property
    def entry(self) -> Entry:
        """The entry as its decorators want it."""
        return self.obeyed.entry

    @property
    def ref(self) -> str:
        """What the entry is called in one selection."""
        return f"{self.book_index}/{self.original.uid}"

    @property
    def timed_key(self) -> str:
        """What the entry is called from turn to turn."""
        return f"{self.book.identity}.{self.original.uid}"

    @property
    def timed(self) -> TimedEntry:
        """The entry as timing sees it; only one with lasting effects needs a mark."""
        timing = self.entry.timing
        remembers = self.obeyed.once or self.obeyed.keeps
        lasting = bool(timing.sticky or timing.cooldown or remembers)
        mark = mark_of(self.original) if lasting else ""
        return TimedEntry(self.timed_key, mark, timing.sticky, timing.cooldown, remembers)


def make_ready(
    books: Sequence[Book], scan: Scan, settings: LoreSettings
) -> tuple[tuple[Ready, ...], tuple[Ready, ...]]:
    """The entries in the order they are considered, and those whose book is not read now.

    Formats §2.3: chat, persona, then character and global books by strategy, each by `order`
    descending, entries of equal order as their book has them. `@@ignore_on_max_context` yields to
    all others.
    """
    absent = _absent(books, scan)
    present: dict[Place, list[Ready]] = {place: [] for place in Place}
    left: list[Ready] = []
    for index, book in enumerate(books):
        for entry in _in_book_order(book, settings):
            ready = _ready(entry, (index, book), scan, settings)
            if index in absent:
                left.append(replace(ready, out=absent[index], out_detail=book.name))
            else:
                present[book.place].append(ready)
    ordered = [
        *_by_order(present[Place.CHAT]),
        *_by_order(present[Place.PERSONA]),
        *_cast_and_world(present[Place.CHARACTER], present[Place.GLOBAL], settings),
    ]
    ordered.sort(key=lambda ready: ready.obeyed.yields)
    return tuple(replace(ready, rank=rank) for rank, ready in enumerate(ordered)), tuple(left)


def _absent(books: Sequence[Book], scan: Scan) -> dict[int, OutBy]:
    """The books that are not read: another speaker's, and the same book in a lower place."""
    precedence = (Place.GLOBAL, Place.CHAT, Place.PERSONA, Place.CHARACTER)
    seen: dict[str, Place] = {}
    absent: dict[int, OutBy] = {}
    for place in precedence:
        for index, book in enumerate(books):
            if book.place is not place:
                continue
            if book.owner and scan.speaker and book.owner != scan.speaker:
                absent[index] = OutBy.OTHER_SPEAKER
            elif book.identity and seen.setdefault(book.identity, place) is not place:
                absent[index] = OutBy.BOOK_ELSEWHERE
    return absent


def _in_book_order(book: Book, settings: LoreSettings) -> Sequence[Entry]:
    """SillyTavern keys a card's entries by id and so walks them by it; other files by their order."""
    if (book.exact or settings.exact) and book.dialect in ("character_book", "lorebook_v3"):
        return sorted(book.entries, key=lambda entry: entry.uid)
    return book.entries


def _by_order(readies: Iterable[Ready]) -> list[Ready]:
    return sorted(readies, key=lambda ready: -ready.entry.order)


def _cast_and_world(cast: list[Ready], world: list[Ready], settings: LoreSettings) -> list[Ready]:
    match settings.strategy:
        case "evenly":
            return _by_order([*world, *cast])
        case "character_first":
            return [*_by_order(cast), *_by_order(world)]
        case "global_first":
            return [*_by_order(world), *_by_order(cast)]


def _ready(original: Entry, shelved: tuple[int, Book], scan: Scan, settings: LoreSettings) -> Ready:
    index, book = shelved
    exact = book.exact or settings.exact
    obeyed = obey(original, exact=exact)
    entry = obeyed.entry
    out, detail = _obstacle(obeyed, scan, exact=exact)
    return Ready(
        original=original,
        obeyed=obeyed,
        book=book,
        book_index=index,
        exact=exact,
        rule=_rule(entry, settings, exact=exact),
        recursion=_recursion(entry, book, exact=exact),
        depth=_depth(entry, book, exact=exact),
        out=out,
        out_detail=detail,
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


def _obstacle(obeyed: Obeyed, scan: Scan, *, exact: bool) -> tuple[OutBy | None, str]:
    entry = obeyed.entry
    if not entry.enabled:
        return OutBy.DISABLED, ""
    if entry.triggers and scan.trigger not in entry.triggers:
        return OutBy.TRIGGER, f"{scan.trigger} is none of {', '.join(entry.triggers)}"
    filtered = _filtered(entry, scan, exact=exact)
    if filtered:
        return OutBy.FILTER, filtered
    if entry.timing.delay and scan.chat_length < entry.timing.delay:
        return OutBy.DELAY, f"{scan.chat_length} messages, not yet {entry.timing.delay}"
    if None not in (wanted := (obeyed.greeting, scan.greeting)) and wanted[0] != wanted[1]:
        return OutBy.GREETING, f"greeting {scan.greeting}, wanted {obeyed.greeting}"
    if obeyed.after is not None and scan.reply_count < obeyed.after:
        return OutBy.TOO_EARLY, f"{scan.reply_count} replies, not yet {obeyed.after}"
    if obeyed.every is not None and obeyed.every > 0 and scan.reply_count % obeyed.every:
        return OutBy.NOT_THIS_TURN, f"reply {scan.reply_count}, every {obeyed.every}"
    if obeyed.forced is False:
        return OutBy.DONT_ACTIVATE, "@@dont_activate"
    return None, ""


def _filtered(entry: Entry, scan: Scan, *, exact: bool) -> str:
    """Why the character filter shuts the entry out, empty if it does not; names and tags both count."""
    chosen = entry.filter
    called = {scan.avatar} if exact else {scan.avatar, scan.speaker}
    if chosen.names and bool(called & set(chosen.names)) is chosen.exclude:
        return f"{scan.avatar or scan.speaker}: {'not ' * chosen.exclude}{', '.join(chosen.names)}"
    if chosen.tags and bool(set(scan.tags) & set(chosen.tags)) is chosen.exclude:
        return f"tags: {'not ' * chosen.exclude}{', '.join(chosen.tags)}"
    return ""
