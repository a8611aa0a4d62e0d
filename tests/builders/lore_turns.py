"""Turns in which lore is chosen, for tests of what is chosen and why."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from huaben.domain.lore import (
    Book,
    Chosen,
    Entry,
    LeftOut,
    LoreSettings,
    Message,
    OutBy,
    Scan,
    Selection,
    TimedState,
    prepare,
    select,
    silent,
)

ROOMY = LoreSettings(budget=0)


def no_time() -> float:
    """A clock that stands still, so that no pattern is ever stopped for the turn's sake."""
    return 0.0


def by_characters(text: str) -> int:
    """Counts each character as a token, without the line end."""
    return len(text.removesuffix("\n"))


@dataclass(frozen=True, slots=True)
class Turn:
    """A selection with its entries under their uids (of the first book unless said otherwise), and
    the entries that it only counts."""

    selection: Selection
    silent: tuple[LeftOut, ...] = ()

    @property
    def uids(self) -> list[int]:
        """The chosen entries in the order of choosing."""
        return [each.entry.uid for each in self.selection.chosen]

    @property
    def out(self) -> dict[int, OutBy]:
        """Why each other entry is out."""
        return {each.entry.uid: each.reason for each in self.others}

    @property
    def others(self) -> tuple[LeftOut, ...]:
        """Every entry that is out."""
        return self.selection.left_out + self.silent

    @property
    def timed(self) -> TimedState:
        """What the next turn starts from."""
        return self.selection.timed

    def chosen(self, uid: int) -> Chosen:
        """One chosen entry."""
        return next(each for each in self.selection.chosen if each.entry.uid == uid)

    def left_out(self, uid: int) -> LeftOut:
        """One entry that is out."""
        return next(each for each in self.others if each.entry.uid == uid)


def spoken(*texts: str) -> tuple[Message, ...]:
    """Messages of a nameless storyteller, oldest first."""
    return tuple(Message("", text) for text in texts)


def turn(
    entries: Sequence[Entry] | Sequence[Book],
    words: str | Scan = "",
    settings: LoreSettings = ROOMY,
    *,
    seed: int = 1,
    timed: TimedState | None = None,
    count: Callable[[str], int] = by_characters,
    clock_ms: Callable[[], float] = no_time,
) -> Turn:
    """What is chosen from one book of these entries, or from these books, for these words."""
    books = [each for each in entries if isinstance(each, Book)]
    loose = tuple(each for each in entries if isinstance(each, Entry))
    scan = words if isinstance(words, Scan) else Scan(words=words)
    prepared = prepare(books or [Book("book", loose)], settings)
    before = TimedState() if timed is None else timed
    selection = select(prepared, scan, seed, before, count, clock_ms)
    named = {each.ref for each in (*selection.chosen, *selection.left_out)}
    return Turn(selection, tuple(silent(prepared, scan, named)))


def keyed(uid: int, *keys: str, content: str = "", **changed: object) -> Entry:
    """An entry with these keys and some content of its own."""
    entry = Entry(uid, keys, content=content or f"content of {uid}")
    # The names of fields are checked when the value is made.
    return replace(entry, **changed)


def replies(count: int) -> Scan:
    """A chat of this many replies, and the words `x`."""
    return Scan(messages=spoken(*["…"] * count), words="x", user="Ann")


def external(found: Mapping[str, float]) -> Scan:
    """A turn in which something else found entries."""
    return Scan(words="nothing", external=found)
