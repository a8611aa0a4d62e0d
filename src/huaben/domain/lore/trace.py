"""What a selection decided: every entry, in or out, with the reason.

Separate so that prompts and the inspector can read a selection without the rules that made it.
"""

from dataclasses import dataclass, field
from enum import StrEnum
from typing import Final

from huaben.domain.lore.timing import TimedState
from huaben.domain.lore.values import Book, Entry


class ChosenBy(StrEnum):
    """What made an entry active."""

    KEY = "key"
    CONSTANT = "constant"
    STICKY = "sticky"
    KEPT = "kept"
    DECORATOR = "decorator"
    EXTERNAL = "external"
    SEARCH = "search"


class OutBy(StrEnum):
    """What kept an entry out. Where several did, the last obstacle it reached is named."""

    BOOK_ELSEWHERE = "book_elsewhere"
    OTHER_SPEAKER = "other_speaker"
    DISABLED = "disabled"
    TRIGGER = "trigger"
    FILTER = "filter"
    GREETING = "greeting"
    TOO_EARLY = "too_early"
    NOT_THIS_TURN = "not_this_turn"
    DONT_ACTIVATE = "dont_activate"
    SPENT = "spent"
    DELAY = "delay"
    COOLDOWN = "cooldown"
    RECURSION_ONLY = "recursion_only"
    RECURSION_EXCLUDED = "recursion_excluded"
    NO_KEYS = "no_keys"
    NO_MATCH = "no_match"
    UNSUPPORTED_KEY = "unsupported_key"
    STOPPED_KEY = "stopped_key"
    SECONDARY = "secondary"
    REQUIRED = "required"
    FORBIDDEN = "forbidden"
    GROUP_TAKEN = "group_taken"
    GROUP_STICKY = "group_sticky"
    GROUP_SCORE = "group_score"
    GROUP_PRIORITY = "group_priority"
    GROUP_DRAW = "group_draw"
    PROBABILITY = "probability"
    MAX_ENTRIES = "max_entries"
    BOOK_BUDGET = "book_budget"
    BUDGET = "budget"
    EMPTY = "empty"


UNREMARKABLE: Final = frozenset({OutBy.NO_MATCH, OutBy.NO_KEYS})
"""Why most entries are out: nothing spoke of them."""


@dataclass(frozen=True, slots=True)
class Obstacle:
    """What keeps an entry out, and a plain technical fact of it in English."""

    reason: OutBy
    detail: str = ""


@dataclass(frozen=True, slots=True)
class Chosen:
    """An entry that takes part in this turn.

    `ref` is `book_index/uid`. `text` is its content without decorators, macros expanded, `tokens`
    what it counts for. `key` and `where` name the hit of a key: `words`, `message 3` (from the
    first, 0 being the greeting), `persona`, `injected`, `recursion`. `order` is its place in the
    order of choosing, `step` the pass that chose it, `score` the number of its keys found or what
    another finder gave it. `resident` entries belong in the system prefix.
    """

    entry: Entry
    book: Book
    ref: str
    reason: ChosenBy
    text: str
    tokens: int = 0
    key: str = ""
    where: str = ""
    order: int = 0
    step: int = 1
    score: float = 0.0
    resident: bool = False


@dataclass(frozen=True, slots=True)
class LeftOut:
    """An entry that does not take part; `detail` is a plain technical fact in English."""

    entry: Entry
    book: Book
    ref: str
    reason: OutBy
    detail: str = ""
    score: float = 0.0


@dataclass(frozen=True, slots=True)
class LoreWarning:
    """Something the user should know of; `ref` is the entry or empty, `code` a stable word."""

    code: str
    ref: str = ""
    detail: str = ""


@dataclass(frozen=True, slots=True)
class Selection:
    """The lore of one turn: `chosen` in the order of choosing, and of the others those in `left_out`
    that something spoke of; `unnamed` is how many more there are, whom `silent` tells.

    `timed` is what the next turn of this line starts from.
    """

    chosen: tuple[Chosen, ...] = ()
    left_out: tuple[LeftOut, ...] = ()
    unnamed: int = 0
    timed: TimedState = field(default_factory=TimedState)
    warnings: tuple[LoreWarning, ...] = ()
