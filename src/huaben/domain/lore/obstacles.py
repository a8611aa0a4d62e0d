"""What keeps an entry out of a turn whatever its texts say: who speaks, when, and of which kind it is.

Separate from the entries made ready, which every turn shares: this alone is asked turn by turn, and
only of entries that something speaks of.
"""

from collections.abc import Mapping, Sequence

from huaben.domain.lore.ready import Ready
from huaben.domain.lore.scan import Scan
from huaben.domain.lore.trace import Obstacle, OutBy
from huaben.domain.lore.values import Book, Entry, Place


def absent_books(books: Sequence[Book], scan: Scan) -> Mapping[int, Obstacle]:
    """The books that are not read, by their index: another speaker's, and the same book in a lower
    place (formats §2.3)."""
    precedence = (Place.GLOBAL, Place.CHAT, Place.PERSONA, Place.CHARACTER)
    seen: dict[str, Place] = {}
    absent: dict[int, Obstacle] = {}
    for place in precedence:
        for index, book in enumerate(books):
            if book.place is not place:
                continue
            if book.owner and scan.speaker and book.owner != scan.speaker:
                absent[index] = Obstacle(OutBy.OTHER_SPEAKER, book.name)
            elif book.identity and seen.setdefault(book.identity, place) is not place:
                absent[index] = Obstacle(OutBy.BOOK_ELSEWHERE, book.name)
    return absent


def obstacle_of(ready: Ready, scan: Scan) -> Obstacle | None:
    """What shuts an entry of a book that is read out of this turn, None if nothing does."""
    entry = ready.entry
    if not entry.enabled:
        return Obstacle(OutBy.DISABLED)
    if entry.triggers and scan.trigger not in entry.triggers:
        wanted = ", ".join(entry.triggers)
        return Obstacle(OutBy.TRIGGER, f"{scan.trigger} is none of {wanted}")
    filtered = _filtered(entry, scan, exact=ready.exact)
    if filtered:
        return Obstacle(OutBy.FILTER, filtered)
    delay = entry.timing.delay
    if delay and scan.chat_length < delay:
        return Obstacle(OutBy.DELAY, f"{scan.chat_length} messages, not yet {delay}")
    return _decorated_obstacle(ready, scan)


def _decorated_obstacle(ready: Ready, scan: Scan) -> Obstacle | None:
    obeyed = ready.obeyed
    if None not in (wanted := (obeyed.greeting, scan.greeting)) and wanted[0] != wanted[1]:
        return Obstacle(OutBy.GREETING, f"greeting {scan.greeting}, wanted {obeyed.greeting}")
    if obeyed.after is not None and scan.reply_count < obeyed.after:
        return Obstacle(OutBy.TOO_EARLY, f"{scan.reply_count} replies, not yet {obeyed.after}")
    if obeyed.every is not None and obeyed.every > 0 and scan.reply_count % obeyed.every:
        return Obstacle(OutBy.NOT_THIS_TURN, f"reply {scan.reply_count}, every {obeyed.every}")
    if obeyed.forced is False:
        return Obstacle(OutBy.DONT_ACTIVATE, "@@dont_activate")
    return None


def _filtered(entry: Entry, scan: Scan, *, exact: bool) -> str:
    """Why the character filter shuts the entry out, empty if it does not; names and tags both count."""
    chosen = entry.filter
    called = {scan.avatar} if exact else {scan.avatar, scan.speaker}
    if chosen.names and bool(called & set(chosen.names)) is chosen.exclude:
        return f"{scan.avatar or scan.speaker}: {'not ' * chosen.exclude}{', '.join(chosen.names)}"
    if chosen.tags and bool(set(scan.tags) & set(chosen.tags)) is chosen.exclude:
        return f"tags: {'not ' * chosen.exclude}{', '.join(chosen.tags)}"
    return ""
