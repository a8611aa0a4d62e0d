"""What active entries cost and whether one more can be afforded.

Separate because luck and budget are spent in one order, entry by entry, over all passes.
"""

from collections.abc import Callable
from dataclasses import dataclass, field

from huaben.domain.lore.chance import passes, roll
from huaben.domain.lore.groups import Candidate
from huaben.domain.lore.ready import Ready
from huaben.domain.lore.scan import LoreSettings
from huaben.domain.lore.trace import OutBy


@dataclass(frozen=True, slots=True)
class Active:
    """An entry that is active: its text with macros expanded and its cost in tokens."""

    candidate: Candidate
    text: str
    tokens: int
    step: int


@dataclass(frozen=True, slots=True)
class Refusal:
    """Why an entry is not active; a final one is not asked again in this evaluation."""

    reason: OutBy
    detail: str
    final: bool = True


@dataclass(slots=True)
class Purse:
    """The entries active so far and what they cost (formats §2.6.6 and §2.6.7)."""

    settings: LoreSettings
    seed: int
    expand: Callable[[str], str]
    count_tokens: Callable[[str], int]
    active: dict[int, Active] = field(default_factory=dict[int, Active])
    overflowed: bool = False
    used: int = 0
    counted: int = 0
    used_of_book: dict[int, int] = field(default_factory=dict[int, int])

    def has(self, rank: int) -> bool:
        """Whether the entry of this rank is active."""
        return rank in self.active

    def take(self, candidate: Candidate, step: int) -> Active | Refusal:
        """Makes a candidate active, unless its roll fails or the budget is spent.

        A sticky entry does not roll. The entry that reaches the budget is out, and with
        `overflow="stop"` all after it, but for those that ignore the budget.
        """
        ready = candidate.ready
        free = ready.entry.ignore_budget or self._is_resident(ready)
        if self.overflowed and not free:
            return Refusal(OutBy.BUDGET, "an earlier entry reached the budget", final=False)
        unlucky = self._unlucky(candidate)
        if unlucky is not None:
            return unlucky
        text = self.expand(ready.obeyed.text)
        # The line end that joins it to the next counts, as it does in SillyTavern.
        tokens = self.count_tokens(f"{text}\n") if text.strip() else 0
        refusal = None if free else self._too_much(ready, tokens)
        if refusal is not None:
            return refusal
        if not self._is_resident(ready):
            self.counted += 1
            self.used += tokens
            book = ready.book_index
            self.used_of_book[book] = self.used_of_book.get(book, 0) + tokens
        taken = Active(candidate, text, tokens, step)
        self.active[ready.rank] = taken
        return taken

    def _unlucky(self, candidate: Candidate) -> Refusal | None:
        ready = candidate.ready
        entry = ready.entry
        if candidate.sticky or not entry.use_probability or entry.probability >= 100:
            return None
        rolled = roll(self.seed, "probability", ready.timed_key, ready.ref)
        if passes(entry.probability, rolled):
            return None
        return Refusal(
            OutBy.PROBABILITY, f"rolled {rolled * 100:.2f}, needed below {entry.probability:g}"
        )

    def _too_much(self, ready: Ready, tokens: int) -> Refusal | None:
        settings = self.settings
        if settings.max_entries and self.counted >= settings.max_entries:
            return Refusal(OutBy.MAX_ENTRIES, f"{settings.max_entries} entries")
        own = None if ready.exact else ready.book.token_budget
        if own and self.used_of_book.get(ready.book_index, 0) + tokens >= own:
            return Refusal(OutBy.BOOK_BUDGET, f"{tokens} tokens, the book's budget is {own}")
        if settings.budget and self.used + tokens >= settings.budget:
            self.overflowed = settings.overflow == "stop"
            return Refusal(OutBy.BUDGET, f"{self.used} + {tokens} tokens of {settings.budget}")
        return None

    def _is_resident(self, ready: Ready) -> bool:
        return self.settings.constants == "resident" and ready.original.resident
